extension String {
  /// Whether the other text is at most `most` edits away. An edit inserts, deletes or replaces a letter, or swaps two
  /// neighbors.
  package func isWithin(_ most: Int, editsOf other: String) -> Bool {
    let (a, b) = (Array(unicodeScalars), Array(other.unicodeScalars))
    guard abs(a.count - b.count) <= most else { return false }
    var (before, last) = ([Int](), Array(0...b.count))
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var least = Swift.min(last[j] + (a[i] == b[j] ? 0 : 1), last[j + 1] + 1, row[j] + 1)
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { least = Swift.min(least, before[j - 1] + 1) }
        row.append(least)
      }
      if row.allSatisfy({ $0 > most }) { return false }
      (before, last) = (last, row)
    }
    return last.last.map { $0 <= most } ?? false
  }
}
