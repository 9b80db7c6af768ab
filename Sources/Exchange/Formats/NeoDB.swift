internal import CatalogModel

extension TableFormat {
  /// What a person marked at NeoDB, as CSV. What a thing is, its links tell.
  static let neoDB = TableFormat(
    "neodb", "NeoDB", nil, needs: ["title", "info", "links", "timestamp", "status", "rating", "comment", "tags"],
    columns: [
      "links": links, "info": info, "title": .title, "timestamp": .addedOn, "status": .status, "rating": .rating(.ten),
      "comment": .review, "tags": .tags,
    ],
    finish: { facts, cells throws(ImportRow.Rejection) in
      let links = cells.first("links") ?? ""
      if ["/tv/", "/game/", "/podcast/", "/performance/"].contains(where: { links.contains($0) }), facts.kind == nil {
        throw ImportRow.Rejection("it is of a kind that the catalog does not keep")
      }
      facts.takeYearFromTitle()
    },
    key: { cells, _ in cells.first("links").map { String($0.prefix { !$0.isWhitespace }) } })

  private static let links = Target("url", "page on the web") { text, facts in
    let links = text.split { $0.isWhitespace || $0 == "," }.map(String.init).filter { $0.hasPrefix("http") }
    if let first = links.first { _ = Target.url.read(first, &facts) }
    for link in links {
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
      for (part, kind) in [("/movie/", Kind.movie), ("/book/", .book), ("/album/", .vinyl)] where link.contains(part) {
        facts.kind = facts.kind ?? kind
      }
    }
    return !links.isEmpty
  }

  private static func id(in link: String, behind part: String) -> String? {
    link.ranges(of: part).first.flatMap { String(link[$0.upperBound...].prefix { $0.isASCII && $0.isNumber }).nonEmpty }
  }

  /// `isbn:9780060929879 imdb:tt0113277`
  private static let info = Target("isbn", "ISBN") { text, facts in
    var isRead = false
    for word in text.split(whereSeparator: \.isWhitespace) {
      let parts = word.split(separator: ":", maxSplits: 1).map(String.init)
      guard parts.count == 2 else { continue }
      switch parts[0].lowercased() {
      case "isbn": isRead = Target.isbn.read(parts[1], &facts) || isRead
      case "imdb": isRead = Target.imdb.read(parts[1], &facts) || isRead
      case "barcode", "gtin": isRead = Target.barcode.read(parts[1], &facts) || isRead
      default: break
      }
    }
    return isRead
  }
}
