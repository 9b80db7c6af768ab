internal import CatalogModel

extension TableFormat {
  /// The ratings of a user at IMDb. A rated movie was watched, on an unknown day.
  static let imdbRatings = TableFormat(
    "imdb", "IMDb ratings", .movie,
    isOurs: { shape in
      guard let names = shape.names else { return false }
      return names.isSuperset(of: ["const", "yourrating", "titletype"]) && !names.contains("position")
    },
    finish: { facts, cells throws(ImportRow.Rejection) in
      try facts.rejectSeries(cells.first("Title Type"))
      if facts.rating != nil { facts.status = .done }
    },
    key: { cells, _ in cells.first("Const") })

  /// A list or the watchlist of a user at IMDb, in order. The file does not say which of the two it is.
  static let imdbList = TableFormat(
    "imdb-list", "IMDb list", .movie, needs: ["Position", "Const", "Title Type"],
    finish: { facts, cells throws(ImportRow.Rejection) in
      try facts.rejectSeries(cells.first("Title Type"))
      if facts.rating != nil { facts.status = .done }
      facts.piles = [Entry.PilePlace("IMDb", position: cells.first("Position").flatMap { Int($0) })]
    },
    key: { cells, _ in cells.first("Const") })
}

extension RowFacts {
  /// Rejects titles that are no movies. IMDb writes the type in the user's language.
  func rejectSeries(_ type: String?) throws(ImportRow.Rejection) {
    guard let type else { return }
    let key = Cells.key(type)
    let marks = [
      "series", "serie", "episode", "episodio", "episod", "folge", "시리즈", "에피소드", "podcast", "videogame", "videojuego",
      "videospiel",
    ]
    if marks.contains(where: { key.contains($0) }) {
      throw ImportRow.Rejection("it is a series, an episode or a game '\(type)': the catalog keeps movies")
    }
  }
}
