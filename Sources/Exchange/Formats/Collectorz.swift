internal import CatalogModel
internal import Lookup

extension TableFormat {
  /// The XML of the collectors of Collectorz for movies, books and music, with American dates.
  static let collectorz = TableFormat(
    "collectorz", "Collectorz", .movie, records: .elements(["movie", "book", "music"]),
    isOurs: { shape in
      guard case .xml(let root, _) = shape else { return false }
      return ["movieinfo", "bookinfo", "musicinfo"].contains(root)
    },
    own: ["status": status, "people": people],
    finish: { facts, cells in
      let characters = cells.list.filter { $0.name == "cast.star.character" }.map(\.value)
      let stars = cells.list.filter { $0.name == "cast.star.person.displayname" }.map(\.value)
      // If some actors have no character, the lists cannot be paired.
      let isPaired = characters.count == stars.count
      facts.credits += zip(stars.indices, stars).prefix(30).map { index, name in
        Credit(name: name, role: .cast, detail: isPaired ? characters[index].nonEmpty : nil)
      }
      func crew(_ name: String) -> [String] { cells.list.filter { $0.name == "crew.crewmember.\(name)" }.map(\.value) }
      facts.creators += zip(crew("roleid"), crew("person.displayname")).filter { $0.0 == "dfDirector" }.map(\.1)
      func part(_ name: String) -> [String] {
        cells.list.filter { $0.name == "mainsection.credits.credit.\(name)" }.map(\.value)
      }
      for (role, name) in zip(part("roleid"), part("person.displayname")) {
        let name = Names.firstLast(name)
        switch role {
        case "dfAuthor": facts.creators.append(name)
        case "dfTranslator": facts.credits.append(Credit(name: name, role: .translator))
        default: facts.note("Author", "\(name) (\(role.hasPrefix("df") ? String(role.dropFirst(2)) : role))")
        }
      }
      if facts.status == .planned || cells.first("collectionstatus") == "Not in Collection" {
        facts.owned = 0
      } else {
        facts.owned = max(1, facts.owned ?? 1)
      }
    },
    key: { cells, facts in
      cells.first("id").map { "\(cells.first("(element)") ?? "") \($0) \(Cells.key(facts.title ?? ""))" }
    }
  ).prepared { file, format in
    format.columns = format.columns.mapValues(\.asTold)
    guard case .xml(let root, _) = file.shape else { return }
    format.kind = root == "bookinfo" ? .book : root == "musicinfo" ? .vinyl : .movie
  }

  private static let people = ColumnMapping("cast", "director and cast") { _, _ in true }

  private static let status = ColumnMapping("status", "status") { text, facts in
    switch text {
    case "Wish List", "On Order": facts.status = .planned
    case "For Sale", "Sold": facts.note("Collection status", text)
    default: break
    }
    return true
  }
}
