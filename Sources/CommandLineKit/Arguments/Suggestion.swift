/// Suggestions for misspelled words.
public enum Suggestion {
  /// The name closest to `word`, when it is close enough to be a slip of the fingers.
  /// - Parameter most: the number of slips at most; nil for a third of the letters.
  public static func closest(to word: String, among names: some Sequence<String>, most: Int? = nil) -> String? {
    let typed = Array(word.lowercased().unicodeScalars.prefix(40))
    guard !typed.isEmpty else { return nil }
    // The dashes of an option are no letters that could be hit by mistake.
    let tolerance = most ?? max(1, (typed.drop { $0 == "-" }.count + 1) / 3)
    var best: (name: String, distance: Int)?
    for name in names {
      let letters = Array(name.lowercased().unicodeScalars)
      guard abs(letters.count - typed.count) <= tolerance else { continue }
      let distance = distance(typed, letters)
      if distance <= tolerance, distance < best?.distance ?? .max { best = (name, distance) }
    }
    // A single letter is one edit away from every other.
    return typed.count == 1 ? nil : best?.name
  }

  /// The number of slips that a word of titles may have. A short one is too near to others.
  public static func mostSlips(inTitle word: String) -> Int {
    switch word.unicodeScalars.count {
    case ...3: 0
    case ...7: 1
    default: 2
    }
  }

  /// `; did you mean 'search'?`, or an empty message when no name is close.
  /// - Parameter before: the text before the name in the suggestion: `card ` for `card add`.
  public static func phrase(for word: String, among names: some Sequence<String>, before: String = "") -> Message {
    closest(to: word, among: names).map { "; did you mean \((before + $0).quoted)?" } ?? ""
  }

  /// The number of insertions, deletions, replacements and swaps of neighbors that turn `a` into `b`.
  private static func distance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
    guard !a.isEmpty, !b.isEmpty else { return max(a.count, b.count) }
    var beforeLast = [Int](repeating: 0, count: b.count + 1)
    var last = Array(0...b.count)
    for i in 1...a.count {
      var current = [i] + [Int](repeating: 0, count: b.count)
      for j in 1...b.count {
        let replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)
        current[j] = min(last[j] + 1, current[j - 1] + 1, replaced)
        if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
          current[j] = min(current[j], beforeLast[j - 2] + 1)
        }
      }
      (beforeLast, last) = (last, current)
    }
    return last[b.count]
  }
}
