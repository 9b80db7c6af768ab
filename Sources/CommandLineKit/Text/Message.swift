/// Words of the program for a person, to be said in their language.
///
/// A literal is one. Its English text, with `%@` in the place of what varies, is what a translation has it under:
///
///     let message: Message = "there is no item \(id)"
///     message.text(in: nil)      // there is no item 42
///     message.text(in: korean)   // 42번 항목이 없습니다
///
/// An argument may be a message itself, which is said in the same language. Two messages are equal when they say the same in
/// English.
public struct Message: Sendable, ExpressibleByStringInterpolation {
  private let content: Content

  private enum Content: Sendable {
    /// Text from elsewhere, or in no language.
    case verbatim(String)
    case words(key: String, arguments: [Argument], context: String?)
    indirect case counted(Int, one: Message, many: Message)
    case joined([Message], separator: String)
  }

  /// What stands in the place of a `%@`.
  enum Argument: Sendable {
    case text(String)
    case message(Message)
  }

  private init(_ content: Content) { self.content = content }

  /// Text that is no words of ours: the same in every language.
  public init(verbatim text: String) { self.init(.verbatim(text)) }

  /// Words that stand elsewhere as a literal, such as the heading of a field.
  public init(words: String) { self.init(stringLiteral: words) }

  /// Words that stand elsewhere as a literal, such as `items`, behind what there is of it.
  public init(words: String, behind first: Message) {
    self.init(.words(key: "%@ " + Self.key(words), arguments: [.message(first)], context: nil))
  }

  /// Words that mean two things in English.
  /// - Parameter context: which one is meant, as translators read it.
  public init(_ message: Message, context: String) {
    guard case .words(let key, let arguments, _) = message.content else {
      self = message
      return
    }
    self.init(.words(key: key, arguments: arguments, context: context))
  }

  /// One thing or several, each language in its own way.
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
  /// The words in a language; nil is English. What the language lacks is said in English.
  public func text(in translation: Translation?) -> String {
    switch content {
    case .verbatim(let text): return text
    case .words(let key, let arguments, let context):
      let format = translation?.format(for: key, context: context)
      return MessageFormat(format ?? key).text(arguments, in: translation)
    case .counted(let number, let one, let many):
      if let translation, case .words(let key, let arguments, let context) = one.content,
        let format = translation.format(for: key, context: context, counting: number)
      {
        return MessageFormat(format).text(arguments, in: translation)
      }
      return (number == 1 ? one : many).english(in: translation)
    case .joined(let messages, let separator):
      return messages.map { $0.text(in: translation) }.joined(separator: separator)
    }
  }

  /// The words on a terminal, in the language of whoever reads it.
  public func text(on terminal: Terminal) -> String { text(in: terminal.translation) }

  /// In English, but for the arguments.
  private func english(in translation: Translation?) -> String {
    guard case .words(let key, let arguments, _) = content else { return text(in: translation) }
    return MessageFormat(key).text(arguments, in: translation)
  }

  /// Whether there is nothing to say.
  public var isEmpty: Bool {
    switch content {
    case .verbatim(let text): text.isEmpty
    case .joined(let messages, _): messages.allSatisfy(\.isEmpty)
    case .words, .counted: false
    }
  }

  /// One behind the other.
  public static func + (a: Message, b: Message) -> Message {
    a.isEmpty ? b : b.isEmpty ? a : Message(.joined([a, b], separator: ""))
  }

  public static func += (a: inout Message, b: Message) { a = a + b }

  /// The same words behind others, such as the name of what they are about.
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
  /// Words in a `String` are said in no language yet: a mistake that the compiler finds.
  @available(*, deprecated, message: "say it in a language: message.text(on: terminal)")
  public mutating func appendInterpolation(_ message: Message) { appendLiteral(message.text(in: nil)) }
}

/// Words with places for arguments: `%@` for the next, `%2$@` for the second, `%%` for a percent sign. In a translation
/// `%@{을/를}` is an argument and the particle that fits it.
struct MessageFormat {
  private let format: String

  init(_ format: String) { self.format = format }

  func text(_ arguments: [Message.Argument], in translation: Translation?) -> String {
    guard format.utf8.contains(UInt8(ascii: "%")) else { return format }
    var text = ""
    text.reserveCapacity(format.utf8.count + 16 * arguments.count)
    var next = 0
    var rest = format[...]
    while let percent = rest.utf8.firstIndex(of: UInt8(ascii: "%")) {
      text += rest[..<percent]
      rest = rest[percent...].dropFirst()
      if rest.first == "%" {
        text += "%"
        rest = rest.dropFirst()
        continue
      }
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      if let number = Int(digits), rest[digits.endIndex...].hasPrefix("$@") {
        next = number - 1
        rest = rest[digits.endIndex...].dropFirst(2)
      } else if rest.first == "@" {
        rest = rest.dropFirst()
      } else {
        text += "%"
        continue
      }
      var argument = ""
      if arguments.indices.contains(next) {
        switch arguments[next] {
        case .text(let words): argument = words
        case .message(let message): argument = message.text(in: translation)
        }
      }
      text += argument
      next += 1
      if translation != nil, let particles = Particles(at: &rest) { text += particles.fitting(argument) }
    }
    return text + rest
  }
}
