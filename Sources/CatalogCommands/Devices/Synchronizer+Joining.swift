internal import CatalogModel
internal import CatalogStore
internal import Git

// Two commits become one.
extension Synchronizer {
  /// What is to be joined of two commits, by paths and ids: documents are read when they are written.
  private struct Meeting {
    let ours: ObjectID
    /// What changed here.
    var mine: [String: TreeChange] = [:]
    /// What is taken as it is there; nil: removed there.
    var taken: [(path: String, id: ObjectID?)] = []
    /// Documents that both have changed.
    var both: [(path: TreePath, mine: TreeChange, theirs: TreeChange)] = []
    /// Items that are new there.
    var new: [(path: TreePath, id: ObjectID)] = []
    /// Those of them that are here under another name.
    var twins: [(path: TreePath, id: ObjectID, own: TreePath)] = []
    var keepsSome = false
  }

  /// Joins two commits.
  func join(
    _ ours: ObjectID, _ theirs: ObjectID, _ remarks: inout [(path: TreePath, remark: JoinRemark)],
    _ report: inout SyncReport
  ) throws -> ObjectID {
    if ours == theirs { return ours }
    let base = try git.base(of: ours, theirs)
    if base == theirs { return ours }
    var meeting = Meeting(ours: ours)
    try git.forEachChange(from: base, to: ours) { meeting.mine[$0.path] = $0 }
    try git.forEachChange(from: base, to: theirs) { meet($0, &meeting, &report) }
    try findTwins(&meeting)
    // Only what it lacks makes it more than what the others have sent.
    if base == ours, !meeting.keepsSome, meeting.twins.isEmpty { return theirs }
    return try git.commit(to: SyncTree.joined, message: message, parents: [ours, theirs]) { writer in
      for (path, id) in meeting.taken {
        if let id { try writer.write(path, id) } else { try writer.remove(path) }
      }
      try writeBoth(meeting, &writer, &remarks, &report)
      // They come behind, since what is written last counts.
      try unite(meeting, &writer, &remarks)
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

  /// What both have changed, document by document.
  private func writeBoth(
    _ meeting: Meeting, _ writer: inout CommitWriter, _ remarks: inout [(path: TreePath, remark: JoinRemark)],
    _ report: inout SyncReport
  ) throws {
    for (path, mine, theirs) in meeting.both {
      switch try joined(mine, theirs) {
      case .joined(let document, let said):
        remarks += said.map { (path, $0) }
        try writer.write(path.text, document.text)
      case .theirsIsUnreadable(let problem): report.noteUnreadable(path.text, problem)
      case .oursIsUnreadable: if let id = theirs.new { try writer.write(path.text, id) }
      }
    }
  }

  private enum Joined {
    case joined(Document, [JoinRemark])
    case oursIsUnreadable
    case theirsIsUnreadable(DocumentProblem)
  }

  private func joined(_ mine: TreeChange, _ theirs: TreeChange) throws -> Joined {
    let nothing = DocumentProblem("it is not there")
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
    let (document, remarks) = Document.joined(base: base, ours: ours, theirs: others)
    return .joined(document, remarks)
  }

  // MARK: One thing with two names

  /// Finds what is new there and is here under another name.
  private func findTwins(_ meeting: inout Meeting) throws {
    var met = Set<TreePath>()
    for start in stride(from: 0, to: meeting.new.count, by: Self.mostHeld) {
      let batch = meeting.new[start...].prefix(Self.mostHeld)
      for ((path, id), said) in zip(batch, try documents(batch.map(\.id.rawValue))) {
        guard case .success(let theirs)? = said, !theirs.isGone, let twin = try store.uid(ofTwin: theirs) else {
          continue
        }
        let own = TreePath.item(twin.uid)
        // A second edition of what was there is a person's own.
        if twin.isByCode, meeting.mine[own.text]?.old != nil || meeting.mine[own.text] == nil { continue }
        // With a third of them it is the same at the next sync.
        if met.insert(own).inserted { meeting.twins.append((path, id, own)) }
      }
    }
  }

  /// Makes one of each two.
  private func unite(
    _ meeting: Meeting, _ writer: inout CommitWriter, _ remarks: inout [(path: TreePath, remark: JoinRemark)]
  ) throws {
    if meeting.twins.isEmpty { return }
    let both = Dictionary(meeting.both.map { ($0.path, $0) }) { $1 }
    let taken = Dictionary(meeting.taken.map { ($0.path, $0.id) }) { $1 }
    for (_, id, own) in meeting.twins {
      // As they have said it, if nobody has changed it here.
      var here = try document(taken[own.text]??.rawValue ?? meeting.ours.name(of: own))
      // What they have said of it, too.
      if let (_, mine, theirs) = both[own], case .joined(let document, _) = try joined(mine, theirs) { here = document }
      guard let here, !here.isGone, let theirs = try document(id.rawValue),
        let united = Document.united(here, theirs)
      else { continue }
      try writer.write(TreePath.item(united.uid).text, united.document.text)
      try writer.write(TreePath.item(united.alias).text, united.pointer.text)
      remarks += united.remarks.map { (.item(united.uid), $0) }
    }
  }
}
