internal import CatalogModel
internal import Lookup

extension TableFormat {
  /// The ratings of Criticker as XML. Its CSV is a table like any other.
  static let criticker = TableFormat(
    "criticker", "Criticker", .movie, records: .elements(["filminfo"]),
    isOurs: { if case .xml("recentratings", _) = $0 { true } else { false } },
    columns: [
      "filmid": .inside, "filmname": .title, "filmlink": .url, "rating": .rating(.hundred, zeroIsNone: false),
      "quote": .review, "reviewdate": .ratedOn, "imdb": .imdb, "imdbid": .imdb,
    ],
    finish: { facts, _ in
      facts.status = .done
      facts.takeYearFromTitle()
    },
    key: { cells, _ in cells.first("filmid") })
}
