internal import CatalogModel
internal import Lookup

extension TableFormat {
  static let bibtex = bibliography(.bibtex, "bibtex", "BibTeX")
  static let ris = bibliography(.ris, "ris", "RIS")

  /// The entries of a bibliography, with the names of BibTeX.
  private static func bibliography(_ container: Container, _ id: String, _ name: String) -> TableFormat {
    TableFormat(
      id, name, nil, isOurs: { $0 == .container(container) },
      own: [
        "type": type, "volume": .seriesNumber.once(isLast: false), "number": .seriesNumber.once(isLast: true),
        "issued": issued, "note": note,
      ],
      finish: needingKind(in: "type"),
      key: { cells, _ in cells.first("key") })
  }

  private static let type = ColumnMapping("kind", "kind") { text, facts in
    switch text.lowercased() {
    case "book", "mvbook", "inbook", "booklet", "collection", "mvcollection", "proceedings", "ebook", "edbook":
      facts.kind = .book
    case "movie", "video", "mpct": facts.kind = .movie
    case "audio", "music", "sound": facts.kind = .vinyl
    default: break
    }
    return true
  }

  /// The day of the edition of a book, or else that of the release. A year may stand beside it in a column of its own.
  static let issued = ColumnMapping("published", "publication of the edition") { text, facts in
    if text.utf8.count <= 4, facts.book.published != nil || facts.released != nil { return true }
    return (facts.kind == .book ? ColumnMapping.published : .released).read(text, &facts)
  }

  /// Rejects the rows whose type is none of a book, film or record.
  /// - Parameter column: the name of the column with the type.
  static func needingKind(
    in column: String
  ) -> @Sendable (inout RowFacts, Cells) throws(ImportRow.Rejection) -> Void {
    { facts, cells throws(ImportRow.Rejection) in
      if facts.kind == nil { throw .otherKind(cells.first(column) ?? "") }
    }
  }

  private static let note = ColumnMapping("note", "note") { text, facts in
    facts.note("", text)
    return true
  }
}
