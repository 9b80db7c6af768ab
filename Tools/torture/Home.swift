import FoundationEssentials
import Glibc
import SQLite
import TestSupport

/// A home folder of its own for a test user: filled, copied, checked, removed. It contains nothing of the real user's
/// files and environment.
struct Home: Sendable {
  let path: String

  static let catalog = ".local/share/catalog/catalog.db"
  static let configuration = ".config/catalog/config.json"
  /// The file with the name of the profile in use.
  static let choice = ".config/catalog/profile"
  /// The folder of the editor's files.
  static let temporary = "tmp"

  subscript(_ file: String) -> String { "\(path)/\(file)" }

  var environment: [String: String] {
    [
      "HOME": path, "TMPDIR": self[Self.temporary], "LANG": "C.UTF-8", "TERM": "xterm", "PAGER": "cat",
      "PATH": "/usr/local/bin:/usr/bin:/bin",
      // Sets have the same order in each run, so that the n-th system call is always the same.
      "SWIFT_DETERMINISTIC_HASHING": "1",
    ]
  }

  /// Creates the folder, empty or as a copy of another one.
  func make(from other: Home? = nil) throws {
    remove()
    if let other {
      try FileManager.default.copyItem(atPath: other.path, toPath: path)
    } else {
      try FileManager.default.createDirectory(atPath: self[Self.temporary], withIntermediateDirectories: true)
    }
  }

  func remove() { try? FileManager.default.removeItem(atPath: path) }

  func write(_ bytes: [UInt8], to file: String) throws {
    let folder = self[file].split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    guard FileManager.default.createFile(atPath: self[file], contents: Data(bytes)) else {
      throw Trouble("'\(file)' cannot be written")
    }
  }

  func bytes(of file: String) -> [UInt8] { FileManager.default.contents(atPath: self[file]).map(Array.init) ?? [] }

  /// All files but those of the cache, which may be deleted at any time.
  var files: Set<String> {
    let all = (try? FileManager.default.subpathsOfDirectory(atPath: path)) ?? []
    return Set(all.filter { mode(of: $0).map { $0 & S_IFMT == S_IFREG } == true && !$0.hasPrefix(".cache/") })
  }

  func mode(of file: String) -> mode_t? {
    var status = stat()
    return lstat(self[file], &status) == 0 ? status.st_mode : nil
  }

  /// Starts a command in it, directly or under a tracer. A catalog name such as `copy.db` is relative to the home.
  func launch(
    _ words: [String], program: String, terminal: PseudoTerminal? = nil, under tracer: [String] = [],
    adding variables: [String: String] = [:]
  ) throws -> Launch {
    let all = tracer + [program] + words.map { $0.hasSuffix(".db") ? self[$0] : $0 }
    return try Launch(
      all.dropFirst().map { Array($0.utf8) }, environment: environment.merging(variables) { $1 }, terminal: terminal,
      program: all[0])
  }

  /// Runs a command to its end.
  func run(_ words: [String], input: String = "", program: String) throws -> Outcome {
    try launch(words, program: program).finish(input: Array(input.utf8))
  }
}

/// An error of the tool itself.
struct Trouble: Error, CustomStringConvertible {
  var description: String
  init(_ description: String) { self.description = description }
}
