#pragma once
#include <stdint.h>

/// What a C program would do that stores secrets in SQLite by itself: names in clear, one AES-256-GCM under one key for each
/// row. Kept statements, autocommit, no mutex, and the settings of a vault: WAL, synchronous FULL, secure_delete.
/// Every function ends the program when something fails. One owner at a time.
typedef struct raw_peer raw_peer;

/// Opens the database at `path`, and makes it when it is not there.
raw_peer *raw_peer_open(const char *path);
/// Closes it, which moves the log into the database.
void raw_peer_close(raw_peer *peer);

/// The number of rows.
int64_t raw_peer_count(raw_peer *peer);
/// Adds rows `first` and on in one transaction.
void raw_peer_fill(raw_peer *peer, int64_t first, int64_t count);
/// Deletes every row from `first` on.
void raw_peer_remove(raw_peer *peer, int64_t first);

/// Reads and decrypts `count` rows; nanoseconds for all of them, their names made before.
int64_t raw_peer_read(raw_peer *peer, const int64_t *numbers, int count);
/// Adds `count` rows from `first` on, each durable before the next; nanoseconds for all of them.
int64_t raw_peer_add(raw_peer *peer, int64_t first, int count);
/// Reads and decrypts every row; nanoseconds.
int64_t raw_peer_list(raw_peer *peer, int64_t *count);
/// Opens the database, prepares, reads row `number`; nanoseconds, closing not included.
int64_t raw_peer_open_and_read(const char *path, int64_t number);

/// A process that sends every packet back that it gets over a SOCK_SEQPACKET socket.
typedef struct raw_echo raw_echo;

/// Starts it; it is forked, so this process should have one thread.
raw_echo *raw_echo_start(int packet_count);
/// Ends it.
void raw_echo_stop(raw_echo *echo);
/// Sends `count` packets, each after the last came back; nanoseconds for all of them.
int64_t raw_echo_run(raw_echo *echo, int count);
