internal import CommandLineKit

/// Text in a frame: a cover on a shelf, a comment card.
struct Box {
  /// A line of it, with something at its right end perhaps.
  struct Line {
    var text: String
    var style: Style
    var right: String
    var rightStyle: Style

    init(_ text: String = "", style: Style = .plain, right: String = "", rightStyle: Style = .plain) {
      (self.text, self.style, self.right, self.rightStyle) = (text, style, right, rightStyle)
    }
  }

  /// Stands in the upper edge.
  var heading: String
  var lines: [Line]

  /// The box as lines of exactly `width` cells. What is too long is cut; texts must be safe for a terminal already.
  func drawn(width: Int, on terminal: Terminal) -> [String] {
    let edges = terminal.usesUnicode ? Edges.round : .ascii
    let inner = max(1, width - 4)
    let heading = " \(heading.truncated(to: max(1, inner - 2))) "
    let upper = edges.horizontal + heading + repeated(edges.horizontal, max(0, width - 3 - heading.cellWidth))
    let middle = lines.map { line in
      let right = line.right.truncated(to: inner)
      let room = right.isEmpty ? inner : max(0, inner - right.cellWidth - 1)
      let left = line.text.truncated(to: room)
      let gap = String(repeating: " ", count: max(0, inner - left.cellWidth - right.cellWidth))
      return
        "\(edges.vertical) \(line.style(left, on: terminal))\(gap)\(line.rightStyle(right, on: terminal)) \(edges.vertical)"
    }
    return [edges.topLeft + upper + edges.topRight] + middle
      + [edges.bottomLeft + repeated(edges.horizontal, max(0, width - 2)) + edges.bottomRight]
  }

  private func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

  private struct Edges {
    var topLeft, topRight, bottomLeft, bottomRight, horizontal, vertical: String

    static let round = Edges(
      topLeft: "╭", topRight: "╮", bottomLeft: "╰", bottomRight: "╯", horizontal: "─", vertical: "│")
    static let ascii = Edges(
      topLeft: "+", topRight: "+", bottomLeft: "+", bottomRight: "+", horizontal: "-", vertical: "|")
  }
}
