internal import CatalogModel
internal import Lookup

extension TableFormat {
  /// The XML of MyAnimeList, of which the films are kept.
  static let myAnimeList = TableFormat(
    "myanimelist", "MyAnimeList", .movie, records: .elements(["anime", "manga"]),
    isOurs: { if case .xml("myanimelist", _) = $0 { true } else { false } },
    own: ["started": day(.started), "finished": day(.finished), "again": again],
    finish: { facts, cells throws(ImportRow.Rejection) in
      let type = cells.first("series_type") ?? "manga"
      guard type.lowercased() == "movie" else {
        throw ImportRow.Rejection.otherKind(type)
      }
      if facts.status == nil, facts.rating != nil { facts.status = .done }
    },
    key: { cells, _ in cells.first("series_animedb_id") })

  /// A day, which is zeros where there is none.
  private static func day(_ target: ColumnMapping) -> ColumnMapping {
    guard case .kept(let words) = target.use else { return target }
    return ColumnMapping(target.id, words) { text, facts in text.hasPrefix("0000") || target.read(text, &facts) }
  }

  /// The number of times that it was watched again.
  private static let again = ColumnMapping("count", "how often") { text, facts in
    guard let count = Numbers.count(text) else { return false }
    if count > 0 { facts.count = count + 1 }
    return true
  }
}
