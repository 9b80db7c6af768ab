/// A message from a module without translations: the English words and the values in them.
///
/// It can be written as a literal: `"invalid year '\(text)'"`. The caller converts it to a translatable message with
/// placeholders, so that a language can reorder the values. Two wordings are equal when their English texts are equal.
public struct Wording: Sendable, ExpressibleByStringInterpolation, CustomStringConvertible {
  /// A part of the message.
  public enum Part: Sendable {
    /// Fixed words.
    case words(String)
    /// A value.
    case value(String)
    /// A nested message, such as the kind of a file.
    case wording(Wording)
  }

  public let parts: [Part]

  public init(stringLiteral words: String) { parts = [.words(words)] }

  public init(stringInterpolation: Interpolation) { parts = stringInterpolation.parts }

  /// A message with a text from elsewhere, such as that of the system or SQLite.
  public init(verbatim text: String) { parts = [.value(text)] }

  /// The same with another value in the place of one: the name that a person knows a file by.
  public func replacing(_ value: String, with other: String) -> Wording {
    Wording(
      parts: parts.map { part in
        switch part {
        case .value(value): .value(other)
        case .wording(let wording): .wording(wording.replacing(value, with: other))
        case .words, .value: part
        }
      })
  }

  private init(parts: [Part]) { self.parts = parts }

  /// In English.
  public var description: String {
    var text = ""
    for part in parts {
      switch part {
      case .words(let words), .value(let words): text += words
      case .wording(let wording): text += wording.description
      }
    }
    return text
  }

  /// A literal with values in it.
  public struct Interpolation: StringInterpolationProtocol {
    fileprivate var parts: [Part] = []

    public init(literalCapacity: Int, interpolationCount: Int) { parts.reserveCapacity(2 * interpolationCount + 1) }

    public mutating func appendLiteral(_ words: String) { if !words.isEmpty { parts.append(.words(words)) } }

    public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
      parts.append(.value(value.description))
    }

    public mutating func appendInterpolation(_ wording: Wording) { parts.append(.wording(wording)) }

    /// A word of ours that the sentence is another one with, such as the name of a field.
    public mutating func appendInterpolation(words: String) { appendLiteral(words) }
  }
}

extension Wording: Hashable {
  public static func == (a: Wording, b: Wording) -> Bool { a.description == b.description }
  public func hash(into hasher: inout Hasher) { hasher.combine(description) }
}

/// An error with a message for the user.
public protocol WordedError: Error, CustomStringConvertible {
  var words: Wording { get }
}

extension WordedError {
  public var description: String { words.description }
}
