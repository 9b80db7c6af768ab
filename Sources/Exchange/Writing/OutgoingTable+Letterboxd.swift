internal import CatalogModel

// <https://letterboxd.com/about/importing-data/>
extension OutgoingTable {
  /// A line for each finished viewing, and for each rating or review without one. Movies without either are left out,
  /// because Letterboxd would mark them as watched.
  static let letterboxd = OutgoingTable(
    "letterboxd", "Letterboxd", of: .movie, mostBytes: 1_000_000,
    lines: { item in
      item.finished.enumerated().map { Line(item: item, time: $1, opinion: $1.opinion, isAgain: $0 > 0) }
        + item.entry.opinions.map { Line(item: item, opinion: $0) }
    },
    columns: film + [
      // In half stars: a quarter is rounded up.
      Column("Rating") { $0.opinion?.rating?.stars(in: 2) ?? "" },
      Column("WatchedDate") { $0.time?.endedOn?.whole ?? "" },
      Column("Rewatch") { $0.isAgain ? "true" : "" },
      Column("Tags") { $0.entry.tags.joined(separator: ", ") },
      Column("Review") { $0.opinion?.comment ?? "" },
    ])

  /// The movies on the wish list.
  static let letterboxdWatchlist = OutgoingTable(
    "letterboxd-watchlist", "Letterboxd", of: .movie, mostBytes: 1_000_000,
    lines: { $0.entry.wish == nil ? [] : [Line(item: $0)] }, columns: film)

  private static let film = [
    Column("tmdbID") { $0.item.id(at: "tmdb", isPlain: true) },
    Column("imdbID") { $0.item.id(at: ExternalID.imdb) },
    Column("Title") { $0.record.title },
    Column("Year") { $0.item.year.map(String.init) ?? "" },
    Column("Directors") { $0.item.names(.director).joined(separator: ", ") },
  ]
}
