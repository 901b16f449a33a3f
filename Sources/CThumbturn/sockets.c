#define _GNU_SOURCE 1
#include "CThumbturn.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sockios.h>
#include <poll.h>
#include <stddef.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77
#endif
#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 0x8U
#endif

static int answer(int value) { return value < 0 ? -errno : value; }

// Moves a descriptor away from the numbers of the standard streams.
static int above_streams(int descriptor) {
  if (descriptor < 0 || descriptor > 2) return descriptor;
  const int moved = fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
  const int failed = -errno;
  close(descriptor);
  return moved < 0 ? failed : moved;
}

static bool make_address(const char *path, struct sockaddr_un *address) {
  *address = (struct sockaddr_un){.sun_family = AF_UNIX};
  const size_t count = strlen(path);
  if (count == 0 || count >= sizeof address->sun_path) return false;
  memcpy(address->sun_path, path, count);
  return true;
}

int tt_socket(void) { return above_streams(answer(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0))); }

int tt_connect(int descriptor, const char *path, int milliseconds) {
  struct sockaddr_un address;
  if (!make_address(path, &address)) return -ENAMETOOLONG;
  const struct timeval limit = {.tv_sec = milliseconds / 1000, .tv_usec = milliseconds % 1000 * 1000};
  if (setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit) != 0) return -errno;
  return answer(connect(descriptor, (struct sockaddr *)&address, sizeof address));
}

int tt_bind(int descriptor, const char *path) {
  struct sockaddr_un address;
  if (!make_address(path, &address)) return -ENAMETOOLONG;
  return answer(bind(descriptor, (struct sockaddr *)&address, sizeof address));
}

int tt_accept(int descriptor) {
  return above_streams(answer(accept4(descriptor, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK)));
}

struct tt_peer tt_peer_of(int descriptor) {
  struct tt_peer peer = {.process = -1, .user = UINT32_MAX, .handle = -1};
  struct ucred rights;
  socklen_t size = sizeof rights;
  if (getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &rights, &size) != 0 || size != sizeof rights) return peer;
  peer.process = rights.pid;
  peer.user = rights.uid;
  int handle = -1;
  size = sizeof handle;
  if (getsockopt(descriptor, SOL_SOCKET, SO_PEERPIDFD, &handle, &size) == 0) peer.handle = above_streams(handle);
  return peer;
}

bool tt_is_listening_for_packets(int descriptor) {
  int listening = 0, kind = 0, domain = 0;
  socklen_t size = sizeof(int);
  if (getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listening, &size) != 0) return false;
  size = sizeof(int);
  if (getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &kind, &size) != 0) return false;
  size = sizeof(int);
  if (getsockopt(descriptor, SOL_SOCKET, SO_DOMAIN, &domain, &size) != 0) return false;
  return listening == 1 && kind == SOCK_SEQPACKET && domain == AF_UNIX;
}

ssize_t tt_send(int descriptor, const uint8_t *bytes, size_t count, int passed) {
  struct iovec part = {.iov_base = (void *)(uintptr_t)bytes, .iov_len = count};
  union {
    char bytes[CMSG_SPACE(sizeof(int))];
    struct cmsghdr align;
  } control = {0};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  if (passed >= 0) {
    message.msg_control = control.bytes;
    message.msg_controllen = CMSG_SPACE(sizeof(int));
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(head), &passed, sizeof passed);
  }
  const ssize_t sent = sendmsg(descriptor, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
  return sent < 0 ? -errno : sent;
}

struct tt_received tt_receive(int descriptor, uint8_t *bytes, size_t count, bool waits) {
  struct iovec part = {.iov_base = bytes, .iov_len = count};
  union {
    char bytes[CMSG_SPACE(sizeof(int))];
    struct cmsghdr align;
  } control = {0};
  // CMSG_LEN, not CMSG_SPACE: the padding would be room for a second descriptor.
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = CMSG_LEN(sizeof(int))};
  const ssize_t got = recvmsg(descriptor, &message, MSG_CMSG_CLOEXEC | (waits ? 0 : MSG_DONTWAIT));
  if (got < 0) return (struct tt_received){.count = -errno, .passed = -1};
  struct tt_received received = {.count = got, .passed = -1};
  const struct cmsghdr *head = message.msg_controllen > 0 ? CMSG_FIRSTHDR(&message) : NULL;
  if (head) {
    received.is_malformed = true;
    if (head->cmsg_level == SOL_SOCKET && head->cmsg_type == SCM_RIGHTS && head->cmsg_len == CMSG_LEN(sizeof(int))) {
      memcpy(&received.passed, CMSG_DATA(head), sizeof(int));
      received.is_malformed = false;
    }
  }
  if (message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) received.is_malformed = true;
  if (received.passed >= 0 && received.is_malformed) {
    close(received.passed);
    received.passed = -1;
  }
  received.passed = above_streams(received.passed);
  return received;
}

int tt_set_receive_limit(int descriptor, int milliseconds) {
  const struct timeval limit = {.tv_sec = milliseconds / 1000, .tv_usec = milliseconds % 1000 * 1000};
  return answer(setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit));
}

bool tt_has_unread(int descriptor) {
  int bytes = 0;
  return ioctl(descriptor, SIOCOUTQ, &bytes) == 0 && bytes > 0;
}

int tt_memfd(const char *name) {
  int made = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING | MFD_NOEXEC_SEAL);
  // Kernels before 6.3 do not know the last flag.
  if (made < 0 && errno == EINVAL) made = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
  return above_streams(answer(made));
}

enum { all_seals = F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE };

int tt_seal(int descriptor) { return answer(fcntl(descriptor, F_ADD_SEALS, all_seals)); }

bool tt_is_sealed(int descriptor) {
  const int seals = fcntl(descriptor, F_GET_SEALS);
  return seals >= 0 && (seals & all_seals) == all_seals;
}

int tt_wakeup(void) { return above_streams(answer(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK))); }

int tt_poller(void) { return above_streams(answer(epoll_create1(EPOLL_CLOEXEC))); }

int tt_poller_watch(int poller, int descriptor, uint64_t tag, bool reads, bool writes, bool is_new) {
  struct epoll_event event = {
      .events = (reads ? EPOLLIN : 0u) | (writes ? EPOLLOUT : 0u), .data = {.u64 = tag}};
  return answer(epoll_ctl(poller, is_new ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, descriptor, &event));
}

int tt_poller_wait(int poller, struct tt_event *events, size_t count) {
  struct epoll_event found[16];
  const int got = epoll_wait(poller, found, count < 16 ? (int)count : 16, -1);
  if (got < 0) return errno == EINTR ? 0 : -errno;
  for (int i = 0; i < got; i++) {
    events[i] = (struct tt_event){
        .tag = found[i].data.u64,
        .can_read = (found[i].events & (EPOLLIN | EPOLLHUP | EPOLLERR | EPOLLRDHUP)) != 0,
        .can_write = (found[i].events & EPOLLOUT) != 0};
  }
  return got;
}

int tt_ticker(bool waits) {
  return above_streams(answer(timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | (waits ? 0 : TFD_NONBLOCK))));
}

int tt_ticker_set(int ticker, int64_t nanoseconds, bool repeats) {
  const struct timespec time = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000};
  const struct itimerspec times = {.it_interval = repeats ? time : (struct timespec){0}, .it_value = time};
  return answer(timerfd_settime(ticker, 0, &times, NULL));
}

int tt_wait_writable(int descriptor, int milliseconds) {
  struct pollfd one = {.fd = descriptor, .events = POLLOUT};
  const int ready = poll(&one, 1, milliseconds);
  if (ready > 0) return 1;
  return ready == 0 || errno == EINTR ? 0 : -1;
}
