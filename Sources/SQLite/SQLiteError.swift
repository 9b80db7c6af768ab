internal import CSQLite

/// What SQLite refused to do. Bound values never stand in it; the SQL text does, for the developer.
public struct SQLiteError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The extended result code. <https://sqlite.org/rescode.html>
  public let code: Int32
  /// SQLite's words.
  public let message: String
  /// The statement, with `?` for every value.
  public let sql: String?
  /// The `errno` behind an I/O error; 0 where there is none.
  public let systemCode: Int32

  public init(code: Int32, message: String, sql: String? = nil, systemCode: Int32 = 0) {
    (self.code, self.message, self.sql, self.systemCode) = (code, message, sql, systemCode)
  }

  init(_ code: Int32, on handle: OpaquePointer?, sql: String? = nil) {
    let extended = handle.map { sqlite3_extended_errcode($0) } ?? code
    // The handle remembers its last error only; trust it when it is about this call.
    let matches = extended & 0xff == code & 0xff
    self.code = matches ? extended : code
    message = String(cString: matches && handle != nil ? sqlite3_errmsg(handle) : sqlite3_errstr(code))
    self.sql = sql
    systemCode = self.code & 0xff == SQLITE_IOERR ? handle.map { sqlite3_system_errno($0) } ?? 0 : 0
  }

  /// The code without its extension: what kind of error it is.
  public var primaryCode: Int32 { code & 0xff }

  public var isBusy: Bool { primaryCode == SQLITE_BUSY || primaryCode == SQLITE_LOCKED }
  public var isConstraint: Bool { primaryCode == SQLITE_CONSTRAINT }
  public var isFull: Bool { primaryCode == SQLITE_FULL }
  public var isReadOnly: Bool { primaryCode == SQLITE_READONLY }
  /// A program was ended in the middle of a write, and who only reads cannot undo that: SQLITE_READONLY_ROLLBACK.
  public var needsRollback: Bool { code == SQLITE_READONLY | 3 << 8 }
  public var cannotOpen: Bool { primaryCode == SQLITE_CANTOPEN }
  public var isIO: Bool { primaryCode == SQLITE_IOERR }
  public var isDenied: Bool { primaryCode == SQLITE_PERM || primaryCode == SQLITE_AUTH }
  public var isInterrupted: Bool { primaryCode == SQLITE_INTERRUPT }
  /// No code says it better: most often a statement that does not fit the tables.
  public var isGeneral: Bool { primaryCode == SQLITE_ERROR }
  public var isNotDatabase: Bool { primaryCode == SQLITE_NOTADB }
  /// Not a database, or a damaged one.
  public var isCorrupt: Bool { primaryCode == SQLITE_NOTADB || primaryCode == SQLITE_CORRUPT }

  public var description: String { "SQLite error \(code): \(message)" + (sql.map { " in: \($0)" } ?? "") }
}

/// A column whose value is not what the program expects: a bug, or a file that another program changed.
public struct ColumnError: Error, Sendable, Hashable, CustomStringConvertible {
  public let column: String
  public let found: String
  public let wanted: String
  public var description: String { "column '\(column)' holds \(found), not \(wanted)" }
}
