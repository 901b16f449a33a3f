#pragma once
#include <lifetimebound.h>
#include <ptrcheck.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sockets.h"

// Only what Swift's Glibc module does not have.

/// Fills `out` from getrandom(2): all of it, or false. Interrupted and short reads go on.
bool tt_random(uint8_t *__counted_by(count) __noescape out, size_t count);

/// Whether the kernel started this program with raised rights (AT_SECURE): its environment is then not to be trusted.
bool tt_is_secure_execution(void);

/// The magic number of the file system that holds the open file `descriptor`, or 0 when it cannot be asked.
uint64_t tt_filesystem_magic(int descriptor);

/// Waits until `descriptor` can be read, at most `milliseconds`, whatever signals arrive.
/// 1 readable or at its end, 0 time over, -1 failed.
int tt_wait_readable(int descriptor, int milliseconds);

/// Makes this process undumpable: no core file, and no debugger of the same user. prctl(2) is variadic and its header is
/// not in Swift's Glibc module.
bool tt_forbid_dumps(void);

/// The number of this process, without a system call: a forked child, however it was made, gets its own.
int32_t tt_process(void);

// The gate between calls and fork(2): a fork of another thread waits until no call is inside, at most 3 seconds, so that a
// child never inherits a lock that is held, or tables that are half changed. In C, because the handlers of pthread_atfork
// run where Swift may not, and need a thread's own variables.

/// A call begins: 0. It must not: 1 when forks kept the gate for 4 seconds, 2 when this process, or one before it, was
/// forked while its parent was inside a call. Every 0 needs one tt_fork_gate_leave. A thread may enter again while inside.
int tt_fork_gate_enter(void);
void tt_fork_gate_leave(void);

/// Around a sleep inside a call, with nothing held that a child would miss.
void tt_fork_gate_pause(void);
void tt_fork_gate_resume(void);

/// Takes the lock of the open file (F_OFD_SETLK) on its first byte, without waiting: 0, or the errno. flock(2) does not see
/// it. Swift sees the function flock where C has the structure.
int tt_lock_first_byte(int descriptor);
void tt_unlock_first_byte(int descriptor);

/// From now on every forked child closes this descriptor of a lock at once: it shares the open file, and with it a lock of
/// flock(2), which would outlive its holder. False when that cannot be.
bool tt_close_in_children(int descriptor);

/// Takes that back; called before the descriptor is closed, so that its number can be another file's.
void tt_keep_in_children(int descriptor);

/// An argument of this program as the kernel gave it, 0 being its name; NULL behind the last one. Swift's own list needs
/// /proc/self/maps, which is not to be had everywhere.
const char *tt_argument(int index);

/// Overwrites the stack below the caller, where a library that has just returned kept what it worked on.
void tt_wipe_stack(void);
