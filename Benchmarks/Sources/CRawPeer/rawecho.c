#define _GNU_SOURCE 1
#include "CRawPeer.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { packet_max = 65536 };

struct raw_echo {
  int socket;
  int packet_count;
  pid_t process;
};

static char packet[packet_max];

static void require(int ok, const char *what) {
  if (ok) return;
  fprintf(stderr, "bench: error: the echo: %s\n", what);
  exit(70);
}

raw_echo *raw_echo_start(int packet_count) {
  raw_echo *echo = calloc(1, sizeof *echo);
  require(echo && packet_count > 0 && packet_count <= packet_max, "no memory");
  int ends[2];
  require(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0, "no sockets");
  echo->packet_count = packet_count;
  echo->process = fork();
  require(echo->process >= 0, "no process");
  if (echo->process == 0) {
    close(ends[0]);
    ssize_t got;
    while ((got = recv(ends[1], packet, sizeof packet, 0)) > 0 && send(ends[1], packet, (size_t)got, 0) == got) {}
    _exit(0);
  }
  close(ends[1]);
  echo->socket = ends[0];
  return echo;
}

void raw_echo_stop(raw_echo *echo) {
  close(echo->socket);
  waitpid(echo->process, NULL, 0);
  free(echo);
}

int64_t raw_echo_run(raw_echo *echo, int count) {
  const size_t size = (size_t)echo->packet_count;
  struct timespec from, to;
  clock_gettime(CLOCK_MONOTONIC, &from);
  for (int i = 0; i < count; i++) {
    require(send(echo->socket, packet, size, 0) == (ssize_t)size, "send");
    require(recv(echo->socket, packet, size, 0) == (ssize_t)size, "recv");
  }
  clock_gettime(CLOCK_MONOTONIC, &to);
  return (int64_t)(to.tv_sec - from.tv_sec) * 1000000000 + (to.tv_nsec - from.tv_nsec);
}
