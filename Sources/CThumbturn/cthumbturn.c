#define _GNU_SOURCE 1
#include "CThumbturn.h"

#include <errno.h>
#include <stdio.h>
#include <poll.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/vfs.h>
#include <time.h>

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
