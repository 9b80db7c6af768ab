internal import CatalogModel
internal import Lookup

extension TableFormat {
  /// The file that Kodi, Jellyfin and their like keep beside a film.
  static let kodi = TableFormat(
    "kodi", "Kodi", .movie, records: .other(films),
    isOurs: { if case .xml("movie", _) = $0 { true } else { false } },
    own: ["ids": ids],
    finish: { facts, cells in
      var type = ""
      for cell in cells.list {
        if cell.name == "uniqueid.type" { type = cell.value.lowercased() }
        guard cell.name == "uniqueid", ["imdb", "tmdb"].contains(type) else { continue }
        _ = (type == "imdb" ? ColumnMapping.imdb : .id("tmdb")).read(cell.value, &facts)
      }
      for (place, cell) in cells.list.enumerated() where cell.name == "actor.name" {
        // The role stands behind the name, or before it.
        let end = cells.list[(place + 1)...].firstIndex { $0.name == "actor.name" } ?? cells.list.endIndex
        let role = cells.list[(place + 1)..<end].first { $0.name == "actor.role" }?.value
        if facts.credits.count < 30 {
          facts.credits.append(Credit(name: cell.value, role: .cast, detail: role?.nonEmpty))
        }
      }
      if facts.rating != nil { facts.status = facts.status ?? .done }
    })

  private static let ids = ColumnMapping("imdb", "ids at sources") { _, _ in true }

  /// The film. Behind its end may stand its address.
  @Sendable private static func films(_ file: InputFile, _ each: (Cells) throws -> Bool) throws {
    var count = 0
    do {
      try Records.cells(of: XMLElements(source: file.bytes()), named: ["movie"]) { cells in
        count += 1
        return try each(cells)
      }
    } catch let problem as ImportProblem where problem.reason == .damaged && count > 0 {
      // The address.
    }
  }
}
