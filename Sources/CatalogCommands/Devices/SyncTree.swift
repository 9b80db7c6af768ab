internal import CatalogStore
internal import CommandLineKit
internal import FoundationEssentials
internal import Git
internal import Glibc
internal import Processes

/// The bare repository beside the catalog, whose commits have the catalog as a tree of text.
struct SyncTree {
  let path: String
  /// The folder of the repository: the tree itself; or `.git` in one that an earlier version made, which had files.
  let gitFolder: String
  let repository: Repository

  /// The branch that all devices share.
  static let branch = "main"
  static let main = "refs/heads/\(branch)"
  static let remote = "refs/remotes/origin/\(branch)"
  /// The commit of this device's changes, before the merge; and the merged commit.
  static let here = "refs/catalog/here"
  static let joined = "refs/catalog/joined"
  /// The edits that a person made in the files of an earlier version, until they are merged.
  static let edited = "refs/catalog/edited"

  init(path: String) {
    // Git is started in the tree, where a path from here would mean another folder.
    self.path = path.hasPrefix("/") ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
    gitFolder = Self.gitFolder(of: self.path)
    repository = Repository(path: gitFolder)
  }

  /// Whether it is the repository alone. One that an earlier version made has files until the next sync.
  var isBare: Bool {
    get throws { try gitFolder == path || repository.value(["config", "--type=bool", "--get", "core.bare"]) == "true" }
  }

  /// Moves the branch, unless it has been moved meanwhile.
  /// - Returns: whether it is there.
  func moveBranch(to commit: ObjectID, from main: ObjectID?) throws -> Bool {
    if main == commit { return true }
    do throws(Repository.Problem) {
      let none = String(repeating: "0", count: commit.rawValue.count)
      try repository.run(["update-ref", "-m", "catalog sync", Self.main, commit.rawValue, main?.rawValue ?? none])
      return true
    } catch {
      if try repository.commit(Self.main) != main { return false }
      throw error
    }
  }

  // MARK: The remote

  /// The address of the remote; nil if there is none.
  var remoteURL: String? {
    get throws { try repository.value(["config", "--get", "remote.origin.url"]) }
  }

  /// The address of the remote without credentials, for display; nil if there is none or git cannot read it.
  var shownRemote: String? {
    guard let line = (try? remoteURL) ?? nil, !line.isEmpty else { return nil }
    return RemoteAddress.redacted(line)
  }

  /// The number of local commits that the remote is not known to have; nil if git cannot count them.
  var unpushed: Int? {
    let words = ["rev-list", "--count", "--branches", "--not", "--remotes"]
    return ((try? repository.value(words)) ?? nil).flatMap { Int($0) }
  }

  /// Sets the remote, or none. It can end anywhere: the same call goes on.
  func setRemote(_ url: String?) throws {
    let isAnother = try remoteURL != url || url.map { Self.isBundle($0) && isEmptyBundle($0) } ?? false
    if isAnother, try repository.commit(Self.remote) != nil {
      // The branch of another remote or of an older bundle says nothing about this one.
      try repository.run(["update-ref", "-d", Self.remote])
    }
    guard let url else {
      if try remoteURL != nil { try repository.run(["config", "--remove-section", "remote.origin"]) }
      return
    }
    try repository.run(["config", "--replace-all", "remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*"])
    try repository.run(["config", "--replace-all", "remote.origin.url", url])
  }

  /// A transfer in which nothing moves for a minute is over.
  private static let patience = ["-c", "http.lowSpeedLimit=1", "-c", "http.lowSpeedTime=60"]
  /// For how many seconds nothing may be heard, where a person may have to find a password first.
  static let silence = 300.0

  /// Gets what the others have sent to the remote.
  /// - Returns: their commit; nil if the remote has none yet.
  func fetch(from remote: String) throws -> ObjectID? {
    if Self.isBundle(remote), isEmptyBundle(remote) {
      // It may lie on a stick that is not there now.
      guard try repository.commit(Self.remote) == nil else {
        throw Repository.Problem(.gone, "\(remote.quoted) is not there")
      }
      return nil
    }
    let isShallow = FileManager.default.fileExists(atPath: gitFolder + "/shallow")
    do {
      try repository.run(
        Self.patience + ["fetch", "--progress", "--no-tags", "--update-shallow", "--no-recurse-submodules"]
          // Only a whole history has the common ancestor.
          + (isShallow ? ["--unshallow"] : []) + ["origin", "+\(Self.main):\(Self.remote)"],
        reaches: true, silence: Self.silence)
    } catch {
      if error.isOfNoBranch { return nil }
      throw error
    }
    return try repository.commit(Self.remote)
  }

  /// Sends a commit to the remote, as the branch.
  /// - Parameter fetched: what was there when it was asked; nil for nothing.
  /// - Throws: ``Repository/Problem`` with `rejected` if another device pushed first, with `refused` if the remote
  ///   accepts no pushes.
  func push(_ commit: ObjectID, to remote: String, after fetched: ObjectID?) throws {
    if Self.isBundle(remote) {
      try replaceBundle(remote, with: commit, after: fetched)
    } else {
      try repository.run(
        Self.patience + ["push", "--progress", "origin", "\(commit):\(Self.main)"], reaches: true,
        silence: Self.silence)
    }
    try repository.run(["update-ref", Self.remote, commit.rawValue])
  }

  // MARK: What need not be looked at again

  private var stampFile: String { gitFolder + "/catalog-was-quiet" }

  /// Whether the catalog is unchanged since the last export that found no changes.
  func isLastSynced(_ stamp: String) -> Bool {
    FileManager.default.contents(atPath: stampFile).map { String(decoding: $0, as: UTF8.self) } == stamp
  }

  func setLastSyncedStamp(_ stamp: String) {
    _ = FileManager.default.createFile(atPath: stampFile, contents: Data(stamp.utf8))
  }
}
