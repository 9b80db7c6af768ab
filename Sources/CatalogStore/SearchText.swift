internal import CatalogModel

/// What the search index is told, and asked, about Chinese, Japanese and Korean text.
///
/// FTS5's `unicode61` takes a run of Hangul or Han characters as one word, and its `trigram` finds nothing for words of
/// one or two syllables. So every such run is also indexed as its overlapping pieces of two characters, and Korean ones
/// as their initial consonants: `해리` is found in `해리 포터`, and so is `ㅎㄹㅍㅌ`.
enum SearchText {
  /// The overlapping two-character pieces of `text`, separated by blanks, and the last character of each run. Pieces
  /// reach over a blank, so that `해리포터` finds `해리 포터`.
  static func pieces(_ text: String) -> String {
    guard mayHoldJoined(text) else { return "" }
    var pieces: [String] = []
    var previous: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      if isJoined(scalar) {
        if let previous { pieces.append("\(previous)\(scalar)") }
        previous = scalar
      } else if scalar != " ", let last = previous {
        pieces.append("\(last)")
        previous = nil
      }
    }
    if let previous { pieces.append("\(previous)") }
    return pieces.joined(separator: " ")
  }

  /// The initial consonants of the Korean words in `text`, from each word on to the end.
  static func initials(_ text: String) -> String {
    guard mayHoldJoined(text) else { return "" }
    let words = text.unicodeScalars.split { !isJoined($0) }.compactMap { word -> String? in
      let initials = word.compactMap(initial)
      return initials.count == word.count ? String(String.UnicodeScalarView(initials)) : nil
    }
    // From each word on, so that ㅍㅌ finds 해리 포터 too.
    return words.indices.map { words[$0...].joined() }.joined(separator: " ")
  }

  /// Latin titles are the most, and are passed over fast: what is joined has a first byte of at least E3.
  private static func mayHoldJoined(_ text: String) -> Bool { text.utf8.contains { $0 >= 0xE3 } }

  /// The initial consonant of a Hangul syllable as a letter of its own (Unicode 15, chapter 3.12).
  static func initial(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    guard (0xAC00...0xD7A3).contains(scalar.value) else { return nil }
    return consonants[Int((scalar.value - 0xAC00) / 588)]
  }

  private static let consonants: [Unicode.Scalar] = [
    "ㄱ", "ㄲ", "ㄴ", "ㄷ", "ㄸ", "ㄹ", "ㅁ", "ㅂ", "ㅃ", "ㅅ", "ㅆ", "ㅇ", "ㅈ", "ㅉ", "ㅊ", "ㅋ", "ㅌ", "ㅍ", "ㅎ",
  ]

  static func isConsonant(_ scalar: Unicode.Scalar) -> Bool { (0x3131...0x314E).contains(scalar.value) }

  /// Han, kana and Hangul syllables: what is written without blanks between words, or with endings behind them.
  static func isJoined(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x3040...0x30FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0x20000...0x3FFFF: true
    default: false
    }
  }

  /// The FTS5 expression for what a person typed: every word must be there, each perhaps only begun.
  ///
  /// Nil when nothing that can be looked for is left: only punctuation.
  static func expression(for words: [String]) -> String? {
    var parts: [String] = []
    for word in words.flatMap(split) {
      let scalars = Array(word.unicodeScalars)
      if scalars.allSatisfy(isConsonant) {
        parts.append("initials : \"\(word)\"*")
      } else if scalars.contains(where: isJoined) {
        // A run of two or more is looked for by all its pieces; what else is in the word, as words.
        parts += runs(of: scalars).map { run in
          guard run.count > 1, let first = run.first, isJoined(first) else {
            return "\"\(String(String.UnicodeScalarView(run)))\"*"
          }
          let pieces = run.indices.dropLast().map { "\"\(run[$0])\(run[$0 + 1])\"" }
          return "pieces : \(pieces.count == 1 ? pieces[0] : "(" + pieces.joined(separator: " AND ") + ")")"
        }
      } else {
        parts.append("\"\(word)\"*")
      }
    }
    return parts.isEmpty ? nil : parts.joined(separator: " AND ")
  }

  /// The words that `unicode61` would see, so that quotes, stars and hyphens never reach the expression.
  private static func split(_ text: String) -> [String] {
    text.unicodeScalars.split { !isToken($0) }.map { String(String.UnicodeScalarView($0)) }
  }

  private static func isToken(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return scalar.properties.isAlphabetic || scalar.properties.numericType != nil }
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
      .letterNumber, .otherNumber, .nonspacingMark, .spacingMark, .privateUse:
      return true
    default: return false
    }
  }

  private static func runs(of scalars: [Unicode.Scalar]) -> [[Unicode.Scalar]] {
    var runs: [[Unicode.Scalar]] = []
    for scalar in scalars {
      if let last = runs.last?.last, isJoined(last) == isJoined(scalar) {
        runs[runs.count - 1].append(scalar)
      } else {
        runs.append([scalar])
      }
    }
    return runs
  }
}
