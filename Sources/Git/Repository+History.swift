/// A version of a file, or of all.
public struct Version: Sendable, Hashable {
  public var commit: ObjectID
  /// As in ISO 8601, with its zone.
  public var time: String
  /// What was told of it, in a line.
  public var subject: String
  /// What stands behind this word at the end of its message, `Device: laptop`; empty when nothing does.
  public var trailer: String
}

extension Repository {
  /// The versions of a file, the newest first.
  /// - Parameter trailer: the word whose value each has.
  public func versions(of path: String, in commit: String, trailer: String) throws(Problem) -> [Version] {
    let format = "%H%x09%cI%x09%(trailers:key=\(trailer),valueonly,separator=%x2C)%x09%s"
    return try lines(["log", "--format=\(format)", commit, "--", path]).compactMap { line in
      let words = line.split(separator: "\t", maxSplits: 3, omittingEmptySubsequences: false).map(String.init)
      guard words.count == 4 else { return nil }
      return Version(commit: ObjectID(rawValue: words[0]), time: words[1], subject: words[3], trailer: words[2])
    }
  }

  /// The last commit up to a moment; nil when all came later.
  /// - Parameter time: as git reads it: `2026-10-01 23:59:59`.
  public func commit(in branch: String, before time: String) throws(Problem) -> ObjectID? {
    try value(["rev-list", "-1", "--before=\(time)", branch]).map(ObjectID.init)
  }
}
