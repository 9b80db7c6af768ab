public import CatalogModel

extension [Candidate] {
  /// The same candidates by ``TitleRank``. Those of one rank keep their order, which is that of their source.
  public func ranked(for words: SearchWords) -> [Candidate] {
    guard !words.isEmpty else { return self }
    return enumerated().map { (rank: TitleRank(of: $1.record, for: words), place: $0, candidate: $1) }
      .sorted { ($0.rank, $0.place) < ($1.rank, $1.place) }.map(\.candidate)
  }
}
