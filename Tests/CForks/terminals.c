#define _GNU_SOURCE 1
#include "CForks.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

int tt_open_terminal(char *path, unsigned short rows, unsigned short columns) {
  const int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
  if (master < 0) return -1;
  const struct winsize size = {.ws_row = rows, .ws_col = columns};
  if (grantpt(master) == 0 && unlockpt(master) == 0 && ptsname_r(master, path, 64) == 0 &&
      ioctl(master, TIOCSWINSZ, &size) == 0) {
    return master;
  }
  close(master);
  return -1;
}
