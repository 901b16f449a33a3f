#pragma once
#include <systemd/sd-bus.h>

/// Not in Swift's Glibc module.
#include <sys/eventfd.h>

/// In stdlib.h, but hidden behind _GNU_SOURCE.
char *secure_getenv(const char *name);

/// In spawn.h, but hidden behind _GNU_SOURCE.
#include <spawn.h>
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);
