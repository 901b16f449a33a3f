#define _GNU_SOURCE 1
#include "CThumbturn.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

// A lock of flock(2) belongs to the open file, which a forked child shares: while the child has the descriptor the lock
// outlives its holder. So every child closes the descriptors of locks before it does anything else.

struct place {
  _Atomic int descriptor;
  struct place *next;
};

enum { FREE = -1 };

static _Atomic(struct place *) places;
static pthread_once_t registration = PTHREAD_ONCE_INIT;
static bool is_registered;

// Between fork and exec only what is safe in a signal handler is allowed: close(2) is.
static void close_in_child(void) {
  for (struct place *place = atomic_load(&places); place; place = place->next) {
    const int descriptor = atomic_exchange(&place->descriptor, FREE);
    if (descriptor != FREE) close(descriptor);
  }
}

static void register_handler(void) { is_registered = pthread_atfork(NULL, NULL, close_in_child) == 0; }

bool tt_close_in_children(int descriptor) {
  pthread_once(&registration, register_handler);
  if (!is_registered) return false;
  for (struct place *place = atomic_load(&places); place; place = place->next) {
    int expected = FREE;
    if (atomic_compare_exchange_strong(&place->descriptor, &expected, descriptor)) return true;
  }
  // Places are used again and never freed: a child may walk them at any time.
  struct place *place = malloc(sizeof *place);
  if (!place) return false;
  atomic_init(&place->descriptor, descriptor);
  place->next = atomic_load(&places);
  while (!atomic_compare_exchange_weak(&places, &place->next, place)) {
  }
  return true;
}

void tt_keep_in_children(int descriptor) {
  for (struct place *place = atomic_load(&places); place; place = place->next) {
    int expected = descriptor;
    if (atomic_compare_exchange_strong(&place->descriptor, &expected, FREE)) return;
  }
}

static int set_first_byte(int descriptor, short type) {
  // Locks of the open file ask for process 0.
  struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_start = 0, .l_len = 1, .l_pid = 0};
  return fcntl(descriptor, F_OFD_SETLK, &lock) == 0 ? 0 : errno;
}

int tt_lock_first_byte(int descriptor) { return set_first_byte(descriptor, F_WRLCK); }

void tt_unlock_first_byte(int descriptor) { (void)set_first_byte(descriptor, F_UNLCK); }
