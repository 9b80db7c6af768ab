internal import CatalogModel

extension TableFormat {
  /// The export of Openreads.
  static let openreads = TableFormat(
    "openreads", "Openreads", .book, needs: ["title", "author", "status", "readings", "book_format"],
    own: ["deleted": .left("deleted rows are rejected"), "readings": readings],
    finish: { facts, cells throws(ImportRow.Rejection) in
      if cells.first("deleted").flatMap({ Flag.read($0) }) == true {
        throw ImportRow.Rejection("it was deleted there")
      }
      facts.takeSeriesFromTitle()
    })

  /// `2023-10-27T00:00:00|2023-11-28T00:00:00|3600;…`: begin, end and how long it took.
  private static let readings = ColumnMapping("finished", "date of watching or reading") { text, facts in
    for reading in text.split(separator: ";") {
      let parts = reading.split(separator: "|", omittingEmptySubsequences: false)
      let dates = parts.prefix(2).map { Dates.read(String($0)) }
      switch (dates.first ?? nil, dates.dropFirst().first ?? nil) {
      case (let start, let end?): facts.times.append((start, end))
      case (let start?, nil): facts.started = start
      case (nil, nil): break
      }
    }
    return true
  }
}
