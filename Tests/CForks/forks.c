#define _GNU_SOURCE 1
#include "CForks.h"

#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int tt_fork(int (*body)(void)) {
  const pid_t child = fork();
  if (child == 0) _exit(body());
  return child;
}

int tt_wait_for_child(int child, int seconds) {
  for (int i = 0; i < seconds * 100; i++) {
    int status;
    if (waitpid(child, &status, WNOHANG) == child) return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    usleep(10000);
  }
  kill(child, SIGKILL);
  waitpid(child, NULL, 0);
  return -1;
}

int tt_in_forked_child(int (*body)(void)) {
  const int child = tt_fork(body);
  return child < 0 ? -1 : tt_wait_for_child(child, 20);
}

int tt_process_handle(int process) { return (int)syscall(SYS_pidfd_open, process, 0); }
