#pragma once
#include <lifetimebound.h>
#include <ptrcheck.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// The agent's socket: a local socket whose packets arrive whole. In C, because control messages are macros, and eventfd,
// epoll, memfd_create and the variadic ioctl are not in Swift's Glibc module. Nothing here waits but where it says so, and
// where an int or a size is the answer, a negative one is an errno. Every descriptor is closed on exec and above 2.

/// A new socket, not yet connected.
int tt_socket(void);
/// Connects within `milliseconds`; -EAGAIN when there was no room in the queue of the other side until then.
int tt_connect(int descriptor, const char *path, int milliseconds);
int tt_bind(int descriptor, const char *path);
/// The next connection, which never waits.
int tt_accept(int descriptor);
/// Whether a descriptor is a socket of this kind that listens.
bool tt_is_listening_for_packets(int descriptor);

/// Who is at the other end, by the kernel, from when it connected.
struct tt_peer {
  int32_t process;
  /// UINT32_MAX when it cannot be asked.
  uint32_t user;
  /// A pidfd, to be closed; -1 on kernels before 6.5.
  int handle;
};
struct tt_peer tt_peer_of(int descriptor);

/// Sends one packet without waiting, and with it a descriptor, when `passed` is not negative.
ssize_t tt_send(int descriptor, const uint8_t *__counted_by(count) __noescape bytes, size_t count, int passed);

struct tt_received {
  /// 0 is the end.
  ssize_t count;
  /// The descriptor that came with it, or -1.
  int passed;
  /// The packet was larger than the room, or more came with it than one descriptor. What came is closed.
  bool is_malformed;
};
/// Receives one packet; waits for it if it is told to, as long as `tt_set_receive_limit` says.
struct tt_received tt_receive(
    int descriptor, uint8_t *__counted_by(count) __noescape bytes, size_t count, bool waits);
/// How long a receiving call waits that waits.
int tt_set_receive_limit(int descriptor, int milliseconds);

/// Whether the other side has not read everything that was sent.
bool tt_has_unread(int descriptor);

/// A file in memory that can be sealed.
int tt_memfd(const char *name);
/// Seals it for ever: neither its bytes nor its size change any more.
int tt_seal(int descriptor);
bool tt_is_sealed(int descriptor);

/// A descriptor that becomes readable when 8 bytes are written to it.
int tt_wakeup(void);

int tt_poller(void);
int tt_poller_watch(int poller, int descriptor, uint64_t tag, bool reads, bool writes, bool is_new);
struct tt_event {
  uint64_t tag;
  /// Also when the other side is gone.
  bool can_read;
  bool can_write;
};
/// Waits for events. Their number, at most `count` and 16; 0 when a signal came, or the negative error.
int tt_poller_wait(int poller, struct tt_event *__counted_by(count) __noescape events, size_t count);

/// A descriptor that becomes readable when its time is over. Reading it waits for that, or not.
int tt_ticker(bool waits);
/// Sets the time, once or again and again; 0 stops it.
int tt_ticker_set(int ticker, int64_t nanoseconds, bool repeats);

/// Waits until there is room to send: 1, 0 when the time is over or a signal came, -1 failed.
int tt_wait_writable(int descriptor, int milliseconds);
