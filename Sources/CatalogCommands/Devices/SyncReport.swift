internal import CatalogModel
internal import CatalogStore
internal import Git

/// The result of a sync. Each file is listed once, even if several rounds met it.
struct SyncReport {
  /// The number of exported files.
  var exported = 0
  var applied = ApplyResult()
  /// The files that are missing on the other side without a tombstone, and were kept.
  private(set) var kept = Set<String>()
  /// The paths of links and other entries that a catalog does not have.
  private(set) var strange: [String] = []
  /// Documents that cannot be read.
  private(set) var unreadable: [(path: String, problem: DocumentProblem)] = []
  /// Those of them that were written anew.
  private(set) var mended = Set<String>()
  /// The reason why nothing was fetched or sent; nil if there was no such failure or there is no remote.
  var offline: Repository.Problem?
  var isSent = false
  /// The name of the device that sent the last fetched commit; nil if the commit has none.
  var otherDevice: String?
  var hasRemote = false
  /// Locks that a git had left behind, by their paths.
  var removedLocks: [String] = []
  /// The reason for which git cannot read the person's settings; nil when it can.
  var settings: String?

  /// Adds the result of a merge.
  mutating func note(_ merge: TreeMerge.Result) {
    kept.formUnion(merge.kept)
    for path in merge.unknownEntries where !strange.contains(path) { strange.append(path) }
    for (path, problem) in merge.unreadable { recordUnreadable(path, problem) }
    mended.formUnion(merge.mended)
  }

  /// Adds a damaged document in whose place an earlier version was taken.
  mutating func noteMended(_ path: String, _ problem: DocumentProblem) {
    recordUnreadable(path, problem)
    mended.insert(path)
  }

  private mutating func recordUnreadable(_ path: String, _ problem: DocumentProblem) {
    if !unreadable.contains(where: { $0.path == path }) { unreadable.append((path, problem)) }
  }

  /// Adds the result of applying a commit.
  mutating func note(_ applied: ApplyResult) {
    self.applied.added += applied.added
    self.applied.changed += applied.changed
    self.applied.removed += applied.removed
    self.applied.conflicts += applied.conflicts
    for (path, reason) in applied.rejected where !self.applied.rejected.contains(where: { $0.path == path }) {
      self.applied.rejected.append((path, reason))
    }
    for (path, problem) in applied.unreadable { recordUnreadable(path.text, problem) }
  }
}
