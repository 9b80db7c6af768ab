internal import CatalogModel
internal import Processes

/// A zip archive, read by the program `unzip`, or the folder that it was unpacked into. No member is written to disk,
/// so the paths in it are harmless.
struct ZipArchive: Sendable {
  let path: String
  /// The paths of the files in it, in order.
  let members: [String]
  /// The folder that holds all of them, which is no part of their paths.
  private let folder: String
  private let isUnpacked: Bool

  static let mostMembers = 20_000
  /// The maximum size of an unpacked member in bytes. It is never held in memory as a whole.
  static let longestMember = 1 << 30

  /// - Throws: ``ImportProblem`` if it is no archive, or if `unzip` is not installed.
  init(path: String) throws {
    self.path = path
    if NoteFolder.isFolder(path) {
      (folder, isUnpacked) = ("", true)
      members = try NoteFolder.files(in: path, most: Self.mostMembers) { _ in true }
      return
    }
    isUnpacked = false
    let source = try ByteSource(program: ["unzip", "-Z1", Self.argument(path)], package: "unzip") { status in
      guard status == .exited(0) || status == .exited(1) else { throw Self.problem(path, status) }
    }
    let list = try source.all(limit: 4 << 20)
    // A Mac adds this folder.
    let paths = String(forgiving: list).split(separator: "\n").filter { !$0.hasPrefix("__MACOSX/") }
    let top = paths.first.map { $0.prefix { $0 != "/" } + "/" } ?? ""
    let folder = top.count > 1 && paths.allSatisfy { $0.hasPrefix(top) } ? String(top) : ""
    self.folder = folder
    members = paths.map { String($0.dropFirst(folder.count)) }.filter { !$0.isEmpty }
    guard members.count <= Self.mostMembers else {
      throw ImportProblem.tooMuch("'\(path)' has more than \(Self.mostMembers) files in it")
    }
  }

  /// Unpacks a member as a stream of bytes.
  func read(_ member: String) throws -> ByteSource {
    if isUnpacked { return try ByteSource(path: "\(path)/\(member)") }
    // For unzip, names are patterns.
    let pattern = (folder + member).map { "[]*?\\".contains($0) ? "\\\($0)" : "\($0)" }.joined()
    // A wrong password, so that unzip does not ask for one.
    let words = ["unzip", "-p", "-P", "none", Self.argument(path), pattern]
    let source = try ByteSource(program: words, package: "unzip") { [path] status in
      guard status == .exited(0) || status == .exited(1) else { throw Self.problem(path, status) }
    }
    var left = Self.longestMember
    return ByteSource(read: { [path] in
      let piece = try source.next()
      left -= piece.count
      guard left > 0 else { throw ImportProblem.tooMuch("'\(member)' in '\(path)' is too large when unpacked") }
      return piece
    })
  }

  /// Whether a member can be a table or a list, by its name.
  static func isList(_ member: String) -> Bool {
    let name = member.split(separator: "/").last?.lowercased() ?? ""
    guard !name.hasPrefix("."), let dot = name.lastIndex(of: ".") else { return false }
    return ["csv", "tsv", "txt", "json", "jsonl", "ndjson", "xml", "yml", "yaml", "bib", "ris", "md"]
      .contains(name[dot...].dropFirst())
  }

  private static func argument(_ path: String) -> String { path.hasPrefix("/") ? path : "./" + path }

  private static func problem(_ path: String, _ status: ExitStatus?) -> ImportProblem {
    switch status {
    case .exited(5), .exited(82): .damaged("'\(path)' is locked with a password")
    case .exited(81): .damaged("'\(path)' is packed in a way that unzip does not know")
    default: .damaged("'\(path)' is a damaged archive")
    }
  }
}
