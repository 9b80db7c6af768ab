internal import Glibc
internal import SQLite

/// The way back from a backup: it takes the place of the catalog.
extension Store {
  /// Reads a catalog that came from elsewhere, such as a backup, into a database of its own, and checks every page. One
  /// of an older version is migrated there. The file itself is only read.
  ///
  /// It has no record of earlier syncs, so the next sync removes nothing on any device.
  /// - Parameters:
  ///   - name: the name of the file in errors.
  ///   - progress: receives the number of remaining pages and of all pages.
  ///   - isInterrupted: asked all the time; true ends it.
  /// - Throws: ``CatalogError``.
  public static func ofOthers(
    at path: String, called name: String, progress: (_ remaining: Int, _ total: Int) -> Void = { _, _ in },
    isInterrupted: @escaping @Sendable () -> Bool
  ) throws -> Store {
    guard try FileState.file(at: path, called: name) != nil else { throw CatalogError.unreachable(name, ENOENT) }
    guard isCatalog(at: path) else {
      throw Connection.isDatabase(path) ? CatalogError.foreign(name) : .notDatabase(name)
    }
    do {
      let store = Store(db: try Connection(.temporary), path: nil, isWritable: true)
      store.db.interrupt(when: isInterrupted)
      try Connection(.file(path), mode: .readOnly).backup(
        into: store.db,
        progress: { remaining, total in
          progress(remaining, total)
          return !isInterrupted()
        })
      store.db.limitValues(to: longestValue)
      guard try contents(of: store.db, isWhole: true) != nil else { throw CatalogError.damaged(name) }
      _ = try store.checkedVersion(of: path, called: name)
      try store.prepareForWriting()
      try store.migrate()
      try store.checkTables(of: path)
      _ = try store.takeShipped()
      try store.forgetSyncs()
      return store
    } catch let error as SQLiteError where !error.isInterrupted {
      throw CatalogError(error, path: name)
    }
  }

  /// Puts this catalog in the place of the one at `path`, of which a copy is kept beside it.
  ///
  /// It is one transaction on that file: other programs find the one or the other, whole, and so do later ones
  /// after a crash. Where SQLite cannot use the file, it is moved aside. The name of this device stays.
  /// - Parameters:
  ///   - busyTimeout: the time to wait for other programs, in milliseconds.
  ///   - progress: receives the number of remaining pages and of all pages; returning false aborts.
  /// - Returns: the path of the copy; nil where there was nothing to keep.
  /// - Throws: ``CatalogError``; the catalog is then unchanged.
  public func replace(
    catalogAt path: String, busyTimeout: Int = 5_000,
    progress: (_ remaining: Int, _ total: Int) -> Bool = { _, _ in true }
  ) throws -> String? {
    do {
      guard let size = try FileState.file(at: path, called: path) else {
        try Self.makeFolder(of: path)
        let draft = try draft(beside: path, progress)
        guard try draft.take(path) else { throw CatalogError.locked(path) }
        return nil
      }
      guard size == 0 || Self.isCatalog(at: path) else {
        throw Connection.isDatabase(path) ? CatalogError.foreign(path) : .notDatabase(path)
      }
      try takeDevice(ofCatalogAt: path)
      do {
        return try overwrite(path, busyTimeout, progress)
      } catch let error as SQLiteError where error.isCorrupt {
        return try exchange(path, busyTimeout, progress)
      }
    } catch let error as SQLiteError where !error.isInterrupted {
      throw CatalogError(error, path: path)
    }
  }

  /// Takes over what the sync of the catalog at `path` is set to on this device.
  private func takeDevice(ofCatalogAt path: String) throws {
    let settings = ["device", "covers"]
    guard let other = try? Connection.ofOthers(path, isInterrupted: { false }),
      case let other = Store(db: other, path: path, isWritable: false),
      let values = try? (settings + ["commit"]).map({ try other.syncState($0) }), values.contains(where: { $0 != nil })
    else { return }
    try recording(nil).write {
      for (name, value) in zip(settings, values) { try setSyncState(name, to: value) }
    }
  }

  private func overwrite(_ path: String, _ busyTimeout: Int, _ progress: (Int, Int) -> Bool) throws -> String? {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw CatalogError(errno, path: path) }
    // Closed at the end: that takes the locks away that this process has on the file.
    defer { close(descriptor) }
    let target = try Connection(.file(path), mode: .readWrite, busyTimeout: busyTimeout)
    // The copy is of the file alone.
    _ = try target.value("PRAGMA wal_checkpoint(TRUNCATE)", as: Int.self)
    var kept: String?
    try db.backup(into: target, locked: { kept = try Self.keep(descriptor, of: path) }, progress: progress)
    return kept
  }

  /// Moves a file aside that SQLite cannot use, with its journal.
  private func exchange(_ path: String, _ busyTimeout: Int, _ progress: (Int, Int) -> Bool) throws -> String? {
    guard let resolved = realpath(path, nil) else { throw CatalogError(errno, path: path) }
    defer { free(resolved) }
    let file = String(cString: resolved)
    let draft = try draft(beside: file, progress)
    try draft.takeMode(of: file)
    var kept: String?
    try Self.withoutOthers(at: file, busyTimeout: busyTimeout) {
      let descriptor = Glibc.open(file, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw CatalogError(errno, path: path) }
      defer { close(descriptor) }
      kept = try Self.keep(descriptor, of: path)
      for (companion, new) in zip(Connection.companions(of: file), Connection.companions(of: kept ?? file)) {
        guard rename(companion, new) == 0 || errno == ENOENT else { throw CatalogError(errno, path: companion) }
      }
      _ = try draft.take(file, replaces: true)
    }
    return kept
  }

  /// This catalog in a temporary file, on the disk.
  private func draft(beside path: String, _ progress: (Int, Int) -> Bool) throws -> TemporaryFile {
    let draft = try TemporaryFile(beside: path)
    try db.backup(to: draft.path, progress: progress)
    try draft.sync()
    return draft
  }

  /// Copies a catalog that no other program can change now: `catalog.db.before-restore.bak`.
  /// - Returns: the path of the copy; nil for an empty file.
  private static func keep(_ descriptor: Int32, of path: String) throws(CatalogError) -> String? {
    guard lseek(descriptor, 0, SEEK_END) > 0 else { return nil }
    let usual = path + ".before-restore"
    let draft = try TemporaryFile(beside: usual)
    try draft.fill(from: descriptor)
    try draft.sync()
    try draft.takeMode(of: path)
    return try draft.takeFree(usual)
  }
}
