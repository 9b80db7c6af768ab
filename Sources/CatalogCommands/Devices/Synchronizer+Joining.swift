internal import CatalogModel
internal import CatalogStore
internal import Git

// Two commits become one.
extension Synchronizer {
  /// The plan of a merge of two commits, by paths and object ids. Documents are read only when they are written.
  private struct Meeting {
    let ours: ObjectID
    let theirs: ObjectID
    /// The files that changed here.
    var mine: [String: TreeChange] = [:]
    /// The files that are applied as they are there; nil: removed there.
    var taken: [(path: String, id: ObjectID?)] = []
    /// Documents that both have changed.
    var both: [(path: TreePath, mine: TreeChange, theirs: TreeChange)] = []
    /// Items that are new there.
    var new: [(path: TreePath, id: ObjectID)] = []
    /// Those of them that are here under another name.
    var twins: [Twin] = []
    var keepsSome = false
  }

  /// A thing that is new there, and the uid that it has here.
  private struct Twin {
    let path: TreePath
    let own: String
  }

  /// Joins two commits.
  func join(
    _ ours: ObjectID, _ theirs: ObjectID, _ remarks: inout [(path: TreePath, remark: JoinRemark)],
    _ report: inout SyncReport
  ) throws -> ObjectID {
    if ours == theirs { return ours }
    let base = try git.base(of: ours, theirs)
    if base == theirs { return ours }
    var meeting = Meeting(ours: ours, theirs: theirs)
    try git.forEachChange(from: base, to: ours) { meeting.mine[$0.path] = $0 }
    try git.forEachChange(from: base, to: theirs) { meet($0, &meeting, &report) }
    try findTwins(&meeting)
    // Only what it lacks makes it more than what the others have sent.
    if base == ours, !meeting.keepsSome, meeting.twins.isEmpty { return theirs }
    return try git.commit(to: SyncTree.joined, message: message, parents: [ours, theirs]) { writer in
      for (path, id) in meeting.taken {
        if let id { try writer.write(path, id) } else { try writer.remove(path) }
      }
      let moves = try writeBoth(meeting, &writer, &remarks, &report)
      // They come behind, since what is written last counts.
      var joining = Joining(meeting)
      try noteRepeats(meeting.twins, moves, &joining)
      try unite(meeting.twins, &joining, &writer, &remarks)
      try carry(moves, &joining, &writer, &remarks)
    }
  }

  /// Says where a file belongs that they have changed.
  private func meet(_ change: TreeChange, _ meeting: inout Meeting, _ report: inout SyncReport) {
    let own = meeting.mine[change.path]
    if own?.new == change.new, own != nil { return }
    if change.isStrange { report.noteStrange(change.path) }
    guard let path = TreePath(change.path) else {
      // What is none of ours is somebody's: it comes and goes as they say, unless it was changed here as well.
      if own == nil, !change.isStrange { meeting.taken.append((change.path, change.new)) }
      return
    }
    guard let id = change.new else {
      // What is not there was not removed: a removal says so.
      if !change.isStrange, own?.new != nil || own == nil {
        report.noteKept(change.path)
        meeting.keepsSome = true
      }
      return
    }
    if let own, own.new != nil {
      if path.isDocument { meeting.both.append((path, own, change)) }
      return
    }
    meeting.taken.append((change.path, id))
    if case .item = path, change.old == nil { meeting.new.append((path, id)) }
  }

  /// Merges the documents that both sides changed, one by one.
  /// - Returns: the items that one side merged into another while the other side changed them.
  private func writeBoth(
    _ meeting: Meeting, _ writer: inout CommitWriter, _ remarks: inout [(path: TreePath, remark: JoinRemark)],
    _ report: inout SyncReport
  ) throws -> [Move] {
    var moves: [Move] = []
    for (path, mine, theirs) in meeting.both {
      switch try joined(mine, theirs) {
      case .joined(let document, let said):
        remarks += said.map { (path, $0) }
        try writer.write(path.text, document.text)
      case .moved(let pointer, let isOurs):
        try writer.write(path.text, pointer.text)
        if let said = isOurs ? mine.new : theirs.new {
          moves.append(Move(path: path, base: theirs.old, said: said, isOurs: isOurs))
        }
      case .theirsIsUnreadable(let problem): report.noteUnreadable(path.text, problem)
      case .oursIsUnreadable: if let id = theirs.new { try writer.write(path.text, id) }
      }
    }
    return moves
  }

  private enum Joined {
    case joined(Document, [JoinRemark])
    /// One side says what it is called now, the other has changed it: ours, or theirs.
    case moved(pointer: Document, isOurs: Bool)
    case oursIsUnreadable
    case theirsIsUnreadable(DocumentProblem)
  }

  private func joined(_ mine: TreeChange, _ theirs: TreeChange) throws -> Joined {
    let nothing = DocumentProblem("it does not exist")
    let names = [theirs.new, mine.new, theirs.old].compactMap { $0?.rawValue }
    var read = try documents(names)[...]
    let others: Document
    switch read.popFirst() ?? nil {
    case .success(let document)?: others = document
    case .failure(let problem)?: return .theirsIsUnreadable(problem)
    case nil: return .theirsIsUnreadable(nothing)
    }
    guard case .success(let ours)?? = read.popFirst() else { return .oursIsUnreadable }
    let base = try? read.popFirst()??.get()
    if ours.movedTo != nil, !others.isGone { return .moved(pointer: ours, isOurs: false) }
    if others.movedTo != nil, !ours.isGone { return .moved(pointer: others, isOurs: true) }
    let (document, remarks) = Document.joined(base: base, ours: ours, theirs: others)
    return .joined(document, remarks)
  }

  // MARK: One thing with two names

  /// Finds what is new there and is here under another name.
  private func findTwins(_ meeting: inout Meeting) throws {
    var met = Set<String>()
    for start in stride(from: 0, to: meeting.new.count, by: Self.mostHeld) {
      let batch = meeting.new[start...].prefix(Self.mostHeld)
      for ((path, _), said) in zip(batch, try documents(batch.map(\.id.rawValue))) {
        guard case .success(let theirs)? = said, !theirs.isGone, let twin = try store.uid(ofTwin: theirs) else {
          continue
        }
        // A second edition of what was there is a person's own.
        let own = meeting.mine[TreePath.item(twin.uid).text]
        if twin.isByCode, own?.old != nil || own == nil { continue }
        // With a third of them it is the same at the next sync.
        if met.insert(twin.uid).inserted { meeting.twins.append(Twin(path: path, own: twin.uid)) }
      }
    }
  }

  /// The contents of the merged commit, while it is being written.
  private struct Joining {
    let ours: ObjectID
    let theirs: ObjectID
    let taken: [String: ObjectID?]
    let both: [TreePath: (mine: TreeChange, theirs: TreeChange)]
    /// The files that more than one pair of duplicates involves. They are read again after each write.
    var repeated = Set<TreePath>()
    /// The documents last written to those files, tombstones, and the pointers of merged items.
    private(set) var written: [TreePath: Document] = [:]

    init(_ meeting: Meeting) {
      (ours, theirs) = (meeting.ours, meeting.theirs)
      taken = Dictionary(meeting.taken.map { ($0.path, $0.id) }) { $1 }
      both = Dictionary(meeting.both.map { ($0.path, ($0.mine, $0.theirs)) }) { $1 }
    }

    mutating func write(_ path: TreePath, _ document: Document, isRepeated: Bool, _ writer: inout CommitWriter) throws {
      try writer.write(path.text, document.text)
      if isRepeated || document.isGone || written[path] != nil { written[path] = document }
    }
  }

  /// The document of a file in the merged commit; nil if there is none or it is unreadable.
  private func document(_ path: TreePath, in joining: Joining) throws -> Document? {
    if let document = joining.written[path] { return document }
    if let (mine, theirs) = joining.both[path] {
      switch try joined(mine, theirs) {
      case .joined(let document, _), .moved(let document, _): return document
      case .oursIsUnreadable, .theirsIsUnreadable: break
      }
    }
    return try document(joining.taken[path.text]??.rawValue ?? joining.ours.name(of: path))
  }

  /// The thing that goes by a name now; nil when it was removed.
  private func thing(_ uid: String, in joining: Joining) throws -> (path: TreePath, document: Document)? {
    var (path, seen) = (TreePath.item(uid), Set<TreePath>())
    while seen.insert(path).inserted, let document = try document(path, in: joining) {
      guard let next = document.movedTo else { return document.isGone ? nil : (path, document) }
      path = .item(next)
    }
    return nil
  }

  /// Whether a side has removed what the joined commit has after all, since the other side has changed it.
  private func isRemoved(_ path: TreePath, byUs: Bool, in joining: Joining) throws -> Bool {
    guard let (mine, theirs) = joining.both[path], let id = byUs ? mine.new : theirs.new else { return false }
    return try document(id.rawValue)?.isGone ?? false
  }

  /// Finds what is led to more than once. Whole catalogs may be made one: not all that is written can be held.
  private func noteRepeats(_ twins: [Twin], _ moves: [Move], _ joining: inout Joining) throws {
    var seen = Set<TreePath>()
    func note(_ path: TreePath?) { if let path, !seen.insert(path).inserted { joining.repeated.insert(path) } }
    for twin in twins {
      note(twin.path)
      note(try thing(twin.own, in: joining)?.path)
    }
    for move in moves {
      note(try document(move.path, in: joining)?.movedTo.flatMap { try thing($0, in: joining)?.path })
    }
  }

  /// Makes one of each two.
  private func unite(
    _ twins: [Twin], _ joining: inout Joining, _ writer: inout CommitWriter,
    _ remarks: inout [(path: TreePath, remark: JoinRemark)]
  ) throws {
    for twin in twins {
      guard let here = try thing(twin.own, in: joining), let theirs = try document(twin.path, in: joining),
        !theirs.isGone, here.path != twin.path,
        let united = Document.united(
          here.document, theirs, known: try document(joining.theirs.name(of: here.path)))
      else { continue }
      let isRepeated = !joining.repeated.isDisjoint(with: [here.path, twin.path])
      try joining.write(.item(united.uid), united.document, isRepeated: isRepeated, &writer)
      try joining.write(.item(united.alias), united.pointer, isRepeated: isRepeated, &writer)
      remarks += united.remarks.map { (.item(united.uid), $0) }
    }
  }

  /// An item that one side merged into another while the other side changed it.
  private struct Move {
    let path: TreePath
    /// The version that both come from.
    let base: ObjectID?
    /// The other side's version of the item.
    let said: ObjectID
    /// Whether we are that side.
    let isOurs: Bool
  }

  /// Applies the other side's edits to the items that the edited ones were merged into.
  private func carry(
    _ moves: [Move], _ joining: inout Joining, _ writer: inout CommitWriter,
    _ remarks: inout [(path: TreePath, remark: JoinRemark)]
  ) throws {
    for move in moves {
      guard let said = try document(move.said.rawValue), let pointer = try document(move.path, in: joining) else {
        continue
      }
      if let now = try pointer.movedTo.flatMap({ try thing($0, in: joining) }) {
        // Whoever made it one with what they then removed has removed it with that: where the one stays, so does the other, whole.
        let isWhole = try isRemoved(now.path, byUs: !move.isOurs, in: joining)
        let base = try isWhole ? nil : move.base.flatMap { try document($0.rawValue) }
        let (result, told) = try Document.carried(from: base, said, to: now.document, isOurs: move.isOurs) {
          let side = move.isOurs ? joining.ours : joining.theirs
          let paths = [now.path] + now.document.aliases.map(TreePath.item).filter { $0 != move.path }
          return try documents(paths.map { side.name(of: $0) }).compactMap { try? $0?.get() }
        }
        remarks += told.map { (now.path, $0) }
        try joining.write(now.path, result, isRepeated: joining.repeated.contains(now.path), &writer)
      } else {
        // What it became was removed: it stays, as what was changed does.
        let (result, told) = Document.joined(
          base: nil, ours: move.isOurs ? said : pointer, theirs: move.isOurs ? pointer : said)
        remarks += told.map { (move.path, $0) }
        try joining.write(move.path, result, isRepeated: true, &writer)
      }
    }
  }
}
