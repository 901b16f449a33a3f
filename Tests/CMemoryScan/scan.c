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

static int read_mappings(int process, bool with_read_only, struct mapping *mappings) {
  char path[64] = "/proc/self/smaps";
  if (process > 0) snprintf(path, sizeof path, "/proc/%d/smaps", process);
  FILE *smaps = fopen(path, "r");
  if (!smaps) return -1;
  char line[4352];
  int count = 0;
  struct mapping *now = NULL;
  while (fgets(line, sizeof line, smaps)) {
    unsigned long from, to;
    char rights[5];
    int name = 0;
    if (sscanf(line, "%lx-%lx %4s %*s %*s %*s %n", &from, &to, rights, &name) == 3) {
      now = NULL;
      if (rights[0] != 'r' || (rights[1] != 'w' && !with_read_only) || count == mappings_max) continue;
      now = &mappings[count++];
      *now = (struct mapping){.from = from, .to = to};
      line[strcspn(line, "\n")] = 0;
      // The end of a long path says more than its beginning.
      const char *text = name > 0 && line[name] ? line + name : "[anonymous]";
      const size_t length = strlen(text);
      snprintf(now->name, sizeof now->name, "%s", length < sizeof now->name ? text : text + length - sizeof now->name + 1);
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
static bool walk(
    int process, size_t overlap,
    void (*look)(const struct mapping *, const uint8_t *bytes, size_t count, void *context),
    void (*done)(const struct mapping *, void *context), void *context) {
  pthread_mutex_lock(&one_at_a_time);
  char path[64] = "/proc/self/mem";
  if (process > 0) snprintf(path, sizeof path, "/proc/%d/mem", process);
  const size_t size = chunk + overlap, list = mappings_max * sizeof(struct mapping);
  uint8_t *copy = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  struct mapping *mappings = mmap(NULL, list, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  const int memory = open(path, O_RDONLY | O_CLOEXEC);
  const bool is_ready = copy != MAP_FAILED && mappings != MAP_FAILED && memory >= 0;
  const int count = is_ready ? read_mappings(process, process > 0, mappings) : -1;
  for (int i = 0; i < count; i++) {
    struct mapping *mapping = &mappings[i];
    for (unsigned long at = mapping->from; at + overlap <= mapping->to;) {
      const size_t left = mapping->to - at;
      size_t wanted = left < size ? left : size;
      // What is copied here to be looked at is no finding.
      if (process <= 0 && at >= (unsigned long)copy && at < (unsigned long)copy + size) {
        at = (unsigned long)copy + size;
        continue;
      }
      if (process <= 0 && at < (unsigned long)copy && at + wanted > (unsigned long)copy) {
        wanted = (unsigned long)copy - at;
      }
      const ssize_t got = pread(memory, copy, wanted, (off_t)at);
      if (got < (ssize_t)overlap) {
        at = (at / page + 1) * page;
        continue;
      }
      look(mapping, copy, (size_t)got, context);
      mapping->read += (unsigned long)got;
      at += (unsigned long)got - overlap + 1;
    }
    if (done) done(mapping, context);
  }
  if (memory >= 0) close(memory);
  if (mappings != MAP_FAILED) munmap(mappings, list);
  if (copy != MAP_FAILED) munmap(copy, size);
  pthread_mutex_unlock(&one_at_a_time);
  return count >= 0;
}

bool tt_walk_memory(
    size_t overlap, void (*look)(const struct mapping *, const uint8_t *bytes, size_t count, void *context),
    void *context) {
  return walk(0, overlap, look, NULL, context);
}

bool tt_walk_process(
    int process, size_t overlap,
    void (*look)(const struct mapping *, const uint8_t *bytes, size_t count, void *context),
    void (*done)(const struct mapping *, void *context), void *context) {
  return process > 0 && walk(process, overlap, look, done, context);
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
