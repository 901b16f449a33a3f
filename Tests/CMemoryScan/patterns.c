#define _GNU_SOURCE 1
#include "CMemoryScan.h"
#include "scan.h"

#include <stdlib.h>
#include <string.h>

static uint8_t masked_byte(uint8_t byte) { return byte ^ tt_pattern_mask; }

struct wanted {
  const uint8_t *masked;
  size_t patterns;
  bool may_be_unlocked;
  int *in_secret_pages;
  int *elsewhere;
  // Whether a pattern begins with these two bytes.
  bool begins[1 << 16];
};

static void look(const struct mapping *mapping, const uint8_t *bytes, size_t count, void *context) {
  const struct wanted *wanted = context;
  for (size_t at = 0; at + tt_pattern_count <= count; at++) {
    if (!wanted->begins[bytes[at] << 8 | bytes[at + 1]]) continue;
    for (size_t pattern = 0; pattern < wanted->patterns; pattern++) {
      const uint8_t *masked = wanted->masked + pattern * tt_pattern_count;
      size_t same = 0;
      while (same < tt_pattern_count && bytes[at + same] == masked_byte(masked[same])) same++;
      if (same < tt_pattern_count) continue;
      const bool is_secret =
          mapping->undumped && mapping->wiped_on_fork && (mapping->locked || wanted->may_be_unlocked);
      (is_secret ? wanted->in_secret_pages : wanted->elsewhere)[pattern]++;
    }
  }
}

bool tt_find_patterns(
    const uint8_t *masked, size_t patterns, bool mayBeUnlocked, int *inSecretPages, int *elsewhere) {
  struct wanted *wanted = calloc(1, sizeof *wanted);
  if (!wanted) return false;
  *wanted = (struct wanted){masked, patterns, mayBeUnlocked, inSecretPages, elsewhere, {0}};
  for (size_t pattern = 0; pattern < patterns; pattern++) {
    const uint8_t *at = masked + pattern * tt_pattern_count;
    wanted->begins[masked_byte(at[0]) << 8 | masked_byte(at[1])] = true;
    inSecretPages[pattern] = elsewhere[pattern] = 0;
  }
  const bool is_done = tt_walk_memory(tt_pattern_count, look, wanted);
  free(wanted);
  return is_done;
}

// SHA-256 of one block (FIPS 180-4), only to know what a library's state is after the block of a key. Everything it works
// on is in one place, which is wiped.
struct work {
  uint32_t schedule[64], state[8], v[8];
  uint8_t block[64];
};

static uint32_t turned(uint32_t x, int n) { return x >> n | x << (32 - n); }

static uint32_t root_fraction(int index, int power) {
  // The first 32 bits of the fraction of the square or cube root of a prime: the numbers of FIPS 180-4, by integers.
  int prime = 1;
  for (int found = -1; found < index;) {
    prime++;
    bool is_prime = true;
    for (int d = 2; d * d <= prime; d++) is_prime = is_prime && prime % d != 0;
    found += is_prime;
  }
  unsigned __int128 low = 0, high = (unsigned __int128)32 << 32;
  while (high - low > 1) {
    const unsigned __int128 middle = (low + high) / 2;
    // middle = root × 2^32, at most 2^37: the cube has at most 111 bits.
    const unsigned __int128 value = power == 2 ? middle * middle : middle * middle * middle;
    if (value <= (unsigned __int128)prime << (32 * power)) low = middle; else high = middle;
  }
  return (uint32_t)low;
}

static void state_after(struct work *w) {
  for (int i = 0; i < 16; i++) {
    const uint8_t *b = w->block + 4 * i;
    w->schedule[i] = (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
  }
  for (int i = 16; i < 64; i++) {
    const uint32_t a = w->schedule[i - 15], b = w->schedule[i - 2];
    w->schedule[i] = w->schedule[i - 16] + w->schedule[i - 7] + (turned(a, 7) ^ turned(a, 18) ^ a >> 3) +
                     (turned(b, 17) ^ turned(b, 19) ^ b >> 10);
  }
  uint32_t *v = w->v;
  for (int i = 0; i < 8; i++) v[i] = w->state[i] = root_fraction(i, 2);
  for (int i = 0; i < 64; i++) {
    const uint32_t t1 = v[7] + (turned(v[4], 6) ^ turned(v[4], 11) ^ turned(v[4], 25)) +
                        ((v[4] & v[5]) ^ (~v[4] & v[6])) + root_fraction(i, 3) + w->schedule[i];
    const uint32_t t2 = (turned(v[0], 2) ^ turned(v[0], 13) ^ turned(v[0], 22)) +
                        ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
    for (int j = 7; j > 0; j--) v[j] = v[j - 1];
    v[4] += t1;
    v[0] = t1 + t2;
  }
  for (int i = 0; i < 8; i++) w->state[i] += v[i];
}

void tt_traces(const uint8_t *key, uint8_t *masked) {
  struct work work;
  for (int i = 0; i < 32; i++) {
    masked[i] = masked_byte(key[i]);
    masked[32 + i] = masked_byte(key[i ^ 3]);
  }
  for (int block = 0; block < 2; block++) {
    const uint8_t pad = block == 0 ? 0x36 : 0x5c;
    for (int i = 0; i < 64; i++) work.block[i] = (i < 32 ? key[i] : 0) ^ pad;
    for (int i = 0; i < 32; i++) masked[(2 + block) * 32 + i] = masked_byte(work.block[i]);
    state_after(&work);
    const uint8_t *state = (const uint8_t *)work.state;
    for (int i = 0; i < 32; i++) masked[(4 + block) * 32 + i] = masked_byte(state[i]);
  }
  explicit_bzero(&work, sizeof work);
}
