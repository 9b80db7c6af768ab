/// Amounts by name: a bar each, from the top down.
public struct BarChart: Chart {
  public var title: Message
  public var notes: [Message]
  public var bars: [Bar]
  public var summary: Message {
    guard !bars.isEmpty else { return "Nothing to show." }
    let named = bars.prefix(12).map { "\($0.label): \($0.amount.text)" }.joined(separator: "; ")
    let rest = bars.count - min(bars.count, 12)
    return rest > 0 ? "\(named); and \(rest) more." : "\(named)."
  }

  public struct Bar: Hashable, Sendable {
    public var label: String
    public var amount: Amount
    /// The number of ancestors; the bar is indented by as many levels.
    public var depth: Int
    /// Whether the bar is a sum of others, which is drawn fainter.
    public var isSum: Bool
    /// The query for the items behind the bar.
    public var query: String?

    public init(_ label: String, _ amount: Amount, depth: Int = 0, isSum: Bool = false, query: String? = nil) {
      (self.label, self.amount, self.depth, self.isSum, self.query) = (label, amount, depth, isSum, query)
    }
  }

  public init(_ title: Message, notes: [Message] = [], bars: [Bar] = []) {
    (self.title, self.notes, self.bars) = (title, notes, bars)
  }

  private var most: Double { bars.lazy.map(\.amount).greatest?.value ?? 0 }

  // MARK: On a terminal

  public func lines(on terminal: Terminal) -> [String] {
    let labels = bars.map { String(repeating: " ", count: 2 * min($0.depth, 8)) + $0.label.sanitized }
    let texts = bars.map(\.amount.text.sanitized)
    let textWidth = min(texts.map(\.cellWidth).max() ?? 0, terminal.width / 4)
    let labelWidth = min(labels.map(\.cellWidth).max() ?? 0, max(8, terminal.width / 2 - textWidth))
    let barWidth = min(max(1, terminal.width - labelWidth - textWidth - 4), 40)
    return bars.indices.map { place in
      let bar = bars[place]
      let drawn = terminal.bar(bar.amount.share(of: most), width: barWidth)
      let words = [
        labels[place].truncated(to: labelWidth).padded(to: labelWidth),
        texts[place].truncated(to: textWidth).padded(to: textWidth, .right),
      ].joined(separator: "  ")
      return drawn.isEmpty ? words : "\(words)  \((bar.isSum ? Style.dim : .cyan)(drawn, on: terminal))"
    }
  }

  // MARK: As a picture

  public func draw(in drawing: inout Drawing) {
    let (rowHeight, barHeight, indent) = (24.0, 16.0, 14.0)
    let room = drawing.width - 2 * Drawing.margin
    let size = Drawing.Size.normal.pixels
    let widest = bars.map { TextWidth.pixels($0.label, size: size) + indent * Double(min($0.depth, 8)) }.max() ?? 0
    let labelWidth = min(widest, room * 0.4)
    let textWidth = min(bars.map { TextWidth.pixels($0.amount.text, size: size) }.max() ?? 0, room * 0.36)
    let start = Drawing.margin + labelWidth + 10
    let longest = max(8, drawing.width - Drawing.margin - textWidth - 8 - start)
    for bar in bars {
      let (top, base) = (drawing.height, drawing.height + 17)
      let inset = indent * Double(min(bar.depth, 8))
      let length = bar.amount.share(of: most) * longest
      drawing.link(to: bar.query) { drawing in
        drawing.text(
          bar.label, x: Drawing.margin + inset, y: base, limit: max(24, labelWidth - inset),
          isStrong: bar.depth == 0 && bars.contains { $0.depth > 0 })
        if length > 0 {
          drawing.rectangle(
            x: start, y: top + (rowHeight - barHeight) / 2, width: max(1, length), height: barHeight,
            bar.isSum ? Palette.sum : Palette.bar)
        }
        drawing.text(bar.amount.text, x: start + length + 8, y: base, Palette.faint, limit: textWidth + 1)
      }
      drawing.skip(max(0, top + rowHeight - drawing.height))
    }
  }
}
