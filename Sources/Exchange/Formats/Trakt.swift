internal import CatalogModel

extension TableFormat {
  /// What Trakt says of a person as JSON: ratings, history, watched, collected and listed movies, each alone or all in the archive of
  /// its export.
  static let trakt = TableFormat(
    "trakt", "Trakt", .movie, records: .parts(TraktPart.chosen),
    isOurs: { shape in
      if case .zip(let members) = shape { return TraktPart.areExport(members) }
      guard case .json = shape, let names = shape.names else { return false }
      let isTrakt = names.contains("movieidstrakt") || names.contains("showidstrakt")
      let marks: Set = ["ratedat", "watchedat", "lastwatchedat", "collectedat", "listedat", "lastupdatedat", "rank"]
      return isTrakt || (names.contains("movietitle") || names.contains("showtitle")) && !names.isDisjoint(with: marks)
    },
    columns: [
      "movie.title": .title, "show.title": .title, "movie.year": .year, "movie.ids.imdb": .imdb,
      "movie.ids.tmdb": .id("tmdb"), "rating": .rating(.ten), "rated_at": .addedOn, "watched_at": .finished,
      "last_watched_at": .finished,
      "plays": .count,
      "collected_at": collected, "listed_at": listed, "notes": .remark,
      "type": .left("it only tells movies from series"),
      "action": .left("it only tells how Trakt came to know"), "id": .inside, "last_updated_at": .inside,
      "reset_at": .inside, "updated_at": .inside, "rank": .pileByFormat,
      "movie.overview": .summary, "movie.runtime": .minutes, "movie.tagline": .note, "movie.released": .released,
      "movie.genres": .genre, "movie.country": .country, "movie.language": .language, "movie.rating": .others,
      "movie.votes": .others, "movie.comment_count": .others, "movie.updated_at": .inside,
      "movie.available_translations": .inside, "movie.status": .inside, "movie.certification": .note,
      "movie.homepage": .url, "movie.trailer": .inside, "comment": .review, "comment.comment": .review,
      "created_at": .addedOn, "comment.created_at": .addedOn, "spoiler": .inside, "review": .inside,
    ],
    prefixes: [
      ("comment.", .inside), ("movie.ids.", .inside), ("show.", .inside), ("season.", .inside), ("episode.", .inside),
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
    })

  private static let collected = Target("owned", "copies") { text, facts in
    facts.owned = 1
    facts.copy.acquiredOn = Dates.read(text)
    return true
  }

  private static let listed = Target("wish", "wish") { text, facts in
    facts.status = facts.status ?? .wish
    facts.addedOn = Dates.read(text)
    return true
  }
}

/// What a file in the archive of Trakt's export tells: `watched-history-1.json`, in older ones `me/watched/history-1.json`.
private enum TraktPart: Hashable {
  case history, watched, ratings, watchlist, favorites, collection, comments
  case list(String)

  init?(member: String) {
    let path = member.split(separator: "/").map(String.init)
    guard let file = path.last, file.hasSuffix(".json") else { return nil }
    // Long ones are parted: `-1`, `-2`.
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
    // The lists by their names, and not what is on them.
    case "lists-lists", "lists": return nil
    case _ where name.hasPrefix("lists-"): self = .list(String(file.dropFirst("lists-".count).dropLast(5)))
    case _ where path.dropLast().last == "lists": self = .list(String(file.dropLast(5)))
    default: return nil
    }
  }

  init?(of cells: Cells) {
    guard let part = cells.first(Cells.member).flatMap(TraktPart.init(member:)) else { return nil }
    self = part
  }

  /// Whether an archive is an export: somebody else's may have lists, too.
  static func areExport(_ members: [String]) -> Bool {
    Set(members.compactMap(TraktPart.init(member:)).filter { if case .list = $0 { false } else { true } }).count > 1
  }

  /// Those to be read. The history has every time that the list of what was watched counts.
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

  /// What tells its rows from those of others about one movie.
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

  /// What stands on a list is wished for only when that is the watchlist.
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
