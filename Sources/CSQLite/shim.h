#pragma once
#include <sqlite3.h>

/// sqlite3_db_config is variadic, which Swift cannot call: sets one of its switches and nothing else.
static inline int tt_sqlite3_switch(sqlite3 *connection, int which, int on) {
  return sqlite3_db_config(connection, which, on, (int *)0);
}

/// SQLITE_TRANSIENT is a cast macro, which Swift does not import.
static inline int tt_sqlite3_bind_copy(sqlite3_stmt *statement, int index, const void *bytes, int count) {
  return sqlite3_bind_blob(statement, index, bytes, count, SQLITE_TRANSIENT);
}

/// Reads the first bytes of a database through SQLite's own descriptor, without a lock and before SQLite looks at a page.
/// Whoever opens and closes the file beside SQLite drops the locks that its connections in this process have on it
/// (fcntl(2)); another process then deletes the write-ahead log under them. Bytes that the file does not have are zero.
static inline int tt_sqlite3_read_head(sqlite3 *connection, void *out, int count) {
  sqlite3_file *file = 0;
  int status = sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file);
  if (status != SQLITE_OK) return status;
  if (!file || !file->pMethods) return SQLITE_CANTOPEN;
  status = file->pMethods->xRead(file, out, count, 0);
  return status == SQLITE_IOERR_SHORT_READ ? SQLITE_OK : status;
}

/// The size of the database's file in bytes, asked through SQLite's own descriptor for the same reason.
static inline int tt_sqlite3_file_size(sqlite3 *connection, sqlite3_int64 *out) {
  sqlite3_file *file = 0;
  int status = sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file);
  if (status != SQLITE_OK) return status;
  if (!file || !file->pMethods) return SQLITE_CANTOPEN;
  return file->pMethods->xFileSize(file, out);
}

/// Reads at any place, as tt_sqlite3_read_head does at the beginning.
static inline int tt_sqlite3_read_at(sqlite3 *connection, void *out, int count, sqlite3_int64 offset) {
  sqlite3_file *file = 0;
  int status = sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file);
  if (status != SQLITE_OK) return status;
  if (!file || !file->pMethods) return SQLITE_CANTOPEN;
  status = file->pMethods->xRead(file, out, count, offset);
  return status == SQLITE_IOERR_SHORT_READ ? SQLITE_OK : status;
}
