internal import CatalogModel
internal import Processes

/// A zip archive, read by the program `unzip`. Nothing of it is ever written: the names in it lead nowhere.
struct ZipArchive: Sendable {
  let path: String
  /// The files in it, in their order.
  let members: [String]

  static let mostMembers = 20_000
  /// The most that a member may hold when it is unpacked, in bytes. It is never held whole.
  static let longestMember = 1 << 30

  /// - Throws: ``ImportProblem`` for what is no archive, or when there is no `unzip`.
  init(path: String) throws {
    self.path = path
    let source = try ByteSource(program: ["unzip", "-Z1", Self.argument(path)], package: "unzip") { status in
      guard status == .exited(0) || status == .exited(1) else { throw Self.problem(path, status) }
    }
    let list = try source.all(limit: 4 << 20)
    members = String(forgiving: list).split(separator: "\n").map(String.init)
    guard members.count <= Self.mostMembers else {
      throw ImportProblem.tooMuch("'\(path)' has more than \(Self.mostMembers) files in it")
    }
  }

  /// The bytes of a file in it, unpacked piece by piece.
  func read(_ member: String) throws -> ByteSource {
    // The names are patterns for unzip.
    let pattern = member.map { "[]*?\\".contains($0) ? "\\\($0)" : "\($0)" }.joined()
    // A password that is wrong, so that nobody is asked for the right one.
    let words = ["unzip", "-p", "-P", "none", Self.argument(path), pattern]
    let source = try ByteSource(program: words, package: "unzip") { [path] status in
      guard status == .exited(0) || status == .exited(1) else { throw Self.problem(path, status) }
    }
    var left = Self.longestMember
    return ByteSource(read: { [path] in
      let piece = try source.next()
      left -= piece.count
      guard left > 0 else { throw ImportProblem.tooMuch("'\(member)' in '\(path)' grows beyond all bounds") }
      return piece
    })
  }

  private static func argument(_ path: String) -> String { path.hasPrefix("/") ? path : "./" + path }

  private static func problem(_ path: String, _ status: ExitStatus?) -> ImportProblem {
    switch status {
    case .exited(5), .exited(82): .damaged("'\(path)' is locked with a password")
    default: .damaged("'\(path)' is a damaged archive")
    }
  }
}
