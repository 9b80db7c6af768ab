public import CatalogModel

extension [Candidate] {
  /// The same candidates by ``TitleRank``. Titles that are the words, with or without an article, are equals, of which
  /// the better known comes first. All others of one rank keep their order, which is that of their source.
  public func ranked(for words: SearchWords) -> [Candidate] {
    guard !words.isEmpty else { return self }
    return enumerated().map { place, candidate in
      let rank = Swift.max(.withoutArticle, TitleRank(of: candidate.record, for: words))
      return (rank: rank, fame: rank == .withoutArticle ? candidate.popularity : 0, place: place, candidate: candidate)
    }
    .sorted { ($0.rank, $1.fame, $0.place) < ($1.rank, $0.fame, $1.place) }.map(\.candidate)
  }

  /// The same for a search: those of the year that was named come first. Unchanged when it is not for titles.
  public func ranked(for search: Search) -> [Candidate] {
    guard search.isForTitles else { return self }
    let ranked = ranked(for: SearchWords(search.words))
    guard let year = search.year else { return ranked }
    func isOfYear(_ candidate: Candidate) -> Bool { (candidate.record.year ?? candidate.record.released?.year) == year }
    return ranked.filter(isOfYear) + ranked.filter { !isOfYear($0) }
  }
}

extension Search {
  /// Whether the words are compared with titles.
  var isForTitles: Bool { scope == nil || field == .title }
}
