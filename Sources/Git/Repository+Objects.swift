internal import Processes

/// Git's name of a commit, a tree or a file.
public struct ObjectID: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public var description: String { rawValue }
  /// Git's name for a missing object.
  fileprivate var isNothing: Bool { rawValue.utf8.allSatisfy { $0 == UInt8(ascii: "0") } }
}

/// A file that differs between two trees.
public struct TreeChange: Sendable, Hashable {
  public var path: String
  /// The file before and after; nil if it is absent or no plain file. Links are not followed.
  public var old: ObjectID?
  public var new: ObjectID?
  /// Whether it is, or was, something else than a plain file.
  public var isStrange: Bool
}

extension Repository {
  /// The commit with a name; nil if there is none.
  public func commit(_ name: String) throws(Problem) -> ObjectID? {
    try value(["rev-parse", "--verify", "--quiet", "--end-of-options", name + "^{commit}"]).map(ObjectID.init)
  }

  /// A common ancestor of two commits; nil if they have none.
  public func base(of first: ObjectID, _ second: ObjectID) throws(Problem) -> ObjectID? {
    let question = ["merge-base", first.rawValue, second.rawValue]
    // The shallow history of a remote is cut off even where it continues from local commits.
    if let base = try value(["--shallow-file", ""] + question) { return ObjectID(rawValue: base) }
    return try value(question).map(ObjectID.init)
  }

  /// Calls `body` with each file that differs between two trees; without a first tree, with each file of the second.
  /// - Throws: ``Problem``, and the errors of `body`.
  public func forEachChange(
    from first: ObjectID?, to second: ObjectID, _ body: (TreeChange) throws -> Void
  ) throws {
    let from = try first ?? emptyTree()
    // ':100644 100644 OLD NEW M', then the path.
    var head: [String]?
    let words = ["diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-abbrev", from.rawValue, second.rawValue]
    try forEachPart(words, separator: 0) { part in
      guard let words = head else {
        head = String(decoding: part, as: UTF8.self).dropFirst().split(separator: " ").map(String.init)
        return
      }
      head = nil
      guard words.count == 5, let path = String(validating: part, as: UTF8.self) else { return }
      func id(_ mode: String, _ name: String) -> ObjectID? {
        let id = ObjectID(rawValue: name)
        return id.isNothing || !mode.hasPrefix("100") ? nil : id
      }
      let isStrange = words[..<2].contains { mode in !mode.hasPrefix("100") && mode != "000000" }
      try body(
        TreeChange(path: path, old: id(words[0], words[2]), new: id(words[1], words[3]), isStrange: isStrange))
    }
  }

  /// The version without files.
  public func emptyTree() throws(Problem) -> ObjectID {
    guard let id = try value(["hash-object", "-t", "tree", "/dev/null"]) else { throw Problem(.other, "no empty tree") }
    return ObjectID(rawValue: id)
  }

  /// Runs git, and calls `body` with what it writes up to each separator, while it writes.
  private func forEachPart(
    _ arguments: [String], separator: UInt8, _ body: (ArraySlice<UInt8>) throws -> Void
  ) throws {
    var program: ChildProcess
    do {
      program = try ChildProcess(["git"] + place + arguments, environment: environment())
    } catch {
      throw Problem(startingFailed: error)
    }
    defer { program.end() }
    var waiting: [UInt8] = []
    var status: ExitStatus?
    while !program.isSilent || status == nil {
      if Interrupt.isRequested { throw Problem(.ended, "") }
      ChildProcess.wait(for: [program])
      program.read()
      waiting += program.takeOutput()
      var rest = waiting[...]
      while let end = rest.firstIndex(of: separator) {
        try body(rest[..<end])
        rest = rest[(end + 1)...]
      }
      waiting = Array(rest)
      if program.isSilent { status = program.poll() }
    }
    guard status == .exited(0) else { throw Problem(String(decoding: program.error.bytes, as: UTF8.self)) }
  }
}
