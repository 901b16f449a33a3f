#pragma once

/// Runs `body` in a forked child, whose exit code is what it returns. Returns that code, or -1 when the child did not
/// end by itself within 20 seconds; it is killed then. Swift has no fork.
int tt_in_forked_child(int (*body)(void));
