internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import FoundationEssentials
internal import Git
internal import Glibc
internal import Processes

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
    guard FileKind(of: usual) == .file, let bytes = try? WholeFile.read(usual, atMost: 1 << 12),
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
    guard let names = try? WholeFile.names(in: path) else { return .foreign }
    if names.isEmpty || names == [".git"] && GitFolder(path: path + "/.git").isEmpty { return .unfinished }
    // A clone that somebody made by hand, which stands at another branch.
    let bytes = try? repository.run(["cat-file", "blob", "\(Self.main):catalog.json"], limit: 1 << 16)
    return bytes.map { (try? DocumentReader.read($0))?["catalog"] != nil } == true ? .ours : .foreign
  }

  /// Whether it is ours, and may be removed: a repository of git's with the document that says what it is. No link is followed.
  var isOurs: Bool {
    guard FileKind(of: path) == .folder, [.folder, .file].contains(FileKind(of: path + "/.git")),
      FileKind(of: path + "/catalog.json") == .file,
      let bytes = try? WholeFile.read(path + "/catalog.json", atMost: 1 << 16)
    else { return false }
    return (try? DocumentReader.read(bytes))?["catalog"] != nil
  }

  /// Whether the repository's settings are whole, by the one that is written last.
  private var hasDriver: Bool {
    guard let bytes = try? WholeFile.read(gitFolder + "/config", atMost: 1 << 20),
      FileKind(of: gitFolder + "/HEAD") == .file
    else { return false }
    return String(decoding: bytes, as: UTF8.self).contains(Self.driver)
  }

  private static let driver = "catalog sync join %O %A %B"

  /// Makes the folder and an empty repository in it. It can end anywhere: the same call goes on.
  func make() throws {
    try Repository.runOutside(["init", "--quiet", "--template=", "--initial-branch=\(Self.branch)", "--", path])
    for (name, value) in [
      // Nothing of what comes is a link, whatever it says, and every device has the same bytes.
      ("core.symlinks", "false"), ("core.autocrlf", "false"), ("core.quotePath", "false"),
      ("merge.catalog.name", "catalog sync"), ("merge.catalog.driver", Self.driver),
    ] { try repository.run(["config", name, value]) }
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
    guard FileKind(of: path) == .folder, let names = try? WholeFile.names(in: path) else { return false }
    return names.allSatisfy { Self.names.contains($0) || $0.hasSuffix(".lock") } && !hasFile(in: "objects")
      && !hasFile(in: "refs") && !config.contains("[remote")
  }

  private var config: String {
    String(decoding: (try? WholeFile.read(path + "/config", atMost: 1 << 20)) ?? [], as: UTF8.self)
  }

  /// Whether a folder of it holds a file that is no lock, at any depth.
  private func hasFile(in folder: String) -> Bool {
    let folder = "\(path)/\(folder)"
    return (try? WholeFile.names(in: folder))?.contains { name in
      switch FileKind(of: "\(folder)/\(name)") {
      case .folder: GitFolder(path: folder).hasFile(in: name)
      default: !name.hasSuffix(".lock")
      }
    } ?? false
  }
}
