internal import CatalogModel
internal import CatalogStore
internal import Git

/// The result of a sync. Each file is listed once, even if several rounds met it.
struct SyncReport {
  /// Files that left.
  var exported = 0
  var applied = ApplyResult()
  /// Files that are gone there without having been removed, and were kept.
  private(set) var kept = Set<String>()
  /// Links and the like, which are no part of a catalog, by their paths.
  private(set) var strange: [String] = []
  /// Documents that cannot be read.
  private(set) var unreadable: [(path: String, problem: DocumentProblem)] = []
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
  /// The state of the tree's files, as they were last looked at.
  private(set) var edits: TreeFiles.Edits?

  mutating func note(_ edits: TreeFiles.Edits) { self.edits = edits }

  mutating func recordKept(_ path: String) { kept.insert(path) }

  mutating func recordUnknownEntry(_ path: String) { if !strange.contains(path) { strange.append(path) } }

  mutating func recordUnreadable(_ path: String, _ problem: DocumentProblem) {
    if !unreadable.contains(where: { $0.path == path }) { unreadable.append((path, problem)) }
  }

  /// Adds what was taken.
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
