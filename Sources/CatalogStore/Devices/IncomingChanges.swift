public import CatalogModel
internal import SQLite

/// The changes that a sync brings from other devices. They may be many, so they are read in batches.
public struct IncomingChanges {
  /// The files that differ from this catalog.
  public var paths: [TreePath] = []
  /// The tree to apply.
  public var merged = Snapshot()
  /// The tree that this catalog exported.
  public var ours = Snapshot()
  /// The two versions that ``merged`` was made of, and their base; empty where there was no merge.
  public var versions: [Snapshot] = []
  public var base = Snapshot()
  /// The fingerprints of the files that this catalog exported.
  public var exported: ExportedFingerprints = [:]
  /// The commit that the changes belong to.
  public var commit: String
  /// The conflicts, each with its file.
  public var conflicts: [(path: TreePath, conflict: MergeConflict)] = []
  /// The name of the other device, for ``conflicts``.
  public var device: String?
  /// Writes a document as JSON, in a line.
  public var json: (Document) -> [UInt8]
  /// Reads the bytes of a cover by its digest and file ending; nil if they are missing, which removes no cover.
  public var cover: (_ digest: String, _ ending: String) throws -> [UInt8]? = { _, _ in nil }
  /// Called with the number of items applied and of all items; returning false cancels, and nothing is applied.
  public var progress: (_ done: Int, _ of: Int) -> Bool = { _, _ in true }

  public init(commit: String, json: @escaping (Document) -> [UInt8]) { (self.commit, self.json) = (commit, json) }
}

/// The result of applying the changes.
public struct ApplyResult: Sendable {
  public var added = 0
  public var changed = 0
  public var removed = 0
  /// The conflicts, including those with changes made here while the remote was fetched.
  public var conflicts: [(path: TreePath, conflict: MergeConflict)] = []
  /// The rejected documents, with the reason. The tree and the catalog both keep their own version.
  public var rejected: [(path: TreePath, reason: Message)] = []
  public var unreadable: [(path: TreePath, problem: DocumentProblem)] = []

  public init() {}
}

extension Store {
  /// Applies the documents of other devices in one transaction, as one operation.
  ///
  /// Rows that changed since their export are merged once more, inside the write.
  /// - Throws: ``Stopped``, ``DocumentProblem`` for changes that contradict each other, and the errors of its readers.
  public func apply(_ incoming: IncomingChanges, now: Timestamp) throws -> ApplyResult {
    try write {
      try db.run("PRAGMA defer_foreign_keys = ON")
      var applier = try SyncApplier(self, now: now, of: incoming)
      try applier.apply()
      if db.hasForeignKeyViolations {
        let names = try db.values("SELECT \"table\" || ' of ' || parent FROM pragma_foreign_key_check", as: String.self)
        throw DocumentProblem("it has data of an item that is not in it: \(names.first ?? "")")
      }
      return applier.result
    }
  }
}
