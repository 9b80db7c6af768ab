internal import CatalogModel
internal import CatalogStore
internal import Git

/// What became of a sync. A file is named once, however often it was met.
struct SyncReport {
  /// Files that left.
  var left = 0
  var arrived = Arrived()
  /// Files that are gone there without having been removed, and were kept.
  private(set) var kept = Set<String>()
  /// Links and the like, which are no part of a catalog, by their paths.
  private(set) var strange: [String] = []
  /// Documents that cannot be read.
  private(set) var unreadable: [(path: String, problem: DocumentProblem)] = []
  /// Why nothing was fetched or sent; nil when it was, or when there is nobody to send to.
  var offline: Repository.Problem?
  var isSent = false
  /// Who sent last what came; nil when nobody says so.
  var others: String?
  var hasRemote = false
  /// Locks that a git had left behind, by their paths.
  var removedLocks: [String] = []
  /// The reason for which git cannot read the person's settings; nil when it can.
  var settings: String?
  /// The state of the tree's files, as they were last looked at.
  private(set) var edits: TreeFiles.Edits?

  mutating func note(_ edits: TreeFiles.Edits) { self.edits = edits }

  mutating func noteKept(_ path: String) { kept.insert(path) }

  mutating func noteStrange(_ path: String) { if !strange.contains(path) { strange.append(path) } }

  mutating func noteUnreadable(_ path: String, _ problem: DocumentProblem) {
    if !unreadable.contains(where: { $0.path == path }) { unreadable.append((path, problem)) }
  }

  /// Adds what was taken.
  mutating func note(_ arrived: Arrived) {
    self.arrived.added += arrived.added
    self.arrived.changed += arrived.changed
    self.arrived.removed += arrived.removed
    self.arrived.remarks += arrived.remarks
    for (path, reason) in arrived.refused where !self.arrived.refused.contains(where: { $0.path == path }) {
      self.arrived.refused.append((path, reason))
    }
    for (path, problem) in arrived.unreadable { noteUnreadable(path.text, problem) }
  }
}
