public import CatalogModel

/// An error that prevents reading a file, in the user's words.
public struct ImportProblem: MessageError, Hashable {
  public enum Reason: Sendable, Hashable {
    /// The file does not exist, is unreadable, or is no regular file.
    case missing
    /// The format of the file is unknown.
    case unknown
    /// The requested format, column or target does not exist.
    case misuse
    /// The file is truncated or broken.
    case damaged
    /// The file exceeds a limit.
    case tooMuch
    /// A required program is not installed.
    case lacksProgram(String)
  }

  public let reason: Reason
  /// The error: `'x.zip' is a damaged archive`.
  public let message: Message
  /// The next step for the user.
  public let hint: Message?

  public init(_ reason: Reason, _ message: Message, hint: Message? = nil) {
    (self.reason, self.message, self.hint) = (reason, message, hint)
  }

  /// Returns the problem with another name for the file than its path.
  public func calling(_ path: String, _ name: String) -> ImportProblem {
    ImportProblem(reason, message.replacing(path, with: name), hint: hint?.replacing(path, with: name))
  }

  static func damaged(_ message: Message) -> ImportProblem { ImportProblem(.damaged, message) }
  static func tooMuch(_ message: Message) -> ImportProblem { ImportProblem(.tooMuch, message) }
  static func lacks(_ program: String, package: String) -> ImportProblem {
    ImportProblem(.lacksProgram(program), "the program '\(program)' is missing", hint: "sudo apt install \(package)")
  }
}
