internal import CSQLite
internal import Glibc

/// An error of SQLite. It never contains bound values; it contains the SQL text, for the developer.
public struct SQLiteError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The extended result code. <https://sqlite.org/rescode.html>
  public let code: Int32
  /// SQLite's message.
  public let message: String
  /// The statement, with `?` for every value.
  public let sql: String?
  /// The `errno` of an I/O error or a file that cannot be opened; 0 if there is none.
  public let systemCode: Int32
  /// The path of a pipe, folder or device in the place of the file or of a journal; nil for other errors.
  public let obstacle: String?
  /// Whether the statement was ended because nothing came of it for too long: ``Connection/stop(after:every:if:)``.
  public var isEndless: Bool { primaryCode == SQLITE_INTERRUPT && message == Self.endless }

  public init(code: Int32, message: String, sql: String? = nil, systemCode: Int32 = 0, obstacle: String? = nil) {
    (self.code, self.message, self.sql, self.systemCode) = (code, message, sql, systemCode)
    self.obstacle = obstacle
  }

  init(_ code: Int32, on handle: OpaquePointer?, sql: String? = nil) {
    let extended = handle.map { sqlite3_extended_errcode($0) } ?? code
    // The handle remembers its last error only; trust it when it is about this call.
    let matches = extended & 0xff == code & 0xff
    // A page that the disk does not give SQLite calls corrupt: https://sqlite.org/rescode.html#ioerr_corruptfs
    if let handle, code & 0xff == SQLITE_CORRUPT, let systemCode = Self.failureOfDisk(behind: handle) {
      let code = SQLITE_IOERR | 33 << 8
      self.init(code: code, message: String(cString: sqlite3_errstr(code)), sql: sql, systemCode: systemCode)
    } else {
      let code = matches ? extended : code
      self.init(
        code: code, message: String(cString: matches && handle != nil ? sqlite3_errmsg(handle) : sqlite3_errstr(code)),
        sql: sql,
        systemCode: [SQLITE_IOERR, SQLITE_CANTOPEN].contains(code & 0xff)
          ? handle.map { sqlite3_system_errno($0) } ?? 0 : 0)
    }
  }

  /// The `errno` of a disk that fails, for an error that may hide one.
  private static func failureOfDisk(behind handle: OpaquePointer) -> Int32? {
    var code: Int32 = 0
    guard sqlite3_file_control(handle, "main", SQLITE_FCNTL_LAST_ERRNO, &code) == SQLITE_OK else { return nil }
    if [EIO, ENXIO].contains(code) { return code }
    // A journal is closed by now. Reading it again, unlike the file itself, takes no lock away.
    guard let name = sqlite3_filename_journal(sqlite3_db_filename(handle, "main")) else { return nil }
    let journal = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard journal >= 0 else { return [EIO, ENXIO].contains(errno) ? errno : nil }
    defer { close(journal) }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var offset = 0
    while true {
      let count = pread(journal, &buffer, buffer.count, off_t(offset))
      guard count > 0 else { return count < 0 ? errno : nil }
      offset += count
    }
  }

  /// The error that SQLite reports for a missing table.
  public init(noTable name: String) { self.init(code: SQLITE_ERROR, message: "no such table: \(name)") }
  public init(noColumn name: String) { self.init(code: SQLITE_ERROR, message: "no such column: \(name)") }

  private static let endless = "it took too long"

  init(endless sql: String) { self.init(code: SQLITE_INTERRUPT, message: Self.endless, sql: sql) }

  /// The code without its extension: what kind of error it is.
  public var primaryCode: Int32 { code & 0xff }

  public var isBusy: Bool { primaryCode == SQLITE_BUSY || primaryCode == SQLITE_LOCKED }
  public var isConstraint: Bool { primaryCode == SQLITE_CONSTRAINT }
  public var isFull: Bool { primaryCode == SQLITE_FULL }
  public var isReadOnly: Bool { primaryCode == SQLITE_READONLY }
  /// A program was killed during a write, and a read-only connection cannot roll it back: SQLITE_READONLY_ROLLBACK.
  public var needsRollback: Bool { code == SQLITE_READONLY | 3 << 8 }
  public var cannotOpen: Bool { primaryCode == SQLITE_CANTOPEN }
  public var isIO: Bool { primaryCode == SQLITE_IOERR }
  /// The disk is full, a quota is used up, or the file may not grow.
  public var findsNoRoom: Bool { isFull || (isIO || cannotOpen) && [ENOSPC, EDQUOT, EFBIG].contains(systemCode) }
  /// Whether the disk failed to read or write.
  public var isOfDisk: Bool { isIO || cannotOpen && [EIO, ENXIO].contains(systemCode) }
  public var isDenied: Bool { primaryCode == SQLITE_PERM || primaryCode == SQLITE_AUTH }
  /// A value, or a row, is longer than this connection takes.
  public var isTooBig: Bool { primaryCode == SQLITE_TOOBIG }
  /// Whether it ended by an interruption.
  public var isInterrupted: Bool { primaryCode == SQLITE_INTERRUPT && message != Self.endless }
  /// Whether the code is the generic one, most often for a statement that does not fit the tables.
  public var isGeneral: Bool { primaryCode == SQLITE_ERROR }
  public var isNotDatabase: Bool { primaryCode == SQLITE_NOTADB }
  /// Not a database, or a damaged one.
  public var isCorrupt: Bool { primaryCode == SQLITE_NOTADB || primaryCode == SQLITE_CORRUPT }

  public var description: String { "SQLite error \(code): \(message)" + (sql.map { " in: \($0)" } ?? "") }
}

/// A column with an unexpected value: a bug, or a file changed by another program.
public struct ColumnError: Error, Sendable, Hashable, CustomStringConvertible {
  public let column: String
  public let found: String
  public let wanted: String
  public var description: String { "column '\(column)' holds \(found), not \(wanted)" }
}
