public import CatalogModel

/// A reason why a copy of a source cannot be built or opened, in the user's words.
public struct DumpProblem: MessageError, Hashable {
  public enum Reason: Sendable, Hashable {
    /// A file does not exist, or cannot be read.
    case missing
    /// No dump of the source has such a beginning.
    case unknown
    /// A file ends too early, or its bytes are broken.
    case damaged
    /// The copy was made by a newer version of the program, or is no copy.
    case version
    /// The disk has too little space.
    case space
    /// A program that unpacks the file is not installed.
    case lacksProgram
    /// Another process builds the same copy.
    case busy
  }

  public let reason: Reason
  public let message: Message
  /// The next step for the user.
  public let hint: Message?

  public init(_ reason: Reason, _ message: Message, hint: Message? = nil) {
    (self.reason, self.message, self.hint) = (reason, message, hint)
  }

  /// The file at a path ends before its last line or element does.
  static func cut(_ path: String) -> DumpProblem {
    DumpProblem(.damaged, "'\(path)' is cut off: it ends too early", hint: "download it again and compare its checksum")
  }
}
