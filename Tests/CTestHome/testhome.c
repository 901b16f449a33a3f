// Points THUMBTURN_HOME to a fresh folder before anything of Swift runs, so that no test can reach the user's vault,
// however it is started and whichever test comes first. In C, because Swift has no code that runs before main.
#define _GNU_SOURCE 1
#include "CTestHome.h"

#include <ftw.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

// A process that a test starts, perhaps one that is to crash, has its folder inside this one: the first process removes
// them all.
static const char outer_name[] = "THUMBTURN_TESTS_OUTER_HOME";
static char home[256] = "/tmp/thumbturn-tests-XXXXXX";
static pid_t owner;

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *place) {
  (void)status;
  (void)kind;
  (void)place;
  remove(path);
  return 0;
}

static bool make_inner_home(const char *outer) {
  char path[sizeof home];
  const int count = snprintf(path, sizeof path, "%s/process-%ld", outer, (long)getpid());
  if (count < 0 || (size_t)count >= sizeof path || mkdir(path, 0700) != 0) return false;
  snprintf(home, sizeof home, "%s", path);
  return true;
}

__attribute__((constructor)) static void make_home(void) {
  const char *outer = getenv(outer_name);
  if (!outer || !make_inner_home(outer)) {
    if (mkdtemp(home) == NULL || setenv(outer_name, home, 1) != 0) {
      fputs("no folder for the tests can be made in /tmp\n", stderr);
      abort();
    }
    owner = getpid();
  }
  if (setenv("THUMBTURN_HOME", home, 1) != 0) abort();
}

__attribute__((destructor)) static void remove_home(void) {
  // A forked child must not take the folder away from its parent.
  if (getpid() == owner) nftw(home, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}
