#pragma once
#include <stddef.h>
#include <stdint.h>

/// One byte of a canary. It is computed, so that the canary itself stands nowhere but where a test puts it.
static inline uint8_t tt_canary_byte(uint32_t seed, size_t index) {
  return (uint8_t)(((uint32_t)index * 2654435761u) >> 11 ^ (seed * 2246822519u) >> 7 ^ seed);
}

/// The number of places in this process's writable memory that hold `count` bytes of the canary of `seed`, or -1 when
/// the memory cannot be read. It looks at every writable mapping, stacks and heap included.
int tt_count_canaries(uint32_t seed, size_t count);

/// Whether the page at `address` has a flag in /proc/self/smaps: "lo" locked, "dd" not in core dumps, "wf" zero after
/// fork. -1 when the mapping is not found.
int tt_mapping_has_flag(const void *address, const char *flag);
