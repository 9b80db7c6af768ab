/// A version of a file or of the tree.
public struct Version: Sendable, Hashable {
  public var commit: ObjectID
  /// The parents: several for a merge, none for the first commit.
  public var parents: [ObjectID]
  /// The seconds since 1970.
  public var time: Int
  /// The first line of its message.
  public var subject: String
  /// The value of a trailer of its message, such as `Device: laptop`; empty if there is none.
  public var trailer: String
}

extension Repository {
  /// The versions of a file, the newest first.
  /// - Parameter trailer: the trailer whose value each version has.
  public func versions(of path: String, in commit: String, trailer: String) throws(Problem) -> [Version] {
    let format = "%H%x09%P%x09%ct%x09%(trailers:key=\(trailer),valueonly,separator=%x2C)%x09%s"
    return try lines(["log", "--format=\(format)", commit, "--", path]).compactMap { line in
      let words = line.split(separator: "\t", maxSplits: 4, omittingEmptySubsequences: false).map(String.init)
      guard words.count == 5, let time = Int(words[2]) else { return nil }
      return Version(
        commit: ObjectID(rawValue: words[0]),
        parents: words[1].split(separator: " ").map { ObjectID(rawValue: String($0)) }, time: time,
        subject: words[4], trailer: words[3])
    }
  }

  /// The last commit before a time; nil if there is none.
  /// - Parameter time: in git's form: `2026-10-01T23:59:59Z`.
  public func commit(in branch: String, before time: String) throws(Problem) -> ObjectID? {
    try value(["rev-list", "-1", "--before=\(time)", branch]).map(ObjectID.init)
  }
}
