internal import CatalogModel

extension OutgoingTable {
  /// The 31 columns of Goodreads' export, which it can import again.
  static let goodreads = OutgoingTable(
    "goodreads", "Goodreads", of: .book,
    columns: [
      Column("Book Id") { $0.item.id(at: "goodreads") },
      // Goodreads writes the series after the title.
      Column("Title") { line in line.record.title + (line.record.book.series.map { " (\($0.atGoodreads))" } ?? "") },
      Column("Author") { $0.item.names(.author).first ?? "" },
      Column("Author l-f") { $0.item.names(.author).first?.lastNameFirst ?? "" },
      Column("Additional Authors") {
        ($0.item.names(.author).dropFirst() + $0.item.names(.translator)).joined(separator: ", ")
      },
      // In the form of Goodreads, so that spreadsheets keep leading zeros.
      Column("ISBN") { "=\"\($0.record.book.isbn?.digits10 ?? "")\"" },
      Column("ISBN13") { "=\"\($0.record.book.isbn?.digits13 ?? "")\"" },
      // Whole stars; 0 for no rating.
      Column("My Rating") { $0.item.rating.map { String($0.step(of: 20)) } ?? "0" },
      .empty("Average Rating"),
      Column("Publisher") { $0.record.book.publisher ?? "" },
      Column("Binding") { $0.format },
      Column("Number of Pages") { $0.record.book.pages.map(String.init) ?? "" },
      Column("Year Published") { line in
        (line.record.book.published?.year ?? line.item.year).map(String.init) ?? ""
      },
      Column("Original Publication Year") { $0.item.year.map(String.init) ?? "" },
      Column("Date Read") { $0.item.lastRead?.slashed ?? "" },
      Column("Date Added") { $0.entry.addedOn?.slashed ?? "" },
      Column("Bookshelves") { $0.shelves.map(\.name).joined(separator: ", ") },
      Column("Bookshelves with positions") {
        $0.shelves.map { shelf in shelf.name + (shelf.position.map { " (#\($0))" } ?? "") }.joined(separator: ", ")
      },
      Column("Exclusive Shelf") { $0.item.readStatus },
      Column("My Review") { $0.item.comment?.asHTML ?? "" },
      .empty("Spoiler"),
      Column("Private Notes") { $0.entry.times.compactMap(\.note).joined(separator: "\n") },
      Column("Read Count") { String($0.item.finished.count) },
      Column("Recommended For"), Column("Recommended By"),
      Column("Owned Copies") { String($0.entry.copies.count) },
      Column("Original Purchase Date") { $0.entry.copies.first?.facts.acquiredOn?.slashed ?? "" },
      Column("Original Purchase Location") { $0.entry.copies.first?.facts.acquiredFrom ?? "" },
      Column("Condition") { $0.condition.grade },
      Column("Condition Description") { $0.condition.description },
      Column("BCID"),
    ])
}

extension OutgoingTable.Line {
  /// The tags and piles, which are both shelves on Goodreads.
  fileprivate var shelves: [(name: String, position: Int?)] {
    entry.tags.map { ($0, nil) } + entry.piles.map { ($0.pile, $0.position) }
  }

  /// The note of the first copy, split if it begins with one of the six grades of Goodreads.
  fileprivate var condition: (grade: String, description: String) {
    let note = entry.copies.first?.facts.note ?? ""
    let lines = note.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let grades = ["brand new", "like new", "very good", "good", "acceptable", "unacceptable"]
    guard let first = lines.first, grades.contains(first.lowercased()) else { return ("", note) }
    return (first, lines.count > 1 ? lines[1] : "")
  }
}

extension String {
  /// `Saga, #1` for `Saga #1`: Goodreads and programs that read its files expect the comma.
  fileprivate var atGoodreads: String {
    let series = SeriesName(self)
    return series.number.map { "\(series.name), #\($0)" } ?? self
  }

  /// The text in HTML, with its line ends.
  var asHTML: String {
    replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;").replacing(
      "\n", with: "<br/>")
  }
}
