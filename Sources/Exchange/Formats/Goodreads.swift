internal import CatalogModel
internal import Lookup

extension TableFormat {
  /// The library export of Goodreads, with 31 columns or, since 2022, 24.
  static let goodreads = TableFormat(
    "goodreads", "Goodreads", .book, needs: ["Book Id", "Title", "Author l-f", "Exclusive Shelf"],
    own: [
      "shelves": shelves, "positions": .left("the shelves are in another column; the positions are Goodreads' own"),
      "spoiler": .left("it only says how Goodreads shows the review"),
    ],
    finish: { facts, cells in
      facts.takeSeriesFromTitle()
      // The exclusive shelf is the status, and may be one of the user's own; Goodreads repeats it among the others,
      // which are tags whatever they are called.
      let repeated = ["read", "currently-reading", "to-read", cells.first("Exclusive Shelf") ?? ""]
      facts.tags = facts.tags.filter { !repeated.contains($0) } + facts.piles.map(\.pile)
      facts.piles = []
      // The count includes the current reading. For a book to be read it is meaningless.
      switch facts.status {
      case .ongoing: facts.count = facts.count.map { max(0, $0 - 1) }
      case .planned: facts.count = nil
      default: break
      }
    },
    key: { cells, _ in cells.first("Book Id") })

  /// The shelves of the user.
  private static let shelves = ColumnMapping("tags", "tags") { text, facts in
    facts.tags += Names.list(text, ",")
    return true
  }
}

extension RowFacts {
  /// Splits `The Fellowship of the Ring (The Lord of the Rings, #1)` into title, series and number. A Korean title
  /// with the number of a volume keeps it: `미생 9권`, `토지 2`.
  mutating func takeSeriesFromTitle() {
    guard let title else { return }
    guard let parts = Names.series(in: title) else {
      guard book.series == nil, seriesNumber == nil, let blank = title.lastIndex(of: " ") else { return }
      let (name, volume) = (title[..<blank].trimmed, title[title.index(after: blank)...])
      let isKorean = name.unicodeScalars.allSatisfy { $0 == " " || (0xAC00...0xD7A3).contains($0.value) }
      guard volume.hasSuffix("권") || isKorean && volume.utf8.count <= 2, volume.first?.isNumber ?? false,
        let number = SeriesNumber(volume)
      else { return }
      (book.series, seriesNumber) = (String(name), number.text)
      return
    }
    self.title = parts.title
    book.series = book.series ?? parts.series
    seriesNumber = seriesNumber ?? parts.number
  }
}
