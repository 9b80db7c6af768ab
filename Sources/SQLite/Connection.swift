internal import CPool
internal import CSQLite
internal import Glibc

/// An open database. One thread owns it; it is not Sendable.
///
///     let db = try Connection(.file("catalog.db"), mode: .readWrite)
///     let titles = try db.all("SELECT title FROM item WHERE year > \(1979)") { try $0.get("title", as: String.self) }
///
/// Opening switches on foreign keys and extended result codes, and off double-quoted strings and trust in the schema.
public final class Connection {
  public enum Location: Sendable, Hashable {
    case memory
    /// A file that SQLite makes for itself and removes.
    case temporary
    case file(String)
  }

  public enum Mode: Sendable, Hashable {
    /// An existing file, for reading.
    case readOnly
    /// An existing file that no program changes, for reading without locks.
    case immutable
    /// An existing file.
    case readWrite
    /// A file that is made when it is missing.
    case create
  }

  public enum TransactionKind: String, Sendable {
    case deferred = "DEFERRED"
    case immediate = "IMMEDIATE"
    case exclusive = "EXCLUSIVE"
  }

  let handle: OpaquePointer
  /// The most recently used statements, the newest last. There are so few that a linear search is faster than hashing
  /// long texts.
  private var cache: [Statement] = []
  private var depth = 0
  private let watch = Watch()
  /// The log that is notified of each commit on this connection.
  public var commits: CommitLog?
  /// The recorder of row changes, once recording was requested.
  public internal(set) var recorder: ChangeRecorder?

  /// - Parameter busyTimeout: the time to wait for another program's lock, in milliseconds.
  /// - Throws: ``SQLiteError``. SQLite reads the file only at the first statement, so a file that is not a database
  ///   fails only then.
  public init(_ location: Location, mode: Mode = .create, busyTimeout: Int = 5_000) throws(SQLiteError) {
    let path: String
    switch location {
    case .memory: path = ":memory:"
    case .temporary: path = ""
    // The path must not be read as an option or a URI.
    case .file(let file): path = file.hasPrefix("/") ? file : "./" + file
    }
    let flags =
      switch mode {
      case .readOnly: SQLITE_OPEN_READONLY
      case .immutable: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
      case .readWrite: SQLITE_OPEN_READWRITE
      case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      }
    var opened: OpaquePointer?
    // A path with a NUL in it would be cut there.
    guard !path.utf8.contains(0) else { throw SQLiteError(code: SQLITE_CANTOPEN, message: "a NUL in the path") }
    assert(
      Self.onlyThread.map { pthread_equal($0, pthread_self()) != 0 } ?? true,
      "SQLite was told that one thread uses it, and this is another")
    if case .file(let file) = location, Self.isIrregular(file) {
      throw SQLiteError(code: SQLITE_CANTOPEN, message: "'\(file)' is not a regular file", obstacle: file)
    }
    if case .file = location, let obstacle = Self.obstacle(beside: path) {
      throw SQLiteError(code: SQLITE_CANTOPEN, message: "'\(obstacle)' is not a regular file", obstacle: obstacle)
    }
    let name = mode == .immutable ? Self.immutableURI(path) : path
    let code = sqlite3_open_v2(name, &opened, flags | SQLITE_OPEN_EXRESCODE, nil)
    guard code == SQLITE_OK, let opened else {
      let error = SQLiteError(code, on: opened)
      sqlite3_close_v2(opened)
      throw error
    }
    handle = opened
    wait(atMost: busyTimeout)
    _ = csqlite_forbid_double_quoted_strings(handle)
    _ = csqlite_distrust_schema(handle)
    _ = csqlite_enforce_foreign_keys(handle)
    if Self.keepsNewest { Self.newest = self }
  }

  deinit {
    cache.removeAll()
    sqlite3_close_v2(handle)
  }

  /// The path of what lies where SQLite keeps a journal of the file, and is no ordinary file: a pipe, which SQLite
  /// would wait for without end, a folder, a device.
  private static func obstacle(beside path: String) -> String? {
    companions(of: path).dropLast().first(where: isIrregular)
  }

  private static func isIrregular(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
  }

  /// The path as a URI (<https://sqlite.org/uri.html>) that says that the file does not change.
  private static func immutableURI(_ path: String) -> String {
    var uri = "file:"
    for scalar in path.unicodeScalars {
      switch scalar {
      case "%": uri += "%25"
      case "?": uri += "%3F"
      case "#": uri += "%23"
      default: uri.unicodeScalars.append(scalar)
      }
    }
    return uri + "?immutable=1"
  }

  /// Sets SQLite up for one thread until the process ends. Must be called before the first connection.
  public static func useSingleThread() {
    // Reading a schema allocates ten thousand small pieces. With mutexes, `malloc` and a connection that is closed at
    // the end, a short command takes a third more instructions.
    _ = csqlite_use_single_thread()
    _ = pool_serve_sqlite()
    keepsNewest = true
    onlyThread = pthread_self()
  }

  /// The only thread that uses SQLite; nil where several may. Set once, before there is another thread.
  private nonisolated(unsafe) static var onlyThread: pthread_t?

  /// Whether the newest connection stays open until another is opened or the process ends, which frees its memory at
  /// once.
  private nonisolated(unsafe) static var keepsNewest = false
  private nonisolated(unsafe) static var newest: Connection?

  /// Sets SQLite up for several threads, each with its own connections. Must be called before the first connection.
  /// - Parameter comeAndGo: whether threads start and end continually. With a fixed number of threads, it is faster.
  public static func useOneThreadEach(comeAndGo: Bool) {
    _ = csqlite_use_one_thread_each()
    if !comeAndGo { _ = pool_serve_sqlite() }
  }

  /// Disables SQLite's memory statistics, which makes it faster. Must be called before the first connection.
  public static func countNoMemory() { _ = csqlite_count_no_memory() }

  /// Waits for another program's lock, trying every 2 ms, because a program that writes for long leaves only short
  /// gaps. SQLite's own handler tries ten times a second.
  /// - Parameter milliseconds: the maximum time.
  private func wait(atMost milliseconds: Int) {
    sqlite3_busy_handler(
      handle,
      { most, looks in
        let pause = 2
        guard Int(looks) * pause < Int(bitPattern: most) else { return 0 }
        usleep(UInt32(clamping: pause * 1_000))
        return 1
      }, UnsafeMutableRawPointer(bitPattern: max(0, milliseconds)))
  }

  // MARK: Statements

  /// Runs a statement, ignoring rows.
  /// - Returns: the number of inserted, changed or deleted rows, not counting triggers and cascades.
  @discardableResult
  public func run(_ sql: SQL) throws -> Int {
    let count = try withStatement(sql) { statement in
      while try statement.step() {}
      return Int(sqlite3_changes64(handle))
    }
    // Changes that a savepoint may still roll back are not passed on.
    if depth == 1 { try flushChanges() }
    return count
  }

  /// Passes on the recorded changes if many have accumulated. Long work with prepared statements calls this.
  public func flushChanges() throws {
    if let recorder, recorder.isOn, recorder.isFull { try recorder.onFull(recorder.take()) }
  }

  /// Returns all rows, each converted by `make`.
  public func all<T>(_ sql: SQL, _ make: (Row) throws -> T) throws -> [T] {
    try withStatement(sql) { statement in
      var result: [T] = []
      while try statement.step() { result.append(try make(statement.row)) }
      return result
    }
  }

  /// The first row made into a value, or nil.
  public func one<T>(_ sql: SQL, _ make: (Row) throws -> T) throws -> T? {
    try withStatement(sql) { statement in try statement.step() ? try make(statement.row) : nil }
  }

  /// All values of a query with one column.
  public func values<T: ValueConvertible>(_ sql: SQL, as type: T.Type = T.self) throws -> [T] {
    try all(sql) { try $0.get(at: 0) }
  }

  /// The first column of the first row, or nil when there is no row or it is NULL.
  public func value<T: ValueConvertible>(_ sql: SQL, as type: T.Type = T.self) throws -> T? {
    try one(sql) { row in try row.get(at: 0, as: Value.self) == .null ? nil : try row.get(at: 0, as: T.self) } ?? nil
  }

  /// Calls `body` for every row, read in place. It stops early when `body` returns false.
  public func forEach(_ sql: SQL, _ body: (Cursor) throws -> Bool) throws {
    try withStatement(sql) { statement in
      let cursor = Cursor(statement: statement)
      while try statement.step() {
        if try !body(cursor) { break }
      }
    }
  }

  /// The rows of a query, to be fetched one by one. The query stays open as long as the value exists.
  public func scan(_ sql: SQL) throws(SQLiteError) -> RowScan {
    let statement = try Statement(sql.text, on: handle, isPersistent: false, watch)
    try statement.bind(sql.arguments)
    return RowScan(statement)
  }

  /// A statement to be run many times with different values. Its parameters are written `?`.
  public func prepare(_ sql: SQL) throws(SQLiteError) -> PreparedStatement {
    PreparedStatement(try Statement(sql.text, on: handle, isPersistent: true, watch), database: handle)
  }

  /// The id of the row inserted last.
  public var lastInsertedRowID: Int64 { sqlite3_last_insert_rowid(handle) }

  /// Runs a script of several statements. Only for text that is part of the program: migrations.
  public func execute(script: StaticString) throws(SQLiteError) { try control(script.description) }

  /// The same for scripts that are compiled in as bytes.
  public func execute(script: [UInt8]) throws(SQLiteError) { try control(String(decoding: script, as: UTF8.self)) }

  private func control(_ text: String) throws(SQLiteError) {
    let code = sqlite3_exec(handle, text, nil, nil, nil)
    guard code == SQLITE_OK else { throw SQLiteError(code, on: handle, sql: String(text.prefix(200))) }
    cache.removeAll()
  }

  private func withStatement<T>(_ sql: SQL, _ body: (Statement) throws -> T) throws -> T {
    // Comparing the lengths first avoids most comparisons of texts.
    let length = sql.text.utf8.count
    let cached = cache.first { $0.length == length && $0.sql == sql.text }
    let statement: Statement
    if let cached, !cached.isBusy {
      statement = cached
    } else {
      statement = try Statement(sql.text, on: handle, isPersistent: true, watch)
      if cached == nil { keep(statement) }
    }
    statement.isBusy = true
    defer {
      statement.reset()
      statement.isBusy = false
    }
    try statement.bind(sql.arguments)
    return try body(statement)
  }

  private func keep(_ statement: Statement) {
    if cache.count == 64 { cache.removeFirst() }
    cache.append(statement)
  }

  // MARK: Transactions

  /// Whether a transaction is open.
  public var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// Runs `body` in a transaction, or in a savepoint when one is already open. An error undoes all of it.
  public func transaction<T>(_ kind: TransactionKind = .immediate, _ body: () throws -> T) throws -> T {
    let isOutermost = depth == 0
    let savepoint = "s\(depth)"
    try begin(isOutermost ? "BEGIN \(kind.rawValue)" : "SAVEPOINT \(savepoint)")
    depth += 1
    defer { depth -= 1 }
    let before = sqlite3_total_changes64(handle)
    let mark = recorder?.mark
    do {
      let result = try body()
      if isOutermost { try commit(since: before) } else { try begin("RELEASE \(savepoint)") }
      return result
    } catch {
      // SQLite may have rolled back by itself; either way, the first error is the one to report.
      if isInTransaction { try? begin(isOutermost ? "ROLLBACK" : "ROLLBACK TO \(savepoint); RELEASE \(savepoint)") }
      if let mark { recorder?.rewind(to: mark) }
      throw error
    }
  }

  private func commit(since before: Int64) throws(SQLiteError) {
    do {
      try begin("COMMIT")
    } catch {
      commits?.noteFailedCommit(error)
      throw error
    }
    commits?.noteCommit(changes: sqlite3_total_changes64(handle) - before)
  }

  /// Transaction control leaves the statements in the cache as they are.
  private func begin(_ text: String) throws(SQLiteError) {
    let code = sqlite3_exec(handle, text, nil, nil, nil)
    guard code == SQLITE_OK else { throw SQLiteError(code, on: handle, sql: text) }
  }

  /// Runs `body` without triggers: for rows of the program's own that the triggers would check and find right.
  public func withoutTriggers<T>(_ body: () throws -> T) rethrows -> T {
    _ = csqlite_enable_triggers(handle, 0)
    defer { _ = csqlite_enable_triggers(handle, 1) }
    return try body()
  }

  // MARK: Others

  /// Calls `isInterrupted` every few thousand steps of SQLite, and aborts the statement when it returns true.
  public func interrupt(when isInterrupted: @escaping @Sendable () -> Bool) {
    watch.isInterrupted = isInterrupted
    ask(every: 10_000)
  }

  /// Stops when another connection would: for a second one to the same file.
  public func interrupt(like other: Connection) {
    if let isInterrupted = other.watch.isInterrupted { interrupt(when: isInterrupted) }
  }

  /// Whether the file can only be read.
  public var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

  /// Stops a statement that works longer than `time` without giving a row: ``SQLiteError/isEndless``.
  /// - Parameters:
  ///   - steps: the number of SQLite's steps between two looks at the clock. Where a step may be long, few.
  ///   - isHostile: asked when the time is over; where it says no, statements may work as long as they like.
  public func stop(after time: Duration, every steps: Int32 = 10_000, if isHostile: @escaping () -> Bool = { true }) {
    let (seconds, attoseconds) = time.components
    watch.patience = UInt64(clamping: seconds) &* 1_000_000_000 &+ UInt64(clamping: attoseconds / 1_000_000_000)
    watch.isHostile = isHostile
    ask(every: steps)
  }

  private func ask(every steps: Int32) {
    sqlite3_progress_handler(
      handle, steps,
      { pointer in
        guard let pointer else { return 0 }
        return Unmanaged<Watch>.fromOpaque(pointer).takeUnretainedValue().isOver() ? 1 : 0
      }, Unmanaged.passUnretained(watch).toOpaque())
  }

  /// Makes every statement that uses a view of the file fail, whatever program created the view.
  public func forbidViews() { _ = csqlite_enable_views(handle, 0) }

  /// Refuses values, and rows, of more than so many bytes, read or written: ``SQLiteError/isTooBig``.
  public func limitValues(to bytes: Int32) { sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, bytes) }

  /// Whether the file has a table of this name. A view is none. The schema is in memory once a statement was prepared,
  /// and nothing is read.
  public func hasTable(_ name: String) -> Bool {
    sqlite3_table_column_metadata(handle, "main", name, nil, nil, nil, nil, nil, nil) == SQLITE_OK
  }

  /// Copies this database into an empty file of the caller, consistently while other programs use it.
  ///
  /// The copy is not synced, since an incomplete copy is useless; the caller must sync it.
  /// - Parameter progress: called with the number of remaining pages and of all pages; returning false aborts.
  public func backup(to path: String, progress: (_ remaining: Int, _ total: Int) -> Bool = { _, _ in true }) throws {
    let target = try Connection(.file(path), mode: .create)
    try target.execute(script: "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
    try backup(into: target, progress: progress)
  }

  /// The same into a database that is open, in place of its content and in one transaction.
  /// - Parameter locked: called when no other program can read or write `target`, before it changes. An error leaves
  ///   it as it is.
  public func backup(
    into target: Connection, locked: () throws -> Void = {},
    progress: (_ remaining: Int, _ total: Int) -> Bool = { _, _ in true }
  ) throws {
    guard let backup = sqlite3_backup_init(target.handle, "main", handle, "main") else {
      throw SQLiteError(sqlite3_errcode(target.handle), on: target.handle)
    }
    // A step of no page takes the locks.
    var code = sqlite3_backup_step(backup, 0)
    do {
      if code == SQLITE_OK || code == SQLITE_DONE { try locked() }
    } catch {
      sqlite3_backup_finish(backup)
      throw error
    }
    while code == SQLITE_OK {
      code = sqlite3_backup_step(backup, 1_000)
      guard progress(Int(sqlite3_backup_remaining(backup)), Int(sqlite3_backup_pagecount(backup))) else {
        code = SQLITE_INTERRUPT
        break
      }
    }
    let finished = sqlite3_backup_finish(backup)
    guard code == SQLITE_DONE else {
      let isIO = code & 0xff == SQLITE_IOERR
      throw SQLiteError(
        code: code, message: String(cString: sqlite3_errstr(code)),
        systemCode: isIO ? sqlite3_system_errno(target.handle) : 0)
    }
    guard finished == SQLITE_OK else { throw SQLiteError(finished, on: target.handle) }
  }

  /// Defines a function for SQL.
  /// - Parameter isDeterministic: equal arguments always give equal results.
  public func define(
    _ name: String, argumentCount: Int32, isDeterministic: Bool = true, _ body: @escaping @Sendable ([Value]) -> Value
  ) throws(SQLiteError) {
    let box = Unmanaged.passRetained(Box(body))
    let flags = SQLITE_UTF8 | (isDeterministic ? SQLITE_DETERMINISTIC : 0) | SQLITE_INNOCUOUS
    let code = sqlite3_create_function_v2(
      handle, name, argumentCount, flags, box.toOpaque(),
      { context, count, arguments in
        guard let data = sqlite3_user_data(context) else { return sqlite3_result_null(context) }
        let body = Unmanaged<Box<@Sendable ([Value]) -> Value>>.fromOpaque(data).takeUnretainedValue().content
        let values = (0..<Int(count)).map { Value(pointer: arguments?[$0]) }
        body(values).become(resultOf: context)
      }, nil, nil, { pointer in pointer.map { Unmanaged<AnyObject>.fromOpaque($0).release() } })
    guard code == SQLITE_OK else { throw SQLiteError(code, on: handle) }
  }
}

@available(*, unavailable) extension Connection: Sendable {}

/// Keeps a Swift value alive behind a C pointer.
final class Box<Content> {
  let content: Content
  init(_ content: Content) { self.content = content }
}

extension Value {
  fileprivate init(pointer: OpaquePointer?) {
    switch sqlite3_value_type(pointer) {
    case SQLITE_INTEGER: self = .integer(sqlite3_value_int64(pointer))
    case SQLITE_FLOAT: self = .real(sqlite3_value_double(pointer))
    case SQLITE_TEXT:
      let start = sqlite3_value_text(pointer)
      let bytes = UnsafeBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_value_bytes(pointer)))
      self = .text(String(decoding: bytes, as: UTF8.self))
    case SQLITE_BLOB:
      let start = sqlite3_value_blob(pointer)
      self = .blob(
        Array(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_value_bytes(pointer)))))
    default: self = .null
    }
  }

  fileprivate func become(resultOf context: OpaquePointer?) {
    switch self {
    case .null: sqlite3_result_null(context)
    case .integer(let integer): sqlite3_result_int64(context, integer)
    case .real(let real): sqlite3_result_double(context, real)
    case .text(var text):
      text.withUTF8 { bytes in
        bytes.withMemoryRebound(to: CChar.self) { chars in
          if let start = chars.baseAddress, !chars.isEmpty {
            csqlite_result_text(context, start, Int32(clamping: chars.count))
          } else {
            csqlite_result_text(context, "", 0)
          }
        }
      }
    case .blob(let blob):
      if blob.isEmpty {
        sqlite3_result_zeroblob(context, 0)
      } else {
        blob.withUnsafeBytes { csqlite_result_blob(context, $0.baseAddress, Int32(clamping: $0.count)) }
      }
    }
  }
}
