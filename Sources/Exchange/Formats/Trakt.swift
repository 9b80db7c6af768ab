internal import CatalogModel

extension TableFormat {
  /// What Trakt says of a person as JSON: ratings, history, watched, collected and listed movies.
  static let trakt = TableFormat(
    "trakt", "Trakt", .movie,
    isOurs: { shape in
      guard case .json = shape, let names = shape.names else { return false }
      let isTrakt = names.contains("movieidstrakt") || names.contains("showidstrakt")
      let marks: Set = ["ratedat", "watchedat", "lastwatchedat", "collectedat", "listedat", "lastupdatedat", "rank"]
      return isTrakt || (names.contains("movietitle") || names.contains("showtitle")) && !names.isDisjoint(with: marks)
    },
    columns: [
      "movie.title": .title, "movie.year": .year, "movie.ids.imdb": .imdb, "movie.ids.tmdb": .id("tmdb"),
      "movie.ids.trakt": .inside, "movie.ids.slug": .inside, "movie.ids.plex": .inside,
      "rating": .rating(.ten), "rated_at": .addedOn, "watched_at": .finished, "last_watched_at": .finished,
      "plays": .count,
      "collected_at": collected, "listed_at": listed, "notes": .remark,
      "type": .left("it only tells movies from series"),
      "action": .left("it only tells how Trakt came to know"), "id": .inside, "last_updated_at": .inside,
      "reset_at": .inside, "updated_at": .inside, "rank": .pileByFormat,
      "movie.overview": .summary, "movie.runtime": .minutes, "movie.tagline": .note, "movie.released": .released,
      "movie.genres": .genre, "movie.country": .country, "movie.language": .language, "movie.rating": .others,
      "movie.votes": .others, "movie.comment_count": .others, "movie.updated_at": .inside,
      "movie.available_translations": .inside, "movie.status": .inside, "movie.certification": .note,
      "movie.homepage": .url, "movie.trailer": .inside,
    ],
    finish: { facts, cells throws(ImportRow.Rejection) in
      let isShow = cells.list.contains { cell in
        ["show.", "season.", "episode."].contains { cell.name.hasPrefix($0) }
      }
      if isShow { throw ImportRow.Rejection("it is a series or an episode: the catalog keeps movies") }
      if facts.rating != nil { facts.status = facts.status ?? .done }
    },
    key: { cells, _ in
      (cells.first("movie.ids.trakt") ?? cells.first("movie.ids.tmdb") ?? cells.first("movie.ids.imdb")).map { id in
        "\(id) \(cells.first("id") ?? cells.first("watched_at") ?? "")".trimmed
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
