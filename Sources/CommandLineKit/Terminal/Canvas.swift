/// The contents of the terminal's screen, and the bytes that change them.
struct Canvas {
  /// The frame drawn last; nil when the contents are unknown.
  private var shown: Screen.Frame?

  /// Forces a full redraw.
  mutating func forget() { shown = nil }

  /// The bytes that show `frame` on a screen of this size, in a single write. Nothing wraps or scrolls.
  mutating func bytes(for frame: Screen.Frame, size: Screen.Size) -> [UInt8] {
    var frame = frame
    frame.lines = Array(frame.lines.prefix(max(0, size.lines)))
    guard frame != shown else { return [] }
    // A picture does not belong to lines, so only clearing the screen removes it.
    let isNew = shown?.pixels.allSatisfy(frame.pixels.contains) != true
    let before = isNew ? [] : shown?.lines ?? []
    var text = Text()
    // Hide the cursor while drawing.
    text.add("\u{1B}[?25l")
    if isNew { text.add("\u{1B}[0m\u{1B}[2J") }
    var drawn: Set<Int> = []
    for number in 0..<max(frame.lines.count, before.count) {
      let line = number < frame.lines.count ? frame.lines[number] : ""
      guard line != (number < before.count ? before[number] : "") else { continue }
      drawn.insert(number)
      text.move(to: Screen.Place(column: 0, line: number))
      // Cleared before writing, because after a full line the cursor is on its last cell.
      text.add("\u{1B}[0m\u{1B}[K")
      text.add(line: line)
      text.add("\u{1B}[0m")
    }
    let pictures = isNew ? [] : shown?.pixels ?? []
    for pixels in frame.pixels where pixels.place.line < size.lines {
      // A line that was drawn has taken its part of a picture away.
      guard !pictures.contains(pixels) || drawn.contains(where: pixels.covers) else { continue }
      text.move(to: pixels.place)
      text.bytes += pixels.bytes.last == UInt8(ascii: "\n") ? pixels.bytes.dropLast() : pixels.bytes[...]
    }
    if let cursor = frame.cursor, cursor.line < size.lines, cursor.column < size.columns {
      text.move(to: cursor)
      text.add("\u{1B}[?25h")
    }
    shown = frame
    return text.bytes
  }

  private struct Text {
    var bytes: [UInt8] = []

    mutating func add(_ text: String) { bytes += text.utf8 }

    /// Letters and styles. A line end or the like in it would move the rest.
    mutating func add(line: String) {
      bytes += line.utf8.lazy.filter { $0 >= 0x20 && $0 != 0x7F || $0 == 0x1B }
    }

    mutating func move(to place: Screen.Place) { add("\u{1B}[\(place.line + 1);\(place.column + 1)H") }
  }
}

extension Screen.Pixels {
  fileprivate func covers(line: Int) -> Bool { line >= place.line && line - place.line < height }
}
