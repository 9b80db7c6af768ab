internal import CatalogModel

extension OutgoingTable {
  /// The columns of an IMDb list, which other services import. Movies without an IMDb id have an empty cell.
  static let imdb = OutgoingTable(
    "imdb", "IMDb", of: .movie,
    columns: [
      Column("Position") { String($0.number) },
      Column("Const") { $0.item.id(at: ExternalID.imdb) },
      Column("Created") { $0.entry.addedOn?.description ?? "" },
      .empty("Modified"),
      Column("Description") { $0.item.comment ?? "" },
      Column("Title") { $0.record.title },
      Column("Original Title") { $0.record.originalTitle ?? $0.record.title },
      Column("URL") { line in
        let id = line.item.id(at: ExternalID.imdb)
        return id.isEmpty ? "" : "https://www.imdb.com/title/\(id)/"
      },
      Column("Title Type") { _ in "Movie" },
      .empty("IMDb Rating"),
      Column("Runtime (mins)") { $0.record.movie.minutes.map(String.init) ?? "" },
      Column("Year") { $0.item.year.map(String.init) ?? "" },
      Column("Genres") { $0.item.genres.joined(separator: ", ") },
      .empty("Num Votes"),
      Column("Release Date") { $0.record.released?.description ?? "" },
      Column("Directors") { $0.item.names(.director).joined(separator: ", ") },
      // Whole numbers from 1 to 10.
      Column("Your Rating") { $0.item.rating.map { String($0.step(of: 10)) } ?? "" },
      Column("Date Rated") { $0.item.ratedOn?.whole ?? "" },
    ])
}
