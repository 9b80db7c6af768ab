internal import CommandLineKit

/// The first of many lines, and how many they are. Nobody is shown more of them, and a file may make a hundred thousand.
struct FirstLines {
  /// So many are shown at most.
  static let most = 20

  private(set) var lines: [String] = []
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }
  /// Whether a further line is only counted.
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

  /// The first of them, and how many more there are.
  func shortened(to most: Int = most, in context: Context) -> [String] {
    context.shortened(lines, of: count, to: most)
  }
}
