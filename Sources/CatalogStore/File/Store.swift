public import CatalogModel
internal import FoundationEssentials
internal import Glibc
internal import Migrations
public import SQLite

/// The catalog: one SQLite file, or one in memory. Each topic has its own extension.
///
/// Every change runs in one short immediate transaction and updates the search index.
public struct Store {
  /// The connection, for queries without a function here. The schema of the file holds the invariants.
  public let db: Connection
  /// The path of the file; nil in memory.
  public let path: String?
  /// Whether the file can be written through this store.
  public let isWritable: Bool
  /// Records writes as operations of the history; nil to record none.
  var recording: OperationRecorder?
  private let place = Place()

  init(db: Connection, path: String?, isWritable: Bool) {
    (self.db, self.path, self.isWritable) = (db, path, isWritable)
  }

  /// The time of the person, by which days are told. All copies of this value, and the functions of its connection,
  /// share it.
  public var localTime: LocalTime {
    get { place.localTime }
    nonmutating set { place.localTime = newValue }
  }

  /// An empty catalog in memory.
  public static func inMemory() throws -> Store {
    let store = Store(db: try Connection(.memory), path: nil, isWritable: true)
    try store.prepareForWriting()
    try store.migrate()
    _ = try store.takeShipped()
    return store
  }

  /// The intended use of the catalog.
  public enum Purpose: Sendable {
    /// Reads only. A catalog that does not exist yet reads as an empty one, and no file is made.
    case reading
    /// Reads and writes. A missing catalog is created.
    case writing
    /// Reads, and records views. A missing catalog reads as an empty one.
    case viewing
  }

  /// A message for the user about the opened file.
  public enum Notice: Hashable, Sendable {
    /// The catalog was migrated from an older version, and a copy is kept.
    case migrated(copy: String)
    /// This version maps some labels better, which changed the genres of this many items.
    case genresFollowed(items: Int)
    /// The file is empty: it has no tables of a catalog.
    case empty(path: String)
  }

  /// Opens the catalog at `path` and migrates it if needed.
  ///
  /// - Parameters:
  ///   - busyTimeout: the time to wait while another program writes, in milliseconds.
  ///   - tell: receives messages about the file.
  /// - Throws: ``CatalogError``; the file is then unchanged.
  public static func open(
    at path: String, for purpose: Purpose, busyTimeout: Int = 5_000, tell: (Notice) -> Void = { _ in }
  ) throws -> Store {
    switch try FileState.file(at: path, called: path) {
    case nil where purpose != .writing: return try inMemory()
    case nil: try make(at: path)
    // SQLite takes a file of one byte for an empty one, and would write over it.
    case 1?: throw CatalogError.notDatabase(path)
    default: break
    }
    do {
      let store = Store(
        db: try Connection(.file(path), mode: purpose == .reading ? .readOnly : .create, busyTimeout: busyTimeout),
        path: path, isWritable: purpose != .reading)
      let version = try store.checkedVersion(of: path)
      if version == 0 {
        tell(.empty(path: path))
        // It may have replaced a lost catalog: readers leave it unchanged.
        guard purpose == .writing else { return try inMemory() }
      }
      if purpose == .reading {
        if version == Migration.all.count {
          try store.prepareForReading()
          try store.checkTables(of: path)
          return store
        }
        // An older file must be migrated first.
        return try open(at: path, for: .writing, busyTimeout: busyTimeout, tell: tell)
      }
      try store.prepareForWriting()
      if version < Migration.all.count, let copy = try store.migrate() { tell(.migrated(copy: copy)) }
      try store.checkTables(of: path)
      // A command that only reads must not fail because nothing can be written now.
      let changed = purpose == .writing ? try store.takeShipped() : (try? store.takeShipped()) ?? 0
      if changed > 0 { tell(.genresFollowed(items: changed)) }
      return store
    } catch let error as SQLiteError where error.needsRollback && purpose == .reading {
      try rollBack(path, busyTimeout: busyTimeout)
      return try open(at: path, for: purpose, busyTimeout: busyTimeout, tell: tell)
    } catch let error as SQLiteError {
      throw CatalogError(error, path: path)
    }
  }

  /// Creates a catalog where none exists, for its owner alone. It appears atomically, so an empty file was never a new
  /// catalog.
  private static func make(at path: String) throws {
    if let owner = Connection.owner(ofCompanion: path), Connection.isDatabase(owner) {
      throw CatalogError.isJournal(path, of: owner)
    }
    try makeFolder(of: path)
    let draft = try TemporaryFile(beside: path)
    do {
      let store = Store(db: try Connection(.file(draft.path), mode: .readWrite), path: nil, isWritable: true)
      try store.prepareForWriting()
      // No other process uses the file, and after a crash it is discarded.
      try store.db.execute(script: "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
      try store.migrate()
      _ = try store.takeShipped()
    } catch let error as SQLiteError {
      throw CatalogError(error, path: path)
    }
    try draft.sync()
    // If another program was faster, its catalog is used.
    _ = try draft.take(path)
  }

  /// Rolls back a write that a program left unfinished, as every writer does on its first read.
  private static func rollBack(_ path: String, busyTimeout: Int) throws {
    do {
      let db = try Connection(.file(path), mode: .readWrite, busyTimeout: busyTimeout)
      _ = try db.value("PRAGMA user_version", as: Int.self)
    } catch let error as SQLiteError {
      throw CatalogError(error, path: path)
    }
  }

  /// The file's schema version, 0 for an empty file.
  /// - Parameter name: the name of the file in errors, if it is not its path.
  /// - Throws: ``CatalogError`` if it is no catalog, or one that this program does not understand.
  func checkedVersion(of path: String, called name: String? = nil) throws -> Int {
    let name = name ?? path
    return try read {
      let isEmpty = try db.value("SELECT count(*) = 0 FROM sqlite_schema", as: Bool.self) ?? true
      let application = try db.value("PRAGMA application_id", as: Int.self) ?? 0
      let version = try db.value("PRAGMA user_version", as: Int.self) ?? 0
      guard application == Migration.applicationID || isEmpty && application == 0 && version == 0 else {
        throw CatalogError.foreign(name)
      }
      guard version <= Migration.all.count else {
        throw CatalogError.newer(name, version: version, known: Migration.all.count)
      }
      // A file that was cut is shorter than its header says.
      let pages = try db.value("PRAGMA page_count", as: Int.self) ?? 0
      let pageSize = try db.value("PRAGMA page_size", as: Int.self) ?? 0
      if let size = FileState.size(of: path), pages > 0, size < pages * pageSize { throw CatalogError.damaged(name) }
      return version
    }
  }

  /// The longest time that a statement may take for one row before the schema is checked.
  private static let patience = Duration.seconds(10)
  /// The most bytes of a value or a row: a step that replaces one cover of the largest size by another has about 16
  /// MiB.
  static let longestValue: Int32 = 24 << 20

  /// Makes sure that the tables are there, and that neither a value nor a view or trigger of others' takes more than
  /// there is.
  /// - Parameter path: the file with the views and triggers.
  func checkTables(of path: String) throws {
    try TableSchema.check(db)
    db.limitValues(to: Self.longestValue)
    db.stop(after: Self.patience) { Self.hasForeignCode(at: path) }
  }

  private func prepareForReading() throws {
    // The file is read and not mapped: with a mapped file, truncation or a failing disk ends the process.
    try db.execute(script: "PRAGMA temp_store = MEMORY")
    try db.defineQueryFunctions(at: place)
  }

  func prepareForWriting() throws {
    try db.execute(script: "PRAGMA synchronous = FULL; PRAGMA secure_delete = OFF; PRAGMA temp_store = MEMORY")
    try db.defineQueryFunctions(at: place)
  }

  /// Runs the missing migrations in one transaction, so no process sees a file between two versions. If several
  /// programs start at once, one of them migrates and makes one copy.
  /// - Returns: the name of the copy that is kept of an older catalog, if this program made it.
  @discardableResult
  func migrate(_ migrations: [Migration] = Migration.all) throws -> String? {
    let copy: String? = try db.transaction {
      let version = try db.value("PRAGMA user_version", as: Int.self) ?? 0
      guard version < migrations.count else { return nil }
      let copy = version > 0 ? try copyBeforeMigration(from: version) : nil
      // The migrations use these functions.
      try db.defineQueryFunctions(at: place)
      for migration in migrations where version < migration.version {
        try db.execute(script: migration.script)
        try db.execute(script: Array("PRAGMA user_version = \(migration.version)".utf8))
        try db.execute(script: Array("PRAGMA application_id = \(Migration.applicationID)".utf8))
      }
      return copy
    }
    return copy
  }

  static func makeFolder(of path: String) throws {
    guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return }
    let folder = String(path[..<slash])
    guard PrivateFolder.make(folder) == 0 else { throw CatalogError.cannotMakeFolder(folder) }
  }

  /// Runs `body` on a snapshot of the file. Outside of a transaction SQLite locks the file at every statement, which
  /// takes eight system calls.
  public func read<T>(_ body: () throws -> T) throws -> T { try db.transaction(.deferred, body) }

  /// Returns the same catalog, which records all writes as operations.
  public func recording(_ recording: OperationRecorder?) -> Store {
    var store = self
    store.recording = recording
    return store
  }

  /// Runs `body` in one transaction, updates the search index before the commit, and records an operation if requested.
  @discardableResult
  public func write<T>(_ body: () throws -> T) throws -> T {
    do {
      // The outer write indexes and records the changes of an inner one.
      let isWithin = db.isInTransaction
      return try db.transaction {
        let isKept = db.recorder?.isOn == true
        let result = try recording.map { isKept ? try body() : try $0.record(in: db, body) } ?? body()
        if !isWithin { try indexPending() }
        return result
      }
    } catch let error as SQLiteError {
      throw CatalogError(error, path: path ?? "")
    }
  }

  /// Yields to other writers: returns once no commit has been seen for 10 ms, after about 1 s at most. Call it between
  /// long transactions: a waiting writer polls every 2 ms and would find no gap.
  public func yieldToWriters() throws {
    guard path != nil else { return }
    func version() throws -> Int? { try db.value("PRAGMA data_version", as: Int.self) }
    for _ in 0..<100 {
      let before = try version()
      usleep(10_000)
      if try version() == before { return }
    }
  }
}

@available(*, unavailable) extension Store: Sendable {}

/// The time zone of the person of a catalog.
///
/// Unchecked, since SQLite calls the functions that read it on the thread of their connection, which also sets it.
final class Place: @unchecked Sendable {
  var localTime = LocalTime.utc
}
