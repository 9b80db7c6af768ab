internal import CatalogModel
internal import SQLite

extension TableFormat {
  /// The albums in the library of beets, `library.db`.
  static let beets = TableFormat(
    "beets", "beets", .vinyl,
    records: .query { database in
      let columns = try database.storedColumns(of: "albums").map { "\(identifier: $0)" as SQL }.joined(separator: ", ")
      return "SELECT \(columns) FROM albums ORDER BY id"
    },
    isOurs: { shape in
      guard case .database(let tables) = shape else { return false }
      return tables.isSuperset(of: ["items", "albums", "album_attributes"])
    }, own: beetsOwn, finish: beetsFinish,
    key: { cells, _ in cells.first("mb_albumid") })

  /// The output of `beet export`: albums, or tracks, from which each album is imported once.
  static let beetsJSON = TableFormat(
    "beets-json", "beets export", .vinyl,
    records: .other { file, each in
      var seen: Set<String> = []
      try Records.rows.forEach(in: file) { cells in
        if cells.first("title") != nil || cells.first("track") != nil, let album = cells.first("album") {
          let name =
            "\(cells.first("albumartist") ?? cells.first("artist") ?? "")|\(album)|\(cells.first("mb_albumid") ?? "")"
          guard seen.count < RowKeys.most else { throw ImportProblem.tooMuch("there are too many albums to read") }
          guard seen.insert(name).inserted else { return true }
        }
        return try each(cells)
      }
    },
    isOurs: { shape in
      guard let names = shape.names else { return false }
      return names.contains("album") && (names.contains("albumartist") || names.contains("mbalbumid"))
    }, own: beetsOwn,
    finish: { facts, cells throws(ImportRow.Rejection) in
      if facts.title == nil, cells.first("title") != nil { throw ImportRow.Rejection("it is a track of no album") }
      if facts.creators.isEmpty, let artist = cells.first("artist") { facts.creators = [artist] }
      try beetsFinish(&facts, cells)
    },
    key: { cells, _ in cells.first("mb_albumid") })

  private static let beetsOwn = ["added": added, "artist-of-tracks": ColumnMapping.left("the album has its own")]

  /// Seconds since 1970.
  private static let added = ColumnMapping("added", "date of the addition") { text, facts in
    guard let seconds = Double(text), seconds > 0, seconds < 1e11 else { return Presence.isNothing(text) }
    facts.addedOn = PartialDate(dayNumber: Int(exactly: (seconds / 86_400).rounded(.down)) ?? 0)
    return true
  }

  @Sendable private static func beetsFinish(_ facts: inout RowFacts, _ cells: Cells) throws(ImportRow.Rejection) {
    func number(_ name: String) -> Int? { cells.first(name).flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil } }
    let prefix = number("original_year") == nil ? "" : "original_"
    guard let year = number("\(prefix)year") else { return }
    facts.year = ReleaseYear.range.contains(year) ? year : nil
    facts.released =
      PartialDate(year: year, month: number("\(prefix)month"), day: number("\(prefix)day")) ?? PartialDate(year: year)
  }
}
