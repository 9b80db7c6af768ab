/// Titles and names in the form in which words are looked for in them.
///
///     SearchKeys.text(titles: ["Ocean's Eleven"], names: ["Steven Soderbergh"])  // ocean's eleven;steven soderbergh
///
/// `|` parts one value from the next, `;` the titles from the names.
public enum SearchKeys {
  static let (valueEnd, titlesEnd) = (UInt8(ascii: "|"), UInt8(ascii: ";"))

  /// The keys of titles and names as one text. Duplicate keys are left out.
  public static func text(titles: [String], names: [String]) -> String {
    [titles, names].map { texts in
      var keys: [String] = []
      for key in texts.map(key) where !keys.contains(key) { keys.append(key) }
      return keys.joined(separator: "|")
    }.joined(separator: ";")
  }

  /// The folded words of a text with one blank between them, an apostrophe for signs within a word, and `and` for `&`
  /// and `+`.
  ///
  /// A text without any letter or digit keeps its signs.
  static func key(_ text: String) -> String {
    let folded = Folding.fold(text)
    var key: [UInt8] = []
    key.reserveCapacity(folded.utf8.count + 4)
    let (blank, apostrophe) = (UInt8(ascii: " "), UInt8(ascii: "'"))
    var gap: UInt8?
    for scalar in folded.unicodeScalars {
      let isAnd = scalar == "&" || scalar == "+"
      guard isAnd || scalar.isLetterOrDigit else {
        gap = gap == blank || scalar == " " || scalar.properties.isWhitespace ? blank : apostrophe
        continue
      }
      if let gap = gap ?? (isAnd ? apostrophe : nil), !key.isEmpty { key.append(gap) }
      gap = isAnd ? apostrophe : nil
      if isAnd {
        key += "and".utf8
      } else if scalar.isASCII {
        key.append(UInt8(truncatingIfNeeded: scalar.value))
      } else {
        key += String(scalar).utf8
      }
    }
    guard key.isEmpty else { return String(decoding: key, as: UTF8.self) }
    // The separators of values must not occur in a value.
    key = folded.trimmingBlanks.utf8.map { $0 == valueEnd || $0 == titlesEnd ? apostrophe : $0 }
    return String(decoding: key, as: UTF8.self)
  }

  /// A key, or a part of one, without blanks and signs; signs alone stay.
  static func letters(of key: some Sequence<UInt8>) -> [UInt8] {
    let letters = key.filter(isLetter)
    return letters.isEmpty ? key.filter { $0 != UInt8(ascii: " ") } : letters
  }

  /// The articles at the beginning of titles that may be left out, with their separator from the next word.
  private static let articles = Articles.all.sorted().map { Array(($0.hasSuffix("'") ? $0 : $0 + " ").utf8) }

  /// The folded letters and digits of a title or heading, as ``hasTitle(startingWith:in:)`` takes them. Signs stay if
  /// there is nothing else, and `&` and `+` are `and`.
  public static func letters(ofTitle title: String) -> [UInt8] { letters(of: key(title).utf8) }

  /// The number of bytes that the article of a key takes; 0 when it has none, or is nothing else.
  static func articleCount(of key: Span<UInt8>) -> Int {
    articles.first { article in
      key.count > article.count && article.indices.allSatisfy { key[$0] == article[$0] }
    }?.count ?? 0
  }

  /// Whether the letters of a title, without its signs and blanks, start with these.
  /// - Parameter keys: a text of ``text(titles:names:)``.
  public static func hasTitle(startingWith letters: [UInt8], in keys: Span<UInt8>) -> Bool {
    var isStart = true
    for place in keys.indices {
      if keys[place] == titlesEnd { break }
      if isStart, letters.end(in: keys, from: place) != nil { return true }
      isStart = keys[place] == valueEnd
    }
    return false
  }

  // MARK: Bytes

  /// Whether a byte of UTF-8 is part of a letter or digit. Non-ASCII symbols occur only in keys without letters.
  static func isLetter(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80...: true
    default: false
    }
  }

  /// Whether a byte is a sign within a word or between words, but none that parts values.
  static func isSign(_ byte: UInt8) -> Bool {
    !isLetter(byte) && byte != UInt8(ascii: " ") && byte != valueEnd && byte != titlesEnd
  }

  /// Whether a word that ends before this byte ends there. Scripts without blanks between words begin with E3.
  static func endsWord(_ byte: UInt8) -> Bool { !isLetter(byte) || byte >= 0xE3 }

  /// An ASCII letter in lower case; other bytes stay.
  static func lowercase(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
}

extension Unicode.Scalar {
  /// Whether it is Han, kana or a Hangul syllable: written without blanks between words, or with endings behind them.
  public var isJoined: Bool {
    switch value {
    case 0x3040...0x30FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0x20000...0x3FFFF: true
    default: false
    }
  }

  /// The initial consonant of a Hangul syllable as a letter of its own (Unicode 15, chapter 3.12); nil for other
  /// characters.
  public var initialConsonant: Unicode.Scalar? {
    guard (0xAC00...0xD7A3).contains(value) else { return nil }
    return Self.initialConsonants[Int((value - 0xAC00) / 588)]
  }

  private static let initialConsonants: [Unicode.Scalar] = [
    "ㄱ", "ㄲ", "ㄴ", "ㄷ", "ㄸ", "ㄹ", "ㅁ", "ㅂ", "ㅃ", "ㅅ", "ㅆ", "ㅇ", "ㅈ", "ㅉ", "ㅊ", "ㅋ", "ㅌ", "ㅍ", "ㅎ",
  ]
}
