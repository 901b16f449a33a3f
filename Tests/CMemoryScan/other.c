// Scans of another process, for who may read its memory.
#define _GNU_SOURCE 1
#include "CMemoryScan.h"
#include "scan.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

struct search {
  const uint8_t *masked;
  const size_t *sizes;
  size_t patterns;
  bool begins[1 << 16];
  struct tt_hit *hits;
  size_t hits_max, hit_count;
  struct tt_region *regions;
  size_t regions_max, region_count;
};

static uint8_t plain(uint8_t masked) { return masked ^ tt_pattern_mask; }

static void look(const struct mapping *mapping, const uint8_t *bytes, size_t count, void *context) {
  struct search *search = context;
  for (size_t at = 0; at + tt_pattern_count <= count; at++) {
    if (!search->begins[bytes[at] << 8 | bytes[at + 1]]) continue;
    for (size_t pattern = 0; pattern < search->patterns; pattern++) {
      const uint8_t *masked = search->masked + pattern * tt_pattern_count;
      size_t same = 0;
      while (same < search->sizes[pattern] && bytes[at + same] == plain(masked[same])) same++;
      if (same < search->sizes[pattern]) continue;
      if (search->hit_count < search->hits_max) {
        search->hits[search->hit_count] = (struct tt_hit){
            (int)pattern, (int)search->region_count,
            mapping->locked && mapping->undumped && mapping->wiped_on_fork};
      }
      search->hit_count++;
    }
  }
}

static void done(const struct mapping *mapping, void *context) {
  struct search *search = context;
  if (search->region_count < search->regions_max) {
    struct tt_region *region = &search->regions[search->region_count];
    *region = (struct tt_region){.from = mapping->from, .count = mapping->to - mapping->from, .read = mapping->read,
                                 .locked = mapping->locked};
    memcpy(region->name, mapping->name, sizeof region->name);
  }
  search->region_count++;
}

bool tt_search_process(
    int process, const uint8_t *masked, const size_t *sizes, size_t patterns, struct tt_hit *hits, size_t hits_max,
    size_t *hit_count, struct tt_region *regions, size_t regions_max, size_t *region_count) {
  static struct search search;
  search = (struct search){.masked = masked, .sizes = sizes, .patterns = patterns, .hits = hits, .hits_max = hits_max,
                           .regions = regions, .regions_max = regions_max};
  for (size_t pattern = 0; pattern < patterns; pattern++) {
    const uint8_t *at = masked + pattern * tt_pattern_count;
    search.begins[plain(at[0]) << 8 | plain(at[1])] = true;
  }
  const bool is_done = tt_walk_process(process, tt_pattern_count, look, done, &search);
  *hit_count = search.hit_count;
  *region_count = search.region_count;
  return is_done;
}

int tt_intrude(int process, unsigned long address) {
  int found = 0;
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/mem", process);
  const int memory = open(path, O_RDONLY | O_CLOEXEC);
  if (memory >= 0) {
    found |= 1;
    close(memory);
  }
  char byte;
  struct iovec here = {&byte, 1}, there = {(void *)address, 1};
  // A bad address alone is no refusal.
  if (process_vm_readv(process, &here, 1, &there, 1, 0) >= 0 || errno == EFAULT) found |= 2;
  if (ptrace(PTRACE_ATTACH, process, NULL, NULL) == 0) {
    found |= 4;
    waitpid(process, NULL, __WALL);
    ptrace(PTRACE_DETACH, process, NULL, NULL);
  }
  snprintf(path, sizeof path, "/proc/%d/environ", process);
  const int environment = open(path, O_RDONLY | O_CLOEXEC);
  if (environment >= 0) {
    found |= 8;
    close(environment);
  }
  return found;
}
