#define _GNU_SOURCE 1
#include "CThumbturn.h"

#include <errno.h>
#include <poll.h>
#include <stdatomic.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

bool tt_random(uint8_t *out, size_t count) {
  size_t done = 0;
  while (done < count) {
    ssize_t got = getrandom(out + done, count - done, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    done += (size_t)got;
  }
  return true;
}

bool tt_is_secure_execution(void) { return getauxval(AT_SECURE) != 0; }

uint64_t tt_filesystem_magic(int descriptor) {
  struct statfs answer;
  return fstatfs(descriptor, &answer) == 0 ? (uint64_t)(unsigned long)answer.f_type : 0;
}

int tt_wait_readable(int descriptor, int milliseconds) {
  struct timespec now;
  clock_gettime(CLOCK_BOOTTIME, &now);
  const int64_t end = (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000 + milliseconds;
  for (;;) {
    clock_gettime(CLOCK_BOOTTIME, &now);
    const int64_t left = end - ((int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000);
    struct pollfd one = {.fd = descriptor, .events = POLLIN};
    const int ready = poll(&one, 1, left > 0 ? (int)left : 0);
    if (ready > 0) return 1;
    if (ready == 0) return 0;
    if (errno != EINTR) return -1;
  }
}

bool tt_forbid_dumps(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0; }

// A number in a page that the kernel zeroes in every forked child. Asking the kernel each time costs as much as a box.
static int32_t *make_mark(void) {
  const size_t size = (size_t)sysconf(_SC_PAGESIZE);
  void *page = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return NULL;
  if (madvise(page, size, MADV_WIPEONFORK) == 0) return page;
  munmap(page, size);
  return NULL;
}

int32_t tt_process(void) {
  static _Atomic(_Atomic int32_t *) mark;
  _Atomic int32_t *here = atomic_load_explicit(&mark, memory_order_acquire);
  if (!here) {
    _Atomic int32_t *made = (_Atomic int32_t *)make_mark();
    if (!made) return getpid();
    // A thread that was faster has made one too: this page then stays unused.
    here = atomic_compare_exchange_strong(&mark, &here, made) ? made : here;
  }
  int32_t process = atomic_load_explicit(here, memory_order_relaxed);
  if (process == 0) {
    process = getpid();
    atomic_store_explicit(here, process, memory_order_relaxed);
  }
  return process;
}

static int argument_count;
static char **argument_list;

// The C library gives every constructor what main gets; Swift's main passes it on to nobody.
__attribute__((constructor)) static void keep_arguments(int count, char **list) {
  argument_count = count;
  argument_list = list;
}

const char *tt_argument(int index) { return index >= 0 && index < argument_count ? argument_list[index] : NULL; }

// Deeper than any call of the cipher libraries goes (Argon2id by libsodium: some 5 KiB, measured), and far below the
// smallest stack of a thread.
enum { WIPED_STACK_SIZE = 65536 };

__attribute__((noinline)) void tt_wipe_stack(void) {
  volatile uint8_t room[WIPED_STACK_SIZE];
  for (size_t index = 0; index < sizeof room; index++) room[index] = 0;
}
