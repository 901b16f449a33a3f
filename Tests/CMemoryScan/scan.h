#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mapping {
  unsigned long from, to;
  bool locked, undumped, wiped_on_fork;
  // How much of it was read, and as what the kernel names it.
  unsigned long read;
  char name[64];
};

/// Gives every writable mapping of this process to `look`, in pieces that overlap by `overlap` - 1 bytes, so that what
/// has `overlap` bytes lies whole in exactly one of them. One walk at a time: the pieces are copies, and another walk
/// would find them. False when the memory cannot be read.
bool tt_walk_memory(
    size_t overlap, void (*look)(const struct mapping *, const uint8_t *bytes, size_t count, void *context),
    void *context);

/// The same of another process, its mappings that cannot be written too. `done` is called after each mapping.
bool tt_walk_process(
    int process, size_t overlap,
    void (*look)(const struct mapping *, const uint8_t *bytes, size_t count, void *context),
    void (*done)(const struct mapping *, void *context), void *context);
