internal import CatalogModel

extension TableFormat {
  /// What a person marked, reviewed and noted at NeoDB: the archive of its CSV export, or a table of it. What a thing is, its links
  /// tell, and by the first of them rows of several tables are one thing.
  static let neoDB = TableFormat(
    "neodb", "NeoDB", nil, records: .tables(isTable),
    isOurs: { shape in
      switch shape {
      case .zip(let members): return members.contains { $0.hasSuffix("_mark.csv") }
      case .table:
        let names = shape.names ?? []
        return names.isSuperset(of: ["title", "info", "links", "timestamp"])
          && !names.isDisjoint(with: ["status", "content"])
      default: return false
      }
    },
    columns: [
      "links": links, "info": info, "title": .title, "timestamp": .addedOn, "status": .status, "rating": .rating(.ten),
      "comment": .review, "tags": .tags, "content": content, "progress": .note,
    ],
    finish: { facts, cells throws(ImportRow.Rejection) in
      let links = cells.first("links") ?? ""
      if ["/tv/", "/game/", "/podcast/", "/performance/"].contains(where: { links.contains($0) }), facts.kind == nil {
        throw ImportRow.Rejection("it is of a kind that the catalog does not keep")
      }
      // A review and a note have a title of their own behind that of the thing.
      let titles = cells.all("title")
      facts.title = titles.first
      if let content = cells.first("content") {
        let words = titles.dropFirst() + [content]
        if cells.keys.contains("progress") {
          facts.note("Note", words.joined(separator: ": "))
        } else {
          facts.review = words.joined(separator: "\n\n")
        }
      }
      facts.takeYearFromTitle()
    },
    key: { cells, _ in
      let part = cells.first("content") == nil ? "" : cells.keys.contains("progress") ? " note" : " review"
      return cells.first("links").map { "\($0.prefix { !$0.isWhitespace })\(part)" }
    })

  /// `movie_mark.csv`, `book_review.csv`.
  private static func isTable(_ member: String) -> Bool {
    ["_mark.csv", "_review.csv", "_note.csv"].contains { member.hasSuffix($0) }
  }

  private static let links = Target("url", "page on the web") { text, facts in
    let links = text.split { $0.isWhitespace || $0 == "," }.map(String.init).filter { $0.hasPrefix("http") }
    if let first = links.first { _ = Target.url.read(first, &facts) }
    for (place, link) in links.enumerated() {
      for (part, kind) in [("/movie/", Kind.movie), ("/book/", .book), ("/album/", .vinyl)] where link.contains(part) {
        facts.kind = facts.kind ?? kind
        let id = link.ranges(of: part).first.map { link[$0.upperBound...] } ?? ""
        if place == 0, !id.isEmpty { _ = Target.id("neodb", String(part.dropFirst())).read(String(id), &facts) }
      }
      if let id = ExternalID(imdbPage: link) { facts.externalIDs.append(id) }
      if let id = id(in: link, behind: "themoviedb.org/movie/") {
        facts.externalIDs.append(ExternalID(source: "tmdb", value: id))
      }
      if let id = id(in: link, behind: "goodreads.com/book/show/") {
        facts.externalIDs.append(ExternalID(source: "goodreads", value: id))
      }
      if let id = id(in: link, behind: "discogs.com/release/") {
        facts.externalIDs.append(ExternalID(source: "discogs", value: id))
      }
    }
    return !links.isEmpty
  }

  private static func id(in link: String, behind part: String) -> String? {
    link.ranges(of: part).first.flatMap { String(link[$0.upperBound...].prefix { $0.isASCII && $0.isNumber }).nonEmpty }
  }

  /// The text of a review or a note, which `finish` puts together with its title.
  private static let content = Target("review", "review") { _, _ in true }

  /// `isbn:9780060929879 pub_year:1998 author:Jane Austen/Another`
  private static let info = Target("info", "ids, year and who made it") { text, facts in
    var isRead = false
    for (name, value) in parts(of: text) {
      switch name {
      case "isbn": isRead = Target.isbn.read(value, &facts) || isRead
      case "imdb": isRead = Target.imdb.read(value, &facts) || isRead
      case "barcode", "gtin": isRead = Target.barcode.read(value, &facts) || isRead
      case "year": isRead = Target.year.read(value, &facts) || isRead
      case "pub_year":
        facts.editionYear = Numbers.year(value)
        isRead = facts.editionYear != nil || isRead
      case "author", "artist", "director":
        facts.creators += value.split(separator: "/").map { Names.plain(String($0)) }
        isRead = true
      default: break
      }
    }
    return isRead
  }

  /// Names have blanks in them: a value ends where the next begins.
  private static func parts(of info: String) -> [(name: String, value: String)] {
    let known = [
      "isbn", "imdb", "barcode", "gtin", "year", "pub_year", "season_number", "episode_number", "author", "artist",
      "director", "host",
    ]
    var parts: [(name: String, value: String)] = []
    for word in info.split(whereSeparator: \.isWhitespace) {
      if let colon = word.firstIndex(of: ":"), case let name = word[..<colon].lowercased(), known.contains(name) {
        parts.append((name, String(word[colon...].dropFirst())))
      } else if let last = parts.indices.last {
        parts[last].value += " \(word)"
      }
    }
    return parts
  }
}
