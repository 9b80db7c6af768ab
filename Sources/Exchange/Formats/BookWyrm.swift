internal import CatalogModel
internal import Lookup

extension TableFormat {
  /// The export of BookWyrm.
  static let bookWyrm = TableFormat(
    "bookwyrm", "BookWyrm", .book, needs: ["title", "author_text", "remote_id", "isbn_13", "shelf"],
    columns: [
      "title": .title, "author_text": .makers(nil, .firstLast), "remote_id": .url,
      "openlibrary_key": .id("openlibrary"),
      "inventaire_id": .id("inventaire"), "librarything_key": .id("librarything"), "goodreads_key": .id("goodreads"),
      "bnf_id": .inside, "viaf": .inside, "wikidata": .id("wikidata"), "asin": .inside, "aasin": .inside,
      "isfdb": .inside, "isbn_10": .otherISBN, "isbn_13": .isbn, "oclc_number": .note, "start_date": .started,
      "finish_date": .finished, "stopped_date": .droppedOn, "rating": .rating(.five), "review_name": .reviewTitle,
      "review_cw": .note, "review_content": .review, "review_published": .ratedOn, "shelf": shelf,
      "shelf_name": shelfName, "shelf_date": .addedOn,
    ],
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
