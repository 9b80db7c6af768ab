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

  /// Takes into the catalog what is otherwise in a commit than here.
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
    var common: ObjectID??
    arrival.base = { path in
      let known = try common ?? base(of: commit)
      common = known
      return try known.flatMap { try document($0.name(of: path)) }
    }
    if try wantsCovers { arrival.cover = { try cover($0, $1, in: commit) } }
    arrival.progress = { progress(.taking, $0, $1) }
    report.note(try store.arrive(arrival, now: now()))
  }

  /// What the two versions come from that a commit joins, whoever joined them; nil for one that joins none.
  private func base(of commit: ObjectID) throws -> ObjectID? {
    let parents = try git.value(["log", "-1", "--format=%P", commit.rawValue])?.split(separator: " ") ?? []
    guard parents.count == 2 else { return nil }
    return try git.base(of: ObjectID(rawValue: String(parents[0])), ObjectID(rawValue: String(parents[1])))
  }

  /// The bytes of a cover, nil when they are not there: somebody may say another type of it now than when it was sent.
  func cover(_ digest: String, _ ending: String, in commit: ObjectID) throws -> [UInt8]? {
    for ending in [ending] + Document.coverEndings.filter({ $0 != ending }) {
      if case .bytes(let bytes) = try reader.object(commit.name(of: .cover(digest, ending: ending))) { return bytes }
    }
    return nil
  }
}
