internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import FoundationEssentials
internal import Git
internal import Glibc
internal import Processes
internal import SQLite

// The tree begins, or goes on.
extension SyncTree {
  /// The owner of what lies at the tree's path.
  enum Standing: Hashable {
    case missing
    /// A tree in the making, with nothing in it yet that anybody could lose.
    case unfinished
    case ours
    /// A repository or files that this program did not make.
    case foreign
  }

  /// The folder of the repository: `.git`, or where a file of that name leads.
  var gitFolder: String {
    let usual = path + "/.git"
    guard FileKind(of: usual) == .file, let bytes = try? AtomicFile.read(usual, atMost: 1 << 12),
      case let text = String(decoding: bytes, as: UTF8.self).trimmingBlanks, text.hasPrefix("gitdir: ")
    else { return usual }
    let target = String(text.dropFirst("gitdir: ".count))
    return target.hasPrefix("/") ? target : path + "/" + target
  }

  /// Whether there is a tree that this program made.
  var exists: Bool { standing == .ours }

  var standing: Standing {
    switch FileKind(of: path) {
    case .missing: return .missing
    case .folder: break
    case .link where FileKind(of: path + "/.git") != .missing: break
    default: return .foreign
    }
    if isOurs || hasDriver { return .ours }
    guard let names = try? AtomicFile.names(in: path) else { return .foreign }
    if names.isEmpty || names == [".git"] && GitFolder(path: path + "/.git").isEmpty { return .unfinished }
    // A clone made by hand, at another branch.
    let bytes = try? repository.run(["cat-file", "blob", "\(Self.main):catalog.json"], limit: 1 << 16)
    return bytes.map { (try? Document(parsing: $0))?["catalog"] != nil } == true ? .ours : .foreign
  }

  /// Whether it is ours, and may be removed: a repository of git's with the document that says what it is. No link is
  /// followed.
  var isOurs: Bool {
    guard FileKind(of: path) == .folder, [.folder, .file].contains(FileKind(of: path + "/.git")),
      FileKind(of: path + "/catalog.json") == .file,
      let bytes = try? AtomicFile.read(path + "/catalog.json", atMost: 1 << 16)
    else { return false }
    return (try? Document(parsing: bytes))?["catalog"] != nil
  }

  /// Whether the repository's settings are whole, by the one that is written last.
  private var hasDriver: Bool {
    guard let bytes = try? AtomicFile.read(gitFolder + "/config", atMost: 1 << 20),
      FileKind(of: gitFolder + "/HEAD") == .file
    else { return false }
    return String(decoding: bytes, as: UTF8.self).contains(Self.driver)
  }

  private static let driver = "catalog sync join %O %A %B"

  /// Makes the folder, for its owner alone, and an empty repository in it. It can end anywhere: the same call goes on.
  func make() throws {
    let code = PrivateFolder.make(path)
    guard code == 0 else { throw SystemError(code, "make the folder \(path.quoted)") }
    GitFolder(path: gitFolder).prepare(for: path)
    try Repository.runOutside(["init", "--quiet", "--template=", "--initial-branch=\(Self.branch)", "--", path])
    for (name, value) in [
      // Nothing of what comes is a link, whatever it says, and every device has the same bytes.
      ("core.symlinks", "false"), ("core.autocrlf", "false"), ("core.quotePath", "false"),
      ("merge.catalog.name", "catalog sync"), ("merge.catalog.driver", Self.driver),
    ] { try repository.run(["config", name, value]) }
  }
}

extension SyncTree {
  /// Removes what ``make()`` made, in which there is no version yet.
  /// - Parameter keepingFolder: whether the folder was there before.
  func unmake(keepingFolder: Bool) {
    guard standing == .ours || standing == .unfinished, !FileManager.default.fileExists(atPath: path + "/catalog.json"),
      FileKind(of: path + "/.git") == .folder
    else { return }
    try? FileManager.default.removeItem(atPath: path + "/.git")
    if !keepingFolder { rmdir(path) }
  }
}

/// The folder of a repository of git's, as it lies on the disk.
struct GitFolder {
  let path: String

  /// The names that git gives to what it makes in a new repository.
  private static let names: Set<String> = [
    "HEAD", "branches", "config", "description", "hooks", "info", "objects", "refs",
  ]

  /// Whether there is nothing in it that anybody could lose: no object, no reference, no remote.
  var isEmpty: Bool {
    guard FileKind(of: path) == .folder, let names = try? AtomicFile.names(in: path) else { return false }
    return names.allSatisfy { Self.names.contains($0) || $0.hasSuffix(".lock") || isProbe($0) }
      && !hasFile(in: "objects") && !hasFile(in: "refs") && !config.contains("[remote")
  }

  /// Whether it is the file `tXXXXXX` by which 'git init' learns whether there are links: empty, or a link.
  private func isProbe(_ name: String) -> Bool {
    guard name.utf8.count == 7, name.hasPrefix("t") else { return false }
    switch FileKind(of: "\(path)/\(name)") {
    case .link: return true
    case .file: return FileKind.size(of: "\(path)/\(name)") == 0
    default: return false
    }
  }

  /// Whether git takes it for a repository.
  var isWhole: Bool {
    FileKind(of: path + "/HEAD") == .file && FileKind(of: path + "/objects") == .folder
      && FileKind(of: path + "/refs") == .folder && config.contains("repositoryformatversion")
  }

  /// Makes way for 'git init', where an earlier one was ended.
  /// - Parameter tree: the folder in which its git worked.
  func prepare(for tree: String) {
    removeStaleLocks(of: tree)
    for name in (try? AtomicFile.names(in: path)) ?? [] where isProbe(name) { unlink("\(path)/\(name)") }
    // Git takes an empty one for one that is there.
    for name in ["HEAD", "config"] where FileKind(of: "\(path)/\(name)") == .file {
      if FileKind.size(of: "\(path)/\(name)") == 0 { unlink("\(path)/\(name)") }
    }
  }

  private var config: String {
    String(decoding: (try? AtomicFile.read(path + "/config", atMost: 1 << 20)) ?? [], as: UTF8.self)
  }

  /// Whether a folder of it holds a file that is no lock, at any depth.
  private func hasFile(in folder: String) -> Bool {
    let folder = "\(path)/\(folder)"
    return (try? AtomicFile.names(in: folder))?.contains { name in
      switch FileKind(of: "\(folder)/\(name)") {
      case .folder: GitFolder(path: folder).hasFile(in: name)
      default: !name.hasSuffix(".lock")
      }
    } ?? false
  }

  // MARK: Locks

  /// Removes the locks that no git holds: one that was killed leaves them, and stops all others.
  /// - Parameter tree: the folder in which the gits work that could hold them.
  /// - Returns: their paths.
  @discardableResult
  func removeStaleLocks(of tree: String) -> [String] {
    let locks = locks(in: path, depth: 0).filter { !isYoung($0) }
    guard !locks.isEmpty, !RunningGit.works(in: [tree, path]) else { return [] }
    return locks.filter { unlink($0) == 0 }
  }

  /// The files that git calls locks, but for those in its store of objects.
  private func locks(in folder: String, depth: Int) -> [String] {
    let names = (try? AtomicFile.names(in: folder)) ?? []
    return names.flatMap { name -> [String] in
      let file = "\(folder)/\(name)"
      switch FileKind(of: file) {
      case .file where name.hasSuffix(".lock"): return [file]
      case .folder where depth > 0 || name == "refs": return depth < 8 ? locks(in: file, depth: depth + 1) : []
      default: return []
      }
    }
  }

  /// Seconds for which git holds a lock at most between two calls of the system.
  private static let youth = 2

  /// Waits for a lock that was made just now.
  /// - Returns: whether it is gone.
  private func isYoung(_ lock: String) -> Bool {
    for _ in 0..<Self.youth * 20 {
      var status = stat()
      guard lstat(lock, &status) == 0 else { return true }
      if time(nil) - status.st_mtim.tv_sec > Self.youth { return false }
      usleep(50_000)
    }
    return FileKind(of: lock) == .missing
  }
}

/// The gits that run on this machine.
enum RunningGit {
  /// Whether a git may be at work in one of these folders. Where that cannot be told, it may.
  static func works(in folders: [String]) -> Bool {
    let folders = folders.map(AtomicFile.target)
    guard let names = try? AtomicFile.names(in: "/proc"), names.contains("self") else { return true }
    return names.contains { name in
      guard name.first?.isNumber == true, let bytes = try? AtomicFile.read("/proc/\(name)/comm", atMost: 64),
        bytes.starts(with: Array("git".utf8))
      else { return false }
      var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
      let count = readlink("/proc/\(name)/cwd", &buffer, Int(PATH_MAX))
      // The process has ended, or belongs to another user.
      guard count > 0 else { return errno != ENOENT && errno != ESRCH }
      let place = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
      return folders.contains { place == $0 || place.hasPrefix($0 + "/") }
    }
  }
}
