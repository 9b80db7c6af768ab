/// Words that a person looks for, made ready to be compared with many titles.
///
///     let words = SearchWords("godfather")
///     candidates.sorted { TitleRank(of: $0.record, for: words) < TitleRank(of: $1.record, for: words) }
public struct SearchWords: Sendable, Hashable {
  /// One word, or a part of one that is of one script.
  struct Term: Sendable, Hashable {
    enum Script: Sendable { case other, joined, consonants }

    var script: Script
    var letters: [UInt8]
    /// Whether the word is the last one. It may be incomplete, so it also matches as a prefix.
    var isLast: Bool

    /// The same word, complete.
    var whole: Term { Term(script: script, letters: letters, isLast: false) }
  }

  /// Words of which some are a title, and the others are to be found in names.
  struct Split: Sendable, Hashable {
    var title: [UInt8]
    var names: [Term]
  }

  /// The most words of which ``Split``s are made.
  private static let mostSplit = 12

  let terms: [Term]
  /// The letters of all words, and those without the article they begin with.
  let letters: [UInt8]
  let lettersWithoutArticle: [UInt8]?
  /// The folded words without the article they begin with; nil where they begin with none.
  public let withoutArticle: String?
  let splits: [Split]
  /// The readings with a kind before the title or a year behind it; empty for most words.
  public let qualified: [Qualified]

  /// Words of which the first is a kind, or the last a year: `movie heat`, `dune (1984)`.
  public struct Qualified: Sendable, Hashable {
    public var kind: Kind?
    public var year: Int?
    /// The other words.
    public var words: SearchWords
    public var text: String

    /// The texts to search for: the other words, and those without the article before them.
    public var readings: [String] { [text] + [words.withoutArticle].compactMap(\.self) }
  }

  public init(_ text: String) { self.init(text, isQualified: true) }

  private init(_ text: String, isQualified: Bool) {
    qualified = isQualified ? Self.qualified(text) : []
    let key = SearchKeys.key(text)
    // A sign for 'and' is looked for only where it is all that there is.
    let plain = SearchKeys.key(text.replacingSigns)
    terms = Self.terms(of: (plain.isEmpty ? key : plain).utf8)
    letters = SearchKeys.letters(of: key.utf8)
    let article = SearchKeys.articleCount(of: key.utf8.span)
    withoutArticle = article > 0 ? String(decoding: Array(key.utf8.dropFirst(article)), as: UTF8.self) : nil
    lettersWithoutArticle = withoutArticle.map { SearchKeys.letters(of: $0.utf8) }
    splits = Self.splits(of: key)
  }

  /// The readings of words that begin with a kind or end with a year.
  private static func qualified(_ text: String) -> [Qualified] {
    let words = text.split(whereSeparator: \.isWhitespace)
    guard words.count > 1, let first = words.first, let last = words.last else { return [] }
    // As it is printed, too: "movie: Dune — Denis Villeneuve (2021)".
    let kind = Kind(word: first.hasSuffix(":") ? String(first.dropLast()) : String(first)).flatMap {
      $0.isShelved ? $0 : nil
    }
    let year = ReleaseYear.typed(last)
    var readings: [Qualified] = []
    for (kind, year) in [(kind, nil), (nil, year), (kind, year)] where kind != nil || year != nil {
      let rest = words.dropFirst(kind == nil ? 0 : 1).dropLast(year == nil ? 0 : 1).joined(separator: " ")
      guard !rest.isEmpty, !readings.contains(where: { $0.kind == kind && $0.year == year }) else { continue }
      readings.append(
        Qualified(kind: kind, year: year, words: SearchWords(rest, isQualified: false), text: rest))
    }
    return readings
  }

  /// Whether there is nothing to look for.
  public var isEmpty: Bool { letters.isEmpty }

  /// All ways to part words in two, of which either is the title.
  private static func splits(of key: String) -> [Split] {
    let words = key.utf8.split(separator: UInt8(ascii: " "))
    guard words.count <= mostSplit else { return [] }
    return words.indices.dropFirst().flatMap { middle in
      let parts = [words[..<middle], words[middle...]].map { Array($0.joined(separator: " ".utf8)) }
      // Names are given in whole words.
      return zip(parts, parts.reversed()).map { title, names in
        Split(title: SearchKeys.letters(of: title), names: terms(of: names).map { $0.whole })
      }
    }
  }

  private static func terms(of key: some Sequence<UInt8>) -> [Term] {
    let words = String(decoding: Array(key), as: UTF8.self).unicodeScalars
      .split { $0.isASCII && !SearchKeys.isLetter(UInt8(truncatingIfNeeded: $0.value)) }
    guard !words.isEmpty else {
      let letters = SearchKeys.letters(of: key)
      return letters.isEmpty ? [] : [Term(script: .other, letters: letters, isLast: true)]
    }
    return zip(1..., words).flatMap { number, word in runs(of: word, isLast: number == words.count) }
  }

  /// The parts of a word that are of one script.
  private static func runs(of word: Substring.UnicodeScalarView, isLast: Bool) -> [Term] {
    var runs: [Term] = []
    for scalar in word {
      let script: Term.Script = scalar.isJoined ? .joined : scalar.isInitialConsonant ? .consonants : .other
      if runs.last?.script != script { runs.append(Term(script: script, letters: [], isLast: isLast)) }
      runs[runs.count - 1].letters += Array(UTF8.encode(scalar) ?? UTF8.EncodedScalar())
    }
    return runs
  }
}

// MARK: - Finding

extension SearchWords {
  /// The ways in which words are found in keys.
  public enum Match: Int, Comparable, Sendable {
    case none
    /// All are there, but one before the last only as the start of a longer word, or one as a word with signs in it:
    /// `dune` in `d'une`.
    case begun
    /// All are there, the last perhaps as the start of a longer word.
    case whole

    public static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
  }

  /// The way in which all words are found, each in one of the two texts.
  /// - Parameters:
  ///   - keys: a text of ``SearchKeys``, or a part of one.
  ///   - labels: plain ASCII, in whatever case.
  public func match(in keys: Span<UInt8>, or labels: Span<UInt8>) -> Match {
    Self.match(terms, in: keys, or: labels)
  }

  static func match(_ terms: [Term], in keys: Span<UInt8>, or labels: Span<UInt8>) -> Match {
    var match = terms.isEmpty ? Match.none : .whole
    for term in terms {
      var found = term.match(in: keys)
      if found != .whole { found = max(found, term.match(in: labels)) }
      match = min(match, found)
      if match == .none { break }
    }
    return match
  }
}

extension SearchWords.Term {
  /// The quality of the term's best match in a text.
  fileprivate func match(in text: Span<UInt8>) -> SearchWords.Match {
    switch script {
    case .other: matchWord(in: text)
    // In joined scripts, a word may begin at every character.
    case .joined: text.indices.contains { letters.end(in: text, from: $0) != nil } ? .whole : .none
    case .consonants: text.indices.contains { hasConsonants(in: text, from: $0) } ? .whole : .none
    }
  }

  private func matchWord(in text: Span<UInt8>) -> SearchWords.Match {
    var match = SearchWords.Match.none
    var (isStart, isInJoined) = (true, false)
    for place in text.indices {
      if isStart, let end = letters.end(in: text, from: place, skippingBlanks: false) {
        let isEnded = isLast || end == text.count || SearchKeys.endsWord(text[end])
        if isEnded, end - place == letters.count { return .whole }
        match = .begun
      }
      // Behind a character without blanks a word begins, too: diary in 海街diary.
      if text[place] < 0x80 || text[place] >= 0xC0 { isInJoined = text[place] >= 0xE3 }
      isStart = !SearchKeys.isLetter(text[place]) || isInJoined
    }
    return match
  }

  /// Whether a word of Korean begins here, and its syllables and those behind it begin with these consonants.
  private func hasConsonants(in text: Span<UInt8>, from start: Int) -> Bool {
    guard start == 0 || text[start - 1] < 0x80 else { return false }
    var (place, matched) = (start, 0)
    while matched < letters.count, place < text.count {
      if text[place] < 0x80 {
        guard matched > 0, text[place] != SearchKeys.valueEnd, text[place] != SearchKeys.titlesEnd else { return false }
        place += 1
      } else {
        guard let consonant = Unicode.Scalar.syllable(in: text, at: place)?.initialConsonant,
          letters[matched...].starts(with: UTF8.encode(consonant) ?? UTF8.EncodedScalar())
        else { return false }
        (place, matched) = (place + 3, matched + 3)
      }
    }
    return matched >= letters.count
  }
}

extension [UInt8] {
  /// The end of these letters in a text, if they begin at `start`; else nil. Punctuation between them is skipped.
  func end(in text: Span<UInt8>, from start: Int, skippingBlanks: Bool = true) -> Int? {
    var (place, matched) = (start, 0)
    while matched < count {
      guard place < text.count else { return nil }
      let byte = SearchKeys.lowercase(text[place])
      if byte == self[matched] {
        matched += 1
      } else {
        guard matched > 0, SearchKeys.isSign(byte) || skippingBlanks && byte == UInt8(ascii: " ") else { return nil }
      }
      place += 1
    }
    return place
  }
}

extension Unicode.Scalar {
  fileprivate var isInitialConsonant: Bool { (0x3131...0x314E).contains(value) }

  /// The character of three bytes at a place in UTF-8; nil for one of fewer or more.
  fileprivate static func syllable(in text: Span<UInt8>, at place: Int) -> Unicode.Scalar? {
    guard place + 2 < text.count, text[place] & 0xF0 == 0xE0 else { return nil }
    return Unicode.Scalar(
      UInt32(truncatingIfNeeded: text[place] & 0x0F) << 12 | UInt32(truncatingIfNeeded: text[place + 1] & 0x3F) << 6
        | UInt32(truncatingIfNeeded: text[place + 2] & 0x3F))
  }
}

extension String {
  /// The text with blanks for the signs that are read as `and`.
  fileprivate var replacingSigns: String {
    String(String.UnicodeScalarView(unicodeScalars.map { "&+".unicodeScalars.contains($0) ? " " : $0 }))
  }
}
