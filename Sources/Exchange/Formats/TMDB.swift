internal import CatalogModel

extension TableFormat {
  /// The ratings, the watchlist or the favorites of a user at TMDB.
  static let tmdb = TableFormat(
    "tmdb", "TMDB", .movie, needs: ["TMDb ID", "Type", "Name", "Release Date"],
    columns: [
      "TMDb ID": .id("tmdb"), "IMDb ID": .imdb, "Type": .left("it only distinguishes movies from series"),
      "Name": .title,
      "Release Date": .released, "Season Number": .left("only series have one"),
      "Episode Number": .left("only series have one"), "Rating": .others, "Your Rating": .rating(.ten),
      "Date Rated": .ratedOn,
    ],
    finish: { facts, cells throws(ImportRow.Rejection) in
      if let type = cells.first("Type"), type.lowercased() != "movie" {
        throw ImportRow.Rejection("it is a series or an episode '\(type)': the catalog keeps movies")
      }
      if facts.rating != nil { facts.status = .done }
    },
    key: { cells, _ in cells.first("TMDb ID").map { "\(cells.first("Type") ?? "") \($0)" } })
}
