// Points THUMBTURN_HOME to a fresh folder before anything of Swift runs, so that no test can reach the user's vault,
// however it is started and whichever test comes first. In C, because Swift has no code that runs before main.
#define _GNU_SOURCE 1
#include "CTestHome.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char home[] = "/tmp/thumbturn-tests-XXXXXX";
static pid_t owner;

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *place) {
  (void)status;
  (void)kind;
  (void)place;
  remove(path);
  return 0;
}

__attribute__((constructor)) static void make_home(void) {
  if (mkdtemp(home) == NULL || setenv("THUMBTURN_HOME", home, 1) != 0) {
    fputs("no folder for the tests can be made in /tmp\n", stderr);
    abort();
  }
  owner = getpid();
}

__attribute__((destructor)) static void remove_home(void) {
  // A forked child must not take the folder away from its parent.
  if (getpid() == owner) nftw(home, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}
