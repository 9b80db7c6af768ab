internal import CatalogModel
internal import CommandLineKit
internal import Lookup

extension Context {
  /// Adds genres to a book whose source has none: from the built-in pack by title and author, or from another source by
  /// ISBN.
  ///
  /// All sources that have genres and find books by ISBN are asked at once, if they have their key. The first one in
  /// order that answers with a genre is used. A failure leaves the book unchanged.
  ///
  /// - Returns: the record with the genres.
  func classified(_ record: Record) -> Record {
    guard case .book(let book) = record.details, record.labels.isEmpty else { return record }
    if let known = StarterPack.shipped.entry(like: record) {
      var record = record
      (record.labels, record.labelSource) = (known.labels, StarterPack.id)
      return record
    }
    guard let isbn = book.isbn else { return record }
    let others = sources.filter { source in
      source.knowsGenres && source.fields(.book).contains(.isbn) && source.kinds.contains(.book)
        && source.id != record.externalIDs.first?.source
        && (source.isbnGroups.isEmpty || source.isbnGroups.contains(where: isbn.digits13.hasPrefix))
    }
    let search = Search(words: isbn.digits13, kind: .book, pageSize: 1, scope: .field(.isbn))
    let asked = others.compactMap { source in
      (try? settings(of: source)).flatMap { settings in
        source.hasItsKey(settings) ? SourceSearch(source, search, settings) : nil
      }
    }
    for (asked, page) in zip(asked, http.pages(of: asked)) {
      guard let labels = (try? page.get())?.candidates.first?.record.labels, !labels.isEmpty else { continue }
      var record = record
      (record.labels, record.labelSource) = (labels, asked.source.id)
      return record
    }
    return record
  }
}
