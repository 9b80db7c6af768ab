/// The style of text on a terminal with color.
///
///     Style.bold("Alien", on: terminal)
///     Style(.green, isBold: true)("done", on: terminal)
public struct Style: Hashable, Sendable {
  /// The eight colors of every terminal, in the user's shades.
  public enum Color: UInt8, Sendable {
    /// The raw value is the number of the color in an escape sequence.
    case black = 30
    /// The others follow in the order of the standard.
    case red, green, yellow, blue, magenta, cyan, white
  }

  /// The color of the text; nil is the terminal's default.
  public var color: Color?
  /// Heavier letters.
  public var isBold: Bool
  /// Fainter letters.
  public var isDim: Bool
  /// Underlined letters.
  public var isUnderlined: Bool

  /// A style of these parts.
  public init(_ color: Color? = nil, isBold: Bool = false, isDim: Bool = false, isUnderlined: Bool = false) {
    self.color = color
    self.isBold = isBold
    self.isDim = isDim
    self.isUnderlined = isUnderlined
  }

  /// Nothing special.
  public static let plain = Style()
  /// Heavier letters.
  public static let bold = Style(isBold: true)
  /// Fainter letters.
  public static let dim = Style(isDim: true)
  /// For headings.
  public static let heading = Style(isBold: true, isUnderlined: true)
  /// Red letters.
  public static let red = Style(.red)
  /// Green letters.
  public static let green = Style(.green)
  /// Yellow letters.
  public static let yellow = Style(.yellow)
  /// Blue letters.
  public static let blue = Style(.blue)
  /// Magenta letters.
  public static let magenta = Style(.magenta)
  /// Cyan letters.
  public static let cyan = Style(.cyan)

  /// The text in this style when the terminal shows colour, and as it is when not.
  public func callAsFunction(_ text: String, on terminal: Terminal) -> String {
    guard terminal.usesColor, self != .plain, !text.isEmpty else { return text }
    return start + text + Style.end
  }

  /// The escape sequence that switches the style on; empty for `plain`.
  public var start: String {
    var codes: [String] = []
    if isBold { codes.append("1") }
    if isDim { codes.append("2") }
    if isUnderlined { codes.append("4") }
    if let color { codes.append(String(color.rawValue)) }
    return codes.isEmpty ? "" : "\u{1B}[\(codes.joined(separator: ";"))m"
  }

  /// The escape sequence back to `plain`.
  public static let end = "\u{1B}[0m"
}
