internal import CatalogStore
internal import Git
internal import Glibc

/// The documents of a catalog in a folder beside it, as far as whoever lists or removes it must know them.
struct LocalTree {
  var path: String

  /// Whether it is one: a repository of git's with the document that says what it is.
  var isOurs: Bool {
    guard FileKind(of: path) == .folder, [.folder, .file].contains(FileKind(of: path + "/.git")),
      FileKind(of: path + "/catalog.json") == .file,
      let bytes = try? WholeFile.read(path + "/catalog.json", atMost: 1 << 16)
    else { return false }
    return (try? DocumentReader.read(bytes))?["catalog"] != nil
  }

  /// Where its changes go, without what would let somebody else in there; nil for nowhere, or when nobody can tell.
  var remote: String? {
    guard let line = git("config", "--get", "remote.origin.url"), !line.isEmpty else { return nil }
    // In an address of the web, a name may be a key.
    for scheme in ["https://", "http://"] where line.hasPrefix(scheme) {
      let rest = line.dropFirst(scheme.count)
      let host = rest.prefix { $0 != "/" }
      if let sign = host.lastIndex(of: "@") { return scheme + rest[rest.index(after: sign)...] }
    }
    return line
  }

  /// How many of its changes the remote was never seen to have; nil when nobody can tell.
  var unpushed: Int? { git("rev-list", "--count", "--branches", "--not", "--remotes").flatMap { Int($0) } }

  /// The first line that git prints of it; nil when it fails, or is not installed.
  private func git(_ words: String...) -> String? { (try? Repository(path: path).value(words)) ?? nil }
}

/// What is at a path. A link is one, wherever it leads.
enum FileKind: Hashable {
  case missing, file, folder, link, other

  init(of path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      // What cannot be told may be there.
      self = [ENOENT, ENOTDIR].contains(errno) ? .missing : .other
      return
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: self = .file
    case S_IFDIR: self = .folder
    case S_IFLNK: self = .link
    default: self = .other
    }
  }

  /// The bytes of a file, or of all in a folder; of a link its own.
  static func size(of path: String) -> Int {
    var status = stat()
    guard lstat(path, &status) == 0 else { return 0 }
    guard status.st_mode & S_IFMT == S_IFDIR else { return Int(status.st_size) }
    let names = try? WholeFile.names(in: path)
    return (names ?? []).reduce(0) { $0 + size(of: "\(path)/\($1)") }
  }
}
