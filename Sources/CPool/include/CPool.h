#pragma once

/// Lets SQLite take its memory from a pool. Only before any other SQLite function, and only where threads that use SQLite do not
/// come and go: what one has at its end is lost.
/// - Returns: a result code of SQLite's.
int pool_serve_sqlite(void);
