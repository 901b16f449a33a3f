#define _GNU_SOURCE 1
#include "CMemoryScan.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { chunk = 1 << 20, page = 4096 };

static bool is_canary(const uint8_t *at, uint32_t seed, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (at[i] != tt_canary_byte(seed, i)) return false;
  }
  return true;
}

// The memory is read through the kernel: other tests unmap theirs meanwhile, and a pointer into it would crash.
int tt_count_canaries(uint32_t seed, size_t count) {
  const size_t size = chunk + count;
  uint8_t *copy = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  FILE *maps = fopen("/proc/self/maps", "r");
  const int memory = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
  int hits = copy == MAP_FAILED || !maps || memory < 0 ? -1 : 0;
  char line[512];
  while (hits >= 0 && fgets(line, sizeof line, maps)) {
    unsigned long from, to;
    char rights[5];
    if (sscanf(line, "%lx-%lx %4s", &from, &to, rights) != 3) continue;
    if (rights[0] != 'r' || rights[1] != 'w') continue;
    for (unsigned long at = from; at + count <= to;) {
      const size_t left = to - at;
      const ssize_t got = pread(memory, copy, left < size ? left : size, (off_t)at);
      if (got < (ssize_t)count) {
        at = (at / page + 1) * page;
        continue;
      }
      const uint8_t *end = copy + got - count + 1;
      for (const uint8_t *next = copy; (next = memchr(next, tt_canary_byte(seed, 0), (size_t)(end - next))); next++) {
        const unsigned long place = at + (unsigned long)(next - copy);
        // What was copied here to be looked at is no finding.
        if (place + count > (unsigned long)copy && place < (unsigned long)copy + size) continue;
        hits += is_canary(next, seed, count);
      }
      at += (unsigned long)(end - copy);
    }
  }
  if (memory >= 0) close(memory);
  if (maps) fclose(maps);
  if (copy != MAP_FAILED) munmap(copy, size);
  return hits;
}

int tt_mapping_has_flag(const void *address, const char *flag) {
  FILE *maps = fopen("/proc/self/smaps", "r");
  if (!maps) return -1;
  char line[512];
  bool inside = false;
  int answer = -1;
  while (answer < 0 && fgets(line, sizeof line, maps)) {
    unsigned long from, to;
    char rights[5];
    if (sscanf(line, "%lx-%lx %4s", &from, &to, rights) == 3) {
      inside = (unsigned long)address >= from && (unsigned long)address < to;
    } else if (inside && strncmp(line, "VmFlags:", 8) == 0) {
      answer = strstr(line, flag) != NULL;
    }
  }
  fclose(maps);
  return answer;
}
