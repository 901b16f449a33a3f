#define _GNU_SOURCE 1
#include "CThumbturn.h"

#include <pthread.h>
#include <time.h>

// Writers first: with many threads in calls a fork would otherwise never get its turn.
#define GATE PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP

// Seconds that a fork waits for calls to come to a place where it is safe. Longer than any of them stays away from one,
// unless the disk hangs; then the fork goes on, and its child is told.
enum { WAIT_SECONDS_MAX = 3 };

static pthread_rwlock_t gate = GATE;
static pthread_once_t registration = PTHREAD_ONCE_INIT;
static bool is_registered;
// How deep this thread is in calls, and whether it keeps the gate shut around its own fork.
static _Thread_local int depth;
static _Thread_local bool is_shut;
static bool was_forked_inside;

static void before_fork(void) {
  is_shut = false;
  if (depth > 0) return;
  struct timespec end;
  clock_gettime(CLOCK_MONOTONIC, &end);
  end.tv_sec += WAIT_SECONDS_MAX;
  is_shut = pthread_rwlock_clockwrlock(&gate, CLOCK_MONOTONIC, &end) == 0;
}

static void after_fork_in_parent(void) {
  if (is_shut) pthread_rwlock_unlock(&gate);
  is_shut = false;
}

static void after_fork_in_child(void) {
  was_forked_inside = !is_shut;
  is_shut = false;
  depth = 0;
  // Nobody but this thread is left, whoever held it.
  gate = (pthread_rwlock_t)GATE;
}

static void register_handlers(void) {
  is_registered = pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child) == 0;
}

bool tt_fork_gate_enter(void) {
  pthread_once(&registration, register_handlers);
  if (!is_registered || was_forked_inside) return false;
  if (depth == 0 && pthread_rwlock_rdlock(&gate) != 0) return false;
  depth++;
  return true;
}

void tt_fork_gate_leave(void) {
  if (depth == 0) return;
  depth--;
  if (depth == 0) pthread_rwlock_unlock(&gate);
}

void tt_fork_gate_pause(void) {
  if (depth > 0) pthread_rwlock_unlock(&gate);
}

void tt_fork_gate_resume(void) {
  // Cannot fail: the lock is sound, and this thread does not hold it.
  if (depth > 0) pthread_rwlock_rdlock(&gate);
}
