#pragma once
#include <systemd/sd-bus.h>

/// Not in Swift's Glibc module.
#include <sys/eventfd.h>

/// In stdlib.h, but hidden behind _GNU_SOURCE.
char *secure_getenv(const char *name);
