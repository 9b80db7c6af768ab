internal import CatalogStore
internal import CommandLineKit
internal import FoundationEssentials
internal import Git
internal import Glibc
internal import Processes

/// The folder in which the catalog lies as a tree of text, with the repository that keeps its versions.
struct SyncTree {
  let path: String
  let repository: Repository

  /// The branch that all devices share.
  static let branch = "main"
  static let main = "refs/heads/\(branch)"
  static let remote = "refs/remotes/origin/\(branch)"
  /// What this device says, on the way to being joined; and what came of it.
  static let here = "refs/catalog/here"
  static let joined = "refs/catalog/joined"

  init(path: String) { (self.path, repository) = (path, Repository(path: path)) }

  var exists: Bool { FileManager.default.fileExists(atPath: path + "/.git") }

  /// Whether it is ours, and may be removed: a repository of git's with the document that says what it is. No link is followed.
  var isOurs: Bool {
    guard FileKind(of: path) == .folder, [.folder, .file].contains(FileKind(of: path + "/.git")),
      FileKind(of: path + "/catalog.json") == .file,
      let bytes = try? WholeFile.read(path + "/catalog.json", atMost: 1 << 16)
    else { return false }
    return (try? DocumentReader.read(bytes))?["catalog"] != nil
  }

  /// Makes the folder and an empty repository in it.
  func make() throws {
    try Repository.run(["init", "--quiet", "--initial-branch=\(Self.branch)", "--", path])
    for (name, value) in [
      // Nothing of what comes is a link, whatever it says, and every device has the same bytes.
      ("core.symlinks", "false"), ("core.autocrlf", "false"), ("core.quotePath", "false"),
      ("merge.catalog.name", "catalog sync"), ("merge.catalog.driver", "catalog sync join %O %A %B"),
    ] { try repository.run(["config", name, value]) }
  }

  // MARK: The remote

  /// Where the others are; nil when there is no such place.
  var remoteURL: String? {
    get throws { try repository.value(["config", "--get", "remote.origin.url"]) }
  }

  /// Where the others are, as it may be shown: without what would let somebody else in there. Nil for nowhere, or when nobody can tell.
  var shownRemote: String? {
    guard let line = (try? remoteURL) ?? nil, !line.isEmpty else { return nil }
    return RemoteAddress.redacted(line)
  }

  /// How many of its changes the remote was never seen to have; nil when nobody can tell.
  var unpushed: Int? {
    let words = ["rev-list", "--count", "--branches", "--not", "--remotes"]
    return ((try? repository.value(words)) ?? nil).flatMap { Int($0) }
  }

  func setRemote(_ url: String) throws {
    if try remoteURL != nil { try repository.run(["remote", "remove", "origin"]) }
    try repository.run(["remote", "add", "--", "origin", url])
  }

  /// Whether a remote is a file in which a whole history travels (git-bundle(1)).
  private static func isBundle(_ remote: String) -> Bool { remote.hasSuffix(".bundle") }

  /// A transfer in which nothing moves for a minute is over.
  private static let patience = ["-c", "http.lowSpeedLimit=1", "-c", "http.lowSpeedTime=60"]
  /// For how many seconds nothing may be heard, where a person may have to find a password first.
  static let silence = 300.0

  /// Gets what the others have sent to the remote.
  /// - Returns: their commit; nil when nobody has sent anything yet.
  func fetch(from remote: String) throws -> ObjectID? {
    if Self.isBundle(remote), !FileManager.default.fileExists(atPath: remote) { return nil }
    let isShallow = FileManager.default.fileExists(atPath: path + "/.git/shallow")
    do {
      try repository.run(
        Self.patience + ["fetch", "--progress", "--no-tags", "--update-shallow"]
          // What both come from is known only where history is whole.
          + (isShallow ? ["--unshallow"] : []) + ["origin", "+\(Self.main):\(Self.remote)"],
        silence: Self.silence)
    } catch {
      if error.isOfNoBranch { return nil }
      throw error
    }
    return try repository.commit(Self.remote)
  }

  /// Sends the branch to the remote.
  /// - Throws: ``Repository/Problem`` with `rejected` when somebody was faster, with `refused` when nobody's is taken.
  func push(to remote: String) throws {
    if Self.isBundle(remote) {
      let draft = remote + ".new"
      try repository.run(["bundle", "create", "--quiet", draft, Self.main])
      guard rename(draft, remote) == 0 else { throw SystemError(errno, "write \(remote.quoted)") }
    } else {
      try repository.run(
        Self.patience + ["push", "--progress", "origin", "\(Self.main):\(Self.main)"], silence: Self.silence)
    }
    try repository.run(["update-ref", Self.remote, Self.main])
  }

  // MARK: What need not be looked at again

  private var quiet: String { path + "/.git/catalog-was-quiet" }

  /// Whether nobody has written to the catalog since it said nothing new.
  func isQuiet(_ stamp: String) -> Bool {
    FileManager.default.contents(atPath: quiet).map { String(decoding: $0, as: UTF8.self) } == stamp
  }

  func setQuiet(_ stamp: String) { _ = FileManager.default.createFile(atPath: quiet, contents: Data(stamp.utf8)) }

  // MARK: The files

  /// Stands while the files are being made those of a commit: what is otherwise then is nobody's edit.
  private var mark: String { path + "/.git/catalog-is-writing" }

  /// Makes the branch, and the files, those of a commit.
  func checkOut(_ commit: ObjectID) throws {
    _ = FileManager.default.createFile(atPath: mark, contents: nil)
    try repository.run(["update-ref", Self.main, commit.rawValue])
    try repository.run(["reset", "--hard", "--quiet", commit.rawValue])
    unlink(mark)
  }

  /// What a person changed in the files since, as a commit of its own; what was left half written is written again.
  func commitEdits() throws {
    guard try repository.commit(Self.main) != nil else { return }
    if FileManager.default.fileExists(atPath: mark) {
      // Git was ended in the middle: its lock has no owner any more.
      unlink(path + "/.git/index.lock")
      try repository.run(["reset", "--hard", "--quiet", Self.main])
      unlink(mark)
    }
    guard try !repository.run(["status", "--porcelain", "-z"]).isEmpty else { return }
    try repository.run(["add", "--all"])
    try repository.run(["commit", "--quiet", "--message", "edited by hand"])
  }
}
