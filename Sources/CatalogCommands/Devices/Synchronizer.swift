internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Git
internal import Processes

/// One sync: what changed here becomes a commit, is joined with what the others sent, taken, and sent (docs/devices.md).
///
/// It can end anywhere: what is in the catalog says which commit was taken whole, and the next sync goes on from there.
struct Synchronizer {
  let store: Store
  let tree: SyncTree
  /// What this device is called.
  let device: String
  let now: () -> Timestamp
  /// Whether nothing is to be taken or sent.
  var isDryRun = false
  /// Called with how many items of all were looked at; returning false ends it.
  var progress: (_ done: Int, _ of: Int) -> Bool = { _, _ in true }

  private var git: Repository { tree.repository }

  init(_ store: Store, tree: SyncTree, device: String, now: @escaping () -> Timestamp) {
    (self.store, self.tree, self.device, self.now) = (store, tree, device, now)
  }

  /// What became of it.
  struct Report {
    /// Files that left.
    var left = 0
    var arrived = Arrived()
    /// Files that are gone there without having been removed, and were kept.
    var kept = 0
    /// Links and the like, which are no part of a catalog, by their paths.
    var strange: [String] = []
    /// Documents that cannot be read.
    var unreadable: [(path: String, problem: DocumentProblem)] = []
    /// Why nothing was fetched or sent; nil when it was, or when there is nobody to send to.
    var offline: Repository.Problem?
    var isSent = false
    /// Who sent last what came; nil when nobody says so.
    var others: String?
    var hasRemote = false
  }

  /// So many documents are held in memory.
  private static let mostHeld = 1_000
  /// How often it goes on when others are faster.
  private static let mostTries = 8

  func run() throws -> Report {
    var report = Report()
    if !tree.exists {
      guard !isDryRun else { return report }
      try tree.make()
    }
    report.hasRemote = try tree.remoteURL != nil
    try tree.commitEdits()
    for attempt in 1... {
      let fetched = try report.hasRemote && report.offline == nil ? fetch(&report) : nil
      let theirs = try fetched ?? git.commit(SyncTree.remote)
      if let theirs, try git.commit(SyncTree.main) != theirs {
        report.others = try git.value(["log", "-1", "--format=%(trailers:key=Device,valueonly)", theirs.rawValue])
      }
      let agreed = try meet(theirs, &report)
      guard !isDryRun, let agreed, report.hasRemote, report.offline == nil else { break }
      if agreed == fetched { break }
      do {
        try tree.push()
        report.isSent = true
        break
      } catch let problem as Repository.Problem where problem.reason == .rejected && attempt < Self.mostTries {
        continue
      } catch let problem as Repository.Problem where problem.isOfRemote {
        report.offline = problem
        break
      }
    }
    return report
  }

  private func fetch(_ report: inout Report) throws -> ObjectID? {
    do {
      return try tree.fetch()
    } catch let problem as Repository.Problem where problem.isOfRemote || problem.reason == .other {
      report.offline = problem
      return nil
    }
  }

  // MARK: One meeting

  /// Joins what is here with what is there, and takes it.
  /// - Returns: the commit that has all of it; nil when there is nothing at all.
  private func meet(_ theirs: ObjectID?, _ report: inout Report) throws -> ObjectID? {
    var agreed: ObjectID?
    func meet() throws {
      let (mine, fingerprints) = try leave(theirs, &report)
      guard let first = try mine ?? git.commit(SyncTree.main) ?? theirs else { return }
      var joined = first
      var remarks: [(path: TreePath, remark: JoinRemark)] = []
      for other in try [git.commit(SyncTree.main), theirs] {
        if let other { joined = try join(joined, other, &remarks, &report) }
      }
      agreed = joined
      try take(joined, since: mine, fingerprints, remarks, &report)
    }
    if isDryRun {
      // The catalog is as it was before, also in what rows are called.
      struct Enough: Error {}
      do {
        try store.recording(nil).write {
          try meet()
          throw Enough()
        }
      } catch is Enough {}
    } else {
      try meet()
      if let agreed, try git.commit(SyncTree.main) != agreed { try tree.checkOut(agreed) }
    }
    return agreed
  }

  /// Makes a commit of what changed here since the last sync.
  /// - Returns: the commit, nil when this catalog has never said anything and is empty; and what its files said.
  private func leave(_ theirs: ObjectID?, _ report: inout Report) throws -> (commit: ObjectID?, Fingerprints) {
    var base = try store.syncState("commit").flatMap { try git.commit($0) }
    if base == nil {
      // Whatever was agreed on once, nobody remembers it here: all of it is said anew.
      try store.forgetSyncs()
      if try store.isEmpty(), try theirs != nil || git.commit(SyncTree.main) != nil { return (nil, [:]) }
    }
    var left: Fingerprints = [:]
    var isFirst = base == nil
    // Taken before anything is looked at: what is written meanwhile makes it another.
    let stamp = try store.writeStamp().flatMap { stamp in base.map { "\(stamp) \($0)" } }
    if let stamp, tree.isQuiet(stamp) { return (base, [:]) }
    // What is little is looked at once. Nothing is committed when nothing changed.
    var some: [TreeFile]? = []
    left = try store.leave(now: now(), progress: progress) { file in
      some?.append(file)
      if (some?.count ?? 0) > Self.mostHeld { some = nil }
    }
    guard !left.isEmpty || isFirst else {
      if let stamp { tree.setQuiet(stamp) }
      return (base, left)
    }
    let parents = base.map { [$0] } ?? []
    let commit = try git.commit(to: SyncTree.here, message: message, parents: parents) { writer in
      if isFirst {
        for (path, text) in SyncTree.standing { try writer.write(path, Array(text.utf8)) }
        isFirst = false
      }
      if let some { return try write(some, since: base, to: &writer) }
      var waiting: [TreeFile] = []
      func flush() throws {
        try write(waiting, since: base, to: &writer)
        waiting.removeAll(keepingCapacity: true)
      }
      left = try store.leave(now: now(), progress: progress) { file in
        waiting.append(file)
        if waiting.count == Self.mostHeld { try flush() }
      }
      try flush()
    }
    report.left = left.count
    base = commit
    return (base, left)
  }

  private var message: String { "sync from \(device)\n\nDevice: \(device)\n" }

  /// Writes files, each with what a newer version has said in it, and the covers that are new.
  private func write(_ files: [TreeFile], since base: ObjectID?, to writer: inout CommitWriter) throws {
    let before = try base.map { try documents(files.map(\.path), in: $0) } ?? [:]
    let wantsCovers = try store.syncState("covers") != "no"
    let complete = try store.completing()
    for file in files {
      var document = file.document
      let old = before[file.path]
      if let old {
        document = complete(document, old)
        if document.isGone, let title = old.title, document.title == nil {
          document.members.append(.init("title", .text(title)))
        }
        // A cover that never came here was not removed here.
        if !document.isGone, document.cover == nil, let cover = old.cover,
          try !wantsCovers || base.map({ try git.files([Self.path(of: cover)], in: $0).isEmpty }) ?? false,
          let row = old["cover"]
        {
          document.members.append(.init("cover", row))
        }
      }
      try writer.write(file.path.text, document.text)
      if wantsCovers, let cover = document.cover, cover.digest != old?.cover?.digest,
        let bytes = try store.cover(digest: cover.digest)
      {
        try writer.write(Self.path(of: cover), bytes)
      }
    }
  }

  private static func path(of cover: (digest: String, ending: String)) -> String {
    TreePath.cover(cover.digest, ending: cover.ending).text
  }

  // MARK: Reading documents

  /// The documents at these paths, those that are there and can be read.
  private func documents(_ paths: [TreePath], in commit: ObjectID) throws -> [TreePath: Document] {
    let files = try git.files(paths.map(\.text), in: commit)
    var byID: [ObjectID: [TreePath]] = [:]
    for path in paths { if let id = files[path.text] { byID[id, default: []].append(path) } }
    var found: [TreePath: Document] = [:]
    try git.contents(of: Array(byID.keys)) { id, bytes in
      guard let bytes, let document = try? DocumentReader.read(bytes) else { return }
      for path in byID[id] ?? [] { found[path] = document }
    }
    return found
  }

  /// The documents that go by these names, and why others cannot be read.
  private func documents(_ ids: [ObjectID?]) throws -> [ObjectID: Result<Document, DocumentProblem>] {
    var found: [ObjectID: Result<Document, DocumentProblem>] = [:]
    try git.contents(of: Array(Set(ids.compactMap(\.self)))) { id, bytes in
      guard let bytes else { return found[id] = .failure(DocumentProblem("it is larger than 64 MiB")) }
      do throws(DocumentProblem) { found[id] = .success(try DocumentReader.read(bytes)) } catch {
        found[id] = .failure(error)
      }
    }
    return found
  }

  // MARK: Joining

  /// Joins two commits.
  private func join(
    _ ours: ObjectID, _ theirs: ObjectID, _ remarks: inout [(path: TreePath, remark: JoinRemark)],
    _ report: inout Report
  ) throws -> ObjectID {
    if ours == theirs { return ours }
    let base = try git.base(of: ours, theirs)
    if base == theirs { return ours }
    let mine = Dictionary(try git.changes(from: base, to: ours).map { ($0.path, $0) }) { $1 }
    let others = try git.changes(from: base, to: theirs)
    var writes: [(path: String, content: Content)] = []
    var both: [(path: TreePath, mine: TreeChange, theirs: TreeChange)] = []
    var new: [(path: TreePath, id: ObjectID)] = []
    for change in others {
      let own = mine[change.path]
      if own?.new == change.new, own != nil { continue }
      guard let path = TreePath(change.path) else {
        if change.isStrange { report.strange.append(change.path) }
        // What is none of ours is somebody's: it comes and goes as they say, unless it was changed here as well.
        if own == nil, !change.isStrange { writes.append((change.path, change.new.map(Content.known) ?? .none)) }
        continue
      }
      guard let id = change.new else {
        // What is not there was not removed: a removal says so.
        if change.isStrange {
          report.strange.append(change.path)
        } else if own?.new != nil || own == nil {
          report.kept += 1
        }
        continue
      }
      guard path.isDocument else {
        if own?.new == nil { writes.append((change.path, .known(id))) }
        continue
      }
      if let own, own.new != nil {
        both.append((path, own, change))
      } else {
        writes.append((change.path, .known(id)))
        if case .item = path, change.old == nil { new.append((path, id)) }
      }
    }
    try joinBoth(both, &writes, &remarks, &report)
    try unite(new, mine, ours, &writes, &remarks)
    // Only what it lacks makes it more than what the others have sent.
    if base == ours, report.kept == 0, writes.allSatisfy({ $0.content.isKnown }) { return theirs }
    return try git.commit(to: SyncTree.joined, message: message, parents: [ours, theirs]) { writer in
      for (path, content) in writes {
        switch content {
        case .known(let id): try writer.write(path, id)
        case .text(let document): try writer.write(path, document.text)
        case .none: try writer.remove(path)
        }
      }
    }
  }

  private enum Content {
    case known(ObjectID)
    case text(Document)
    case none

    var isKnown: Bool { if case .text = self { false } else { true } }
  }

  /// What both have changed, document by document.
  private func joinBoth(
    _ both: [(path: TreePath, mine: TreeChange, theirs: TreeChange)],
    _ writes: inout [(path: String, content: Content)],
    _ remarks: inout [(path: TreePath, remark: JoinRemark)], _ report: inout Report
  ) throws {
    for start in stride(from: 0, to: both.count, by: 1_000) {
      let batch = both[start...].prefix(1_000)
      let read = try documents(batch.flatMap { [$0.theirs.old, $0.mine.new, $0.theirs.new] })
      for (path, mine, theirs) in batch {
        guard let mineID = mine.new, let theirsID = theirs.new else { continue }
        switch (read[mineID], read[theirsID]) {
        case (.success(let ours)?, .success(let others)?):
          let base = theirs.old.flatMap { try? read[$0]?.get() }
          let (document, said) = Document.joined(base: base, ours: ours, theirs: others)
          remarks += said.map { (path, $0) }
          writes.append((path.text, .text(document)))
        case (_, .failure(let problem)?): report.unreadable.append((path.text, problem))
        case (.failure, .success?): writes.append((path.text, .known(theirsID)))
        default: break
        }
      }
    }
  }

  /// Things that are new there, and are here under another name.
  private func unite(
    _ new: [(path: TreePath, id: ObjectID)], _ mine: [String: TreeChange], _ ours: ObjectID,
    _ writes: inout [(path: String, content: Content)], _ remarks: inout [(path: TreePath, remark: JoinRemark)]
  ) throws {
    for start in stride(from: 0, to: new.count, by: 1_000) {
      let batch = new[start...].prefix(1_000)
      let read = try documents(batch.map(\.id))
      for (path, id) in batch {
        guard case .success(let theirs)? = read[id], !theirs.isGone, let twin = try store.uid(ofTwin: theirs) else {
          continue
        }
        let own = TreePath.item(twin.uid)
        // A second edition of what was there is a person's own.
        if twin.isByCode, mine[own.text]?.old != nil || mine[own.text] == nil { continue }
        guard let here = try documents([own], in: ours)[own], !here.isGone,
          let united = Document.united(here, theirs)
        else { continue }
        writes.removeAll { $0.path == path.text || $0.path == own.text }
        writes.append((TreePath.item(united.uid).text, .text(united.document)))
        writes.append((TreePath.item(united.alias).text, .text(united.pointer)))
        remarks += united.remarks.map { (.item(united.uid), $0) }
      }
    }
  }

  // MARK: Taking

  /// Makes an empty catalog what a commit says.
  func restore(_ commit: ObjectID) throws -> Arrived {
    var report = Report()
    try take(commit, since: nil, [:], [], &report)
    for (path, problem) in report.unreadable {
      if let path = TreePath(path) { report.arrived.refused.append((path, problem.description)) }
    }
    return report.arrived
  }

  /// Takes into the catalog what is otherwise in a commit than here.
  private func take(
    _ commit: ObjectID, since mine: ObjectID?, _ left: Fingerprints,
    _ remarks: [(path: TreePath, remark: JoinRemark)], _ report: inout Report
  ) throws {
    var arrival = Arrival(commit: commit.rawValue) { $0.line }
    (arrival.left, arrival.remarks, arrival.device) = (left, remarks, report.others)
    let changes = commit == mine ? [] : try git.changes(from: mine, to: commit)
    let documents = try documents(changes.flatMap { [$0.old, $0.new] })
    var covers: [String: ObjectID] = [:]
    for change in changes {
      guard let path = TreePath(change.path), let id = change.new else { continue }
      if case .cover(let digest, _) = path { covers[digest] = id }
      guard path.isDocument else { continue }
      switch documents[id] {
      case .success(let joined)?:
        let ours = change.old.flatMap { try? documents[$0]?.get() }
        arrival.files.append(.init(path: path, ours: ours, joined: joined))
      case .failure(let problem)?:
        if !report.unreadable.contains(where: { $0.path == path.text }) {
          report.unreadable.append((path.text, problem))
        }
      case nil: break
      }
    }
    let wantsCovers = try store.syncState("covers") != "no"
    if arrival.files.isEmpty, arrival.remarks.isEmpty, left.isEmpty, try store.syncState("commit") == commit.rawValue {
      return
    }
    let (git, known) = (git, covers)
    let arrived = try store.arrive(arrival, now: now()) { digest in
      guard wantsCovers else { return nil }
      if let id = known[digest] { return try git.contents(of: id) }
      let endings = ["jpg", "png", "webp", "gif", "bin"]
      let files = try git.files(endings.map { TreePath.cover(digest, ending: $0).text }, in: commit)
      return try files.values.first.flatMap { try git.contents(of: $0) }
    }
    report.arrived.added += arrived.added
    report.arrived.changed += arrived.changed
    report.arrived.removed += arrived.removed
    report.arrived.remarks += arrived.remarks
    report.arrived.refused += arrived.refused
  }
}

extension SyncTree {
  /// What stands in every tree and is no part of the catalog.
  static let standing = [
    (".gitattributes", "*.json text eol=lf merge=catalog\ncovers/** binary\n"),
    (
      "README.md",
      """
      # A catalog

      Movies, books and records, written by `catalog sync`: a file an item in `items/`, with everything that hangs on it, the
      pictures in `covers/`, and what is about several in the files beside this one. It is plain JSON, a line a field: any tool
      reads it.

          git log -p items/                          what changed, and when
          jq -r .item.title items/*/*.json           all titles

      A file with `removed` in it says that the thing was removed; one with `same`, that it is called otherwise now.

      """
    ),
  ]
}
