#define _GNU_SOURCE 1
#include "CRawPeer.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

enum { secret_count = 64, overhead = 28, name_count = 64, batch_max = 1024 };

struct raw_peer {
  sqlite3 *db;
  sqlite3_stmt *insert, *find, *scan, *begin, *commit;
  EVP_CIPHER_CTX *sealing, *opening;
};

static const uint8_t key[32] = {1}, secret[secret_count] = {7};

static void require(int ok, const char *what, sqlite3 *db) {
  if (ok) return;
  fprintf(stderr, "bench: error: the peer: %s: %s\n", what, db ? sqlite3_errmsg(db) : "");
  exit(70);
}

static int64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void execute(raw_peer *p, const char *sql) { require(!sqlite3_exec(p->db, sql, 0, 0, 0), sql, p->db); }

static sqlite3_stmt *prepare(raw_peer *p, const char *sql) {
  sqlite3_stmt *made = 0;
  require(!sqlite3_prepare_v3(p->db, sql, -1, SQLITE_PREPARE_PERSISTENT, &made, 0), sql, p->db);
  return made;
}

static void run(raw_peer *p, sqlite3_stmt *statement) {
  require(sqlite3_step(statement) == SQLITE_DONE, "step", p->db);
  sqlite3_reset(statement);
}

// The connection, the cipher and the statement of a find: all that a program needs that reads one row.
static raw_peer *connect(const char *path, int flags) {
  raw_peer *p = calloc(1, sizeof *p);
  require(p != 0, "no memory", 0);
  // As Thumbturn starts it: the configuration file would cost the peer more than it costs us.
  require(OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG, 0), "OpenSSL", 0);
  flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
  require(!sqlite3_open_v2(path, &p->db, flags, 0), "open", p->db);
  execute(p, "PRAGMA cell_size_check = ON; PRAGMA temp_store = MEMORY; PRAGMA mmap_size = 0");
  execute(p, "PRAGMA synchronous = FULL; PRAGMA secure_delete = ON");
  if (flags & SQLITE_OPEN_CREATE) {
    execute(p, "PRAGMA journal_mode = WAL");
    execute(p, "CREATE TABLE IF NOT EXISTS t(id INTEGER PRIMARY KEY, svce TEXT, acct TEXT, d BLOB, UNIQUE(svce, acct))");
  }
  p->find = prepare(p, "SELECT d FROM t WHERE svce = ? AND acct = ?");
  EVP_CIPHER *cipher = EVP_CIPHER_fetch(0, "AES-256-GCM", 0);
  p->sealing = EVP_CIPHER_CTX_new();
  p->opening = EVP_CIPHER_CTX_new();
  require(cipher && EVP_EncryptInit_ex2(p->sealing, cipher, 0, 0, 0) && EVP_DecryptInit_ex2(p->opening, cipher, 0, 0, 0),
          "AES-256-GCM", 0);
  EVP_CIPHER_free(cipher);
  return p;
}

raw_peer *raw_peer_open(const char *path) {
  raw_peer *p = connect(path, SQLITE_OPEN_CREATE);
  p->insert = prepare(p, "INSERT INTO t(svce, acct, d) VALUES(?, ?, ?)");
  p->scan = prepare(p, "SELECT svce, acct, d FROM t ORDER BY id");
  p->begin = prepare(p, "BEGIN IMMEDIATE");
  p->commit = prepare(p, "COMMIT");
  return p;
}

void raw_peer_close(raw_peer *p) {
  sqlite3_stmt *all[] = {p->insert, p->find, p->scan, p->begin, p->commit};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) sqlite3_finalize(all[i]);
  require(!sqlite3_close(p->db), "close", p->db);
  EVP_CIPHER_CTX_free(p->sealing);
  EVP_CIPHER_CTX_free(p->opening);
  free(p);
}

// The same names as Names.swift makes.
static void names(int64_t number, char *service, char *account) {
  snprintf(service, name_count, "service%lld.example.org", (long long)(number / 10));
  snprintf(account, name_count, "account%lld@example.org", (long long)number);
}

static void insert(raw_peer *p, const char *service, const char *account) {
  uint8_t box[secret_count + overhead];
  int count;
  EVP_CIPHER_CTX *c = p->sealing;
  int ok = getrandom(box, 12, 0) == 12 && EVP_EncryptInit_ex2(c, 0, key, box, 0) &&
           EVP_EncryptUpdate(c, box + 12, &count, secret, secret_count) &&
           EVP_EncryptFinal_ex(c, box + 12 + secret_count, &count) &&
           EVP_CIPHER_CTX_ctrl(c, EVP_CTRL_AEAD_GET_TAG, 16, box + 12 + secret_count);
  require(ok, "seal", 0);
  sqlite3_bind_text(p->insert, 1, service, -1, SQLITE_STATIC);
  sqlite3_bind_text(p->insert, 2, account, -1, SQLITE_STATIC);
  sqlite3_bind_blob(p->insert, 3, box, sizeof box, SQLITE_STATIC);
  run(p, p->insert);
}

static void open_box(raw_peer *p, sqlite3_stmt *row, int column) {
  uint8_t out[secret_count];
  int count;
  const uint8_t *box = sqlite3_column_blob(row, column);
  EVP_CIPHER_CTX *c = p->opening;
  require(sqlite3_column_bytes(row, column) == secret_count + overhead, "size of a box", 0);
  int ok = EVP_DecryptInit_ex2(c, 0, key, box, 0) && EVP_DecryptUpdate(c, out, &count, box + 12, secret_count) &&
           EVP_CIPHER_CTX_ctrl(c, EVP_CTRL_AEAD_SET_TAG, 16, (void *)(box + 12 + secret_count)) &&
           EVP_DecryptFinal_ex(c, out + secret_count, &count) == 1;
  require(ok && !memcmp(out, secret, secret_count), "open", 0);
}

static void find(raw_peer *p, const char *service, const char *account) {
  sqlite3_bind_text(p->find, 1, service, -1, SQLITE_STATIC);
  sqlite3_bind_text(p->find, 2, account, -1, SQLITE_STATIC);
  require(sqlite3_step(p->find) == SQLITE_ROW, "a row is not found", p->db);
  open_box(p, p->find, 0);
  sqlite3_reset(p->find);
}

int64_t raw_peer_count(raw_peer *p) {
  sqlite3_stmt *count = prepare(p, "SELECT count(*) FROM t");
  require(sqlite3_step(count) == SQLITE_ROW, "count", p->db);
  int64_t rows = sqlite3_column_int64(count, 0);
  sqlite3_finalize(count);
  return rows;
}

void raw_peer_fill(raw_peer *p, int64_t first, int64_t count) {
  char service[name_count], account[name_count];
  run(p, p->begin);
  for (int64_t i = first; i < first + count; i++) {
    names(i, service, account);
    insert(p, service, account);
  }
  run(p, p->commit);
}

void raw_peer_remove(raw_peer *p, int64_t first) {
  // Row numbers begin at 1, ours at 0.
  sqlite3_stmt *remove = prepare(p, "DELETE FROM t WHERE id > ?");
  sqlite3_bind_int64(remove, 1, first);
  run(p, remove);
  sqlite3_finalize(remove);
}

int64_t raw_peer_read(raw_peer *p, const int64_t *numbers, int count) {
  static char made[batch_max][2][name_count];
  require(count <= batch_max, "a batch is too large", 0);
  for (int i = 0; i < count; i++) names(numbers[i], made[i][0], made[i][1]);
  int64_t began = now();
  for (int i = 0; i < count; i++) find(p, made[i][0], made[i][1]);
  return now() - began;
}

int64_t raw_peer_add(raw_peer *p, int64_t first, int count) {
  char service[name_count], account[name_count];
  int64_t spent = 0;
  for (int i = 0; i < count; i++) {
    names(first + i, service, account);
    int64_t began = now();
    insert(p, service, account);
    spent += now() - began;
  }
  return spent;
}

int64_t raw_peer_list(raw_peer *p, int64_t *count) {
  int64_t began = now();
  *count = 0;
  while (sqlite3_step(p->scan) == SQLITE_ROW) {
    open_box(p, p->scan, 2);
    require(sqlite3_column_text(p->scan, 0) && sqlite3_column_text(p->scan, 1), "a name", 0);
    ++*count;
  }
  sqlite3_reset(p->scan);
  return now() - began;
}

int64_t raw_peer_open_and_read(const char *path, int64_t number) {
  char service[name_count], account[name_count];
  names(number, service, account);
  int64_t began = now();
  raw_peer *p = connect(path, 0);
  find(p, service, account);
  int64_t spent = now() - began;
  raw_peer_close(p);
  return spent;
}
