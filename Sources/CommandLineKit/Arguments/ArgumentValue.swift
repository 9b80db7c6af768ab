/// A value that can be parsed from one word of the command line.
///
/// An enum of words needs no code; its cases are the choices:
///
///     enum Shell: String, CaseIterable, ArgumentValue { case bash, zsh, fish }
///
/// Any other type parses a word, and throws an error that describes the problem:
///
///     extension Rating: ArgumentValue {
///       init(argument word: String) throws { self = try Rating(parsing: word) }
///     }
public protocol ArgumentValue: Sendable {
  /// Parses a word. The description of the error is shown after the argument's name: `option '--stars': …`.
  init(argument word: String) throws

  /// The default name of the value in usage lines: `NUMBER`. Nil uses the argument's name.
  static var valueName: String? { get }

  /// The shell completion of the value.
  static var completion: CompletionKind { get }
}

extension ArgumentValue {
  /// The argument's name.
  public static var valueName: String? { nil }

  /// No completion.
  public static var completion: CompletionKind { .none }
}

extension String: ArgumentValue {
  public init(argument word: String) { self = word }
}

extension Int: ArgumentValue {
  /// A whole number in decimal digits.
  public init(argument word: String) throws {
    guard let value = Int(word) else { throw UsageError("\(word.quoted) is not a whole number") }
    self = value
  }

  /// `NUMBER`.
  public static var valueName: String? { "NUMBER" }
}

extension Double: ArgumentValue {
  /// A finite number with a decimal point.
  public init(argument word: String) throws {
    guard let value = Double(word), value.isFinite else { throw UsageError("\(word.quoted) is not a number") }
    self = value
  }

  /// `NUMBER`.
  public static var valueName: String? { "NUMBER" }
}

extension ArgumentValue where Self: RawRepresentable & CaseIterable, RawValue == String {
  /// The case with the word as its raw value.
  public init(argument word: String) throws {
    guard let value = Self(rawValue: word) else {
      let choices = Self.allCases.map(\.rawValue)
      let message: Message = "\(word.quoted) is not one of \(choices.joined(separator: ", "))"
      throw UsageError(message + Suggestion.phrase(for: word, among: choices))
    }
    self = value
  }

  public static var completion: CompletionKind { .values(allCases.map(\.rawValue)) }
}

/// The shell completion of an argument's value.
public enum CompletionKind: Hashable, Sendable {
  /// No completion: the value is free text.
  case none
  case files
  /// One of these words.
  case values([String])
  /// Words that the program looks up by this name when asked: see ``Completion/wanted``.
  case dynamic(String)
}
