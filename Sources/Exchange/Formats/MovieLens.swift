internal import CatalogModel
internal import Lookup

extension TableFormat {
  /// The ratings of a user at MovieLens, or its list of movies.
  static let movieLens = TableFormat(
    "movielens", "MovieLens", .movie,
    isOurs: { shape in
      guard case .table = shape, let names = shape.names else { return false }
      return names.isSuperset(of: ["movieid", "title"])
        && !names.isDisjoint(with: ["genres", "rating", "averagerating"])
    },
    columns: [
      "movie_id": .id("movielens"), "movieId": .id("movielens"), "title": .title, "genres": genres,
      "rating": .rating(.five), "average_rating": .others, "imdb_id": .imdb, "imdbId": .imdb, "tmdb_id": .id("tmdb"),
      "tmdbId": .id("tmdb"), "timestamp": .inside, "userId": .inside,
    ],
    finish: { facts, _ in
      facts.takeYearFromTitle()
      // `Matrix, The`
      facts.title = facts.title.map(Articles.inFront)
      if facts.rating != nil { facts.status = .done }
    },
    key: { cells, _ in cells.first("movie_id") ?? cells.first("movieId") })

  private static let genres = ColumnMapping("genre", "genre") { text, facts in
    if text != "(no genres listed)" { facts.labels += Names.list(text, "|") }
    return true
  }
}

extension RowFacts {
  /// Splits `Heat (1995)` into title and year.
  mutating func takeYearFromTitle() {
    guard let title, title.hasSuffix(")"), let open = title.lastIndex(of: "("), open > title.startIndex,
      case let inside = title[title.index(after: open)...].dropLast(), inside.utf8.count == 4,
      let year = ReleaseYear.parse(inside), case let rest = title[..<open].trimmed, !rest.isEmpty
    else { return }
    (self.title, self.year) = (String(rest), self.year ?? year)
  }
}
