#pragma once
#include <stdbool.h>
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

/// Size of one pattern in bytes, and the byte that each byte of a pattern is held under, so that a list of patterns is
/// itself no finding.
enum { tt_pattern_count = 32, tt_pattern_mask = 0xA5 };

/// What a key of 32 bytes leaves, in the order of `tt_traces`.
enum { tt_trace_count = 6 };

/// Writes the masked traces of a key, 32 bytes each: the key (which is also the first two round keys of AES-256), the key
/// with its 32-bit words turned (the same round keys, where AES is written in C), the key in the inner and in the outer
/// block of HMAC, and the states of SHA-256 after these two blocks.
void tt_traces(const uint8_t *key, uint8_t *masked);

/// Counts, for each of `patterns` masked patterns, the places in this process's writable memory that hold it: those in
/// pages for secrets (out of core dumps, zero after a fork, and locked unless `mayBeUnlocked`), and those elsewhere.
/// False when the memory cannot be read.
bool tt_find_patterns(
    const uint8_t *masked, size_t patterns, bool mayBeUnlocked, int *inSecretPages, int *elsewhere);

/// One place in another process that holds a pattern: which, in which mapping, and whether that is of pages for secrets
/// that are locked.
struct tt_hit {
  int pattern, region;
  bool in_secret_pages;
};

/// A mapping that was looked at, and how many of its bytes were read.
struct tt_region {
  unsigned long from, count, read;
  bool locked;
  char name[64];
};

/// Looks at every mapping of another process that can be read, for `patterns` masked patterns of `sizes` bytes, each in
/// `tt_pattern_count` bytes. At most so many hits and mappings are told; the counts are those of all. False when the
/// memory cannot be read. One at a time.
bool tt_search_process(
    int process, const uint8_t *masked, const size_t *sizes, size_t patterns, struct tt_hit *hits, size_t hitsMax,
    size_t *hitCount, struct tt_region *regions, size_t regionsMax, size_t *regionCount);

/// What the kernel lets this process do with another one: 1 open its memory, 2 read it at `address`, 4 attach a debugger,
/// 8 read its environment; added up.
int tt_intrude(int process, unsigned long address);
