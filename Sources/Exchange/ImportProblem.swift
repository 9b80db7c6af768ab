public import CatalogModel

/// Why a file cannot be read, in a person's words.
public struct ImportProblem: WordedError, Hashable {
  public enum Reason: Sendable, Hashable {
    /// It is not there, or may not be read, or is no file.
    case missing
    /// Nobody knows what it is.
    case unknown
    /// What was asked for is not to be had: a format, a column or a target of that name.
    case misuse
    /// It is cut short, or broken.
    case damaged
    /// There is more in it than can be read.
    case tooMuch
    /// A program that it takes is not installed.
    case lacksProgram(String)
  }

  public let reason: Reason
  /// What is wrong: `'x.zip' is a damaged archive`.
  public let words: Wording
  /// What to do next.
  public let hint: Wording?

  public init(_ reason: Reason, _ words: Wording, hint: Wording? = nil) {
    (self.reason, self.words, self.hint) = (reason, words, hint)
  }

  /// The same problem of a file that a person knows by another name than its path.
  public func calling(_ path: String, _ name: String) -> ImportProblem {
    ImportProblem(reason, words.replacing(path, with: name), hint: hint?.replacing(path, with: name))
  }

  static func damaged(_ words: Wording) -> ImportProblem { ImportProblem(.damaged, words) }
  static func tooMuch(_ words: Wording) -> ImportProblem { ImportProblem(.tooMuch, words) }
  static func lacks(_ program: String, package: String) -> ImportProblem {
    ImportProblem(.lacksProgram(program), "the program '\(program)' is missing", hint: "sudo apt install \(package)")
  }
}
