internal import CatalogModel
internal import Lookup

extension TableFormat {
  /// The lists of AniList, of which the films are kept.
  static let aniList = TableFormat(
    "anilist", "AniList", .movie, records: .other(entries),
    isOurs: { shape in
      guard case .json = shape, let names = shape.names else { return false }
      return names.contains { $0.contains("listsentriesmedia") }
    },
    own: ["again": again],
    finish: { facts, cells throws(ImportRow.Rejection) in
      let type = cells.first("media.format") ?? "?"
      guard type == "MOVIE" else {
        throw ImportRow.Rejection.otherKind(type)
      }
      facts.title = facts.title ?? facts.otherTitles.first
      if facts.status == nil, facts.rating != nil { facts.status = .done }
    },
    key: { cells, _ in cells.first("media.idMal") ?? cells.first("mediaId") }
  ).prepared { file, format in try format.fit(to: file) }

  private static let again = ColumnMapping("count", "how often") { text, facts in
    if let count = Numbers.count(text), count > 0 { facts.count = count + 1 }
    return true
  }

  /// Reads each entry once, with the names of its lists: a list of one's own repeats those of the status.
  @Sendable private static func entries(_ file: InputFile, _ each: (Cells) throws -> Bool) throws {
    var elements = JSONElements(try file.text(), layout: .sequence)
    var (list, places): ([Cells], [String: Int]) = ([], [:])
    var held = HeldRows()
    try elements.forEach { element in
      let data = element.value["data"].object == nil ? element.value : element.value["data"]
      let users = data.object?.members.flatMap { $0.value["lists"].list ?? [] } ?? []
      for part in (data["lists"].list ?? []) + users {
        let isOwn = part["isCustomList"] == .flag(true)
        for entry in part["entries"].list ?? [] {
          var cells = Cells(JSONElements.Element(number: list.count + 1, value: entry))
          for (name, key) in [("startedAt", "started"), ("completedAt", "completed")] {
            let day = ["year", "month", "day"].map { entry[name][$0].integer.flatMap { Int(exactly: $0) } }
            if let year = day[0], let date = PartialDate(year: year, month: day[1], day: day[1] == nil ? nil : day[2]) {
              cells.list.append((key, date.description))
            }
          }
          let id = cells.first("mediaId") ?? cells.first("media.id") ?? cells.first("media.idMal")
          if let id, let same = places[id] {
            if isOwn, let name = part["name"].text { list[same].list.append(("list", name)) }
            continue
          }
          if let id { places[id] = list.count }
          if isOwn, let name = part["name"].text { cells.list.append(("list", name)) }
          try held.add(cells, things: list.count + 1)
          list.append(cells)
        }
      }
      return true
    }
    for cells in list { guard try each(cells) else { return } }
  }
}
