internal import CatalogModel
internal import Lookup

extension TableFormat {
  /// The export of BookWyrm.
  static let bookWyrm = TableFormat(
    "bookwyrm", "BookWyrm", .book, needs: ["title", "author_text", "remote_id", "isbn_13", "shelf"],
    own: ["shelf": shelf, "shelf-name": shelfName],
    finish: { facts, _ in
      facts.takeSeriesFromTitle()
      if !facts.dropped.isEmpty, facts.status == nil || facts.status == .done { facts.status = .dropped }
    },
    key: { cells, _ in cells.first("remote_id") })

  /// The key of a shelf. A shelf of the user has its name in the next column.
  private static let shelf = ColumnMapping("status", "status") { text, facts in
    _ = ColumnMapping.status.read(text, &facts)
    return true
  }

  private static let shelfName = ColumnMapping("list", "lists") { text, facts in
    if Status(text) == nil { facts.piles.append(Entry.PilePlace(text)) }
    return true
  }
}
