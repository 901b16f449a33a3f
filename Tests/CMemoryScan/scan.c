#define _GNU_SOURCE 1
#include "scan.h"
#include "CMemoryScan.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { chunk = 1 << 20, page = 4096, mappings_max = 100000 };

static int read_mappings(struct mapping *mappings) {
  FILE *smaps = fopen("/proc/self/smaps", "r");
  if (!smaps) return -1;
  char line[512];
  int count = 0;
  struct mapping *now = NULL;
  while (fgets(line, sizeof line, smaps)) {
    unsigned long from, to;
    char rights[5];
    if (sscanf(line, "%lx-%lx %4s", &from, &to, rights) == 3) {
      now = NULL;
      if (rights[0] != 'r' || rights[1] != 'w' || count == mappings_max) continue;
      now = &mappings[count++];
      *now = (struct mapping){.from = from, .to = to};
    } else if (now && strncmp(line, "VmFlags:", 8) == 0) {
      now->locked = strstr(line, " lo") != NULL;
      now->undumped = strstr(line, " dd") != NULL;
      now->wiped_on_fork = strstr(line, " wf") != NULL;
    }
  }
  fclose(smaps);
  return count;
}

static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

// The memory is read through the kernel: other tests unmap theirs meanwhile, and a pointer into it would crash.
bool tt_walk_memory(
    size_t overlap, void (*look)(const struct mapping *, const uint8_t *bytes, size_t count, void *context),
    void *context) {
  pthread_mutex_lock(&one_at_a_time);
  const size_t size = chunk + overlap, list = mappings_max * sizeof(struct mapping);
  uint8_t *copy = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  struct mapping *mappings = mmap(NULL, list, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  const int memory = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
  const bool is_ready = copy != MAP_FAILED && mappings != MAP_FAILED && memory >= 0;
  const int count = is_ready ? read_mappings(mappings) : -1;
  for (int i = 0; i < count; i++) {
    for (unsigned long at = mappings[i].from; at + overlap <= mappings[i].to;) {
      const size_t left = mappings[i].to - at;
      // What is copied here to be looked at is no finding.
      if (at >= (unsigned long)copy && at < (unsigned long)copy + size) {
        at = (unsigned long)copy + size;
        continue;
      }
      size_t wanted = left < size ? left : size;
      if (at < (unsigned long)copy && at + wanted > (unsigned long)copy) wanted = (unsigned long)copy - at;
      const ssize_t got = pread(memory, copy, wanted, (off_t)at);
      if (got < (ssize_t)overlap) {
        at = (at / page + 1) * page;
        continue;
      }
      look(&mappings[i], copy, (size_t)got, context);
      at += (unsigned long)got - overlap + 1;
    }
  }
  if (memory >= 0) close(memory);
  if (mappings != MAP_FAILED) munmap(mappings, list);
  if (copy != MAP_FAILED) munmap(copy, size);
  pthread_mutex_unlock(&one_at_a_time);
  return count >= 0;
}

struct canary {
  uint32_t seed;
  size_t count;
  int hits;
};

static void look_for_canary(const struct mapping *mapping, const uint8_t *bytes, size_t count, void *context) {
  (void)mapping;
  struct canary *canary = context;
  const uint8_t *end = bytes + count - canary->count + 1;
  for (const uint8_t *next = bytes;
       next < end && (next = memchr(next, tt_canary_byte(canary->seed, 0), (size_t)(end - next))); next++) {
    size_t same = 1;
    while (same < canary->count && next[same] == tt_canary_byte(canary->seed, same)) same++;
    canary->hits += same == canary->count;
  }
}

int tt_count_canaries(uint32_t seed, size_t count) {
  struct canary canary = {seed, count, 0};
  return tt_walk_memory(count, look_for_canary, &canary) ? canary.hits : -1;
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
