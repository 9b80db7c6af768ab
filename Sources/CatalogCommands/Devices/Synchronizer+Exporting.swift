internal import CatalogModel
internal import CatalogStore
internal import Git

// Exporting the local changes as a commit.
extension Synchronizer {
  /// Makes a commit of what changed here since the last sync.
  /// - Parameter others: a commit of other devices, or an earlier one of this device; nil if there is none.
  /// - Returns: the commit, nil if this catalog is empty and has never been exported; and the fingerprints of its
  ///   files.
  func commitChanges(others: ObjectID?) throws -> (commit: ObjectID?, ExportedFingerprints) {
    guard let base = try store.syncState("commit").flatMap({ try git.commit($0) }) else {
      // Without the tree the agreed documents are unknown: everything is exported again.
      try store.forgetSyncs()
      if try store.isEmpty(), others != nil { return (nil, [:]) }
      return try commit(nil, since: nil)
    }
    // Taken before anything is looked at: what is written meanwhile makes it another.
    let stamp = try store.writeStamp().map { "\($0) \(base)" }
    if let stamp, tree.isLastSynced(stamp) { return (base, [:]) }
    try confirmRemovals(since: base)
    // A few files are compared in memory. Without changes there is no commit.
    struct TooManyChanges: Error {}
    var some: [TreeFile] = []
    do {
      let exported = try store.exportChanges(now: now(), progress: { progress(.comparing, $0, $1) }) { file in
        guard some.count < Self.mostHeld else { throw TooManyChanges() }
        some.append(file)
      }
      guard exported.isEmpty else { return try commit((some, exported), since: base) }
      if let stamp { tree.setLastSyncedStamp(stamp) }
      return (base, exported)
    } catch is TooManyChanges {
      some = []
      return try commit(nil, since: base)
    }
  }

  /// Asks before what an undone sync had brought is removed from the devices that it came from.
  private func confirmRemovals(since base: ObjectID) throws {
    guard try store.hasUndoneSync() else { return }
    var (removals, waiting) = (SyncRemovals(), [TreeFile]())
    func look() throws {
      for (file, old) in zip(waiting, try documents(waiting.map { (base.name(of: $0.path), $0.path) })) {
        if let old = try? old?.get() { removals.add(file, before: old) }
      }
      waiting.removeAll(keepingCapacity: true)
    }
    _ = try store.exportChanges(now: now(), progress: { progress(.comparing, $0, $1) }) { file in
      waiting.append(file)
      if waiting.count >= Self.mostHeld { try look() }
    }
    try look()
    if !removals.isEmpty { try confirm(removals) }
  }

  /// - Parameter files: what changed; nil when it is more than can be held.
  private func commit(
    _ files: (some: [TreeFile], exported: ExportedFingerprints)?, since base: ObjectID?
  ) throws -> (commit: ObjectID?, ExportedFingerprints) {
    var exported = files?.exported ?? [:]
    let parents = base.map { [$0] } ?? []
    // A new export must differ from an earlier commit of the same second, which later commits are based on.
    let message = base == nil ? "\(message)Anew: \(UInt64.random(in: .min ... .max))\n" : message
    let treeWriter = try TreeWriter(self, since: base)
    let commit = try git.commit(to: SyncTree.here, message: message, parents: parents) { writer in
      if base == nil {
        for (path, text) in SyncTree.standing { try writer.write(path, Array(text.utf8)) }
      }
      if let files { return try treeWriter.write(files.some, to: &writer) }
      var waiting: [TreeFile] = []
      exported = try store.exportChanges(now: now(), progress: { progress(.writing, $0, $1) }) { file in
        waiting.append(file)
        if waiting.count < Self.mostHeld { return }
        try treeWriter.write(waiting, to: &writer)
        waiting.removeAll(keepingCapacity: true)
      }
      try treeWriter.write(waiting, to: &writer)
    }
    return (commit, exported)
  }

  /// Writes files, each with what a newer version has said in it, and the covers that are new.
  private struct TreeWriter {
    let synchronizer: Synchronizer
    let base: ObjectID?
    let wantsCovers: Bool
    let complete: (_ document: Document, _ other: Document) -> Document

    init(_ synchronizer: Synchronizer, since base: ObjectID?) throws {
      (self.synchronizer, self.base) = (synchronizer, base)
      wantsCovers = try synchronizer.wantsCovers
      complete = try synchronizer.store.completing()
    }

    func write(_ files: [TreeFile], to writer: inout CommitWriter) throws {
      let before = try base.map { base in
        try synchronizer.documents(files.map { (base.name(of: $0.path), $0.path) })
      }
      for (place, file) in files.enumerated() {
        let old = try? before?[place]?.get()
        let document = try old.map { try completed(file.document, from: $0) } ?? file.document
        try writer.write(file.path.text, document.text)
        if wantsCovers, let cover = document.cover, cover.digest != old?.cover?.digest,
          let bytes = try synchronizer.store.cover(digest: cover.digest)
        {
          try writer.write(TreePath.cover(cover.digest, ending: cover.ending).text, bytes)
        }
      }
    }

    /// With what the file said before, and this catalog does not know.
    private func completed(_ document: Document, from old: Document) throws -> Document {
      var document = complete(document, old)
      if document.isGone, let title = old.title, document.title == nil {
        document.members.append(.init("title", .text(title)))
      }
      // A cover that never came here was not removed here.
      if !document.isGone, document.cover == nil, let cover = old.cover, let row = old["cover"],
        try !wantsCovers || base.map({ try synchronizer.cover(cover.digest, cover.ending, in: $0) == nil }) ?? false
      {
        document.members.append(.init("cover", row))
      }
      return document
    }
  }

  /// Whether pictures are sent and taken.
  var wantsCovers: Bool {
    get throws { try store.syncState("covers") != "no" }
  }
}
