internal import CSQLite

/// The current row of a query, read in place: for listings and exports, where a `String` for each cell is too slow.
///
/// It is valid only inside the closure that receives it.
public struct Cursor {
  let statement: Statement

  /// A copy of the row, which may be kept.
  public var row: Row { statement.row }

  /// The type of a column's value.
  public enum StorageClass: Sendable { case null, integer, real, text, blob }

  public func storageClass(_ index: Int) -> StorageClass {
    switch sqlite3_column_type(statement.handle, Int32(clamping: index)) {
    case SQLITE_INTEGER: .integer
    case SQLITE_FLOAT: .real
    case SQLITE_TEXT: .text
    case SQLITE_BLOB: .blob
    default: .null
    }
  }

  public func isNull(_ index: Int) -> Bool {
    sqlite3_column_type(statement.handle, Int32(clamping: index)) == SQLITE_NULL
  }

  /// The bytes of the column's text (an integer's digits too), valid until the next row. NULL is no bytes.
  public func withText<T>(_ index: Int, _ body: (UnsafeBufferPointer<UInt8>) throws -> T) rethrows -> T {
    try body(statement.bytes(at: Int32(clamping: index), isText: true))
  }

  /// The bytes of the column's blob, valid until the next row. NULL is no bytes.
  package func withBlob<T>(_ index: Int, _ body: (UnsafeBufferPointer<UInt8>) throws -> T) rethrows -> T {
    try body(statement.bytes(at: Int32(clamping: index), isText: false))
  }

  public func value(_ index: Int) -> Value { statement.value(at: Int32(clamping: index)) }
  public func integer(_ index: Int) -> Int64 { sqlite3_column_int64(statement.handle, Int32(clamping: index)) }
  public func real(_ index: Int) -> Double { sqlite3_column_double(statement.handle, Int32(clamping: index)) }

  /// The integer in a column; nil where it is NULL or lies outside `range`. A file that others wrote may hold any
  /// number.
  public func integer(_ index: Int, in range: ClosedRange<Int>) -> Int? {
    guard !isNull(index), let integer = Int(exactly: integer(index)), range.contains(integer) else { return nil }
    return integer
  }

  /// The number in a column, rounded; nil where it is NULL or, rounded, lies outside `range`.
  public func rounded(_ index: Int, in range: ClosedRange<Int>) -> Int? {
    guard !isNull(index), let integer = Int(exactly: real(index).rounded()), range.contains(integer) else { return nil }
    return integer
  }

  public func text(_ index: Int) -> String {
    String(decoding: statement.bytes(at: Int32(clamping: index), isText: true), as: UTF8.self)
  }
}

/// A way to run one statement many times with other values: prepared once, bound in place. For bulk work.
public final class PreparedStatement {
  private let statement: Statement
  private let database: OpaquePointer
  /// The first error of binding a value in place.
  private var failure: Int32?

  init(_ statement: Statement, database: OpaquePointer) {
    (self.statement, self.database) = (statement, database)
  }

  /// Runs the statement, ignoring rows, and returns the id of the row that it inserted last.
  @discardableResult
  public func run(_ arguments: Value...) throws(SQLiteError) -> Int64 { try run(arguments) }

  /// Runs the statement with values in an array.
  /// - Parameter rest: the values of the last parameters, if they are in a separate array.
  @discardableResult
  public func run(_ arguments: [Value], _ rest: [Value] = []) throws(SQLiteError) -> Int64 {
    defer { statement.reset() }
    try statement.bind(arguments, rest)
    while try statement.step() {}
    return sqlite3_last_insert_rowid(database)
  }

  /// Runs a query and returns the integer that its first row begins with; nil when there is no row.
  public func integer(_ arguments: [Value]) throws(SQLiteError) -> Int64? {
    defer { statement.reset() }
    try statement.bind(arguments)
    return try statement.step() ? sqlite3_column_int64(statement.handle, 0) : nil
  }

  // MARK: Bytes in place

  /// Binds a text that stays where it is until the statement has run. No bytes are an empty text.
  package func bind(_ index: Int, text: UnsafeRawBufferPointer) {
    // A null address would bind NULL.
    let start = text.baseAddress?.assumingMemoryBound(to: CChar.self)
    note(
      start.map { sqlite3_bind_text(statement.handle, Int32(clamping: index), $0, Int32(clamping: text.count), nil) }
        ?? csqlite_bind_text(statement.handle, Int32(clamping: index), "", 0))
  }

  /// Binds a blob that stays where it is until the statement has run; NULL where it has no bytes.
  package func bind(_ index: Int, blob: UnsafeRawBufferPointer) {
    note(
      sqlite3_bind_blob(
        statement.handle, Int32(clamping: index), blob.baseAddress, Int32(clamping: blob.count), nil))
  }

  /// Binds a number, or NULL.
  package func bind(_ index: Int, _ integer: Int?) {
    note(
      integer.map { sqlite3_bind_int64(statement.handle, Int32(clamping: index), Int64($0)) }
        ?? sqlite3_bind_null(statement.handle, Int32(clamping: index)))
  }

  private func note(_ code: Int32) { if code != SQLITE_OK, failure == nil { failure = code } }

  /// Runs the statement with the values that were bound in place. They stay bound.
  /// - Returns: whether it inserted or changed a row.
  @discardableResult
  package func runBound() throws(SQLiteError) -> Bool {
    defer { sqlite3_reset(statement.handle) }
    try check()
    while try statement.step() {}
    return sqlite3_changes(database) > 0
  }

  /// Runs a query with the values that were bound in place, and calls `body` for every row until it returns false.
  package func forEachBound(_ body: (Cursor) throws -> Bool) throws {
    defer { sqlite3_reset(statement.handle) }
    try check()
    let cursor = Cursor(statement: statement)
    while try statement.step() {
      if try !body(cursor) { break }
    }
  }

  private func check() throws(SQLiteError) {
    guard let failure else { return }
    self.failure = nil
    throw SQLiteError(failure, on: database, sql: statement.sql)
  }
}

/// The rows of a query, fetched one by one: to walk through several queries in step.
public final class RowScan {
  private let cursor: Cursor

  init(_ statement: Statement) { cursor = Cursor(statement: statement) }

  /// The next row, worth nothing after the one behind it was fetched; nil behind the last.
  public func next() throws(SQLiteError) -> Cursor? { try cursor.statement.step() ? cursor : nil }
}

@available(*, unavailable) extension Cursor: Sendable {}
@available(*, unavailable) extension RowScan: Sendable {}
@available(*, unavailable) extension PreparedStatement: Sendable {}
