/// A translatable message of the program to its user.
///
/// It can be written as a literal. The English text, with `%@` for each value, is the key of the translation:
///
///     let message: Message = "there is no item \(id)"
///     message.text(in: nil)      // there is no item 42
///     message.text(in: korean)   // 42번 항목이 없습니다
///
/// A value may be a message itself, which is translated to the same language. Text that the user can type is marked,
/// since pages show it in another font: `"Look something up: \(code: "catalog search dune")"`. Two messages are equal
/// when their English texts are equal.
public struct Message: Sendable, ExpressibleByStringInterpolation {
  private let content: Content

  private enum Content: Sendable {
    /// Text from elsewhere, or in no language.
    case verbatim(String)
    case words(key: String, arguments: [Argument], context: String?)
    indirect case counted(Int, one: Message, many: Message)
    case joined([Message], separator: String)
  }

  /// The value of a `%@`.
  enum Argument: Sendable {
    case text(String)
    case message(Message)
    /// Text that the user can type.
    case code(String)
    /// A number of a date, padded with zeros in English.
    case number(Int, digits: Int)

    func text(in translation: Translation?, isTranslated: Bool) -> String {
      switch self {
      case .text(let text), .code(let text): return text
      case .message(let message): return message.text(in: translation)
      case .number(let number, let digits):
        let text = String(number)
        return isTranslated ? text : String(repeating: "0", count: max(0, digits - text.count)) + text
      }
    }
  }

  private init(_ content: Content) { self.content = content }

  /// Text that is no words of ours: the same in every language.
  public init(verbatim text: String) { self.init(.verbatim(text)) }

  /// A message whose text is a literal elsewhere, such as the heading of a field.
  public init(words: String) { self.init(stringLiteral: words) }

  /// A message whose text is a literal elsewhere, such as `items`, after `first`, its number.
  public init(words: String, behind first: Message) {
    self.init(.words(key: "%@ " + Self.key(words), arguments: [.message(first)], context: nil))
  }

  /// A message whose English text is ambiguous.
  /// - Parameter context: the meaning, for translators.
  public init(_ message: Message, context: String) {
    guard case .words(let key, let arguments, _) = message.content else {
      self = message
      return
    }
    self.init(.words(key: key, arguments: arguments, context: context))
  }

  /// A message with a number, in the plural form of each language.
  public init(counting number: Int, one: Message, many: Message) {
    self.init(.counted(number, one: one, many: many))
  }

  public init(stringLiteral words: String) {
    self.init(words.isEmpty ? .verbatim("") : .words(key: Self.key(words), arguments: [], context: nil))
  }

  public init(stringInterpolation: Interpolation) {
    self.init(.words(key: stringInterpolation.key, arguments: stringInterpolation.arguments, context: nil))
  }

  /// A literal with values in it.
  public struct Interpolation: StringInterpolationProtocol {
    fileprivate var key = ""
    fileprivate var arguments: [Argument] = []

    public init(literalCapacity: Int, interpolationCount: Int) {
      key.reserveCapacity(literalCapacity + 2 * interpolationCount)
    }

    public mutating func appendLiteral(_ words: String) { key += Message.key(words) }

    public mutating func appendInterpolation(_ message: Message) { append(.message(message)) }

    public mutating func appendInterpolation(_ value: some CustomStringConvertible) { append(.text(value.description)) }

    /// Text that the user can type.
    public mutating func appendInterpolation(code text: String) { append(.code(text)) }

    /// A word that is part of the sentence and not a value in it, such as the name of a field.
    public mutating func appendInterpolation(words: String) { appendLiteral(words) }

    /// A number with the given number of digits in English, as in `2026-01-05`.
    public mutating func appendInterpolation(_ number: Int, digits: Int) { append(.number(number, digits: digits)) }

    private mutating func append(_ argument: Argument) {
      key += "%@"
      arguments.append(argument)
    }
  }

  /// A percent sign would begin an argument.
  private static func key(_ words: String) -> String {
    words.utf8.contains(UInt8(ascii: "%"))
      ? words.split(separator: "%", omittingEmptySubsequences: false).joined(separator: "%%") : words
  }
}

extension Message {
  /// The text in a language; nil is English. A missing translation falls back to English.
  public func text(in translation: Translation?) -> String {
    switch content {
    case .verbatim(let text): text
    case .words(let key, let arguments, let context):
      Self.format(key, context, in: translation).text(arguments, in: translation)
    case .counted(let number, let one, let many):
      if let (format, arguments) = Self.format(counting: number, one, many, in: translation) {
        format.text(arguments, in: translation)
      } else {
        (number == 1 ? one : many).text(in: translation)
      }
    case .joined(let messages, let separator):
      messages.map { $0.text(in: translation) }.joined(separator: separator)
    }
  }

  /// A part of a message, for output that shows parts in different styles.
  package enum Piece: Hashable {
    /// The program's own words.
    case words(String)
    /// Text from outside.
    case foreign(String)
    /// Text that the user can type.
    case code(String)
  }

  /// The same as ``text(in:)``, in pieces.
  package func pieces(in translation: Translation?) -> [Piece] {
    switch content {
    case .verbatim(let text): [.foreign(text)]
    case .words(let key, let arguments, let context):
      Self.format(key, context, in: translation).pieces(arguments, in: translation)
    case .counted(let number, let one, let many):
      if let (format, arguments) = Self.format(counting: number, one, many, in: translation) {
        format.pieces(arguments, in: translation)
      } else {
        (number == 1 ? one : many).pieces(in: translation)
      }
    case .joined(let messages, let separator):
      Array(messages.map { $0.pieces(in: translation) }.joined(separator: [.words(separator)]))
    }
  }

  /// The format in a language, or in English if it has no translation.
  private static func format(_ key: String, _ context: String?, in translation: Translation?) -> MessageFormat {
    let format = translation?.format(for: key, context: context)
    return MessageFormat(format ?? key, isTranslated: format != nil)
  }

  /// The format for a number in a language, or in English if it has no translation; nil if the message is not
  /// translatable.
  private static func format(
    counting number: Int, _ one: Message, _ many: Message, in translation: Translation?
  ) -> (MessageFormat, [Argument])? {
    if let translation, case .words(let key, let arguments, let context) = one.content,
      let format = translation.format(for: key, context: context, counting: number)
    {
      return (MessageFormat(format, isTranslated: true), arguments)
    }
    guard case .words(let key, let arguments, _) = (number == 1 ? one : many).content else { return nil }
    return (MessageFormat(key, isTranslated: false), arguments)
  }

  /// The translation of a text that is a literal elsewhere. English needs no lookup.
  package static func text(of words: String, in translation: Translation?) -> String {
    translation == nil ? words : Message(words: words).text(in: translation)
  }

  public var isEmpty: Bool {
    switch content {
    case .verbatim(let text): text.isEmpty
    case .joined(let messages, _): messages.allSatisfy(\.isEmpty)
    case .words, .counted: false
    }
  }

  /// The message with another text in the place of a value: the name that the user knows a file by.
  public func replacing(_ value: String, with other: String) -> Message {
    func replaced(_ argument: Argument) -> Argument {
      switch argument {
      case .text(value): .text(other)
      case .message(let message): .message(message.replacing(value, with: other))
      case .text, .code, .number: argument
      }
    }
    switch content {
    case .verbatim(let text): return text == value ? Message(verbatim: other) : self
    case .words(let key, let arguments, let context):
      return Message(.words(key: key, arguments: arguments.map(replaced), context: context))
    case .counted(let number, let one, let many):
      return Message(
        counting: number, one: one.replacing(value, with: other), many: many.replacing(value, with: other))
    case .joined(let messages, let separator):
      return .joined(messages.map { $0.replacing(value, with: other) }, separator: separator)
    }
  }

  /// One behind the other.
  public static func + (a: Message, b: Message) -> Message {
    a.isEmpty ? b : b.isEmpty ? a : Message(.joined([a, b], separator: ""))
  }

  public static func += (a: inout Message, b: Message) { a = a + b }

  /// Messages joined by a separator, such as a subject and its description.
  fileprivate static func joined(_ messages: [Message], separator: String) -> Message {
    Message(.joined(messages, separator: separator))
  }
}

extension [Message] {
  /// All of them, with a separator between that is the same in every language.
  public func joined(separator: String = "") -> Message { .joined(self, separator: separator) }
}

extension Message: Hashable {
  public static func == (a: Message, b: Message) -> Bool { a.text(in: nil) == b.text(in: nil) }
  public func hash(into hasher: inout Hasher) { hasher.combine(text(in: nil)) }
}

extension DefaultStringInterpolation {
  /// A `String` has no language yet, so this is a mistake that the compiler reports.
  @available(*, deprecated, message: "say it in a language: message.text(on: terminal)")
  public mutating func appendInterpolation(_ message: Message) { appendLiteral(message.text(in: nil)) }
}

/// An error with a message for the user.
public protocol MessageError: Error, CustomStringConvertible {
  var message: Message { get }
}

extension MessageError {
  /// The message in English.
  public var description: String { message.text(in: nil) }
}
