internal import CatalogModel
internal import Lookup

extension TableFormat {
  /// The backup of Simkl as JSON: its lists of movies, shows and anime.
  static let simkl = TableFormat(
    "simkl", "Simkl", .movie,
    isOurs: { shape in
      guard case .json = shape, let names = shape.names else { return false }
      let isSimkl = names.contains { $0.hasSuffix("idssimkl") }
      return isSimkl && (names.contains("movietitle") || names.contains("showtitle"))
    },
    columns: [
      "movie.title": .title, "show.title": .title, "movie.year": .year, "show.year": .year, "movie.ids.imdb": .imdb,
      "show.ids.imdb": .imdb, "movie.ids.tmdb": .id("tmdb"), "show.ids.tmdb": .id("tmdb"), "movie.runtime": .minutes,
      "show.runtime": .minutes, "user_rating": .rating(.ten), "user_rated_at": .ratedOn, "status": .status,
      "last_watched_at": .finished, "added_to_watchlist_at": .addedOn, "memo.text": .remark, "memo": .remark,
      "anime_type": .left("it only distinguishes movies from series"), "last_watched": .inside,
      "watched_episodes_count": .inside, "total_episodes_count": .inside, "not_aired_episodes_count": .inside,
    ],
    prefixes: [
      ("movie.ids.", .inside), ("show.ids.", .inside), ("seasons", .inside), ("memo.", .inside),
      ("movie.poster", .inside), ("show.poster", .inside),
    ],
    finish: { facts, cells throws(ImportRow.Rejection) in
      if cells.list.contains(where: { $0.name.hasPrefix("show.") }), cells.first("anime_type")?.lowercased() != "movie"
      {
        throw ImportRow.Rejection("it is a series or an episode: the catalog keeps movies")
      }
      if facts.status == nil, facts.rating != nil { facts.status = .done }
      if facts.status == .planned { facts.finished = [] }
    },
    key: { cells, _ in cells.first("movie.ids.simkl") ?? cells.first("show.ids.simkl") })
}
