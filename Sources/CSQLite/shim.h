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
