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

/// A new terminal of rows × columns: the descriptor of the side where the person sits, which never waits, and in `path`,
/// of 64 bytes, the name of the other. -1 when there is none. In C, because Swift's Glibc module has none of it.
int tt_open_terminal(char *path, unsigned short rows, unsigned short columns);
