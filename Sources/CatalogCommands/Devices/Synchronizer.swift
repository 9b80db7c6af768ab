internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Git
internal import Processes

/// One sync (docs/devices.md): local changes become a commit, it is merged with the commits of the tree and the remote,
/// and the result is applied to the catalog and pushed.
///
/// It may end anywhere: the catalog records which commit was applied whole, and the next sync goes on from there.
struct Synchronizer {
  let store: Store
  let tree: SyncTree
  /// The name of this device.
  let device: String
  let now: () -> Timestamp
  /// Whether nothing is applied or pushed.
  var isDryRun = false
  /// Called with the phase and the number of items done, of all; returning false cancels the sync.
  var progress: (Work, _ done: Int, _ of: Int) -> Bool = { _, _, _ in true }

  /// Called with what became of the files that the tree had from an earlier version.
  var noteFiles: (FormerFiles.Outcome) -> Void = { _ in }

  /// Called with the rows that an undone sync would remove from other devices; throws to keep them.
  var confirm: (SyncRemovals) throws -> Void = { _ in }

  /// The phases that may take long.
  enum Work { case comparing, writing, applying }

  var git: Repository { tree.repository }
  /// Reads the files of commits, one at a time.
  let reader: ObjectReader

  init(_ store: Store, tree: SyncTree, device: String, now: @escaping () -> Timestamp) {
    (self.store, self.tree, self.device, self.now) = (store, tree, device, now)
    reader = ObjectReader(tree.repository)
  }

  /// The number of documents held in memory at most.
  static let mostHeld = 500
  /// The number of versions of a damaged file that are looked at.
  private static let mostVersions = 100
  /// The number of attempts at most when other devices push first.
  private static let mostTries = 8
  /// The number of rounds at most when commits are pushed into the tree meanwhile.
  private static let mostRounds = 3

  func run() throws -> SyncReport {
    var report = SyncReport()
    report.removedLocks = GitFolder(path: tree.gitFolder).removeStaleLocks(of: tree.path)
    let remote = try tree.remoteURL
    report.hasRemote = remote != nil
    var edited: ObjectID?
    for attempt in 1... {
      let fetched = try report.offline == nil ? remote.flatMap { try fetch($0, &report) } : nil
      let theirs = try fetched ?? git.commit(SyncTree.remote)
      if let theirs { try tree.requireKnownFormat(of: theirs.rawValue, by: reader) }
      if attempt == 1 {
        let files = try FormerFiles(tree, reader) { try problems(in: $0, since: $1) }.leave(isDryRun: isDryRun)
        noteFiles(files)
        edited = files.commit
      }
      guard let agreed = try merge(edited, theirs, &report) else { break }
      guard !isDryRun, let remote, report.offline == nil, agreed != fetched else { break }
      do {
        try tree.push(agreed, to: remote, after: fetched)
        report.isSent = true
        break
      } catch let problem as Repository.Problem where problem.reason == .rejected && attempt < Self.mostTries {
        continue
      } catch let problem as Repository.Problem where problem.isOfRemote {
        report.offline = problem
        break
      }
    }
    report.settings = git.settings.problem
    return report
  }

  /// Merges this catalog, the commits of the tree and that of the remote, and moves the branch to the result. Commits
  /// pushed into the tree meanwhile are merged too.
  private func merge(_ edited: ObjectID?, _ theirs: ObjectID?, _ report: inout SyncReport) throws -> ObjectID? {
    for attempt in 1... {
      let main = try git.commit(SyncTree.main)
      if attempt > 1 { try tree.requireKnownFormat(of: SyncTree.main, by: reader) }
      if let theirs, main != theirs {
        report.otherDevice = try git.value(["log", "-1", "--format=%(trailers:key=Device,valueonly)", theirs.rawValue])
      }
      let agreed = try mergeHeads([main, edited, theirs].compactMap(\.self), &report)
      guard !isDryRun, let agreed else { return agreed }
      if try tree.moveBranch(to: agreed, from: main) {
        if edited != nil { try git.run(["update-ref", "-d", SyncTree.edited]) }
        return agreed
      }
      if attempt == Self.mostRounds { return agreed }
    }
    return nil
  }

  private func fetch(_ remote: String, _ report: inout SyncReport) throws -> ObjectID? {
    do {
      return try tree.fetch(from: remote)
    } catch let problem as Repository.Problem where problem.isOfRemote || problem.reason == .other {
      report.offline = problem
      return nil
    }
  }

  // MARK: One merge

  /// Exports the local changes, merges them with other commits, and applies the result.
  /// - Parameter heads: the commits of the branch, of edited files and of the remote, as far as they exist.
  /// - Returns: the commit with all changes; nil when there is none at all.
  private func mergeHeads(_ heads: [ObjectID], _ report: inout SyncReport) throws -> ObjectID? {
    var agreed: ObjectID?
    func mergeOnce() throws {
      let (ours, fingerprints) = try commitChanges(others: heads.first)
      report.exported += fingerprints.count
      guard let first = ours ?? heads.first else { return }
      var merged = first
      var conflicts: [(path: TreePath, conflict: MergeConflict)] = []
      for head in heads {
        let merge = try TreeMerge.merge(merged, head, for: self)
        merged = merge.commit
        conflicts += merge.conflicts
        report.note(merge)
      }
      agreed = merged
      let mended = try apply(merged, since: ours, fingerprints, conflicts, &report)
      if mended.isEmpty {
        if merged == first || heads.contains(merged) { return }
      } else {
        merged = try git.commit(to: SyncTree.joined, message: message, parents: [merged]) { writer in
          for (path, document) in mended { try writer.write(path.text, document.text) }
        }
        agreed = merged
        try apply(merged, since: merged, [:], [], &report)
      }
      // Repairs made while applying, such as a row that two items had, are exported, so that no other device needs to.
      let (repaired, files) = try commitChanges(others: merged)
      guard let repaired, repaired != merged else { return }
      agreed = repaired
      try apply(repaired, since: repaired, files, [], &report)
    }
    if isDryRun {
      // The catalog stays as it is, including the uids of its rows.
      struct Rollback: Error {}
      do {
        try store.recording(nil).write {
          try mergeOnce()
          throw Rollback()
        }
      } catch is Rollback {}
    } else {
      try mergeOnce()
      try store.forgetUndoneSync()
    }
    return agreed
  }

  var message: String { "sync from \(device)\n\nDevice: \(device)\n" }

  /// The documents of files with these names (an object id, or `COMMIT:PATH`), in their order; nil where there is none.
  func documents(_ files: [(name: String, path: TreePath)]) throws -> [Result<Document, DocumentProblem>?] {
    var found: [Result<Document, DocumentProblem>?] = []
    try reader.forEach(files.map(\.name)) { place, object in
      switch object {
      case .missing: found.append(nil)
      case .tooLarge: found.append(.failure(DocumentProblem("it is larger than 64 MiB")))
      case .bytes(let bytes):
        found.append(Result { () throws(DocumentProblem) in try files[place].path.document(bytes) })
      }
    }
    return found
  }

  /// The last version of a damaged file in the history of a commit that can be read; nil if there is none.
  func lastReadable(_ path: TreePath, in commit: ObjectID) throws -> Document? {
    for version in try git.versions(of: path.text, in: commit.rawValue, trailer: "Device").prefix(Self.mostVersions) {
      if let document = try document(path, as: version.commit.name(of: path)) { return document }
    }
    return nil
  }

  /// The document of a file that goes by a name; nil where there is none, or where it cannot be read.
  func document(_ path: TreePath, as name: String) throws -> Document? {
    try documents([(name, path)]).first.flatMap { try? $0?.get() }
  }
}

extension ObjectID {
  /// The name of a file in this commit.
  func name(of path: TreePath) -> String { "\(rawValue):\(path.text)" }
}
