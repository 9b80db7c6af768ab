internal import CatalogModel
internal import Lookup

extension TableFormat {
  /// The XML of MyAnimeList, of which the films are kept.
  static let myAnimeList = TableFormat(
    "myanimelist", "MyAnimeList", .movie, records: .elements(["anime", "manga"]),
    isOurs: { if case .xml("myanimelist", _) = $0 { true } else { false } },
    columns: [
      "series_title": .title, "manga_title": .title, "series_animedb_id": .id("mal"), "manga_mangadb_id": .inside,
      "series_type": .left("it only distinguishes movies from series"), "series_episodes": .inside,
      "my_start_date": day(.started), "my_finish_date": day(.finished), "my_score": .rating(.ten),
      "my_status": .status, "my_times_watched": again, "my_tags": .tags, "my_comments": .remark,
      "my_rewatching": .inside, "my_watched_episodes": .inside, "my_id": .inside, "my_rewatching_ep": .inside,
      "my_discuss": .inside, "my_sns": .inside, "my_priority": .inside, "update_on_import": .inside,
    ],
    prefixes: [("manga_", .inside)],
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
