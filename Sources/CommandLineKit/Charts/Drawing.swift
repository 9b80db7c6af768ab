/// An SVG drawing in the making: it has a width, and grows downwards.
///
/// All lengths are pixels. Colours are classes of ``Palette``.
public struct Drawing {
  let width: Double
  /// The language of the program's words; nil is English.
  let translation: Translation?
  /// The height used so far.
  private(set) var height = 0.0
  private var markup = Markup()
  private let address: ((String) -> String)?

  /// The margin on all sides.
  static let margin = 16.0
  /// The default width, as in a file.
  static let naturalWidth = 720.0

  /// - Parameter address: the address of the items that a query selects; nil where no server answers it.
  init(width: Double, in translation: Translation?, address: ((String) -> String)? = nil) {
    (self.width, self.translation, self.address) = (width, translation, address)
  }

  /// Makes what `body` draws a link to the items that a query selects.
  mutating func link(to query: String?, _ body: (inout Drawing) -> Void) {
    let before = markup
    markup = Markup(in: translation, address: address)
    body(&self)
    let drawn = markup
    markup = before
    markup.link(to: query) { $0.append(drawn) }
  }

  /// The sizes of letters.
  enum Size {
    case small, normal, title

    var pixels: Double {
      switch self {
      case .small: 11
      case .normal: 13
      case .title: 16
      }
    }

    fileprivate var name: String? {
      switch self {
      case .small: "small"
      case .normal: nil
      case .title: "title"
      }
    }
  }

  /// Which part of a text is at its place.
  enum Anchor: String { case start, middle, end }

  // MARK: Shapes

  /// A rectangle, with words that show when one points at it.
  mutating func rectangle(
    x: Double, y: Double, width: Double, height: Double, _ paint: Palette.Paint, hint: String = ""
  ) {
    let box: [Markup.Attribute] = [
      ("class", paint.name), ("x", Self.number(x)), ("y", Self.number(y)), ("width", Self.number(width)),
      ("height", Self.number(height)),
    ]
    if hint.isEmpty {
      markup.element("rect", box)
    } else {
      markup.element("rect", box) { $0.element("title", text: hint) }
    }
    markup.append(literal: "\n")
    reach(y + height)
  }

  /// Draws text with its baseline at `y`. Text wider than `limit` is cut, and shown completely in a tooltip.
  mutating func text(
    _ words: String, x: Double, y: Double, _ paint: Palette.Paint = Palette.ink, _ size: Size = .normal,
    anchor: Anchor = .start, limit: Double = .infinity, isStrong: Bool = false, isUpright: Bool = false
  ) {
    let whole = words.sanitized
    let shown = TextWidth.cut(whole, to: limit, size: size.pixels)
    let classes = [paint.name, size.name, isStrong ? "strong" : nil].compactMap(\.self).joined(separator: " ")
    var attributes: [Markup.Attribute] = [("class", classes), ("x", Self.number(x)), ("y", Self.number(y))]
    if anchor != .start { attributes.append(("text-anchor", anchor.rawValue)) }
    if isUpright { attributes.append(("transform", "rotate(-90 \(Self.number(x)) \(Self.number(y)))")) }
    markup.element("text", attributes) { markup in
      if shown != whole { markup.element("title", text: whole) }
      markup.append(shown)
    }
    markup.append(literal: "\n")
    reach(y + 4)
  }

  /// Draws wrapped text below the drawing so far.
  mutating func paragraph(_ message: Message, _ paint: Palette.Paint, _ size: Size) {
    let perLine = Int((width - 2 * Self.margin) / (size.pixels * 0.56))
    for line in message.text(in: translation).sanitized.wrapped(to: max(20, perLine)) {
      text(line, x: Self.margin, y: height + size.pixels + 2, paint, size, limit: width - 2 * Self.margin)
    }
  }

  /// Leaves room.
  mutating func skip(_ pixels: Double) { height += pixels }

  private mutating func reach(_ y: Double) { height = max(height, y) }

  // MARK: The whole

  /// Title, chart and notes.
  mutating func drawWhole(_ chart: some Chart) {
    skip(8)
    paragraph(chart.title, Palette.ink, .title)
    skip(8)
    chart.draw(in: &self)
    if !chart.notes.isEmpty { skip(6) }
    for note in chart.notes { paragraph(note, Palette.faint, .small) }
    skip(8)
  }

  /// The drawing as a file, on paper of its own.
  func document(title: Message, summary: Message) -> String {
    var file = Markup()
    file.append(literal: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
    file.element(
      "svg",
      [
        ("xmlns", "http://www.w3.org/2000/svg"), ("class", "chart"), ("width", Self.number(width)),
        ("height", Self.number(height)), ("viewBox", viewBox), ("role", "img"),
      ]
    ) { file in
      writeWords(to: &file, title: title, summary: summary)
      file.append(style: Palette.chartStyle)
      file.append(literal: "\n")
      file.element(
        "rect", [("class", Palette.paper.name), ("width", Self.number(width)), ("height", Self.number(height))])
      file.append(literal: "\n")
      file.append(markup)
    }
    file.append(literal: "\n")
    return file.text
  }

  /// The drawing as an element of a page.
  func write(to page: inout Markup, title: Message, summary: Message, class name: StaticString) {
    page.element(
      "svg",
      [
        ("class", "chart \(name)"), ("width", Self.number(width)), ("height", Self.number(height)),
        ("viewBox", viewBox), ("role", "img"),
      ]
    ) { page in
      writeWords(to: &page, title: title, summary: summary)
      page.append(markup)
    }
    page.append(literal: "\n")
  }

  /// The drawing as a part of a larger one.
  /// - Parameter scale: with at most one decimal.
  func write(to markup: inout Markup, x: Double, y: Double, scale: Double) {
    let transform = "translate(\(Self.number(x)) \(Self.number(y))) scale(\(Self.number(scale)))"
    markup.element("g", [("class", "chart"), ("transform", transform)]) { $0.append(self.markup) }
    markup.append(literal: "\n")
  }

  private var viewBox: String { "0 0 \(Self.number(width)) \(Self.number(height))" }

  private func writeWords(to markup: inout Markup, title: Message, summary: Message) {
    markup.append(literal: "\n")
    markup.element("title", text: title.text(in: translation))
    markup.element("desc", text: summary.text(in: translation))
    markup.append(literal: "\n")
  }

  /// A length with at most one decimal.
  static func number(_ value: Double) -> String {
    guard value.isFinite, abs(value) < 1e9 else { return "0" }
    let tenths = Int((value * 10).rounded())
    let whole = "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10)"
    return tenths % 10 == 0 ? whole : "\(whole).\(abs(tenths) % 10)"
  }
}

/// The width of text in an unknown font. It assumes a rather wide one, so that text that fits here fits everywhere.
enum TextWidth {
  static func pixels(_ text: some StringProtocol, size: Double) -> Double {
    text.reduce(0) { $0 + ems($1) } * size
  }

  /// The text cut to `limit` pixels, with `…` if it was cut.
  static func cut(_ text: String, to limit: Double, size: Double) -> String {
    guard pixels(text, size: size) > limit else { return text }
    var kept = ""
    var used = size * 0.9
    for character in text {
      used += ems(character) * size
      if used > limit { break }
      kept.append(character)
    }
    while kept.last == " " { kept.removeLast() }
    return kept + "…"
  }

  private static func ems(_ character: Character) -> Double {
    switch character {
    case "i", "j", "l", "I", "|", "'", ".", ",", ":", ";", "!", " ": 0.34
    case "f", "r", "t", "(", ")", "-", "/": 0.42
    case "m", "w", "M", "W", "%", "@", "—", "…": 0.98
    case "0"..."9": 0.6
    case "a"..."z": 0.62
    case "A"..."Z": 0.74
    default: CellWidth.width(of: character) > 1 ? 1.1 : 0.7
    }
  }
}
