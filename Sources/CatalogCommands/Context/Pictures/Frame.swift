internal import CommandLineKit

/// Text in a frame, such as a cover on a shelf or a comment card.
struct Frame {
  /// A line of text, with optional text at its right end.
  struct Line {
    var text: String
    var style: Style
    var right: String
    var rightStyle: Style

    init(_ text: String = "", style: Style = .plain, right: String = "", rightStyle: Style = .plain) {
      (self.text, self.style, self.right, self.rightStyle) = (text, style, right, rightStyle)
    }
  }

  /// A drawing in the frame. Its cells are left blank when the terminal draws the picture itself.
  struct Art {
    /// At most `height` lines of at most `width` cells, with colours, safe for a terminal.
    var lines: [String]
    var width: Int
    var height: Int
    /// Whether the drawing is above the text; at its left by default.
    var isAbove = false

    /// A line of exactly `width` cells, with the drawing in its middle.
    func line(_ number: Int) -> String {
      guard lines.indices.contains(number) else { return String(repeating: " ", count: width) }
      let line = lines[number]
      // Everything outside a colour sequence is a character of one cell.
      var cells = 0
      var isSequence = false
      for character in line.unicodeScalars {
        if character == "\u{1B}" {
          isSequence = true
        } else if isSequence {
          isSequence = character != "m"
        } else {
          cells += 1
        }
      }
      let margin = max(0, width - cells)
      let (before, after) = (
        String(repeating: " ", count: margin / 2), String(repeating: " ", count: margin - margin / 2)
      )
      return before + line + (cells < line.unicodeScalars.count ? "\u{1B}[0m" : "") + after
    }
  }

  /// The text at the left of the upper edge.
  var heading: String
  /// The text at the right of the upper edge, drawn if it fits.
  var corner = ""
  var lines: [Line]
  var art: Art?
  /// Whether the frame is highlighted.
  var isChosen = false

  /// The number of lines inside the frame.
  var height: Int {
    guard let art else { return lines.count }
    return art.isAbove ? art.height + lines.count : max(art.height, lines.count)
  }

  /// The frame as lines of exactly `width` cells. Long texts are cut; they must be safe for a terminal already.
  func drawn(width: Int, on terminal: Terminal) -> [String] {
    let edges =
      terminal.usesUnicode ? isChosen ? Edges.heavy : .round : isChosen ? .heavyASCII : .ascii
    let style = isChosen ? Style(.cyan, isBold: true) : .plain
    let inner = max(1, width - 4)
    let heading = " \(heading.truncated(to: max(1, inner - 2))) "
    let room = width - 3 - heading.cellWidth
    let corner = corner.isEmpty || room < corner.cellWidth + 4 ? "" : " \(corner) \(edges.horizontal)"
    let upper = edges.horizontal + heading + repeated(edges.horizontal, max(0, room - corner.cellWidth)) + corner
    let side = style(edges.vertical, on: terminal)
    return [style(edges.topLeft + upper + edges.topRight, on: terminal)]
      + rows(width: inner, on: terminal).map { "\(side) \($0) \(side)" }
      + [
        style(
          edges.bottomLeft + repeated(edges.horizontal, max(0, width - 2)) + edges.bottomRight, on: terminal)
      ]
  }

  /// The lines between the sides, each of exactly `width` cells.
  private func rows(width: Int, on terminal: Terminal) -> [String] {
    func row(_ line: Line, width: Int) -> String {
      let right = line.right.truncated(to: width)
      let room = right.isEmpty ? width : max(0, width - right.cellWidth - 1)
      let left = line.text.truncated(to: room)
      let gap = repeated(" ", max(0, width - left.cellWidth - right.cellWidth))
      return "\(line.style(left, on: terminal))\(gap)\(line.rightStyle(right, on: terminal))"
    }
    guard let art, art.width <= width else { return lines.map { row($0, width: width) } }
    if art.isAbove {
      let margin = width - art.width
      let (before, after) = (repeated(" ", margin / 2), repeated(" ", margin - margin / 2))
      return (0..<art.height).map { before + art.line($0) + after } + lines.map { row($0, width: width) }
    }
    let room = max(1, width - art.width - 2)
    return (0..<max(art.height, lines.count)).map { number in
      art.line(number) + "  " + row(lines.indices.contains(number) ? lines[number] : Line(), width: room)
    }
  }

  private func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

  private struct Edges {
    var topLeft, topRight, bottomLeft, bottomRight, horizontal, vertical: String

    static let round = Edges(
      topLeft: "╭", topRight: "╮", bottomLeft: "╰", bottomRight: "╯", horizontal: "─", vertical: "│")
    static let heavy = Edges(
      topLeft: "┏", topRight: "┓", bottomLeft: "┗", bottomRight: "┛", horizontal: "━", vertical: "┃")
    static let ascii = Edges(
      topLeft: "+", topRight: "+", bottomLeft: "+", bottomRight: "+", horizontal: "-", vertical: "|")
    static let heavyASCII = Edges(
      topLeft: "#", topRight: "#", bottomLeft: "#", bottomRight: "#", horizontal: "=", vertical: "#")
  }
}
