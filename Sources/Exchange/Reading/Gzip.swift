internal import CatalogModel
internal import Lookup
internal import Processes

/// A file packed with gzip, or the file of an archive of tar in it. The programs `gzip` and `tar` read it; nothing of
/// it is written to disk.
enum Gzip {
  private static let mostBytes = 64 << 20

  /// The bytes that are packed; nil for another file.
  static func content(of path: String) throws -> [UInt8]? {
    guard !NoteFolder.isFolder(path), try ByteSource(path: path).beginning(2) == [0x1F, 0x8B] else { return nil }
    let file = path.hasPrefix("/") ? path : "./" + path
    let source = try output(of: ["gzip", "-dc", "--", file], "gzip", path)
    let isTar = try source.beginning(512).dropFirst(257).starts(with: "ustar".utf8)
    guard isTar else { return try source.all(limit: mostBytes) }
    let list = try output(of: ["tar", "--force-local", "-tzf", file], "tar", path).all(limit: 4 << 20)
    let members = String(forgiving: list).split(separator: "\n").map(String.init).filter { !$0.hasSuffix("/") }
    let lists = members.filter { ZipArchive.isList($0) }
    guard
      let member = lists.first(where: { $0 == "archive.json" || $0.hasSuffix("/archive.json") })
        ?? (lists.count == 1 ? lists.first : nil)
    else {
      throw ImportProblem(
        .unknown, "'\(path)' has an unknown format: \(Shape.zip(members: members).words)",
        hint: "unpack it, and import a file in it")
    }
    let words = ["tar", "--force-local", "--no-wildcards", "-xzOf", file, "--", member]
    return try output(of: words, "tar", path).all(limit: mostBytes)
  }

  private static func output(of words: [String], _ package: String, _ path: String) throws -> ByteSource {
    try ByteSource(program: words, package: package) { status in
      guard status == .exited(0) else { throw ImportProblem.damaged("'\(path)' is a damaged archive") }
    }
  }
}
