internal import SQLite

extension Store {
  /// Writes a new catalog with some items of this one and all rows that belong to them. Other rows and the history are
  /// left out: removed data must not leave with the file.
  ///
  /// The file appears atomically, with the permissions of the file that it replaces, or else those of the catalog.
  /// - Parameters:
  ///   - query: selects items; nil for all, with wishes in words, saved queries and recents.
  ///   - replaces: whether to replace an existing file.
  /// - Returns: the number of items in the file, and its size in bytes.
  public func copySelection(
    of query: Query?, withCovers: Bool = true, to target: String, replaces: Bool = false,
    progress: (_ remaining: Int, _ total: Int) -> Bool = { _, _ in true }
  ) throws -> (items: Int, bytes: Int) {
    let draft = try TemporaryFile(beside: target)
    do {
      try db.transaction(.deferred) { try db.backup(to: draft.path, progress: progress) }
      let copy = Store(db: try Connection(.file(draft.path), mode: .readWrite), path: nil, isWritable: true)
      try copy.prepareForWriting()
      // No other process uses the file, and after a crash it is discarded.
      try copy.db.execute(script: "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
      try copy.write { try copy.keepOnly(query, withCovers: withCovers) }
      try copy.db.execute(script: "VACUUM")
      guard try copy.db.values("PRAGMA quick_check(1)", as: String.self) == ["ok"] else {
        throw CatalogError.damaged(path ?? "")
      }
      let items = try copy.count(Query())
      try draft.sync()
      if let path { try draft.takeMode(of: path) }
      if replaces, FileState.size(of: target) != nil { try draft.takeMode(of: target) }
      guard try draft.take(target, replaces: replaces) else { throw CatalogError.cannotOpen(target) }
      return (items, FileState.size(of: target) ?? 0)
    } catch let error as SQLiteError {
      if error.isInterrupted { throw error }
      throw CatalogError(error, path: target)
    }
  }

  private func keepOnly(_ query: Query?, withCovers: Bool) throws {
    // The sync state covers the whole catalog: items outside a selection were not removed.
    let ofOthers = ["step", "trending", "trending_movie", "synced_file", "sync_state", "sync_conflict"]
    for table in ofOthers + (withCovers ? [] : ["cover"]) {
      try db.run("DELETE FROM \(identifier: table)")
    }
    guard let query else { return }
    try db.run("DELETE FROM item WHERE NOT coalesce((\(try condition(query))), false)")
    for (table, condition) in [
      ("person", "id NOT IN (SELECT person_id FROM credit)"), ("tag", "id NOT IN (SELECT tag_id FROM item_tag)"),
      ("pile", "id NOT IN (SELECT pile_id FROM pile_item)"), ("wish", "item_id IS NULL"),
      ("recently_viewed", "item_id IS NULL"), ("saved_query", "true"), ("import_row", "item_id IS NULL"),
      ("import_batch", "id NOT IN (SELECT batch_id FROM import_row)"),
    ] as [(String, SQL)] {
      try db.run("DELETE FROM \(identifier: table) WHERE \(condition)")
    }
  }
}
