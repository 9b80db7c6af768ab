internal import CatalogModel

// <https://en.wikipedia.org/wiki/RIS_(file_format)>: a line a tag, CRLF at its end.
extension OutgoingText {
  static let ris = OutgoingText("ris", "RIS", of: .book) { item, clean in
    let (record, book) = (item.record, item.record.book)
    let tags: [(String, [String])] = [
      ("TY", ["BOOK"]),
      ("ID", [item.citationKey]),
      ("TI", [record.title]),
      ("AU", item.names(.author).map(\.lastNameFirst)),
      ("A4", item.names(.translator).map(\.lastNameFirst)),
      ("PY", [(book.published?.year ?? item.year).map(String.init)].compactMap(\.self)),
      ("PB", [book.publisher].compactMap(\.self)),
      ("T2", [book.series].compactMap(\.self)),
      ("SN", [book.isbn?.digits13].compactMap(\.self)),
      ("SP", [book.pages.map(String.init)].compactMap(\.self)),
      ("LA", [book.language].compactMap(\.self)),
      ("KW", item.genres + item.entry.tags),
      ("UR", [record.url].compactMap(\.self)),
      ("AB", [record.summary].compactMap(\.self)),
      ("N1", [item.comment].compactMap(\.self)),
      ("ER", [""]),
    ]
    return tags.flatMap { tag, values in values.map { "\(tag)  - \(clean($0.inOneLine))\r\n" } }.joined() + "\r\n"
  }
}

extension String {
  fileprivate var inOneLine: String { split(whereSeparator: \.isNewline).joined(separator: " ") }
}
