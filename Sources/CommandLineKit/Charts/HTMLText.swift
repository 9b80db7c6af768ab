/// Words of a page. What is interpolated comes from elsewhere: it is shown as text, whatever it holds, and a name written
/// from right to left does not turn what stands around it.
///
///     let words: HTMLText = "Most of all \(genre.name): \(genre.items) items, see \(code: "catalog list genre:jazz")"
public struct HTMLText: Hashable, Sendable, ExpressibleByStringInterpolation {
  fileprivate enum Piece: Hashable, Sendable {
    case words(String)
    case foreign(String)
    case strong(String)
    case code(String)
  }

  private var pieces: [Piece]

  /// The program's own words.
  public init(stringLiteral words: String) { pieces = [.words(words)] }

  public init(stringInterpolation: StringInterpolation) { pieces = stringInterpolation.pieces }

  /// Words that the program made.
  public init(_ words: String) { pieces = [.words(words)] }

  /// Words of a page, which is in English.
  public init(english message: Message) { self.init(message.text(in: nil)) }

  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var pieces: [Piece] = []

    public init(literalCapacity: Int, interpolationCount: Int) {}

    public mutating func appendLiteral(_ words: String) { if !words.isEmpty { pieces.append(.words(words)) } }
    public mutating func appendInterpolation(_ text: String) { pieces.append(.foreign(text)) }
    public mutating func appendInterpolation(_ number: Int) { pieces.append(.words(String(number))) }
    /// What matters most.
    public mutating func appendInterpolation(strong text: String) { pieces.append(.strong(text)) }
    /// What one types.
    public mutating func appendInterpolation(code text: String) { pieces.append(.code(text)) }
    public mutating func appendInterpolation(_ text: HTMLText) { pieces += text.pieces }
  }

  func write(to markup: inout Markup) {
    for piece in pieces {
      switch piece {
      case .words(let text): markup.append(text)
      case .foreign(let text): markup.element("bdi", text: text)
      case .strong(let text): markup.element("strong") { $0.element("bdi", text: text) }
      case .code(let text): markup.element("code", text: text)
      }
    }
  }
}
