internal import CatalogModel
internal import Lookup

extension TableFormat {
  /// The XML of Griffith.
  static let griffith = TableFormat(
    "griffith", "Griffith", .movie, records: .elements(["movie"]),
    isOurs: { shape in
      guard case .xml("root", let inside) = shape else { return false }
      return inside.contains("movie") && inside.contains("o_title")
    },
    own: ["loaned": loaned, "site": site, "cast": cast],
    finish: { facts, _ in facts.owned = 1 },
    key: { cells, facts in cells.first("number").map { "\($0) \(Cells.key(facts.title ?? facts.originalTitle ?? ""))" }
    })

  private static let loaned = ColumnMapping("lent-to", "loan") { text, facts in
    if Flag.read(text) == true { facts.note("Loaned", "yes; Griffith does not say to whom") }
    return true
  }

  private static let site = ColumnMapping("imdb", "id at imdb") { text, facts in
    if let id = ExternalID(imdbPage: text) { facts.externalIDs.append(id) }
    return ColumnMapping.url.read(text, &facts)
  }

  /// The cast with one line per actor: `John Cusack as Jonathan Trager`.
  private static let cast = ColumnMapping("cast", "cast") { text, facts in
    for line in Names.list(text, "\n").prefix(30) {
      let parts = line.ranges(of: " as ").first.map { (line[..<$0.lowerBound], line[$0.upperBound...]) }
      facts.credits.append(
        Credit(
          name: Names.plain(parts.map { String($0.0) } ?? line), role: .cast,
          detail: parts.map { String($0.1).trimmed }?.nonEmpty))
    }
    return true
  }
}
