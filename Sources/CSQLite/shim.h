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

// SQLite's own handle of the database's file. Whoever opens and closes the file otherwise takes all locks of this process
// on it away, SQLite's as well.
static inline sqlite3_file *csqlite_file(sqlite3 *database) {
  sqlite3_file *file = 0;
  int code = sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file);
  return code == SQLITE_OK && file && file->pMethods ? file : 0;
}
static inline int csqlite_read(sqlite3 *database, void *bytes, int count, long long offset) {
  sqlite3_file *file = csqlite_file(database);
  return file ? file->pMethods->xRead(file, bytes, count, offset) : SQLITE_CANTOPEN;
}
static inline long long csqlite_file_size(sqlite3 *database) {
  sqlite3_file *file = csqlite_file(database);
  sqlite3_int64 size = 0;
  return file && file->pMethods->xFileSize(file, &size) == SQLITE_OK ? size : 0;
}
