/// A picture of numbers, which can be drawn to any width: on a terminal, as SVG, and as a figure of an ``HTMLPage``.
///
/// The charts are plain values: labels, and amounts with the words that people see for them.
public protocol Chart: Hashable, Sendable {
  /// The title, a few words.
  var title: Message { get set }
  /// Notes for reading the chart, one sentence each, shown below it.
  var notes: [Message] { get set }
  /// A description of the chart for screen readers.
  var summary: Message { get }
  /// The chart without title and notes, in lines that fit the terminal's width, at least 60 cells.
  func lines(on terminal: Terminal) -> [String]
  /// Draws the chart without title and notes, as wide as the drawing.
  func draw(in drawing: inout Drawing)
}

/// A number in a chart.
public struct Amount: Hashable, Sendable {
  /// The drawn value. Negative and non-finite values count as 0.
  public var value: Double
  /// The displayed text: `12`, `37.5 %`.
  public var text: String

  public init(_ value: Double, _ text: String) { (self.value, self.text) = (value, text) }

  /// An amount displayed as its number.
  public init(_ count: Int) { self.init(Double(count), String(count)) }

  /// The value as a fraction of `most`, between 0 and 1.
  func share(of most: Double) -> Double {
    guard value.isFinite, value > 0, most.isFinite, most > 0 else { return 0 }
    return min(value / most, 1)
  }
}

extension Sequence<Amount> {
  /// The amount of the greatest value above 0.
  var greatest: Amount? {
    filter { $0.value.isFinite && $0.value > 0 }.max { $0.value < $1.value }
  }
}

extension Chart {
  /// Writes title, chart and notes for a person at a terminal.
  public func write(to output: Output, terminal: Terminal) throws {
    let width = max(20, terminal.width)
    for line in title.text(on: terminal).sanitized.wrapped(to: width) {
      try output.append(Style.bold(line, on: terminal) + "\n")
    }
    for line in lines(on: terminal) { try output.append(line + "\n") }
    for line in notes.flatMap({ $0.text(on: terminal).sanitized.wrapped(to: width) }) {
      try output.append(Style.dim(line, on: terminal) + "\n")
    }
  }

  /// The chart as a standalone SVG file: 720 pixels wide, with text as text, without scripts or external resources. It
  /// adapts to a dark color scheme.
  /// - Parameter translation: the language of the chart; nil is English.
  public func svg(in translation: Translation? = nil) -> String {
    var drawing = Drawing(width: Drawing.naturalWidth, in: translation)
    drawing.drawWhole(self)
    return drawing.document(title: title, summary: summary)
  }

  /// The chart without title and notes, as an element of a page.
  func write(to markup: inout Markup, width: Double, class name: StaticString) {
    var drawing = Drawing(width: width, in: markup.translation, address: markup.address)
    draw(in: &drawing)
    drawing.write(to: &markup, title: title, summary: summary, class: name)
  }
}

extension String {
  /// The text without the blanks at its end.
  var withoutTrailingBlanks: String {
    guard let last = lastIndex(where: { $0 != " " }) else { return "" }
    return String(self[...last])
  }
}
