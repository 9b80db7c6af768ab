extension Manner {
  /// Apple's iTunes Search API. E-books are found without `media` alone, and have no attributes.
  static let itunes = Manner(
    answer: { ask in
      switch ask.path.first {
      case "search": ITunes.search(ask)
      case "lookup": ITunes.lookUp(ask)
      case "image": .picture(width: 600, height: ask.path.last?.hasPrefix("600") == true ? 600 : 900)
      default: .nginx(404)
      }
    },
    refusals: [
      // A rate limit is `forbiddenEmpty`; this is the page of the network in front of the service.
      .forbidden: { _ in
        .html(
          """
          <HTML><HEAD>\n<TITLE>Access Denied</TITLE>\n</HEAD><BODY>\n<H1>Access Denied</H1>\n \
          You don't have permission to access this server.<P>\n</BODY>\n</HTML>\n
          """, status: 403)
      },
      .throttled: { Answer(status: 429).retrying(after: $0.refusal.number) },
    ])
}

private enum ITunes {
  /// Some of the countries without a shop.
  private static let shopless: Set = ["AQ", "CU", "IR", "KP", "SY"]

  static func search(_ ask: Ask) -> Answer {
    if let refusal = refusal(of: ask) { return refusal }
    let entity = ask["entity"] ?? ask["media"] ?? ""
    if entity == "ebook", ask["attribute"] != nil { return invalid("attributeType") }
    let words = ask["term"] ?? ""
    let part = part(of: ask["attribute"])
    let found: [OrderedJSON] =
      switch entity {
      // Since 2025-05-10 nothing is found with `media`.
      case "ebook": ask["media"] == nil ? Catalogue.books.filter { $0.matches(words) }.map(\.itunes) : []
      case "movie": Catalogue.films.filter { $0.isInShop && $0.matches(words, in: part) }.map { $0.itunes(ask) }
      case "album", "music": Catalogue.albums.filter { $0.matches(words, in: part) }.map { $0.itunes(ask) }
      default: []
      }
    return results(found.prefix(min(max(ask.number("limit") ?? 50, 1), 200)))
  }

  static func lookUp(_ ask: Ask) -> Answer {
    if let refusal = refusal(of: ask) { return refusal }
    let albums = Catalogue.albums.filter { "\($0.number)" == number(in: ask) || ask["upc"] == $0.barcode }
    let found: [OrderedJSON] =
      Catalogue.films.filter { $0.isInShop && "\($0.number)" == number(in: ask) }.map { $0.itunes(ask) }
      + Catalogue.books.filter { "\($0.number)" == number(in: ask) || ask["isbn"] == $0.isbn }.map(\.itunes)
      + albums.flatMap { [$0.itunes(ask)] + (ask["entity"] == "song" ? $0.songs : []) }
    return results(found)
  }

  /// The number of the work in `id=900000017`.
  private static func number(in ask: Ask) -> String? { ask.number("id").map { "\($0 - itunesBase)" } }

  private static func part(of attribute: String?) -> WorkPart {
    switch attribute {
    case "movieTerm", "albumTerm", "featureFilmTerm": .title
    case "directorTerm", "artistTerm", "movieArtistTerm": .creator
    default: .any
    }
  }

  private static func refusal(of ask: Ask) -> Answer? {
    shopless.contains(ask["country"]?.uppercased() ?? "US") ? invalid("country") : nil
  }

  private static func invalid(_ key: String) -> Answer {
    answer(["errorMessage": "Invalid value(s) for key(s): [\(key)]", "queryParameters": [:]], status: 400)
  }

  private static func results(_ found: some Collection<OrderedJSON>) -> Answer {
    answer(["resultCount": .whole(found.count), "results": .list(Array(found))])
  }

  private static func answer(_ value: OrderedJSON, status: Int = 200) -> Answer {
    .text(
      "\n\n\n\(value.text)\n\n\n", status: status, type: "text/javascript; charset=utf-8",
      headers: ["Cache-Control": "max-age=86400"])
  }
}

/// The offset from the number of a work to its id in the shop.
private let itunesBase = 900_000_000

extension Work {
  fileprivate var itunesNumber: Int { itunesBase + number }

  /// The small picture. The size in the last part of the path may be changed.
  fileprivate func artwork(_ ask: Ask) -> OrderedJSON {
    "\(ask.url(.itunes))/image/thumb/\(number)/100x100bb.jpg"
  }
}

extension Film {
  fileprivate var isInShop: Bool { tmdb != nil }

  fileprivate func itunes(_ ask: Ask) -> OrderedJSON {
    [
      "wrapperType": "track", "kind": "feature-movie", "trackId": .whole(itunesNumber),
      "artistName": .string(
        directors.joined(separator: " & ")), "trackName": .string(title), "trackCensoredName": .string(title),
      "trackViewUrl": "https://itunes.apple.com/us/movie/id\(itunesNumber)", "artworkUrl100": artwork(ask),
      "trackPrice": 9.99, "trackRentalPrice": 3.99, "trackHdPrice": 14.99, "trackHdRentalPrice": 4.99,
      "releaseDate": .string(day + "T07:00:00Z"), "trackExplicitness": "notExplicit",
      "trackTimeMillis": minutes.map { .whole($0 * 60_000) } ?? .absent, "country": "USA", "currency": "USD",
      "primaryGenreName": .string(genres.first?.itunes ?? "Drama"), "longDescription": .string(summary),
    ]
  }

  private var day: String {
    guard let released else { return "1970-01-01" }
    return released.utf8.count == 4 ? released + "-01-01" : released
  }
}

extension Book {
  /// An e-book has no wrapper type.
  fileprivate var itunes: OrderedJSON {
    [
      "artistIds": [.whole(700_000_000 + Person.number(of: author))],
      "artistId": .whole(
        700_000_000 + Person.number(of: author)), "artistName": .string(author),
      "genres": ["Fiction & Literature", "Books"],
      "genreIds": ["9031", "38"], "price": 9.99, "formattedPrice": "$9.99", "currency": "USD", "kind": "ebook",
      "trackId": .whole(itunesNumber), "trackName": .string(title),
      "trackViewUrl": "https://books.apple.com/us/book/id\(itunesNumber)",
      "releaseDate": .string((published.utf8.count == 4 ? published + "-01-01" : published) + "T07:00:00Z"),
      "description": "<p>\(summary)</p>", "fileSizeBytes": 1_048_576,
    ]
  }
}

extension Album {
  fileprivate func itunes(_ ask: Ask) -> OrderedJSON {
    [
      "wrapperType": "collection", "collectionType": "Album",
      "artistId": .whole(
        700_000_000 + Person.number(of: artist)), "collectionId": .whole(itunesNumber), "artistName": .string(artist),
      "collectionName": .string(title), "collectionViewUrl": "https://music.apple.com/us/album/\(itunesNumber)",
      "artworkUrl100": artwork(ask), "collectionPrice": 9.99, "collectionExplicitness": "notExplicit",
      "trackCount": .whole(tracks.count), "copyright": "\(year) \(label)", "country": "USA", "currency": "USD",
      "releaseDate": .string(released + "T07:00:00Z"), "primaryGenreName": .string(genre),
    ]
  }

  fileprivate var songs: [OrderedJSON] {
    zip(1..., tracks).map { number, track in
      [
        "wrapperType": "track", "kind": "song", "artistName": .string(artist), "collectionId": .whole(itunesNumber),
        "collectionName": .string(title), "trackId": .whole(itunesNumber * 100 + number),
        "trackName": .string(track.title), "trackNumber": .whole(number), "discNumber": 1, "discCount": 1,
        "trackTimeMillis": .whole(track.seconds * 1000), "releaseDate": .string(released + "T07:00:00Z"),
        "trackPrice": 1.29, "country": "USA", "currency": "USD", "primaryGenreName": .string(genre),
      ]
    }
  }
}
