/// Amounts over time: a row of columns for each series, all on one scale, above one axis.
public struct Timeline: Chart {
  public var title: Message
  public var notes: [Message]
  /// The times, in order and evenly spaced: `2019`, `2020`, …
  public var moments: [String]
  public var series: [Series]
  public var summary: Message {
    guard let first = moments.first, let last = moments.last else { return "Nothing to show." }
    let most = series.map { series -> Message in
      let peak = zip(moments, series.amounts).filter { $1?.share(of: 1) ?? 0 > 0 }
        .max { $0.1?.value ?? 0 < $1.1?.value ?? 0 }
      guard let (moment, amount) = peak else { return "\(series.label): nothing" }
      return "\(series.label): most in \(moment), \(amount?.text ?? "")"
    }
    return "From \(first) to \(last). \(most.joined(separator: "; "))."
  }

  /// A value that changes over time.
  public struct Series: Hashable, Sendable {
    public var label: String
    /// One amount for each moment. Nil means that there is no value, and leaves the place blank.
    public var amounts: [Amount?]

    public init(_ label: String, _ amounts: [Amount?]) { (self.label, self.amounts) = (label, amounts) }
  }

  public init(_ title: Message, notes: [Message] = [], moments: [String] = [], series: [Series] = []) {
    (self.title, self.notes, self.moments, self.series) = (title, notes, moments, series)
  }

  private var greatest: Amount? { series.lazy.flatMap(\.amounts).compactMap(\.self).greatest }

  // MARK: On a terminal

  public func lines(on terminal: Terminal) -> [String] {
    guard !moments.isEmpty, !series.isEmpty else { return [] }
    let labels = series.map(\.label.sanitized)
    let labelWidth = min(labels.map(\.cellWidth).max() ?? 0, max(10, terminal.width * 3 / 10))
    let room = max(1, terminal.width - labelWidth - 2)
    let names = moments.map(\.sanitized)
    let step = max(1, min(room / moments.count, (names.map(\.cellWidth).max() ?? 1) + 1))
    // If there are too many moments, the last ones are shown.
    let places = max(0, moments.count - room / step)..<moments.count
    let greatest = greatest?.value ?? 0
    let gap = step > 2 ? 1 : 0
    var lines = zip(series, labels).map { series, label in
      let columns = places.map { place in
        let amount = series.amounts.indices.contains(place) ? series.amounts[place] : nil
        guard let amount else { return String(repeating: " ", count: step) }
        let column = Self.column(amount.share(of: greatest), usesUnicode: terminal.usesUnicode)
        return String(repeating: column, count: step - gap) + String(repeating: " ", count: gap)
      }
      return label.truncated(to: labelWidth).padded(to: labelWidth) + "  "
        + Style.cyan(columns.joined().withoutTrailingBlanks, on: terminal)
    }
    let axis = axis(names[places], step: step)
    lines.append(Style.dim(String(repeating: " ", count: labelWidth + 2) + axis, on: terminal))
    if let peak {
      lines.append(
        Style.dim(
          ("tallest: \(peak)" as Message).text(on: terminal).sanitized.truncated(to: terminal.width), on: terminal))
    }
    if places.lowerBound > 0 {
      lines.append(
        Style.dim(
          ("the last \(places.count) of \(moments.count) are shown" as Message).text(on: terminal), on: terminal))
    }
    return lines
  }

  /// A column for a share between 0 and 1, in seven steps, so that rows stay apart; a line on the ground for nothing.
  static func column(_ share: Double, usesUnicode: Bool = true) -> Character {
    let columns: [Character] =
      usesUnicode
      ? ["·", "▁", "▂", "▃", "▄", "▅", "▆", "▇"] : [".", ":", "-", "=", "+", "*", "#", "@"]
    guard share.isFinite, share > 0 else { return columns[0] }
    return columns[max(1, min(7, Int((min(share, 1) * 7).rounded())))]
  }

  /// As many of the names as have room, each where its column begins.
  private func axis(_ names: ArraySlice<String>, step: Int) -> String {
    var axis = ""
    var used = 0
    for (place, name) in names.enumerated() {
      let start = place * step
      guard start >= used else { continue }
      axis += String(repeating: " ", count: start - axis.cellWidth)
      guard start + name.cellWidth <= names.count * step else { break }
      axis += name
      used = start + name.cellWidth + 1
    }
    return axis.withoutTrailingBlanks
  }

  /// `45.0 % (Jazz, 2021)`.
  private var peak: String? {
    guard let greatest else { return nil }
    for series in series {
      for (moment, amount) in zip(moments, series.amounts) where amount == greatest {
        return "\(greatest.text) (\(series.label), \(moment))"
      }
    }
    return nil
  }

  // MARK: As a picture

  public func draw(in drawing: inout Drawing) {
    guard !moments.isEmpty, !series.isEmpty else { return }
    let rowHeight = series.count == 1 ? min(150, 50 + drawing.width * 0.1) : 38
    let small = Drawing.Size.small.pixels
    let room = drawing.width - 2 * Drawing.margin
    let labelWidth = min(
      series.map { TextWidth.pixels($0.label, size: Drawing.Size.normal.pixels) }.max() ?? 0, room * 0.34)
    let start = Drawing.margin + (labelWidth > 0 ? labelWidth + 10 : 0)
    let end = drawing.width - Drawing.margin
    let step = min((end - start) / Double(moments.count), 64)
    let gap = step > 5 ? min(step * 0.2, 6) : 0.5
    let greatest = greatest?.value ?? 0
    var saysAll = false
    for series in series {
      let ground = drawing.height + rowHeight - 2
      drawing.text(series.label, x: Drawing.margin, y: ground - 2, limit: labelWidth)
      drawing.rectangle(
        x: start, y: ground, width: step * Double(moments.count) - gap, height: 1, Palette.rule)
      // The numbers are above the columns if all of them fit.
      let texts = series.amounts.compactMap { $0?.text }
      let showsNumbers = self.series.count == 1 && texts.allSatisfy { TextWidth.pixels($0, size: small) <= step - 2 }
      for (place, amount) in series.amounts.prefix(moments.count).enumerated() {
        guard let amount, case let share = amount.share(of: greatest), share > 0 else { continue }
        let x = start + Double(place) * step
        let height = max(1, share * (rowHeight - (showsNumbers ? 22 : 8)))
        drawing.rectangle(
          x: x, y: ground - height, width: step - gap, height: height, Palette.bar,
          hint: (series.label.isEmpty ? "" : series.label + ", ") + "\(moments[place]): \(amount.text)")
        if showsNumbers {
          drawing.text(
            amount.text, x: x + (step - gap) / 2, y: ground - height - 4, Palette.faint, .small, anchor: .middle)
        }
      }
      drawing.skip(max(0, ground + 3 - drawing.height))
      saysAll = showsNumbers
    }
    let base = drawing.height + 13
    let widest = moments.map { TextWidth.pixels($0, size: small) }.max() ?? 0
    let every = max(1, Int(((widest + 8) / step).rounded(.up)))
    for (place, moment) in moments.enumerated() where place % every == 0 {
      let middle = start + (Double(place) + 0.5) * step - gap / 2
      drawing.text(
        moment, x: min(middle, end - widest / 2), y: base, Palette.faint, .small, anchor: .middle)
    }
    if let peak, !saysAll {
      drawing.skip(8)
      drawing.paragraph("Tallest: \(peak)", Palette.faint, .small)
    }
  }
}
