internal import Processes

/// A name that git gives to what it holds: of a commit, a tree or a file.
public struct ObjectID: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public var description: String { rawValue }
  /// The name that git has for what is not there.
  fileprivate var isNothing: Bool { rawValue.utf8.allSatisfy { $0 == UInt8(ascii: "0") } }
}

/// A file that is otherwise in one tree than in another.
public struct TreeChange: Sendable, Hashable {
  public var path: String
  /// What it was and is; nil where there is none, or where it is no plain file: no link is followed.
  public var old: ObjectID?
  public var new: ObjectID?
  /// Whether it is, or was, something else than a plain file.
  public var isStrange: Bool
}

extension Repository {
  /// The commit that a name stands for; nil when there is none.
  public func commit(_ name: String) throws(Problem) -> ObjectID? {
    try value(["rev-parse", "--verify", "--quiet", "--end-of-options", name + "^{commit}"]).map(ObjectID.init)
  }

  /// A commit that both come from; nil when they have none in common.
  public func base(of first: ObjectID, _ second: ObjectID) throws(Problem) -> ObjectID? {
    let question = ["merge-base", first.rawValue, second.rawValue]
    // What a remote without its beginning has sent is cut off also where it goes on from what is here.
    if let base = try value(["--shallow-file", ""] + question) { return ObjectID(rawValue: base) }
    return try value(question).map(ObjectID.init)
  }

  /// The files that are otherwise in the second than in the first; of nothing, all files of the second.
  public func changes(from first: ObjectID?, to second: ObjectID) throws(Problem) -> [TreeChange] {
    var from = first
    if from == nil { from = try value(["hash-object", "-t", "tree", "/dev/null"]).map(ObjectID.init) }
    guard let from else { throw Problem(.other, "no empty tree") }
    let bytes = try run(
      ["diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-abbrev", from.rawValue, second.rawValue])
    var changes: [TreeChange] = []
    var parts = bytes.split(separator: 0)[...]
    // ':100644 100644 OLD NEW M', then the path.
    while let head = parts.popFirst(), let path = parts.popFirst() {
      let words = String(decoding: head, as: UTF8.self).dropFirst().split(separator: " ").map(String.init)
      guard words.count == 5, let path = String(validating: path, as: UTF8.self) else { continue }
      func id(_ mode: String, _ name: String) -> ObjectID? {
        let id = ObjectID(rawValue: name)
        return id.isNothing || !mode.hasPrefix("100") ? nil : id
      }
      let isStrange = words[..<2].contains { mode in !mode.hasPrefix("100") && mode != "000000" }
      changes.append(
        TreeChange(path: path, old: id(words[0], words[2]), new: id(words[1], words[3]), isStrange: isStrange))
    }
    return changes
  }

  /// Calls `body` with the bytes of files.
  /// - Parameter longest: a file of more bytes comes as nil.
  public func contents(
    of ids: [ObjectID], longest: Int = 64 << 20, _ body: (ObjectID, [UInt8]?) throws -> Void
  ) throws {
    var rest = ids[...]
    while !rest.isEmpty {
      let batch = rest.prefix(1_000)
      rest = rest.dropFirst(batch.count)
      // What is too large is not even asked for.
      var small: [String] = []
      for line in try lines(
        ["cat-file", "--batch-check=%(objectname) %(objectsize)"], input: Self.list(batch.map(\.rawValue)))
      {
        let words = line.split(separator: " ").map(String.init)
        guard words.count == 2, let size = Int(words[1]) else { continue }
        if size <= longest { small.append(words[0]) } else { try body(ObjectID(rawValue: words[0]), nil) }
      }
      let bytes = try run(["cat-file", "--batch=%(objectname) %(objectsize)"], input: Self.list(small))
      var place = 0
      while place < bytes.count, let end = bytes[place...].firstIndex(of: UInt8(ascii: "\n")) {
        let words = String(decoding: bytes[place..<end], as: UTF8.self).split(separator: " ").map(String.init)
        place = end + 1
        guard words.count == 2, let size = Int(words[1]), place + size <= bytes.count else { continue }
        try body(ObjectID(rawValue: words[0]), Array(bytes[place..<place + size]))
        place += size + 1
      }
    }
  }

  /// The bytes of a file; nil when it is not there, or too large.
  public func contents(of id: ObjectID) throws -> [UInt8]? {
    var found: [UInt8]?
    try contents(of: [id]) { found = $1 }
    return found
  }

  /// The files at paths in a commit, those that are there.
  public func files(_ paths: [String], in commit: ObjectID) throws -> [String: ObjectID] {
    var found: [String: ObjectID] = [:]
    for start in stride(from: 0, to: paths.count, by: 1_000) {
      let batch = Array(paths[start...].prefix(1_000))
      let lines = try lines(
        ["cat-file", "--batch-check=%(objectname)"], input: Self.list(batch.map { "\(commit):\($0)" }))
      for (path, line) in zip(batch, lines) where !line.hasSuffix(" missing") { found[path] = ObjectID(rawValue: line) }
    }
    return found
  }

  private static func list(_ lines: [String]) -> Spawn.Input { .file(Array(lines.map { $0 + "\n" }.joined().utf8)) }
}
