internal import SQLite

/// Copies of the whole file. Each is made under a name of its own, synced and checked, and only then gets its name.
extension Store {
  /// A consistent copy of the catalog in another file, made while others use the catalog.
  ///
  /// The file appears whole or not at all, and those may read it who may read the catalog.
  /// - Parameters:
  ///   - replaces: whether a file that is there may be replaced.
  ///   - progress: called with the pages that remain and all pages; returning false stops.
  /// - Returns: how many items the copy holds, and its size in bytes.
  public func backup(
    to target: String, replaces: Bool = false, progress: (_ remaining: Int, _ total: Int) -> Bool = { _, _ in true }
  ) throws -> (items: Int, bytes: Int) {
    let draft = try UnfinishedFile(beside: target)
    let items = try fill(draft, from: db, for: target, progress: progress)
    guard try draft.take(target, replaces: replaces) else { throw CatalogError.cannotOpen(target) }
    return (items, FileState.size(of: target) ?? 0)
  }

  /// The copy that is kept when the file goes from `version` to a newer one: `catalog.db.v3.bak`. A file that has this
  /// name and is no such copy stays as it is, and the copy is called `catalog.db.v3.2.bak`.
  ///
  /// Called inside the transaction that migrates, before anything was changed.
  /// - Returns: its name; nil for a catalog in memory.
  func copyBeforeMigration(from version: Int) throws -> String? {
    guard let path else { return nil }
    do {
      let usual = "\(path).v\(version)"
      let draft = try UnfinishedFile(beside: "\(usual).bak")
      // SQLite copies nothing for a connection that is about to write. Another one sees the file as it was.
      try fill(draft, from: Connection(.file(path), mode: .readOnly), for: "\(usual).bak") { _, _ in true }
      for number in 1... {
        let name = number == 1 ? "\(usual).bak" : "\(usual).\(number).bak"
        // One that a migration made which was then ended does as well.
        if try draft.take(name) || draft.isSameDatabase(as: name) { return name }
      }
    } catch let error as SQLiteError {
      throw CatalogError.notCopied(path, because: CatalogError(error, path: path))
    } catch let error as CatalogError {
      throw CatalogError.notCopied(path, because: error)
    }
    return nil
  }

  /// Copies the database that `source` reads, and makes sure that the copy is one.
  /// - Returns: how many items it holds.
  @discardableResult
  private func fill(
    _ draft: borrowing UnfinishedFile, from source: Connection, for target: String,
    progress: (_ remaining: Int, _ total: Int) -> Bool
  ) throws -> Int {
    let copy = draft.path
    // One transaction for all of it: what others write meanwhile waits, and comes after the copy.
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
      // It is the same page for page, so most likely the catalog is no better.
      throw try Self.contents(of: source, isWhole: true) == nil ? CatalogError.damaged(path ?? "") : .io(target)
    }
    if let path { try draft.takeMode(of: path) }
    return contents["item"] ?? 0
  }

  /// How many rows each table has, and the version.
  /// - Parameter isWhole: look at every page first.
  /// - Returns: nil for a damaged database.
  private static func contents(of db: Connection, isWhole: Bool = false) throws -> [String: Int]? {
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
