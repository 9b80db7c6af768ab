internal import CatalogModel
internal import CatalogStore
internal import Git

// What a commit says comes into the catalog.
extension Synchronizer {
  /// Makes an empty catalog what a commit says.
  func restore(_ commit: ObjectID) throws -> Arrived {
    var report = SyncReport()
    try receive(commit, since: nil, [:], [], &report)
    for (path, problem) in report.unreadable {
      if let path = TreePath(path) { report.arrived.refused.append((path, problem.words)) }
    }
    return report.arrived
  }

  /// Applies to the catalog the files of a commit that differ from it.
  func receive(
    _ commit: ObjectID, since mine: ObjectID?, _ left: Fingerprints,
    _ remarks: [(path: TreePath, remark: JoinRemark)], _ report: inout SyncReport
  ) throws {
    var arrival = Arrival(commit: commit.rawValue) { $0.line }
    (arrival.left, arrival.remarks, arrival.device) = (left, remarks, report.others)
    if commit != mine {
      try git.forEachChange(from: mine, to: commit) { change in
        if change.new != nil, let path = TreePath(change.path), path.isDocument { arrival.paths.append(path) }
      }
    }
    if arrival.paths.isEmpty, remarks.isEmpty, left.isEmpty, try store.syncState("commit") == commit.rawValue {
      return
    }
    arrival.joined = { paths in try documents(paths.map { commit.name(of: $0) }) }
    arrival.ours = { path in try mine.flatMap { try document($0.name(of: path)) } }
    var known: (versions: [ObjectID], base: ObjectID?)?
    func joined() throws -> (versions: [ObjectID], base: ObjectID?) {
      if let known { return known }
      let asked = try versions(joinedBy: commit)
      known = asked
      return asked
    }
    arrival.base = { path in try joined().base.flatMap { try document($0.name(of: path)) } }
    arrival.versions = { path in try joined().versions.map { try document($0.name(of: path)) } }
    if try wantsCovers { arrival.cover = { try cover($0, $1, in: commit) } }
    arrival.progress = { progress(.taking, $0, $1) }
    report.note(try store.arrive(arrival, now: now()))
  }

  /// The two parents of a merge commit, whichever program made it, and their merge base; none for any other commit.
  private func versions(joinedBy commit: ObjectID) throws -> (versions: [ObjectID], base: ObjectID?) {
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
