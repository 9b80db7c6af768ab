internal import CatalogModel
internal import Lookup

// Formats whose columns say nearly everything.
extension TableFormat {
  /// The ratings of Criticker as XML. Its CSV is a table like any other.
  static let criticker = TableFormat(
    "criticker", "Criticker", .movie, records: .elements(["filminfo"]),
    isOurs: { if case .xml("recentratings", _) = $0 { true } else { false } },
    own: ["rating-100": .rating(.hundred, zeroIsNone: false)],
    finish: { facts, _ in
      facts.status = .done
      facts.takeYearFromTitle()
    },
    key: { cells, _ in cells.first("filmid") })

  /// The goodbooks-10k data set of ten thousand books.
  static let goodbooks = TableFormat(
    "goodbooks", "goodbooks-10k", .book, needs: ["goodreads_book_id", "work_id", "authors", "title"],
    finish: { facts, _ in facts.takeSeriesFromTitle() },
    key: { cells, _ in cells.first("goodreads_book_id") })

  /// The export of Hardcover.
  static let hardcover = TableFormat(
    "hardcover", "Hardcover", .book, needs: ["Title", "Hardcover Book ID"],
    finish: { facts, _ in facts.takeSeriesFromTitle() },
    key: { cells, _ in cells.first("Hardcover Book ID") })

  /// The ratings of a user at MovieLens, or its list of movies.
  static let movieLens = TableFormat(
    "movielens", "MovieLens", .movie,
    isOurs: { shape in
      guard case .table = shape, let names = shape.names else { return false }
      return names.isSuperset(of: ["movieid", "title"])
        && !names.isDisjoint(with: ["genres", "rating", "averagerating"])
    },
    own: ["genres": genres],
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

  /// The backup of Simkl as JSON: its lists of movies, shows and anime.
  static let simkl = TableFormat(
    "simkl", "Simkl", .movie,
    isOurs: { shape in
      guard case .json = shape, let names = shape.names else { return false }
      let isSimkl = names.contains { $0.hasSuffix("idssimkl") }
      return isSimkl && (names.contains("movietitle") || names.contains("showtitle"))
    },
    finish: { facts, cells throws(ImportRow.Rejection) in
      if cells.list.contains(where: { $0.name.hasPrefix("show.") }), cells.first("anime_type")?.lowercased() != "movie"
      {
        throw ImportRow.Rejection("it is a series or an episode: the catalog keeps movies")
      }
      if facts.status == nil, facts.rating != nil { facts.status = .done }
      if facts.status == .planned { facts.finished = [] }
    },
    key: { cells, _ in cells.first("movie.ids.simkl") ?? cells.first("show.ids.simkl") })

  /// The ratings, the watchlist or the favorites of a user at TMDB.
  static let tmdb = TableFormat(
    "tmdb", "TMDB", .movie, needs: ["TMDb ID", "Type", "Name", "Release Date"],
    finish: { facts, cells throws(ImportRow.Rejection) in
      if let type = cells.first("Type"), type.lowercased() != "movie" {
        throw ImportRow.Rejection("it is a series or an episode '\(type)': the catalog keeps movies")
      }
      if facts.rating != nil { facts.status = .done }
    },
    key: { cells, _ in cells.first("TMDb ID").map { "\(cells.first("Type") ?? "") \($0)" } })
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
