/// Words with places for arguments: `%@` for the next, `%2$@` for the second, `%%` for a percent sign. In a translation
/// `%@{을/를}` is an argument and the particle that fits it, `'%@'{을/를}` the same in quotes.
struct MessageFormat {
  private let format: String
  private let isTranslated: Bool

  init(_ format: String, isTranslated: Bool) { (self.format, self.isTranslated) = (format, isTranslated) }

  func text(_ arguments: [Message.Argument], in translation: Translation?) -> String {
    guard format.utf8.contains(UInt8(ascii: "%")) else { return format }
    var text = ""
    text.reserveCapacity(format.utf8.count + 16 * arguments.count)
    walk(arguments, in: translation) { words, _ in text += words }
    return text
  }

  func pieces(_ arguments: [Message.Argument], in translation: Translation?) -> [Message.Piece] {
    var pieces: [Message.Piece] = []
    walk(arguments, in: translation) { words, argument in
      switch argument {
      case .text: pieces.append(.foreign(words))
      case .code: pieces.append(.code(words))
      case .message(let message): pieces += message.pieces(in: translation)
      case .number, nil: if !words.isEmpty { pieces.append(.words(words)) }
      }
    }
    return pieces
  }

  /// Passes on the fixed texts between the arguments, and each argument with its text.
  private func walk(
    _ arguments: [Message.Argument], in translation: Translation?,
    _ take: (_ words: String, _ argument: Message.Argument?) -> Void
  ) {
    var next = 0
    var rest = format[...]
    func skip(_ count: Int) { rest = rest[rest.utf8.index(rest.startIndex, offsetBy: count)...] }
    while let percent = rest.utf8.firstIndex(of: UInt8(ascii: "%")) {
      // As a String: appending a Substring looks conformances up.
      take(String(rest[..<percent]), nil)
      rest = rest[rest.utf8.index(after: percent)...]
      // On bytes: every page in English is made so, too.
      var bytes = rest.utf8.makeIterator()
      switch bytes.next() {
      case UInt8(ascii: "@"): skip(1)
      case let digit? where UInt8(ascii: "1")...UInt8(ascii: "9") ~= digit:
        guard bytes.next() == UInt8(ascii: "$"), bytes.next() == UInt8(ascii: "@") else {
          take("%", nil)
          continue
        }
        next = Int(digit - UInt8(ascii: "1"))
        skip(3)
      case UInt8(ascii: "%"):
        take("%", nil)
        skip(1)
        continue
      default:
        take("%", nil)
        continue
      }
      let argument = arguments.indices.contains(next) ? arguments[next] : nil
      let words = argument?.text(in: translation, isTranslated: isTranslated) ?? ""
      take(words, argument)
      next += 1
      // A closing quote may be between a word and its particle.
      if isTranslated, let mark = rest.first, "'’”」)".contains(mark), rest.dropFirst().first == "{" {
        take(String(mark), nil)
        rest = rest.dropFirst()
      }
      if isTranslated, let particles = Particles(at: &rest) { take(particles.fitting(words), nil) }
    }
    take(String(rest), nil)
  }
}
