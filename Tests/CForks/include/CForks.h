#pragma once

// Swift has no fork.

/// Runs `body` in a forked child, whose exit code is what it returns. Returns the child's process id, or -1.
int tt_fork(int (*body)(void));

/// Waits up to `seconds` for a child and returns its exit code; -1 when it did not end by itself, and it is killed then.
int tt_wait_for_child(int child, int seconds);

/// Both, with 20 seconds.
int tt_in_forked_child(int (*body)(void));

/// A pidfd of a process, or -1.
int tt_process_handle(int process);
