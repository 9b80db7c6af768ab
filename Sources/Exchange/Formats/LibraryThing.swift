internal import CatalogModel
internal import Lookup

extension TableFormat {
  /// The export of LibraryThing, as tab-separated text or as JSON.
  static let libraryThing = TableFormat(
    "librarything", "LibraryThing", .book,
    isOurs: { shape in
      guard let names = shape.names else { return false }
      return names.contains("booksid") && names.contains("title")
        || names.isSuperset(of: ["title", "primaryauthor", "collections", "workid"])
    },
    own: [
      "collection": .collection, "made": .left("LibraryThing makes it from title, author and year"),
      "publication": publication,
    ],
    finish: { facts, cells in
      var names = cells.all("authors.fl")
      var roles = cells.all("authors.role")
      if names.isEmpty {
        func parts(_ name: String) -> [String] {
          (cells.first(name) ?? "").split(separator: "|", omittingEmptySubsequences: false).map { String($0).trimmed }
        }
        let others = parts("Secondary Author")
        let named = ["Secondary Author Roles", "Secondary Author Role"].first { cells.first($0) != nil }
        names = parts("Primary Author") + others
        roles = [cells.first("Primary Author Role") ?? ""] + (named.map(parts) ?? [])
      }
      if let kind = ["Media", "format.text"].lazy.compactMap({ cells.first($0) }).first.flatMap(Kinds.read(media:)) {
        facts.kind = kind
        facts.settleLibraryThing(kind)
      }
      for (index, name) in names.enumerated() where !name.isEmpty {
        let role = index < roles.count ? roles[index].lowercased() : ""
        // The first person is the main author, unless they are a translator.
        let isMain = index == 0 && PartRole(role) != .translator
        var makers = NamedPerson.all(in: name, .lastFirst)
        for place in makers.indices where !role.isEmpty { makers[place].role = isMain ? nil : role }
        facts.take(makers)
      }
      if facts.kind == .book { facts.takeSeriesFromTitle() }
      // Catalogued books are owned, except those in collections of books not at hand.
      let isElsewhere = facts.status == .planned || facts.piles.contains { $0.pile.lowercased() == "read but unowned" }
      let isHere = (cells.all("Collections")).contains { $0.contains("Your library") }
      if isElsewhere, !isHere { facts.owned = 0 } else { facts.owned = facts.owned ?? 1 }
    },
    key: { cells, _ in cells.first("Book Id") ?? cells.first("books_id") })

  /// `Moody Publishers (2019), Edition: First, 192 pages`
  private static let publication = ColumnMapping("publisher", "publisher") { text, facts in
    let name = text.prefix { $0 != "(" }.trimmed
    if !name.isEmpty { facts.book.publisher = String(name) }
    if facts.book.pages == nil, let end = text.ranges(of: " pages").last {
      facts.book.pages = text[..<end.lowerBound].split(separator: " ").last.flatMap { Numbers.count(String($0)) }
        .flatMap { $0 > 0 ? $0 : nil }
    }
    if let open = text.ranges(of: "Edition: ").first {
      facts.note("Edition", String(text[open.upperBound...].prefix { $0 != "," }))
    }
    return true
  }
}

extension ColumnMapping {
  /// `Your library, To read, Sci-fi`
  fileprivate static let collection = ColumnMapping("list", "lists") { text, facts in
    for name in Names.list(text, ",") {
      switch (Cells.key(name), Status(name)) {
      case ("yourlibrary", _): facts.owned = max(1, facts.owned ?? 1)
      case (_, .owned?): facts.owned = max(1, facts.owned ?? 1)
      case (_, .paused?), (_, .unread?), (_, nil): facts.piles.append(Entry.PilePlace(name))
      case (_, let status?): facts.status = facts.status ?? status
      }
    }
    return true
  }
}

extension RowFacts {
  /// Moves values from the columns of books to the fields of films or records.
  fileprivate mutating func settleLibraryThing(_ kind: Kind) {
    guard kind != .book else { return }
    if let publisher = book.publisher.map({ PlainText.line($0) })?.nonEmpty {
      if kind == .vinyl { vinyl.label = vinyl.label ?? publisher } else { note("Publisher", publisher) }
    }
    if let published = book.published {
      year = year ?? published.year
      if kind == .vinyl { released = released ?? published }
    }
    year = year ?? editionYear
    if let isbn = book.isbn { note("ISBN", isbn.digits13) }
    if let series = book.series { note("Series", series) }
    if let pages = book.pages { note("Pages", "\(pages)") }
    (book, editionYear, seriesNumber) = (Book(), nil, nil)
  }
}
