public import CatalogModel

/// An error that prevents reading a file, in the user's words.
public struct ImportProblem: WordedError, Hashable {
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
  public let words: Wording
  /// The next step for the user.
  public let hint: Wording?

  public init(_ reason: Reason, _ words: Wording, hint: Wording? = nil) {
    (self.reason, self.words, self.hint) = (reason, words, hint)
  }

  /// Returns the problem with another name for the file than its path.
  public func calling(_ path: String, _ name: String) -> ImportProblem {
    ImportProblem(reason, words.replacing(path, with: name), hint: hint?.replacing(path, with: name))
  }

  static func damaged(_ words: Wording) -> ImportProblem { ImportProblem(.damaged, words) }
  static func tooMuch(_ words: Wording) -> ImportProblem { ImportProblem(.tooMuch, words) }
  static func lacks(_ program: String, package: String) -> ImportProblem {
    ImportProblem(.lacksProgram(program), "the program '\(program)' is missing", hint: "sudo apt install \(package)")
  }
}
