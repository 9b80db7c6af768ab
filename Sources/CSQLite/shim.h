// The door to libsqlite3. Only the target SQLite imports it.
#ifndef CATALOG_CSQLITE_SHIM_H
#define CATALOG_CSQLITE_SHIM_H

// Debian's library tells of rows before they change; its header shows that only when asked, and asked before it is read.
#define SQLITE_ENABLE_PREUPDATE_HOOK 1
#include <sqlite3.h>

// Swift cannot call variadic C functions, so those that we need get a fixed shape here.

/// Reads a double-quoted word as the name it is, never as a string: a typo becomes an error.
static inline int csqlite_forbid_double_quoted_strings(sqlite3 *db) {
  int code = sqlite3_db_config(db, SQLITE_DBCONFIG_DQS_DML, 0, (void *)0);
  return code == SQLITE_OK ? sqlite3_db_config(db, SQLITE_DBCONFIG_DQS_DDL, 0, (void *)0) : code;
}

/// Refuses what a hostile database file could make SQLite do by itself (https://sqlite.org/security.html).
static inline int csqlite_distrust_schema(sqlite3 *db) {
  return sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (void *)0);
}

/// Foreign keys are off until a connection asks for them.
static inline int csqlite_enforce_foreign_keys(sqlite3 *db) {
  return sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_FKEY, 1, (void *)0);
}

/// Whether triggers fire on this connection.
static inline int csqlite_enable_triggers(sqlite3 *db, int enable) {
  return sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, enable, (void *)0);
}

/// Whether views can be asked on this connection.
static inline int csqlite_enable_views(sqlite3 *db, int enable) {
  return sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_VIEW, enable, (void *)0);
}

/// One thread uses SQLite: no mutexes. Must be called before any other SQLite function.
static inline int csqlite_use_single_thread(void) { return sqlite3_config(SQLITE_CONFIG_SINGLETHREAD); }

/// No two threads use a connection at once: no mutex for each. Must be called before any other SQLite function.
static inline int csqlite_use_one_thread_each(void) { return sqlite3_config(SQLITE_CONFIG_MULTITHREAD); }

/// No count of the memory in use, which costs a short command 7 % of its instructions. Must be called before any other SQLite function.
static inline int csqlite_count_no_memory(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

/// `SQLITE_TRANSIENT` is a cast that Swift does not import: SQLite copies the bytes before it returns.
static inline int csqlite_bind_text(sqlite3_stmt *statement, int index, const char *bytes, int count) {
  return sqlite3_bind_text(statement, index, bytes, count, SQLITE_TRANSIENT);
}
static inline int csqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int count) {
  return sqlite3_bind_blob(statement, index, bytes, count, SQLITE_TRANSIENT);
}
static inline void csqlite_result_text(sqlite3_context *context, const char *bytes, int count) {
  sqlite3_result_text(context, bytes, count, SQLITE_TRANSIENT);
}
static inline void csqlite_result_blob(sqlite3_context *context, const void *bytes, int count) {
  sqlite3_result_blob(context, bytes, count, SQLITE_TRANSIENT);
}

#endif
