internal import CatalogModel

extension TableFormat {
  /// The data of a Trakt user as JSON: ratings, history, watched, collected and listed movies, as single files or in
  /// the archive of the export.
  static let trakt = TableFormat(
    "trakt", "Trakt", .movie, records: .parts(TraktPart.chosen),
    isOurs: { shape in
      if case .zip(let members) = shape { return TraktPart.areExport(members) }
      guard case .json = shape, let names = shape.names else { return false }
      let isTrakt = names.contains("movieidstrakt") || names.contains("showidstrakt")
      let marks: Set = ["ratedat", "watchedat", "lastwatchedat", "collectedat", "listedat", "lastupdatedat", "rank"]
      return isTrakt || (names.contains("movietitle") || names.contains("showtitle")) && !names.isDisjoint(with: marks)
    },
    own: [
      "watched": watched, "collected": collected, "listed": listed,
      "action": .left("it only says how Trakt learned of it"),
    ],
    finish: { facts, cells throws(ImportRow.Rejection) in
      let isShow = cells.list.contains { cell in
        ["show.", "season.", "episode."].contains { cell.name.hasPrefix($0) }
      }
      if isShow { throw ImportRow.Rejection("it is a series or an episode: the catalog keeps movies") }
      if facts.rating != nil { facts.status = facts.status ?? .done }
      TraktPart(of: cells)?.settle(&facts, cells)
    },
    key: { cells, _ in
      (cells.first("movie.ids.trakt") ?? cells.first("movie.ids.tmdb") ?? cells.first("movie.ids.imdb")).map { id in
        [id, cells.first("id") ?? cells.first("watched_at"), TraktPart(of: cells)?.mark].compactMap { $0?.nonEmpty }
          .joined(separator: " ")
      }
    }
  ).prepared { file, format in
    let finish = format.finish
    let names = try TraktPart.names(of: file)
    // A single file does not say which list it is.
    let alone = TraktPart(fileName: file)
    format.finish = { facts, cells throws(ImportRow.Rejection) in
      try finish(&facts, cells)
      if cells.first(Cells.member) == nil, cells.first("rank") != nil, cells.first("listed_at") != nil {
        alone.settle(&facts, cells)
      }
      for place in facts.piles.indices {
        if let name = names[facts.piles[place].pile] { facts.piles[place].pile = name }
      }
    }
    format.otherMembers = { TraktPart.isListOfLists($0) ? .kept("names of the lists") : nil }
  }

  /// The day of watching. The first second of 1970 stands for an unknown day.
  private static let watched = ColumnMapping("finished", "date of watching or reading") { text, facts in
    if text.hasPrefix("1970-01-01T00:00:00") {
      facts.status = .done
      return true
    }
    return ColumnMapping.finished.read(text, &facts)
  }

  private static let collected = ColumnMapping("owned", "copies") { text, facts in
    facts.owned = 1
    facts.copy.acquiredOn = Dates.read(text, at: facts.choices.localTime)
    return true
  }

  private static let listed = ColumnMapping("wish", "wish") { text, facts in
    facts.status = facts.status ?? .planned
    let day = Dates.read(text, at: facts.choices.localTime)
    (facts.addedOn, facts.wishedOn) = (day, day)
    return true
  }
}

/// The content of a file in the archive of Trakt's export: `watched-history-1.json`, in older ones
/// `me/watched/history-1.json`.
private enum TraktPart: Hashable {
  case history, watched, ratings, watchlist, favorites, collection, comments
  case list(String)

  init?(member: String) {
    let path = member.split(separator: "/").map(String.init)
    guard let file = path.last, file.hasSuffix(".json") else { return nil }
    // Long files are split: `-1`, `-2`.
    let parts = file.dropLast(5).split(separator: "-").map(String.init)
    let name = (parts.last.flatMap { Int($0) } == nil ? parts : parts.dropLast()).joined(separator: "-")
    switch name {
    case "watched-history", "history": self = .history
    case "watched-movies": self = .watched
    case "ratings-movies": self = .ratings
    case "lists-watchlist", "watchlist": self = .watchlist
    case "lists-favorites", "favorites": self = .favorites
    case "collection-movies": self = .collection
    case "comments-movies": self = .comments
    // The index of the lists, not their items.
    case "lists-lists", "lists": return nil
    case _ where name.hasPrefix("lists-"): self = .list(String(file.dropFirst("lists-".count).dropLast(5)))
    case _ where path.dropLast().last == "lists": self = .list(String(file.dropLast(5)))
    default: return nil
    }
  }

  /// Determines the content of a single file by its name: the watchlist or another list.
  init(fileName file: InputFile) {
    let name = file.path.split(separator: "/").last.map(String.init) ?? ""
    let short = name.hasSuffix(".json") ? String(name.dropLast(5)) : name
    self =
      TraktPart(member: name) ?? (name.lowercased().contains("watchlist") ? .watchlist : .list(short))
  }

  static func isListOfLists(_ member: String) -> Bool {
    ["lists-lists.json", "lists.json"].contains(member.split(separator: "/").last ?? "")
  }

  /// The names of the lists in an archive, by their files: `list-99999-films-for-a-rainy-day`, `films-for-a-rainy-day`.
  static func names(of file: InputFile) throws -> [String: String] {
    guard case .zip(let members) = file.shape, let member = members.first(where: isListOfLists) else { return [:] }
    var names: [String: String] = [:]
    var elements = JSONElements(try ZipArchive(path: file.path).read(member), layout: .list)
    try elements.forEach { element in
      let cells = Cells(element)
      guard let name = cells.first("name"), let slug = cells.first("ids.slug") else { return true }
      names[slug] = name
      if let id = cells.first("ids.trakt") { names["list-\(id)-\(slug)"] = name }
      return names.count < 20_000
    }
    return names
  }

  init?(of cells: Cells) {
    guard let part = cells.first(Cells.member).flatMap(TraktPart.init(member:)) else { return nil }
    self = part
  }

  /// Whether an archive is an export. Other archives may contain lists, too.
  static func areExport(_ members: [String]) -> Bool {
    Set(members.compactMap(TraktPart.init(member:)).filter { if case .list = $0 { false } else { true } }).count > 1
  }

  /// The members to read. The history contains every viewing that the list of watched movies counts.
  static func chosen(of members: [String]) -> [String] {
    let parts = members.compactMap { member in TraktPart(member: member).map { (member, $0) } }
    let hasHistory = parts.contains { $0.1 == .history }
    return parts.filter { !hasHistory || $0.1 != .watched }.sorted { ($0.1.rank, $0.0) < ($1.1.rank, $1.0) }.map(\.0)
  }

  private var rank: Int {
    switch self {
    case .history, .watched: 0
    case .ratings: 1
    case .collection: 2
    case .comments: 3
    case .watchlist: 4
    case .favorites: 5
    case .list: 6
    }
  }

  /// A mark that distinguishes its rows from those of other parts about the same movie.
  var mark: String {
    switch self {
    case .history, .watched, .ratings: ""
    case .collection: "collected"
    case .comments: "comment"
    case .watchlist: "listed"
    case .favorites: "favorite"
    case .list(let name): name
    }
  }

  /// Only items on the watchlist are wishes.
  func settle(_ facts: inout RowFacts, _ cells: Cells) {
    switch self {
    case .watchlist: facts.piles = []
    case .favorites: (facts.isFavorite, facts.status, facts.piles) = (true, nil, [])
    case .list(let name):
      (facts.status, facts.addedOn) = (nil, nil)
      facts.piles = [Entry.PilePlace(name, position: cells.first("rank").flatMap { Int($0) })]
    case .history, .watched, .ratings, .collection, .comments: break
    }
  }
}
