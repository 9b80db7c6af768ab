internal import CSQLite

/// A prepared statement. Internal: the connection prepares, caches and resets it.
final class Statement {
  let handle: OpaquePointer
  let sql: String
  /// The length of the SQL text in bytes.
  let length: Int
  var isBusy = false
  private let watch: Watch
  private(set) lazy var columns: [String] = (0..<sqlite3_column_count(handle)).map { index in
    sqlite3_column_name(handle, index).map { String(cString: $0) } ?? ""
  }

  /// Prepares the first statement of `sql`.
  /// - Throws: ``SQLiteError``, also when there is a second statement behind it.
  init(_ sql: String, on database: OpaquePointer, isPersistent: Bool, _ watch: Watch) throws(SQLiteError) {
    var handle: OpaquePointer?
    var hasTail = false
    var text = sql
    let code = text.withUTF8 { bytes -> Int32 in
      bytes.withMemoryRebound(to: CChar.self) { chars in
        var tail: UnsafePointer<CChar>?
        let flags = isPersistent ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0
        let code = sqlite3_prepare_v3(database, chars.baseAddress, Int32(clamping: chars.count), flags, &handle, &tail)
        if let tail, let start = chars.baseAddress {
          hasTail = chars.dropFirst(tail - start).contains { ![0x20, 0x0A, 0x0D, 0x09, 0x3B].contains($0) }
        }
        return code
      }
    }
    guard code == SQLITE_OK else { throw SQLiteError(code, on: database, sql: sql) }
    guard let handle else { throw SQLiteError(code: SQLITE_MISUSE, message: "an empty statement", sql: sql) }
    if hasTail {
      sqlite3_finalize(handle)
      throw SQLiteError(code: SQLITE_MISUSE, message: "more than one statement", sql: sql)
    }
    (self.handle, self.sql, length, self.watch) = (handle, sql, sql.utf8.count, watch)
  }

  deinit { sqlite3_finalize(handle) }

  /// Binds the values to the parameters, which must be as many: another count is a mistake in the program.
  func bind(_ arguments: [Value], _ rest: [Value] = []) throws(SQLiteError) {
    let count = Int(sqlite3_bind_parameter_count(handle))
    precondition(count == arguments.count + rest.count, "wrong number of values for: \(sql)")
    try bind(arguments, after: 0)
    try bind(rest, after: arguments.count)
  }

  private func bind(_ arguments: [Value], after start: Int) throws(SQLiteError) {
    for place in arguments.indices {
      let index = Int32(clamping: start + place + 1)
      let code: Int32 =
        switch arguments[place] {
        case .null: sqlite3_bind_null(handle, index)
        case .integer(let integer): sqlite3_bind_int64(handle, index, integer)
        case .real(let real): sqlite3_bind_double(handle, index, real)
        case .text(let text): Self.bind(text, at: index, to: handle)
        case .blob(let blob):
          blob.isEmpty
            ? sqlite3_bind_zeroblob(handle, index, 0)
            : blob.withUnsafeBytes { csqlite_bind_blob(handle, index, $0.baseAddress, Int32(clamping: $0.count)) }
        }
      guard code == SQLITE_OK else { throw SQLiteError(code, on: sqlite3_db_handle(handle), sql: sql) }
    }
  }

  private static func bind(_ text: String, at index: Int32, to handle: OpaquePointer) -> Int32 {
    var text = text
    return text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { chars in
        // An empty string may have no address, and a null address would bind NULL.
        guard let start = chars.baseAddress, !chars.isEmpty else { return csqlite_bind_text(handle, index, "", 0) }
        return csqlite_bind_text(handle, index, start, Int32(clamping: chars.count))
      }
    }
  }

  /// Whether there is a row.
  func step() throws(SQLiteError) -> Bool {
    watch.progress()
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case SQLITE_INTERRUPT where watch.isEndless: throw SQLiteError(endless: sql)
    case let code: throw SQLiteError(code, on: sqlite3_db_handle(handle), sql: sql)
    }
  }

  func reset() {
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
  }

  func value(at index: Int32) -> Value {
    switch sqlite3_column_type(handle, index) {
    case SQLITE_INTEGER: .integer(sqlite3_column_int64(handle, index))
    case SQLITE_FLOAT: .real(sqlite3_column_double(handle, index))
    case SQLITE_TEXT: .text(String(decoding: bytes(at: index, isText: true), as: UTF8.self))
    case SQLITE_BLOB: .blob(Array(bytes(at: index, isText: false)))
    default: .null
    }
  }

  /// The bytes of a text or blob, valid until the next step.
  func bytes(at index: Int32, isText: Bool) -> UnsafeBufferPointer<UInt8> {
    let start =
      isText
      ? sqlite3_column_text(handle, index)
      : sqlite3_column_blob(handle, index)?.assumingMemoryBound(to: UInt8.self)
    return UnsafeBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(handle, index)))
  }

  var row: Row { Row(columns: columns, values: (0..<Int32(clamping: columns.count)).map(value(at:))) }
}
