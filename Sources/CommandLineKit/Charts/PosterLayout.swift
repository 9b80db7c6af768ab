/// The positions of all parts of a poster from the top down: header, covers, sentences, chart, quote and footer.
///
/// Text comes first: it is set in the largest size that fits above the footer with minimal covers, and the covers get
/// the remaining space.
struct PosterLayout {
  private let poster: Poster
  private let width: Double
  private let height: Double
  /// The minimum gap between two parts.
  private let gap: Double
  private var parts: [Part] = []

  private static let margin = 72.0
  private static let footerHeight = 40.0

  private var isSquare: Bool { poster.shape == .square }
  /// From the left margin to the right one.
  private var room: Double { width - 2 * Self.margin }
  /// From the upper margin to the footer.
  private var space: Double { height - 2 * Self.margin - Self.footerHeight - gap }

  init(_ poster: Poster) {
    self.poster = poster
    (width, height) = poster.shape.size
    gap = poster.shape == .square ? 30 : 38
    let covers = poster.covers.isEmpty ? 0 : gap + (isSquare ? 190.0 : 230)
    let head = header
    parts = [head]
    for choice in choices {
      parts = [head] + self.text(choice)
      if height(of: parts) + covers <= space { break }
    }
    let left = space - height(of: parts) - gap
    if covers > 0, left > 60 {
      parts.insert(Part(Self.rows(of: poster.covers, in: left, width: room, most: isSquare ? 1 : 2)), at: 1)
    }
  }

  private func height(of parts: [Part]) -> Double {
    parts.reduce(0) { $0 + $1.height } + gap * Double(parts.count - 1)
  }

  // MARK: Text

  /// The amount of text and its size.
  private struct Choice {
    var sentences: Int
    var size: Double
    var quoteLines: Int
    var hasChart: Bool
  }

  /// The choices from best to worst: first as many sentences as possible, then as much of the quote, then letters as
  /// large.
  private var choices: [Choice] {
    let all = poster.sentences.count
    let counts = Array(stride(from: all, through: min(all, 2), by: -1))
    let sizes: [Double] =
      poster.covers.isEmpty ? [60, 54, 48, 42, 37, 33, 30] : isSquare ? [37, 33, 30, 27] : [42, 37, 33, 30]
    func combined(_ sizes: [Double], quoteLines: [Int], hasChart: Bool = true) -> [Choice] {
      counts.flatMap { count in
        quoteLines.flatMap { lines in
          sizes.map { Choice(sentences: count, size: $0, quoteLines: lines, hasChart: hasChart) }
        }
      }
    }
    return combined(sizes, quoteLines: [4, 3, 2]) + combined([27], quoteLines: [2])
      + combined([27], quoteLines: [2, 0], hasChart: false)
  }

  private var header: Part {
    let sizes = [100.0, 88, 76, 66, 58, 50]
    let titles = sizes.lazy.map { Block(poster.title, size: $0, isStrong: true, width: room, most: 2) }
    let topic = poster.topic.isEmpty ? [] : [Block(poster.topic, size: 26, paint: Palette.faint, width: room, most: 1)]
    let title = titles.first { $0.lines.count == 1 }
    return Part(topic + [title ?? Block(poster.title, size: 50, isStrong: true, width: room, most: 2)], gap: 6)
  }

  /// Sentences, chart and quote. On a square poster, sentences and chart are side by side.
  private func text(_ choice: Choice) -> [Part] {
    let chart = choice.hasChart ? poster.chart : nil
    let hasColumns = isSquare && chart != nil && choice.sentences > 0
    let column = hasColumns ? (room - gap) / 2 : room
    var parts: [Part] = []
    if choice.sentences > 0 {
      let sentences = poster.sentences.prefix(choice.sentences)
      parts.append(Part(sentences.map { Block($0, size: choice.size, width: column, most: 6) }, gap: choice.size * 0.4))
    }
    if let chart { parts.append(Part(chart, width: column, scale: isSquare ? 1.6 : 1.7, in: poster.translation)) }
    if hasColumns { parts = [Part(parts[0], beside: parts[1], at: column + gap)] }
    if let quote = poster.quote, choice.quoteLines > 0 {
      let (size, width) = (isSquare ? 28.0 : 31, room - 36)
      let words = Block("“\(quote.words)”", size: size, isSlanted: true, width: width, most: choice.quoteLines)
      let about = Block(quote.about, size: 24, paint: Palette.faint, width: width, most: 1)
      parts.append(Part([words, about], gap: 10).quoted)
    }
    return parts
  }

  // MARK: Covers

  /// As much of as many covers as has room, in rows that are as wide as the text where they are not too high.
  private static func rows(of covers: [Picture], in height: Double, width: Double, most: Int) -> [CoverRow] {
    var best: (rows: [CoverRow], score: Double) = ([], 0)
    for count in stride(from: 1, through: covers.count, by: 1) {
      for rowCount in 1...min(most, count) {
        let room = (height - CoverRow.gap * Double(rowCount - 1)) / Double(rowCount)
        let rows = (0..<rowCount).map { row in
          let pictures = Array(covers[count * row / rowCount..<count * (row + 1) / rowCount])
          let blank = CoverRow.gap * Double(pictures.count - 1)
          return CoverRow(
            pictures: pictures, height: min(room, (width - blank) / pictures.reduce(0) { $0 + $1.aspect }))
        }
        // Rather many than large.
        let score = rows.reduce(0) { $0 + $1.area } * Double(count) * Double(count).squareRoot().squareRoot()
        if score > best.score { best = (rows, score) }
      }
    }
    return best.rows
  }

  // MARK: Drawing

  /// Writes all of it.
  func draw(in markup: inout Markup) {
    markup.rectangle(0, 0, width, height, Palette.paper)
    // The remaining space is distributed between the parts.
    let gap = gap + min(60, max(0, space - height(of: parts)) / Double(parts.count))
    var y = Self.margin
    for part in parts {
      part.draw(Self.margin, y, &markup)
      y += part.height + gap
    }
    let bottom = height - Self.margin
    markup.rectangle(Self.margin, bottom - Self.footerHeight, room, 2, Palette.rule)
    Block(poster.footer, size: 20, paint: Palette.faint, width: room, most: 1)
      .draw(x: Self.margin, y: bottom - 26, in: &markup)
  }
}

/// A part of a poster, as wide as its text.
private struct Part {
  var height: Double
  /// Draws it with its upper left corner at `x` and `y`.
  var draw: (_ x: Double, _ y: Double, _ markup: inout Markup) -> Void

  /// Texts below each other.
  init(_ blocks: [Block], gap: Double) {
    height = blocks.reduce(-gap) { $0 + $1.height + gap }
    draw = { x, y, markup in
      var y = y
      for block in blocks {
        block.draw(x: x, y: y, in: &markup)
        y += block.height + gap
      }
    }
  }

  /// Two parts side by side.
  init(_ one: Part, beside other: Part, at offset: Double) {
    height = max(one.height, other.height)
    draw = { x, y, markup in
      one.draw(x, y, &markup)
      other.draw(x + offset, y, &markup)
    }
  }

  /// The part behind a vertical line, as a quote.
  var quoted: Part {
    var quoted = self
    quoted.draw = { x, y, markup in
      markup.rectangle(x, y + 4, 6, height - 4, Palette.bar)
      draw(x + 36, y, &markup)
    }
    return quoted
  }

  /// A chart with its title, drawn larger than on a page.
  init(_ chart: any Chart, width: Double, scale: Double, in translation: Translation?) {
    let title = Block(chart.title.text(in: translation), size: 26, paint: Palette.faint, width: width, most: 1)
    // A drawing has margins, which extend over the edges here.
    var drawing = Drawing(width: width / scale + 2 * Drawing.margin, in: translation)
    chart.draw(in: &drawing)
    let drawn = drawing
    let titleHeight = title.height + 10
    height = titleHeight + drawn.height * scale
    draw = { x, y, markup in
      title.draw(x: x, y: y, in: &markup)
      drawn.write(to: &markup, x: x - Drawing.margin * scale, y: y + titleHeight, scale: scale)
    }
  }

  init(_ rows: [CoverRow]) {
    height = rows.reduce(-CoverRow.gap) { $0 + $1.height + CoverRow.gap }
    draw = { x, y, markup in
      var y = y
      for row in rows {
        row.draw(x: x, y: y, in: &markup)
        y += row.height + CoverRow.gap
      }
    }
  }
}

/// Covers side by side, all of one height.
private struct CoverRow {
  var pictures: [Picture]
  var height: Double

  static let gap = 16.0
  var area: Double { pictures.reduce(0) { $0 + $1.aspect } * height * height }

  func draw(x: Double, y: Double, in markup: inout Markup) {
    var x = x
    for picture in pictures {
      let width = picture.aspect * height
      markup.element(
        "image",
        [
          ("href", picture.address), ("x", Drawing.number(x)), ("y", Drawing.number(y)),
          ("width", Drawing.number(width)), ("height", Drawing.number(height)),
          ("preserveAspectRatio", "xMidYMid slice"),
        ]
      ) { $0.element("title", text: picture.label) }
      markup.append(literal: "\n")
      x += width + Self.gap
    }
  }
}

/// Text in lines.
private struct Block {
  var lines: [String]
  var size: Double
  var paint: Palette.Paint
  var isStrong: Bool
  var isSlanted: Bool

  private var lineHeight: Double { size * (isStrong ? 1.12 : 1.34) }
  var height: Double { lineHeight * Double(lines.count) }

  /// The text in at most `most` lines. A cut text ends with `…` after a whole word.
  init(
    _ words: String, size: Double, paint: Palette.Paint = Palette.ink, isStrong: Bool = false, isSlanted: Bool = false,
    width: Double, most: Int
  ) {
    (self.size, self.paint, self.isStrong, self.isSlanted) = (size, paint, isStrong, isSlanted)
    // Bold letters are wider.
    let factor = isStrong ? 1.08 : 1
    let measure = { (text: String) in TextWidth.pixels(text, size: size) * factor }
    let wrapped = words.sanitized.wrapped(to: width, measuring: measure)
    lines = Array(wrapped.prefix(most))
    guard wrapped.count > most, let last = lines.popLast() else { return }
    lines.append(Self.cut(last, to: width, measure, closing: words.last == "”" ? "…”" : "…"))
  }

  private static func cut(
    _ line: String, to width: Double, _ measure: (String) -> Double, closing end: String
  ) -> String {
    var kept = line[...]
    while measure(kept + end) > width {
      // A word that fills the line by itself, or one without blanks, ends anywhere.
      guard let blank = kept.lastIndex(of: " "), blank > kept.startIndex else {
        while measure(kept + end) > width, !kept.isEmpty { kept = kept.dropLast() }
        break
      }
      kept = kept[..<blank]
    }
    while let last = kept.last, " ,;:-–—".contains(last) { kept = kept.dropLast() }
    return kept + end
  }

  func draw(x: Double, y: Double, in markup: inout Markup) {
    for (number, line) in lines.enumerated() {
      var attributes: [Markup.Attribute] = [
        ("class", paint.name), ("x", Drawing.number(x)),
        ("y", Drawing.number(y + lineHeight * Double(number) + size * (isStrong ? 0.92 : 1))),
        ("font-size", Drawing.number(size)),
      ]
      if isStrong { attributes.append(("font-weight", "700")) }
      if isSlanted { attributes.append(("font-style", "italic")) }
      markup.element("text", attributes, text: line)
      markup.append(literal: "\n")
    }
  }
}

extension Markup {
  fileprivate mutating func rectangle(
    _ x: Double, _ y: Double, _ width: Double, _ height: Double, _ paint: Palette.Paint
  ) {
    element(
      "rect",
      [
        ("class", paint.name), ("x", Drawing.number(x)), ("y", Drawing.number(y)), ("width", Drawing.number(width)),
        ("height", Drawing.number(height)),
      ])
    append(literal: "\n")
  }
}
