internal import CatalogModel
internal import Lookup
internal import Processes

extension TableFormat {
  /// Delicious Library 1, which stores all values in attributes.
  static let delicious1 = TableFormat(
    "delicious1", "Delicious Library 1", nil, records: .other(deliciousItems),
    isOurs: { shape in
      guard case .xml("library", let inside) = shape else { return false }
      return inside.contains("items")
    },
    own: [
      "asin": asin, "publisher": publisher, "published": published(.day), "created": created,
      "recommended": .left("others recommended it"),
    ], finish: { facts, cells throws(ImportRow.Rejection) in try facts.finishDelicious(cells.first("(element)")) },
    key: { cells, _ in cells.first("uuid") })

  /// Delicious Library 2, a property list.
  static let delicious2 = TableFormat(
    "delicious2", "Delicious Library 2", nil, records: .other(deliciousPlist),
    isOurs: { shape in
      guard case .xml("plist", let inside) = shape else { return false }
      return inside.starts(with: ["array", "dict"])
    },
    own: [
      "asin": asin, "actors": actors, "publisher": publisher, "published": published(nil),
      "number-in-series": numberInSeries, "used": flag("used"), "signed": flag("signed"), "rare": flag("rare"),
      "private": flag("private"),
    ], finish: { facts, cells throws(ImportRow.Rejection) in try facts.finishDelicious(cells.first("type")) },
    key: { cells, _ in cells.first("uuidString") })

  /// The number at Amazon, which for books is the ISBN.
  private static let asin = ColumnMapping("isbn", "ISBN") { text, facts in
    if facts.kind == .book, facts.book.isbn == nil { facts.book.isbn = try? ISBN(text) }
    return true
  }

  /// The cast of a movie, or the artists of an album.
  private static let actors = ColumnMapping("cast", "cast, or artist") { text, facts in
    for name in Names.list(text, "\n") {
      if facts.kind == .vinyl {
        facts.creators.append(name)
      } else {
        facts.credits.append(Credit(name: name, role: .cast))
      }
    }
    return true
  }

  private static let publisher = ColumnMapping("publisher", "publisher or label") { text, facts in
    switch facts.kind {
    case .vinyl: return ColumnMapping.label.read(text.replacing(",", with: " "), &facts)
    case .movie: facts.note("Publisher", text)
    default: return ColumnMapping.publisher.read(text, &facts)
    }
    return true
  }

  private static func published(_ order: Dates.Order?) -> ColumnMapping {
    ColumnMapping("published", "publication of the edition") { text, facts in
      guard let date = Dates.read(text, order: order) else { return false }
      switch facts.kind {
      case .book: facts.book.published = date
      case .vinyl: facts.released = date
      default: facts.note("Published", date.description)
      }
      return true
    }
  }

  /// Seconds since 2001.
  private static let created = ColumnMapping("added", "date of the addition") { text, facts in
    guard let seconds = Int(text), (1..<10_000_000_000).contains(seconds) else { return false }
    facts.addedOn = PartialDate(dayNumber: seconds / 86_400 + PartialDate.dayNumber(year: 2001, month: 1, day: 1))
    return true
  }

  private static let numberInSeries = ColumnMapping("series-number", "series") { text, facts in
    text == "0" || ColumnMapping.seriesNumber.read(text, &facts)
  }

  private static func flag(_ word: String) -> ColumnMapping {
    ColumnMapping("copy-note", "note of the copy") { text, facts in
      text != "1" || ColumnMapping.copyNote.read(word, &facts)
    }
  }

  /// Reads the items with the shelves that contain them.
  @Sendable private static func deliciousItems(_ file: InputFile, _ each: (Cells) throws -> Bool) throws {
    var shelves: [String: [String]] = [:]
    try XMLElements(source: try file.bytes()).forEach(named: ["shelf"]) { shelf in
      for link in shelf.children where link.name == "linkto" && shelves.count < 100_000 {
        if let uuid = link["uuid"], let name = shelf["name"] { shelves[uuid, default: []].append(name) }
      }
      return true
    }
    let names: Set<String> = ["book", "movie", "music", "game", "toy", "gadget", "software", "tool"]
    try Records.cells(of: XMLElements(source: try file.bytes()), named: names) { cells in
      var cells = cells
      for name in cells.first("uuid").flatMap({ shelves[$0] }) ?? [] { cells.list.append(("(shelf)", name)) }
      return try each(cells)
    }
  }

  /// Reads a property list, in which keys and values alternate.
  @Sendable private static func deliciousPlist(_ file: InputFile, _ each: (Cells) throws -> Bool) throws {
    var number = 0
    try XMLElements(source: try file.bytes()).forEach(named: ["dict"]) { dictionary in
      number += 1
      var cells = Cells(line: number)
      for (key, value) in zip(dictionary.children, dictionary.children.dropFirst()) where key.name == "key" {
        let text = ["true", "false"].contains(value.name) ? value.name : value.text.trimmed
        if value.name != "key", !text.isEmpty { cells.list.append((key.text.trimmed, text)) }
      }
      // The type comes first, because other values depend on it.
      if let type = cells.list.firstIndex(where: { $0.name == "type" }) { cells.list.swapAt(0, type) }
      return try each(cells)
    }
  }
}

extension RowFacts {
  fileprivate mutating func finishDelicious(_ type: String?) throws(ImportRow.Rejection) {
    guard kind != nil else {
      throw ImportRow.Rejection.otherKind(type ?? "none")
    }
    takeSeriesFromTitle()
    owned = 1
  }
}
