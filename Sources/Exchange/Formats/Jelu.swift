internal import CatalogModel
internal import Lookup

extension TableFormat {
  /// The export of Jelu. It repeats some columns for Goodreads, followed by its own.
  static let jelu = TableFormat(
    "jelu", "Jelu", .book, needs: ["Title", "Author", "read_dates", "dropped_dates", "currently_reading"],
    own: ["reading": reading],
    finish: { facts, cells in
      if facts.creators.isEmpty, let author = cells.first("Author") { facts.creators = [author] }
      if facts.book.isbn == nil, let isbn = cells.first("ISBN") { facts.book.isbn = try? ISBN(isbn) }
      facts.takeSeriesFromTitle()
    })

  private static let reading = ColumnMapping("started", "date of the beginning") { text, facts in
    guard let date = Dates.read(text) else { return Flag.read(text) != nil }
    (facts.started, facts.status) = (date, .ongoing)
    return true
  }
}
