internal import CommandLineKit

/// The first of many lines, and their number. A file may have a hundred thousand lines, so no more are kept.
struct FirstLines {
  /// The most lines that are kept.
  static let most = 20

  private(set) var lines: [String] = []
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }
  /// Whether further lines are only counted.
  var isFull: Bool { lines.count == Self.most }

  mutating func append(_ line: @autoclosure () -> String) {
    count += 1
    if !isFull { lines.append(line()) }
  }

  static func + (first: FirstLines, then: FirstLines) -> FirstLines {
    var both = first
    for line in then.lines { both.append(line) }
    both.count = first.count + then.count
    return both
  }

  /// The first lines, and the number of the others.
  func shortened(to most: Int = most, in context: Context) -> [String] {
    context.shortened(lines, of: count, to: most)
  }
}
