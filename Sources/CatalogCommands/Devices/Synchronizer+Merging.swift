internal import CatalogModel
internal import CatalogStore
internal import Git

// Two commits become one.
extension Synchronizer {
  /// The plan of a merge of two commits, by paths and object ids. Documents are read only when they are written.
  private struct MergePlan {
    let ours: ObjectID
    let theirs: ObjectID
    /// The files that changed here.
    var ourChanges: [String: TreeChange] = [:]
    /// The files that are applied as they are there; nil: removed there.
    var theirFiles: [(path: String, id: ObjectID?)] = []
    /// Documents that both have changed.
    var both: [(path: TreePath, ours: TreeChange, theirs: TreeChange)] = []
    /// Items that are new there.
    var new: [(path: TreePath, id: ObjectID)] = []
    /// Those of them that are here under another name.
    var duplicates: [DuplicateItem] = []
    var keepsSome = false
  }

  /// A thing that is new there, and the uid that it has here.
  private struct DuplicateItem {
    let path: TreePath
    let ourUID: String
  }

  /// Merges two commits.
  func merge(
    _ ours: ObjectID, _ theirs: ObjectID, _ conflicts: inout [(path: TreePath, conflict: MergeConflict)],
    _ report: inout SyncReport
  ) throws -> ObjectID {
    if ours == theirs { return ours }
    let base = try git.base(of: ours, theirs)
    if base == theirs { return ours }
    var plan = MergePlan(ours: ours, theirs: theirs)
    try git.forEachChange(from: base, to: ours) { plan.ourChanges[$0.path] = $0 }
    try git.forEachChange(from: base, to: theirs) { classify($0, &plan, &report) }
    try findDuplicates(&plan)
    // Only what it lacks makes it more than what the others have sent.
    if base == ours, !plan.keepsSome, plan.duplicates.isEmpty { return theirs }
    return try git.commit(to: SyncTree.joined, message: message, parents: [ours, theirs]) { writer in
      for (path, id) in plan.theirFiles {
        if let id { try writer.write(path, id) } else { try writer.remove(path) }
      }
      let aliasEdits = try writeBoth(plan, &writer, &conflicts, &report)
      // They come behind, since what is written last counts.
      var mergedTree = MergedTree(plan)
      try noteRepeats(plan.duplicates, aliasEdits, &mergedTree)
      try mergeDuplicates(plan.duplicates, &mergedTree, &writer, &conflicts)
      try rebase(aliasEdits, &mergedTree, &writer, &conflicts)
    }
  }

  /// Says where a file belongs that they have changed.
  private func classify(_ change: TreeChange, _ plan: inout MergePlan, _ report: inout SyncReport) {
    let ours = plan.ourChanges[change.path]
    if ours?.new == change.new, ours != nil { return }
    if change.isStrange { report.recordUnknownEntry(change.path) }
    guard let path = TreePath(change.path) else {
      // A file that is not part of a catalog belongs to the user: theirs is applied, unless ours changed as well.
      if ours == nil, !change.isStrange { plan.theirFiles.append((change.path, change.new)) }
      return
    }
    guard let id = change.new else {
      // A missing file is no deletion: a tombstone is.
      if !change.isStrange, ours?.new != nil || ours == nil {
        report.recordKept(change.path)
        plan.keepsSome = true
      }
      return
    }
    if let ours, ours.new != nil {
      if path.isDocument { plan.both.append((path, ours, change)) }
      return
    }
    plan.theirFiles.append((change.path, id))
    if case .item = path, change.old == nil { plan.new.append((path, id)) }
  }

  /// Merges the documents that both sides changed, one by one.
  /// - Returns: the items that one side merged into another while the other side changed them.
  private func writeBoth(
    _ plan: MergePlan, _ writer: inout CommitWriter, _ conflicts: inout [(path: TreePath, conflict: MergeConflict)],
    _ report: inout SyncReport
  ) throws -> [AliasEdit] {
    var aliasEdits: [AliasEdit] = []
    for (path, ours, theirs) in plan.both {
      switch try mergeDocuments(ours, theirs) {
      case .merged(let document, let found):
        conflicts += found.map { (path, $0) }
        try writer.write(path.text, document.text)
      case .moved(let pointer, let isOurs):
        try writer.write(path.text, pointer.text)
        if let edited = isOurs ? ours.new : theirs.new {
          aliasEdits.append(AliasEdit(path: path, base: theirs.old, edited: edited, isOurs: isOurs))
        }
      case .theirsIsUnreadable(let problem): report.recordUnreadable(path.text, problem)
      case .oursIsUnreadable: if let id = theirs.new { try writer.write(path.text, id) }
      }
    }
    return aliasEdits
  }

  private enum MergeOutcome {
    case merged(Document, [MergeConflict])
    /// One side says what it is called now, the other has changed it: ours, or theirs.
    case moved(pointer: Document, isOurs: Bool)
    case oursIsUnreadable
    case theirsIsUnreadable(DocumentProblem)
  }

  private func mergeDocuments(_ ourChange: TreeChange, _ theirChange: TreeChange) throws -> MergeOutcome {
    let nothing = DocumentProblem("it does not exist")
    let names = [theirChange.new, ourChange.new, theirChange.old].compactMap { $0?.rawValue }
    var read = try documents(names)[...]
    let theirs: Document
    switch read.popFirst() ?? nil {
    case .success(let document)?: theirs = document
    case .failure(let problem)?: return .theirsIsUnreadable(problem)
    case nil: return .theirsIsUnreadable(nothing)
    }
    guard case .success(let ours)?? = read.popFirst() else { return .oursIsUnreadable }
    let base = try? read.popFirst()??.get()
    if ours.movedTo != nil, !theirs.isGone { return .moved(pointer: ours, isOurs: false) }
    if theirs.movedTo != nil, !ours.isGone { return .moved(pointer: theirs, isOurs: true) }
    let (document, conflicts) = Document.merged(base: base, ours: ours, theirs: theirs)
    return .merged(document, conflicts)
  }

  // MARK: One thing with two names

  /// Finds what is new there and is here under another name.
  private func findDuplicates(_ plan: inout MergePlan) throws {
    var seen = Set<String>()
    for start in stride(from: 0, to: plan.new.count, by: Self.mostHeld) {
      let batch = plan.new[start...].prefix(Self.mostHeld)
      for ((path, _), document) in zip(batch, try documents(batch.map(\.id.rawValue))) {
        guard case .success(let theirs)? = document, !theirs.isGone,
          let duplicate = try store.uid(ofDuplicateOf: theirs)
        else {
          continue
        }
        // A second edition of what was there is a person's own.
        let ours = plan.ourChanges[TreePath.item(duplicate.uid).text]
        if duplicate.isByCode, ours?.old != nil || ours == nil { continue }
        // With a third of them it is the same at the next sync.
        if seen.insert(duplicate.uid).inserted {
          plan.duplicates.append(DuplicateItem(path: path, ourUID: duplicate.uid))
        }
      }
    }
  }

  /// The contents of the merged commit, while it is being written.
  private struct MergedTree {
    let ours: ObjectID
    let theirs: ObjectID
    let theirFiles: [String: ObjectID?]
    let both: [TreePath: (ours: TreeChange, theirs: TreeChange)]
    /// The files that more than one pair of duplicates involves. They are read again after each write.
    var repeated = Set<TreePath>()
    /// The documents last written to those files, tombstones, and the pointers of merged items.
    private(set) var written: [TreePath: Document] = [:]

    init(_ plan: MergePlan) {
      (ours, theirs) = (plan.ours, plan.theirs)
      theirFiles = Dictionary(plan.theirFiles.map { ($0.path, $0.id) }) { $1 }
      both = Dictionary(plan.both.map { ($0.path, ($0.ours, $0.theirs)) }) { $1 }
    }

    mutating func write(_ path: TreePath, _ document: Document, isRepeated: Bool, _ writer: inout CommitWriter) throws {
      try writer.write(path.text, document.text)
      if isRepeated || document.isGone || written[path] != nil { written[path] = document }
    }
  }

  /// The document of a file in the merged commit; nil if there is none or it is unreadable.
  private func document(_ path: TreePath, in mergedTree: MergedTree) throws -> Document? {
    if let document = mergedTree.written[path] { return document }
    if let (ours, theirs) = mergedTree.both[path] {
      switch try mergeDocuments(ours, theirs) {
      case .merged(let document, _), .moved(let document, _): return document
      case .oursIsUnreadable, .theirsIsUnreadable: break
      }
    }
    return try document(mergedTree.theirFiles[path.text]??.rawValue ?? mergedTree.ours.name(of: path))
  }

  /// The thing that goes by a name now; nil when it was removed.
  private func currentItem(_ uid: String, in mergedTree: MergedTree) throws -> (path: TreePath, document: Document)? {
    var (path, seen) = (TreePath.item(uid), Set<TreePath>())
    while seen.insert(path).inserted, let document = try document(path, in: mergedTree) {
      guard let next = document.movedTo else { return document.isGone ? nil : (path, document) }
      path = .item(next)
    }
    return nil
  }

  /// Whether a side has removed what the merged commit has after all, since the other side has changed it.
  private func isRemoved(_ path: TreePath, byUs: Bool, in mergedTree: MergedTree) throws -> Bool {
    guard let (ours, theirs) = mergedTree.both[path], let id = byUs ? ours.new : theirs.new else { return false }
    return try document(id.rawValue)?.isGone ?? false
  }

  /// Finds what is led to more than once. Whole catalogs may be made one: not all that is written can be held.
  private func noteRepeats(_ duplicates: [DuplicateItem], _ aliasEdits: [AliasEdit], _ mergedTree: inout MergedTree)
    throws
  {
    var seen = Set<TreePath>()
    func note(_ path: TreePath?) { if let path, !seen.insert(path).inserted { mergedTree.repeated.insert(path) } }
    for duplicate in duplicates {
      note(duplicate.path)
      note(try currentItem(duplicate.ourUID, in: mergedTree)?.path)
    }
    for edit in aliasEdits {
      note(try document(edit.path, in: mergedTree)?.movedTo.flatMap { try currentItem($0, in: mergedTree)?.path })
    }
  }

  /// Makes one of each two.
  private func mergeDuplicates(
    _ duplicates: [DuplicateItem], _ mergedTree: inout MergedTree, _ writer: inout CommitWriter,
    _ conflicts: inout [(path: TreePath, conflict: MergeConflict)]
  ) throws {
    for duplicate in duplicates {
      guard let ours = try currentItem(duplicate.ourUID, in: mergedTree),
        let theirs = try document(duplicate.path, in: mergedTree),
        !theirs.isGone, ours.path != duplicate.path,
        let merged = Document.mergingDuplicates(
          ours.document, theirs, known: try document(mergedTree.theirs.name(of: ours.path)))
      else { continue }
      let isRepeated = !mergedTree.repeated.isDisjoint(with: [ours.path, duplicate.path])
      try mergedTree.write(.item(merged.uid), merged.document, isRepeated: isRepeated, &writer)
      try mergedTree.write(.item(merged.alias), merged.pointer, isRepeated: isRepeated, &writer)
      conflicts += merged.conflicts.map { (.item(merged.uid), $0) }
    }
  }

  /// An item that one side merged into another while the other side changed it.
  private struct AliasEdit {
    let path: TreePath
    /// The version that both come from.
    let base: ObjectID?
    /// The other side's version of the item.
    let edited: ObjectID
    /// Whether we are that side.
    let isOurs: Bool
  }

  /// Applies the other side's edits to the items that the edited ones were merged into.
  private func rebase(
    _ aliasEdits: [AliasEdit], _ mergedTree: inout MergedTree, _ writer: inout CommitWriter,
    _ conflicts: inout [(path: TreePath, conflict: MergeConflict)]
  ) throws {
    for edit in aliasEdits {
      guard let edited = try document(edit.edited.rawValue), let pointer = try document(edit.path, in: mergedTree)
      else {
        continue
      }
      if let now = try pointer.movedTo.flatMap({ try currentItem($0, in: mergedTree) }) {
        // Whoever made it one with what they then removed has removed it with that: where the one stays, so does the other, whole.
        let isWhole = try isRemoved(now.path, byUs: !edit.isOurs, in: mergedTree)
        let base = try isWhole ? nil : edit.base.flatMap { try document($0.rawValue) }
        let (result, found) = try Document.rebased(from: base, edited, to: now.document, isOurs: edit.isOurs) {
          let side = edit.isOurs ? mergedTree.ours : mergedTree.theirs
          let paths = [now.path] + now.document.aliases.map(TreePath.item).filter { $0 != edit.path }
          return try documents(paths.map { side.name(of: $0) }).compactMap { try? $0?.get() }
        }
        conflicts += found.map { (now.path, $0) }
        try mergedTree.write(now.path, result, isRepeated: mergedTree.repeated.contains(now.path), &writer)
      } else {
        // What it became was removed: it stays, as what was changed does.
        let (result, found) = Document.merged(
          base: nil, ours: edit.isOurs ? edited : pointer, theirs: edit.isOurs ? pointer : edited)
        conflicts += found.map { (edit.path, $0) }
        try mergedTree.write(edit.path, result, isRepeated: true, &writer)
      }
    }
  }
}
