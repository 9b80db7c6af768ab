#pragma once

/// Lets SQLite take its memory from a pool that knows no threads. Only before any other SQLite function, and only where one
/// thread uses SQLite.
/// - Returns: a result code of SQLite's.
int pool_serve_sqlite(void);
