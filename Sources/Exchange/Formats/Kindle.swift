internal import CatalogModel
internal import Lookup

extension TableFormat {
  /// The library of Amazon's Kindle as scripts for browsers write it.
  static let kindle = TableFormat(
    "kindle", "Kindle", .book, needs: ["asin", "title", "originType", "resourceType"],
    own: ["authors": authors],
    finish: { facts, cells throws(ImportRow.Rejection) in
      let types = [cells.first("originType"), cells.first("resourceType")].compactMap { $0?.lowercased() }
      if types.contains(where: { $0.contains("sample") }) { throw ImportRow.Rejection("it is a sample of a book") }
      facts.takeSeriesFromTitle()
      if types.contains("purchase") { (facts.owned, facts.copy.format) = (1, "Kindle") }
    },
    key: { cells, _ in cells.first("asin") })

  /// `Roe, Jane:Bloggs, Joe:`
  private static let authors = ColumnMapping("author", "author") { text, facts in
    facts.creators += Names.list(text, ":").map { Names.plain(Names.firstLast($0)) }
    return true
  }
}
