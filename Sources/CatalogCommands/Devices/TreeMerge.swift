internal import CatalogModel
internal import CatalogStore
internal import Git

/// A three-way merge of two commits of the tree into a third one.
///
/// Changed files are compared by path and object id first. Only documents that both sides changed, and items that exist
/// twice, are read and merged.
struct TreeMerge {
  /// The result of a merge.
  struct Result {
    /// The commit with the changes of both sides; one of theirs or ours if it has them already.
    var commit: ObjectID
    var conflicts: [(path: TreePath, conflict: MergeConflict)] = []
    /// The files that are missing on their side without a tombstone, and were kept.
    var kept: [String] = []
    /// The paths of links and other entries that a catalog does not have.
    var unknownEntries: [String] = []
    /// Their documents that cannot be read.
    var unreadable: [(path: String, problem: DocumentProblem)] = []
    /// Those of them for which ours, or an earlier one of theirs, was taken.
    var mended = Set<String>()

    fileprivate mutating func noteMended(_ path: TreePath, _ problem: DocumentProblem) {
      unreadable.append((path.text, problem))
      mended.insert(path.text)
    }
  }

  private let synchronizer: Synchronizer
  private let ours: ObjectID
  private let theirs: ObjectID
  /// The changes of our side since the base, by path.
  private var ourChanges: [String: TreeChange] = [:]
  /// The files that are applied as they are on their side; nil for a removed one.
  private var theirFiles: [(path: String, id: ObjectID?)] = []
  /// The documents that both sides changed.
  private var both: [(path: TreePath, ours: TreeChange, theirs: TreeChange)] = []
  /// The items that are new on their side.
  private var new: [(path: TreePath, id: ObjectID)] = []
  private var duplicates: [DuplicateItem] = []
  private var aliasEdits: [AliasEdit] = []
  private var result: Result

  /// A new item of theirs that is the same work as an item of ours.
  private struct DuplicateItem {
    let path: TreePath
    let ourUID: String
  }

  /// An item that one side merged into another while the other side changed it.
  private struct AliasEdit {
    let path: TreePath
    /// The document before both changes.
    let base: ObjectID?
    /// The changed document.
    let edited: ObjectID
    /// Whether our side changed it.
    let isOurs: Bool
  }

  /// Merges two commits.
  static func merge(_ ours: ObjectID, _ theirs: ObjectID, for synchronizer: Synchronizer) throws -> Result {
    if ours == theirs { return Result(commit: ours) }
    let base = try synchronizer.git.base(of: ours, theirs)
    if base == theirs { return Result(commit: ours) }
    var merge = TreeMerge(synchronizer, ours, theirs)
    try merge.compare(since: base)
    try merge.findDuplicates()
    // Kept files, damaged ones and duplicates make a commit of theirs that has all of ours differ all the same.
    if base == ours, merge.result.kept.isEmpty, merge.result.unreadable.isEmpty, merge.duplicates.isEmpty {
      merge.result.commit = theirs
    } else {
      merge.result.commit = try merge.commit()
    }
    return merge.result
  }

  private init(_ synchronizer: Synchronizer, _ ours: ObjectID, _ theirs: ObjectID) {
    (self.synchronizer, self.ours, self.theirs) = (synchronizer, ours, theirs)
    result = Result(commit: ours)
  }

  // MARK: Comparing

  /// Compares the changes of both sides.
  private mutating func compare(since base: ObjectID?) throws {
    let git = synchronizer.git
    try git.forEachChange(from: base, to: ours) { ourChanges[$0.path] = $0 }
    try git.forEachChange(from: base, to: theirs) { classify($0) }
  }

  /// Adds a change of theirs to one of the lists.
  private mutating func classify(_ change: TreeChange) {
    let ours = ourChanges[change.path]
    if let ours, ours.new == change.new { return }
    if change.isStrange { result.unknownEntries.append(change.path) }
    let known = TreePath(change.path)
    // A picture is called by its bytes: with others it is damaged.
    if case .cover? = known, change.new != nil, change.old != nil || ours?.new != nil {
      result.unreadable.append((change.path, TreePath.isAnotherPicture))
      result.mended.insert(change.path)
      return
    }
    guard let path = known else {
      // A file that is not part of a catalog belongs to the user: theirs is applied, unless ours changed as well.
      if ours == nil, !change.isStrange { theirFiles.append((change.path, change.new)) }
      return
    }
    guard let id = change.new else {
      // A missing file is no deletion: a tombstone is.
      if !change.isStrange, ours?.new != nil || ours == nil { result.kept.append(change.path) }
      return
    }
    if let ours, ours.new != nil {
      if path.isDocument { both.append((path, ours, change)) }
      return
    }
    theirFiles.append((change.path, id))
    if case .item = path, change.old == nil { new.append((path, id)) }
  }

  /// Finds the new items of theirs that ours has under another uid.
  private mutating func findDuplicates() throws {
    if new.isEmpty { return }
    let find = try synchronizer.store.findingDuplicates()
    var seen = Set<String>()
    for start in stride(from: 0, to: new.count, by: Synchronizer.mostHeld) {
      let batch = new[start...].prefix(Synchronizer.mostHeld)
      for ((path, _), document) in zip(batch, try synchronizer.documents(batch.map { ($0.id.rawValue, $0.path) })) {
        guard case .success(let item)? = document, !item.isGone else { continue }
        let duplicate = try find(item).first { found in
          // Another edition of an older item of ours is an item of its own. A third item that is the same is found by
          // the next sync.
          let ours = ourChanges[TreePath.item(found.uid).text]
          return (!found.isByCode || ours.map { $0.old == nil } ?? false) && !seen.contains(found.uid)
        }
        if let duplicate, seen.insert(duplicate.uid).inserted {
          duplicates.append(DuplicateItem(path: path, ourUID: duplicate.uid))
        }
      }
    }
  }

  // MARK: Writing

  /// Writes the commit with the changes of both sides.
  private mutating func commit() throws -> ObjectID {
    try synchronizer.git.commit(
      to: SyncTree.joined, message: synchronizer.message, parents: [ours, theirs]
    ) { writer in
      for (path, id) in theirFiles {
        if let id { try writer.write(path, id) } else { try writer.remove(path) }
      }
      try mergeDocuments(&writer)
      // The last version of a file that is written counts.
      var tree = MergedTree(ours: ours, theirs: theirs, theirFiles: theirFiles, both: both, synchronizer)
      try noteRepeats(in: &tree)
      try mergeDuplicates(in: &tree, &writer)
      try rebaseAliasEdits(in: &tree, &writer)
    }
  }

  /// Merges the documents that both sides changed, one by one.
  private mutating func mergeDocuments(_ writer: inout CommitWriter) throws {
    for (path, ours, theirs) in both {
      switch try synchronizer.merge(path, ours, theirs, of: self.theirs, noteMended: { result.noteMended(path, $0) }) {
      case .merged(let document, let conflicts):
        result.conflicts += conflicts.map { (path, $0) }
        try writer.write(path.text, document.text)
      case .aliased(let pointer, let isOurs):
        try writer.write(path.text, pointer.text)
        if let edited = isOurs ? ours.new : theirs.new {
          aliasEdits.append(AliasEdit(path: path, base: theirs.old, edited: edited, isOurs: isOurs))
        }
      case .theirsIsUnreadable(let problem): result.noteMended(path, problem)
      case .oursIsUnreadable: if let id = theirs.new { try writer.write(path.text, id) }
      }
    }
  }

  /// Notes the files that are involved more than once. The rest is not kept: whole catalogs may be merged.
  private func noteRepeats(in tree: inout MergedTree) throws {
    var seen = Set<TreePath>()
    func note(_ path: TreePath?) { if let path, !seen.insert(path).inserted { tree.repeated.insert(path) } }
    for duplicate in duplicates {
      note(duplicate.path)
      note(try tree.currentItem(duplicate.ourUID)?.path)
    }
    for edit in aliasEdits {
      note(try tree.document(edit.path)?.movedTo.flatMap { try tree.currentItem($0)?.path })
    }
  }

  /// Merges each new item of theirs into the same item of ours.
  private mutating func mergeDuplicates(in tree: inout MergedTree, _ writer: inout CommitWriter) throws {
    for duplicate in duplicates {
      guard let item = try tree.currentItem(duplicate.ourUID), let other = try tree.document(duplicate.path),
        !other.isGone, item.path != duplicate.path,
        let merged = Document.mergingDuplicates(
          item.document, other, known: try synchronizer.document(item.path, as: theirs.name(of: item.path)))
      else { continue }
      let isRepeated = !tree.repeated.isDisjoint(with: [item.path, duplicate.path])
      try tree.write(.item(merged.uid), merged.document, isRepeated: isRepeated, &writer)
      try tree.write(.item(merged.alias), merged.pointer, isRepeated: isRepeated, &writer)
      result.conflicts += merged.conflicts.map { (.item(merged.uid), $0) }
    }
  }

  /// Applies the changes of merged items to the items that they were merged into.
  private mutating func rebaseAliasEdits(in tree: inout MergedTree, _ writer: inout CommitWriter) throws {
    for edit in aliasEdits {
      guard let edited = try synchronizer.document(edit.path, as: edit.edited.rawValue),
        let pointer = try tree.document(edit.path)
      else { continue }
      if let target = try pointer.movedTo.flatMap({ try tree.currentItem($0) }) {
        // A side that merged the item into another and removed that one removed both: if one stays, both stay, whole.
        let isWhole = try tree.isRemoved(target.path, byUs: !edit.isOurs)
        let base = try isWhole ? nil : edit.base.flatMap { try synchronizer.document(edit.path, as: $0.rawValue) }
        let (document, conflicts) = try Document.rebased(
          from: base, edited, to: target.document, isOurs: edit.isOurs
        ) {
          let side = edit.isOurs ? ours : theirs
          let paths = [target.path] + target.document.aliases.map(TreePath.item).filter { $0 != edit.path }
          return try synchronizer.documents(paths.map { (side.name(of: $0), $0) }).compactMap { try? $0?.get() }
        }
        result.conflicts += conflicts.map { (target.path, $0) }
        try tree.write(target.path, document, isRepeated: tree.repeated.contains(target.path), &writer)
      } else {
        // The item that it was merged into was removed: the changed one stays, as every changed item does.
        let (document, conflicts) = ThreeWayMerge.merge(
          base: nil, ours: edit.isOurs ? edited : pointer, theirs: edit.isOurs ? pointer : edited)
        result.conflicts += conflicts.map { (edit.path, $0) }
        try tree.write(edit.path, document, isRepeated: true, &writer)
      }
    }
  }
}

/// The files of the merged commit, while it is written.
private struct MergedTree {
  private let synchronizer: Synchronizer
  private let ours: ObjectID
  private let theirs: ObjectID
  private let theirFiles: [String: ObjectID?]
  private let both: [TreePath: (ours: TreeChange, theirs: TreeChange)]
  /// The files that are involved more than once. Their documents are kept when they are written.
  var repeated = Set<TreePath>()
  /// The documents last written to those files, and tombstones.
  private var written: [TreePath: Document] = [:]

  init(
    ours: ObjectID, theirs: ObjectID, theirFiles: [(path: String, id: ObjectID?)],
    both: [(path: TreePath, ours: TreeChange, theirs: TreeChange)], _ synchronizer: Synchronizer
  ) {
    (self.ours, self.theirs, self.synchronizer) = (ours, theirs, synchronizer)
    self.theirFiles = Dictionary(theirFiles.map { ($0.path, $0.id) }) { $1 }
    self.both = Dictionary(both.map { ($0.path, ($0.ours, $0.theirs)) }) { $1 }
  }

  mutating func write(_ path: TreePath, _ document: Document, isRepeated: Bool, _ writer: inout CommitWriter) throws {
    try writer.write(path.text, document.text)
    if isRepeated || document.isGone || written[path] != nil { written[path] = document }
  }

  /// The document of a file; nil if there is none or it is unreadable.
  func document(_ path: TreePath) throws -> Document? {
    if let document = written[path] { return document }
    if let (ours, theirs) = both[path] {
      switch try synchronizer.merge(path, ours, theirs, of: self.theirs) {
      case .merged(let document, _), .aliased(let document, _): return document
      case .oursIsUnreadable, .theirsIsUnreadable: break
      }
    }
    return try synchronizer.document(path, as: theirFiles[path.text]??.rawValue ?? ours.name(of: path))
  }

  /// The item with a uid, or the one that it was merged into; nil for a removed one.
  func currentItem(_ uid: String) throws -> (path: TreePath, document: Document)? {
    var (path, seen) = (TreePath.item(uid), Set<TreePath>())
    while seen.insert(path).inserted, let document = try document(path) {
      guard let next = document.movedTo else { return document.isGone ? nil : (path, document) }
      path = .item(next)
    }
    return nil
  }

  /// Whether a side removed a file that stays, because the other side changed it.
  func isRemoved(_ path: TreePath, byUs: Bool) throws -> Bool {
    guard let (ours, theirs) = both[path], let id = byUs ? ours.new : theirs.new else { return false }
    return try synchronizer.document(path, as: id.rawValue)?.isGone ?? false
  }
}

extension Synchronizer {
  /// The result of merging a document that both sides changed.
  fileprivate enum DocumentMerge {
    case merged(Document, [MergeConflict])
    /// One side merged the item into another one, and the other side, ours or theirs, changed it.
    case aliased(pointer: Document, isOurs: Bool)
    case oursIsUnreadable
    case theirsIsUnreadable(DocumentProblem)
  }

  /// - Parameters:
  ///   - commit: the commit of their change. Where that is damaged, an earlier version of it is taken.
  ///   - noteMended: called with what is wrong with the damaged one.
  fileprivate func merge(
    _ path: TreePath, _ ourChange: TreeChange, _ theirChange: TreeChange, of commit: ObjectID,
    noteMended: (DocumentProblem) -> Void = { _ in }
  ) throws -> DocumentMerge {
    let names = [theirChange.new, ourChange.new, theirChange.old].compactMap { $0.map { ($0.rawValue, path) } }
    var read = try documents(names)[...]
    let theirs: Document
    switch read.popFirst() ?? nil {
    case .success(let document)?: theirs = document
    case .failure(let problem)?:
      guard let earlier = try lastReadable(path, in: commit) else { return .theirsIsUnreadable(problem) }
      noteMended(problem)
      theirs = earlier
    case nil: return .theirsIsUnreadable(DocumentProblem("it does not exist"))
    }
    guard case .success(let ours)?? = read.popFirst() else { return .oursIsUnreadable }
    let base = try? read.popFirst()??.get()
    if ours.movedTo != nil, !theirs.isGone { return .aliased(pointer: ours, isOurs: false) }
    if theirs.movedTo != nil, !ours.isGone { return .aliased(pointer: theirs, isOurs: true) }
    let (document, conflicts) = ThreeWayMerge.merge(base: base, ours: ours, theirs: theirs)
    return .merged(document, conflicts)
  }
}
