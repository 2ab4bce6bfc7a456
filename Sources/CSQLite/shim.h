#include <sqlite3.h>

// SQLITE_TRANSIENT is a cast that Swift does not import: SQLite copies what is bound.
static inline int csqlite_bind_text(sqlite3_stmt *statement, int column, const void *bytes, int count) {
  return sqlite3_bind_text(statement, column, (const char *)bytes, count, SQLITE_TRANSIENT);
}
static inline int csqlite_bind_blob(sqlite3_stmt *statement, int column, const void *bytes, int count) {
  return sqlite3_bind_blob(statement, column, bytes, count, SQLITE_TRANSIENT);
}

static inline int csqlite_bind_lasting_text(sqlite3_stmt *statement, int column, const void *bytes, int count) {
  return sqlite3_bind_text(statement, column, (const char *)bytes, count, SQLITE_STATIC);
}

static inline int csqlite_bind_lasting_blob(sqlite3_stmt *statement, int column, const void *bytes, int count) {
  return sqlite3_bind_blob(statement, column, bytes, count, SQLITE_STATIC);
}

// Variadic in C, so not importable.
static inline int csqlite_no_checkpoint_on_close(sqlite3 *database, int on) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, on, (int *)0);
}
