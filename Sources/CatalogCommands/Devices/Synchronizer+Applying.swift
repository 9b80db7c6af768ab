internal import CatalogModel
internal import CatalogStore
internal import Git

// Applying a commit to the catalog.
extension Synchronizer {
  /// Fills an empty catalog with the contents of a commit.
  func restore(_ commit: ObjectID) throws -> ApplyResult {
    try tree.requireKnownFormat(of: commit.rawValue, by: reader)
    var report = SyncReport()
    try apply(commit, since: nil, [:], [], &report)
    for (path, problem) in report.unreadable {
      if let path = TreePath(path) { report.applied.rejected.append((path, problem.message)) }
    }
    return report.applied
  }

  /// Applies to the catalog the files of a commit that differ from it, and those that it could not take before.
  /// - Returns: the earlier versions that were taken in place of damaged files.
  @discardableResult
  func apply(
    _ commit: ObjectID, since ours: ObjectID?, _ exported: ExportedFingerprints,
    _ conflicts: [(path: TreePath, conflict: MergeConflict)], _ report: inout SyncReport
  ) throws -> [TreePath: Document] {
    var incoming = try changes(of: commit, since: ours)
    (incoming.exported, incoming.conflicts, incoming.device) = (exported, conflicts, report.otherDevice)
    let left = try store.leftFiles()
    if !left.isEmpty { incoming.paths += Set(left).subtracting(incoming.paths).sorted { $0.text < $1.text } }
    if incoming.paths.isEmpty, conflicts.isEmpty, exported.isEmpty, try store.syncState("commit") == commit.rawValue {
      return [:]
    }
    var (mended, damaged): ([TreePath: Document], [(TreePath, DocumentProblem)]) = ([:], [])
    incoming.merged = Snapshot { paths in
      try zip(paths, documents(paths.map { (commit.name(of: $0), $0) })).map { path, document in
        guard case .failure(let problem)? = document,
          let earlier = try mended[path] ?? lastReadable(path, in: commit)
        else { return document }
        mended[path] = earlier
        damaged.append((path, problem))
        return .success(earlier)
      }
    }
    // Most syncs need neither.
    lazy var origin = Result { try versions(mergedBy: commit) }
    incoming.base = snapshot(of: { try origin.get().base })
    incoming.versions = (0..<2).map { place in snapshot(of: { try origin.get().versions.dropFirst(place).first }) }
    if try wantsCovers { incoming.cover = { try cover($0, $1, in: commit) } }
    incoming.progress = { progress(.applying, $0, $1) }
    let result = try store.apply(incoming, now: now())
    report.note(result)
    for (path, problem) in damaged { report.noteMended(path.text, problem) }
    return mended
  }

  /// The documents of a commit that differ from an earlier one.
  private func changes(of commit: ObjectID, since ours: ObjectID?) throws -> IncomingChanges {
    var incoming = IncomingChanges(commit: commit.rawValue) { $0.line }
    if commit != ours {
      try git.forEachChange(from: ours, to: commit) { change in
        if change.new != nil, let path = TreePath(change.path), path.isDocument { incoming.paths.append(path) }
      }
    }
    incoming.merged = snapshot(of: { commit })
    incoming.ours = snapshot(of: { ours })
    return incoming
  }

  /// The documents of a commit that this catalog cannot take, by a trial that leaves nothing.
  /// - Parameter paths: those to try; nil for all that differ from `base`.
  func problems(
    in commit: ObjectID, since base: ObjectID?, of paths: [TreePath]? = nil
  ) throws -> [(path: TreePath, problem: DocumentProblem)] {
    var incoming = try changes(of: commit, since: base)
    if let paths { incoming.paths = paths }
    guard !incoming.paths.isEmpty else { return [] }
    struct Rollback: Error {}
    let store = store.recording(nil)
    var result = ApplyResult()
    do {
      try store.write {
        result = try store.apply(incoming, now: now())
        throw Rollback()
      }
    } catch is Rollback {
    } catch let problem as DocumentProblem {
      // Together they do not hold.
      return incoming.paths.map { ($0, problem) }
    }
    return result.unreadable.map { ($0.path, $0.problem) }
      + result.rejected.map { ($0.path, DocumentProblem($0.reason)) }
  }

  /// The documents of a commit, which is looked up when the first of them is asked for.
  private func snapshot(of commit: @escaping () throws -> ObjectID?) -> Snapshot {
    Snapshot { paths in
      guard let commit = try commit() else { return paths.map { _ in nil } }
      return try documents(paths.map { (commit.name(of: $0), $0) })
    }
  }

  /// The two parents of a merge commit, whichever program made it, and their merge base; none for any other commit.
  private func versions(mergedBy commit: ObjectID) throws -> (versions: [ObjectID], base: ObjectID?) {
    let parents = try git.value(["log", "-1", "--format=%P", commit.rawValue])?.split(separator: " ") ?? []
    guard parents.count == 2 else { return ([], nil) }
    let versions = parents.map { ObjectID(rawValue: String($0)) }
    return (versions, try git.base(of: versions[0], versions[1]))
  }

  /// The bytes of a cover; nil if there are none. Other file endings are tried too, because the media type may have
  /// changed since.
  func cover(_ digest: String, _ ending: String, in commit: ObjectID) throws -> [UInt8]? {
    for ending in [ending] + Document.coverEndings.filter({ $0 != ending }) {
      if case .bytes(let bytes) = try reader.object(commit.name(of: .cover(digest, ending: ending))) { return bytes }
    }
    return nil
  }
}
