#include "CMemoryScan.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool is_canary(const volatile uint8_t *at, uint32_t seed, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (at[i] != tt_canary_byte(seed, i)) return false;
  }
  return true;
}

int tt_count_canaries(uint32_t seed, size_t count) {
  FILE *maps = fopen("/proc/self/maps", "r");
  if (!maps) return -1;
  char line[512];
  int hits = 0;
  while (fgets(line, sizeof line, maps)) {
    unsigned long from, to;
    char rights[5];
    if (sscanf(line, "%lx-%lx %4s", &from, &to, rights) != 3) continue;
    if (rights[0] != 'r' || rights[1] != 'w') continue;
    for (unsigned long at = from; at + count <= to; at++) hits += is_canary((const volatile uint8_t *)at, seed, count);
  }
  fclose(maps);
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
