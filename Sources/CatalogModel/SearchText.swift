@_spi(_Unicode) import Swift

/// Prepares text for the search index and its queries, with support for Chinese, Japanese and Korean.
///
/// FTS5's `unicode61` treats a run of Hangul or Han characters as one word, and its `trigram` cannot find words of one
/// or two syllables. So every run is also indexed as overlapping pairs of characters, and Korean runs as initial
/// consonants: both `해리` and `ㅎㄹㅍㅌ` find `해리 포터`.
public enum SearchText {
  /// Returns the text to index: the words, followed by pairs and initial consonants.
  public static func indexed(_ text: String) -> String {
    // Most texts are Latin and take a fast path: the first byte of a joined character is at least E3.
    var text = Folding.narrow(text)
    let (hasJoined, mayFold) = text.withUTF8 { bytes in
      bytes.reduce((false, false)) { ($0.0 || $1 >= 0xE3, $0.1 || mayRespell($1)) }
    }
    let other = mayFold ? respelled(text) : ""
    guard hasJoined else { return other.isEmpty ? text : "\(text) \(other)" }
    let lines = text.unicodeScalars.split(separator: "\n")
    return ([text, pieces(text)] + lines.map { initials(Substring($0)) } + (other.isEmpty ? [] : [other]))
      .joined(separator: " ")
  }

  /// Returns the words with special letters or an inner apostrophe in the spelling that people type: `stanislaw` for
  /// `Stanisław`, `kikis` for `Kiki's`. The tokenizer handles only accents, and parts words at apostrophes.
  public static func respelled(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { letters.contains($0) || $0.isApostrophe }) else { return "" }
    return joinedWords(text).flatMap { parts in
      parts.filter { $0.unicodeScalars.contains(where: letters.contains) } + (parts.count > 1 ? [parts.joined()] : [])
    }.map { Folding.fold($0) }.joined(separator: " ")
  }

  private static let letters = Set("łŁøØđĐæÆœŒßẞþÞðÐħĦıёЁ".unicodeScalars)

  /// Whether a byte of UTF-8 may belong to a special letter or an apostrophe.
  private static func mayRespell(_ byte: UInt8) -> Bool {
    (0xC2...0xE2).contains(byte) || byte == UInt8(ascii: "'") || byte == UInt8(ascii: "`")
  }

  /// The words of a text, each as its parts between inner apostrophes: `["Kiki", "s"]`.
  private static func joinedWords(_ text: String) -> [[String]] {
    var words: [[String]] = []
    var part = String.UnicodeScalarView()
    var (isJoined, gap) = (false, false)
    func end() {
      guard !part.isEmpty else { return }
      if isJoined, !words.isEmpty { words[words.count - 1].append(String(part)) } else { words.append([String(part)]) }
      part = String.UnicodeScalarView()
    }
    for scalar in text._nfc {
      if isToken(scalar) {
        if part.isEmpty { (isJoined, gap) = (gap, false) }
        part.append(scalar)
      } else {
        // An apostrophe joins the words beside it, any other sign parts them.
        let isInner = scalar.isApostrophe && !part.isEmpty
        end()
        gap = isInner
      }
    }
    end()
    return words
  }

  /// Returns the overlapping pairs of characters in `text`, separated by blanks, and the last character of each run.
  /// Pairs cross blanks, so that `해리포터` finds `해리 포터`, but not line ends.
  static func pieces(_ text: String) -> String {
    var pieces = ""
    // A pair of Hangul syllables and a blank take seven bytes, and each syllable begins a pair.
    pieces.reserveCapacity(3 * text.utf8.count)
    func add(_ first: Unicode.Scalar, _ second: Unicode.Scalar? = nil) {
      if !pieces.isEmpty { pieces += " " }
      pieces.unicodeScalars.append(first)
      if let second { pieces.unicodeScalars.append(second) }
    }
    var previous: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      if scalar.isJoined {
        if let previous { add(previous, scalar) }
        previous = scalar
      } else if scalar != " ", let last = previous {
        add(last)
        previous = nil
      }
    }
    if let previous { add(previous) }
    return pieces
  }

  /// Returns the initial consonants of the Korean words in a line, once from each word to the end.
  package static func initials(_ text: Substring) -> String {
    var letters: [Unicode.Scalar] = []
    var starts: [Int] = []
    for word in text.unicodeScalars.split(whereSeparator: { !$0.isJoined }) {
      let start = letters.count
      for scalar in word {
        guard let letter = scalar.initialConsonant else {
          letters.removeLast(letters.count - start)
          break
        }
        letters.append(letter)
      }
      if letters.count > start { starts.append(start) }
    }
    // Starting at each word, so that ㅍㅌ finds 해리 포터, too.
    var initials = String.UnicodeScalarView()
    for start in starts {
      if start > 0 { initials.append(" ") }
      for letter in letters[start...] { initials.append(letter) }
    }
    return String(initials)
  }

  /// The words of an expression that match as prefixes.
  public enum Begun { case every, last, none }

  /// Returns the FTS5 expression for typed words. All words must match; `begun` selects those that match as prefixes.
  ///
  /// Nil if nothing can be searched: only punctuation.
  public static func expression(for words: [String], begun: Begun = .every) -> String? {
    let words = words.flatMap { joinedWords(Folding.narrow($0)) }
    let parts = words.enumerated().map { place, parts in
      let isBegun = begun == .every || begun == .last && place == words.count - 1
      let apart = parts.enumerated().flatMap {
        expressions(for: $1, isBegun: isBegun && ($0 == parts.count - 1 || begun == .every))
      }
      .joined(separator: " AND ")
      // A word is found with and without its apostrophe.
      return parts.count == 1
        ? apart : "((\(apart)) OR \(expressions(for: parts.joined(), isBegun: isBegun).joined(separator: " AND ")))"
    }
    return parts.isEmpty ? nil : parts.joined(separator: " AND ")
  }

  /// The expressions for one word. A run of two or more joined characters is searched by its pairs, other parts as
  /// words.
  private static func expressions(for word: String, isBegun: Bool) -> [String] {
    let star = isBegun ? "*" : ""
    let scalars = Array(word.unicodeScalars)
    guard scalars.contains(where: \.isJoined) else { return ["\"\(word)\"\(star)"] }
    return runs(of: scalars).map { run in
      guard run.count > 1, let first = run.first, first.isJoined else { return "\"\(String(scalars: run))\"\(star)" }
      return run.indices.dropLast().map { "\"\(run[$0])\(run[$0 + 1])\"" }.joined(separator: " AND ")
    }
  }

  /// A text in the form in which fields compare it: ``Folding/fold(_:)`` without apostrophes, with blanks for hyphens.
  /// `Guns N’ Roses` has `guns n roses`, and `Spider-Man` has `spider man`. Signs alone stay.
  public static func comparable(_ text: String) -> String {
    let folded = Folding.fold(text)
    guard folded.utf8.contains(where: { $0 == UInt8(ascii: "'") || $0 == UInt8(ascii: "-") }) else { return folded }
    let plain = folded.utf8.compactMap { byte in
      byte == UInt8(ascii: "'") ? nil : byte == UInt8(ascii: "-") ? UInt8(ascii: " ") : byte
    }
    return plain.contains { $0 != UInt8(ascii: " ") } ? String(decoding: plain, as: UTF8.self) : folded
  }

  /// Whether `part` occurs in `text` at the start of a word: as in ``expression(for:begun:)``, but contiguous.
  public static func hasWords(_ text: String, _ part: String) -> Bool {
    let (text, part) = (Array(text.unicodeScalars), Array(part.unicodeScalars))
    guard let first = part.first else { return true }
    guard part.count <= text.count else { return false }
    return (0...text.count - part.count).contains { start in
      guard text[start] == first, text[start..<start + part.count].elementsEqual(part) else { return false }
      // Every joined character may begin a word.
      return start == 0 || !isToken(text[start - 1]) || !isToken(first) || first.isJoined || text[start - 1].isJoined
    }
  }

  /// Returns the words as `unicode61` sees them, so that quotes, stars and hyphens never reach the expression.
  public static func words(_ text: String) -> [String] {
    // Stored text is composed, so a mark that stays separate after composing occurs in no title.
    Array(text._nfc).split { !isToken($0) }.map { String(scalars: $0) }
  }

  private static func isToken(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return scalar.properties.isAlphabetic || scalar.properties.numericType != nil }
    // Letters newer than the tables of SQLite's tokenizer are no letters to it.
    guard let age = scalar.properties.age, (age.major, age.minor) <= (6, 1), !(0x19B0...0x19C9).contains(scalar.value),
      !(0x1CF2...0x1CF3).contains(scalar.value)
    else { return false }
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
      .letterNumber, .otherNumber, .privateUse:
      return true
    default: return false
    }
  }

  private static func runs(of scalars: [Unicode.Scalar]) -> [[Unicode.Scalar]] {
    var runs: [[Unicode.Scalar]] = []
    for scalar in scalars {
      if let last = runs.last?.last, last.isJoined == scalar.isJoined {
        runs[runs.count - 1].append(scalar)
      } else {
        runs.append([scalar])
      }
    }
    return runs
  }
}
