internal import SQLite

/// Copies of the whole file. Each is written under a temporary name, synced and checked, and then renamed.
extension Store {
  /// Makes a consistent copy of the catalog in another file while others use the catalog.
  ///
  /// The file appears atomically, with the permissions of the file that it replaces, or else those of the catalog.
  /// - Parameters:
  ///   - replaces: whether to replace an existing file.
  ///   - progress: receives the number of remaining pages and of all pages; returning false aborts.
  /// - Returns: the number of items in the copy, and its size in bytes.
  public func backup(
    to target: String, replaces: Bool = false, progress: (_ remaining: Int, _ total: Int) -> Bool = { _, _ in true }
  ) throws -> (items: Int, bytes: Int) {
    let draft = try TemporaryFile(beside: target)
    let items = try fill(draft, from: db, for: target, progress: progress)
    if replaces, FileState.size(of: target) != nil { try draft.takeMode(of: target) }
    guard try draft.take(target, replaces: replaces) else { throw CatalogError.cannotOpen(target) }
    return (items, FileState.size(of: target) ?? 0)
  }

  /// Makes the copy that is kept when the file is migrated from `version`: `catalog.db.v3.bak`. If another file has
  /// this name, the copy is called `catalog.db.v3.2.bak`.
  ///
  /// Called within the migrating transaction, before any change.
  /// - Returns: the name of the copy; nil for a catalog in memory.
  func copyBeforeMigration(from version: Int) throws -> String? {
    guard let path else { return nil }
    do {
      let usual = "\(path).v\(version)"
      let draft = try TemporaryFile(beside: "\(usual).bak")
      // SQLite cannot copy for a connection that is about to write. Another connection sees the file unchanged.
      try fill(draft, from: Connection(.file(path), mode: .readOnly), for: "\(usual).bak") { _, _ in true }
      return try draft.takeFree(usual)
    } catch let error as SQLiteError {
      throw CatalogError.notCopied(path, because: CatalogError(error, path: path))
    } catch let error as CatalogError {
      throw CatalogError.notCopied(path, because: error)
    }
  }

  /// Copies the database of `source` and checks the copy.
  /// - Returns: the number of items in the copy.
  @discardableResult
  private func fill(
    _ draft: borrowing TemporaryFile, from source: Connection, for target: String,
    progress: (_ remaining: Int, _ total: Int) -> Bool
  ) throws -> Int {
    let copy = draft.path
    // A single transaction: changes that others write meanwhile come after the copy.
    let contents = try source.transaction(.deferred) {
      guard let contents = try Self.contents(of: source) else { throw CatalogError.damaged(path ?? "") }
      do { try source.backup(to: copy, progress: progress) } catch let error as SQLiteError {
        if error.isInterrupted { throw error }
        throw CatalogError(error, path: target)
      }
      return contents
    }
    try draft.sync()
    guard try Self.contents(of: Connection(.file(copy), mode: .readOnly), isWhole: true) == contents else {
      // The copy is equal page for page, so the catalog is most likely damaged, too.
      throw try Self.contents(of: source, isWhole: true) == nil ? CatalogError.damaged(path ?? "") : .io(target)
    }
    if let path { try draft.takeMode(of: path) }
    return contents["item"] ?? 0
  }

  /// The number of rows in each table, and the version.
  /// - Parameter isWhole: whether to check every page first.
  /// - Returns: nil for a damaged database.
  static func contents(of db: Connection, isWhole: Bool = false) throws -> [String: Int]? {
    do {
      if isWhole, try db.values("PRAGMA quick_check(1)", as: String.self) != ["ok"] { return nil }
      let tables = try db.values(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'", as: String.self)
      var counts = ["PRAGMA user_version": try db.value("PRAGMA user_version") ?? 0]
      for table in tables { counts[table] = try db.value("SELECT count(*) FROM \(identifier: table)") }
      return counts
    } catch let error as SQLiteError where error.isCorrupt {
      return nil
    }
  }
}
