#define _GNU_SOURCE 1
#include "CThumbturn.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

// Writers first: with many threads in calls a fork would otherwise never get its turn.
#define GATE PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP

// Seconds that a fork waits for calls to come to a place where it is safe. Longer than any of them stays away from one,
// unless the disk hangs; then the fork goes on, and its child is told. And seconds that a call waits for forks.
enum { FORK_SECONDS_MAX = 3, CALL_SECONDS_MAX = 4 };

static pthread_rwlock_t gate = GATE;
static pthread_once_t registration = PTHREAD_ONCE_INIT;
static bool is_registered;
// How deep this thread is in calls, and whether it keeps the gate shut around its own fork.
static _Thread_local int depth;
static _Thread_local bool is_shut;
// Whether this call came back from a sleep without the gate, because forks kept it too long; and how many such calls are
// inside now: no fork is a clean one then.
static _Thread_local bool is_outside;
static atomic_int outside_count;
// Once true for ever, also in the children of a child: what they inherited is the same.
static bool was_forked_inside;

static struct timespec end_after(int seconds) {
  struct timespec end;
  clock_gettime(CLOCK_MONOTONIC, &end);
  end.tv_sec += seconds;
  return end;
}

static void before_fork(void) {
  is_shut = false;
  if (depth > 0) return;
  const struct timespec end = end_after(FORK_SECONDS_MAX);
  is_shut = pthread_rwlock_clockwrlock(&gate, CLOCK_MONOTONIC, &end) == 0;
}

static void after_fork_in_parent(void) {
  if (is_shut) pthread_rwlock_unlock(&gate);
  is_shut = false;
}

static void after_fork_in_child(void) {
  // Counted before it goes on, so a call that lost its patience while this fork was on its way is seen here.
  was_forked_inside = was_forked_inside || !is_shut || atomic_load(&outside_count) > 0;
  is_shut = false;
  depth = 0;
  is_outside = false;
  atomic_store(&outside_count, 0);
  // Nobody but this thread is left, whoever held it.
  gate = (pthread_rwlock_t)GATE;
}

static void register_handlers(void) {
  is_registered = pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child) == 0;
}

static bool take(void) {
  const struct timespec end = end_after(CALL_SECONDS_MAX);
  return pthread_rwlock_clockrdlock(&gate, CLOCK_MONOTONIC, &end) == 0;
}

static void give(void) {
  if (is_outside) atomic_fetch_sub(&outside_count, 1);
  else pthread_rwlock_unlock(&gate);
  is_outside = false;
}

int tt_fork_gate_enter(void) {
  pthread_once(&registration, register_handlers);
  if (!is_registered || was_forked_inside) return 2;
  if (depth == 0 && !take()) return 1;
  depth++;
  return 0;
}

void tt_fork_gate_leave(void) {
  if (depth == 0) return;
  depth--;
  if (depth == 0) give();
}

void tt_fork_gate_pause(void) {
  if (depth > 0) give();
}

void tt_fork_gate_resume(void) {
  if (depth == 0) return;
  if (take()) return;
  is_outside = true;
  atomic_fetch_add(&outside_count, 1);
}
