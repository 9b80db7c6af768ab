public import CatalogModel
internal import Glibc
internal import Migrations
internal import SQLite

/// A file of the tree with the document of this catalog.
public struct TreeFile: Sendable {
  public var path: TreePath
  public var document: Document
}

/// The fingerprints of exported files, recorded once the devices have agreed (``Store/apply(_:now:)``).
public typealias ExportedFingerprints = [TreePath: UInt64?]

extension Store {
  /// Calls `body` with each file of the tree that differs from the last sync, whichever program made the change.
  ///
  /// Rows without a uid get one, which is no operation of the history.
  /// - Parameter progress: called with the number of items examined and of all items; returning false cancels.
  /// - Returns: the fingerprints of those files.
  /// - Throws: ``Stopped``, and what `body` throws.
  public func exportChanges(
    now: Timestamp, progress: (_ done: Int, _ of: Int) -> Bool = { _, _ in true },
    _ body: (TreeFile) throws -> Void
  ) throws -> ExportedFingerprints {
    try recording(nil).write { try UIDMap(db).assignAll(now: now) }
    return try read {
      var exported: ExportedFingerprints = [:]
      func export(_ path: TreePath, _ document: Document, since known: [String: UInt64?]) throws {
        let fingerprint: UInt64? = document.isGone ? nil : document.fingerprint
        if let known = known[path.text], known == fingerprint { return }
        exported[path] = .some(fingerprint)
        try body(TreeFile(path: path, document: document))
      }
      let portable = try PortableDocuments(db)
      let collections = try portable.collectionFiles()
      let knownCollections = try fingerprints("path NOT GLOB 'items/*'")
      for file in collections { try export(file.path, file.document, since: knownCollections) }
      let present = Set(collections.map(\.path.text))
      for (path, fingerprint) in knownCollections where fingerprint != nil && !present.contains(path) {
        guard let path = TreePath(path), path.isDocument else { continue }
        try export(path, PortableDocuments.tombstone(at: now, title: nil), since: knownCollections)
      }
      var all = try db.values("SELECT id FROM item ORDER BY id", as: Int64.self)[...]
      let count = all.count
      while let first = all.first {
        let batch = all.prefix(1_000)
        all = all.dropFirst(batch.count)
        let changed = try portable.changed(first...(batch.last ?? first))
        try portable.forEachItem(changed) { _, uid, document in
          let path = TreePath.item(uid)
          exported[path] = .some(document.fingerprint)
          try body(TreeFile(path: path, document: document))
        }
        guard progress(count - all.count, count) else { throw Stopped() }
      }
      let gone = try db.values(
        """
        SELECT uid FROM identity JOIN synced_file ON path = 'items/' || substr(uid, -2) || '/' || uid || '.json'
        WHERE table_name = 'item' AND is_alias = 0 AND fingerprint IS NOT NULL AND row_id NOT IN (SELECT id FROM item)
        """, as: String.self)
      for uid in gone { try export(.item(uid), PortableDocuments.tombstone(at: now, title: nil), since: [:]) }
      return exported
    }
  }

  func fingerprints(_ condition: SQL) throws -> [String: UInt64?] {
    Dictionary(
      try db.all("SELECT path, fingerprint FROM synced_file WHERE \(condition)") {
        (try $0.get(at: 0, as: String.self), try $0.get("fingerprint", as: Int64?.self).map(UInt64.init(bitPattern:)))
      }
    ) { $1 }
  }

  /// The bytes of the cover with this digest; nil if no item has it.
  public func cover(digest: String) throws -> [UInt8]? {
    try db.value(
      "SELECT bytes FROM cover WHERE item_id = (SELECT min(item_id) FROM cover_digest WHERE sha256 = \(digest))",
      as: [UInt8].self)
  }

  /// Returns a function that adds to a document of this catalog the members that only a newer version knows, from
  /// another document of the same item.
  public func completing() throws -> (_ document: Document, _ other: Document) -> Document {
    let portable = try PortableDocuments(db)
    return { document, other in
      document.isGone || other.isGone ? document : portable.completed(document, from: other)
    }
  }

  /// A stamp that changes whenever the database file is written or replaced: its change counter
  /// (<https://www.sqlite.org/fileformat2.html#file_change_counter>), inode, size and times. Nil if none is reliable:
  /// in memory, within a transaction, or with a write-ahead log.
  public func writeStamp() throws -> String? {
    // Within a transaction, closing the file would release its locks.
    guard let path, !db.isInTransaction, try db.value("PRAGMA journal_mode", as: String.self) == "delete",
      case let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC), descriptor >= 0
    else { return nil }
    defer { close(descriptor) }
    var counter: UInt32 = 0
    guard withUnsafeMutableBytes(of: &counter, { pread(descriptor, $0.baseAddress, 4, 24) }) == 4 else { return nil }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    // A restored copy may have the same counter.
    let facts = [
      Int(UInt32(bigEndian: counter)), Int(truncatingIfNeeded: status.st_ino), Int(status.st_size),
      status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_sec, status.st_ctim.tv_nsec,
    ]
    return facts.map(String.init).joined(separator: " ")
  }

  // MARK: State of syncs

  /// `commit`: the last commit that was applied whole; `covers`: `no` if covers are not synced.
  public func syncState(_ name: String) throws -> String? {
    try db.value("SELECT value FROM sync_state WHERE name = \(name)", as: String.self)
  }

  public func setSyncState(_ name: String, to value: String?) throws {
    if let value {
      try db.run("INSERT OR REPLACE INTO sync_state (name, value) VALUES (\(name), \(value))")
    } else {
      try db.run("DELETE FROM sync_state WHERE name = \(name)")
    }
  }
}

extension Store {
  /// Forgets the agreed documents, but no uid: the next sync exports everything again.
  public func forgetSyncs() throws {
    try recording(nil).write {
      try db.run("DELETE FROM synced_file")
      try db.run("DELETE FROM sync_state WHERE name IN ('commit', 'left')")
    }
  }

  /// The files of the tree that this catalog could not apply. Each sync tries them again.
  public func leftFiles() throws -> [TreePath] {
    (try syncState("left") ?? "").split(separator: "\n").compactMap { TreePath(String($0)) }
  }

  func setLeftFiles(_ paths: [TreePath]) throws {
    try setSyncState("left", to: paths.isEmpty ? nil : paths.map(\.text).joined(separator: "\n"))
  }
}
