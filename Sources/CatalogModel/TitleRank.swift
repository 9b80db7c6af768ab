/// The quality of a match between searched words and a work's titles, the best first.
///
/// Titles are compared folded, by their letters and digits alone: `wall-e` matches `WALL·E`.
public enum TitleRank: Int, Comparable, CaseIterable, Sendable {
  /// A title equals the words.
  case exact
  /// A title equals the words except for its article: `The Godfather` for `godfather`.
  case withoutArticle
  /// Some of the words equal a title, and the others are names, its kind or its year: `kind of blue miles davis`, `dune
  /// 1984`.
  case withNames
  /// The same, with names that are only begun: `kind of blue mil`.
  case withBegunNames
  /// A title starts with the words, with or without its article: `The Godfather Part II`.
  case start
  /// A title starts with the words, of which the last is only begun: `Godzilla` for `god`.
  case begunStart
  /// All words are found in one title.
  case words
  /// Some words are found in other titles, in names, or nowhere.
  case other

  public static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }

  /// The rank of the title that fits best.
  public init(of record: Record, for words: SearchWords) {
    let titles = [record.title] + [record.originalTitle].compactMap(\.self) + record.otherTitles
    let keys = SearchKeys.text(titles: titles.flatMap(\.withAndWithoutYear), names: record.creators)
    let rank = words.fit(to: keys.utf8.span).rank
    let isQualified =
      rank > .withNames
      && words.qualified.contains { reading in
        (reading.kind == nil || reading.kind == record.kind)
          && (reading.year == nil || reading.year == record.year ?? record.released?.year)
          && reading.words.fit(to: keys.utf8.span).rank <= .withNames
      }
    self = isQualified ? .withNames : rank
  }
}

extension String {
  /// The title, and `Dune` of `Dune (1984)`, as some sources tell films of one title apart.
  fileprivate var withAndWithoutYear: [String] {
    let year = suffix(6)
    guard year.count == 6, year.first == "(", year.last == ")", ReleaseYear.typed(String(year)) != nil else {
      return [self]
    }
    return [self, String(dropLast(6)).trimmingBlanks]
  }
}

extension SearchWords {
  /// The match between the words and a work.
  public struct Fit: Comparable, Sendable {
    public var rank: TitleRank
    /// The length in bytes of the shortest title with this rank; 0 if no title has the words.
    public var length: Int

    public static func < (one: Self, other: Self) -> Bool { (one.rank, one.length) < (other.rank, other.length) }
  }

  /// Returns the match between the words and a work's titles and names.
  /// - Parameter keys: a text of ``SearchKeys``.
  public func fit(to keys: Span<UInt8>) -> Fit {
    let titlesEnd = keys.indices.first { keys[$0] == SearchKeys.titlesEnd } ?? keys.count
    let names = keys.extracting(min(titlesEnd + 1, keys.count)..<keys.count)
    var best = Fit(rank: .other, length: 0)
    guard !isEmpty else { return best }
    var start = 0
    while start < titlesEnd {
      let end = (start..<titlesEnd).first { keys[$0] == SearchKeys.valueEnd } ?? titlesEnd
      let rank = rank(of: keys.extracting(start..<end), names)
      if rank != .other { best = min(best, Fit(rank: rank, length: end - start)) }
      start = end + 1
    }
    return best
  }

  /// The rank of one title.
  /// - Parameters:
  ///   - title: its key.
  ///   - names: the keys of the names.
  private func rank(of title: Span<UInt8>, _ names: Span<UInt8>) -> TitleRank {
    let bare = title.extracting(SearchKeys.articleCount(of: title)..<title.count)
    func isWhole(_ letters: [UInt8], _ title: Span<UInt8>) -> Bool { letters.end(in: title, from: 0) == title.count }

    if isWhole(letters, title) { return .exact }
    if isWhole(letters, bare) { return .withoutArticle }
    if let lettersWithoutArticle, isWhole(lettersWithoutArticle, bare) { return .withoutArticle }
    var named = Match.none
    for split in splits where isWhole(split.title, title) || isWhole(split.title, bare) {
      named = max(named, SearchWords.match(split.names, in: names, or: Span()))
    }
    if named != .none { return named == .whole ? .withNames : .withBegunNames }
    guard match(in: title, or: Span()) != .none else { return .other }
    if let end = letters.end(in: title, from: 0) { return SearchKeys.endsWord(title[end]) ? .start : .begunStart }
    if let end = letters.end(in: bare, from: 0) { return SearchKeys.endsWord(bare[end]) ? .start : .begunStart }
    return .words
  }
}
