extension Manner {
  /// The web service of MusicBrainz. Its edge drops connections of programs without a contact.
  static let musicBrainz = Manner(
    answer: { ask in
      guard ask.namesContact else { return .hungUp }
      return switch (ask.path.first, ask.path.count) {
      case ("release", 1): MusicBrainz.search(ask, "releases", "release", \.release)
      case ("release-group", 1): MusicBrainz.search(ask, "release-groups", "releasegroup", \.releaseGroup)
      case ("release", 2): MusicBrainz.entity(ask, \.releaseID, \.wholeRelease)
      case ("release-group", 2): MusicBrainz.entity(ask, \.groupID, \.releaseGroup)
      default: MusicBrainz.missing
      }
    },
    refusals: [
      // The answer to more than one request a second: status 503.
      .throttled: { situation in
        MusicBrainz.error(
          503,
          "Your requests are exceeding the allowable rate limit. Please see http://wiki.musicbrainz.org/XMLWebService"
            + " for more information."
        ).retrying(after: situation.refusal.number)
      },
      .busy: { situation in
        MusicBrainz.error(503, "The database is currently in readonly mode and cannot handle your request")
          .retrying(after: situation.refusal.number)
      },
    ])

  /// coverartarchive.org, which redirects to archive.org.
  static let coverArtArchive = Manner(
    answer: { ask in
      guard ["release", "release-group"].contains(ask.path.first), let id = ask.path.dropFirst().first,
        id.utf8.count == 36
      else { return CoverArtArchive.page(400, "Bad Request", "invalid MBID specified") }
      guard let album = Catalogue.albums.first(where: { [$0.releaseID, $0.groupID].contains(id) }) else {
        return CoverArtArchive.page(404, "Not Found", "No cover art found for release \(id)")
      }
      let item = "\(ask.url(.archive))/download/mbid-\(album.releaseID)"
      return CoverArtArchive.redirect(
        to: ask.path.count == 2
          ? "\(item)/index.json" : "\(item)/mbid-\(album.releaseID)-\(album.pictureNumber)_thumb500.jpg")
    },
    refusals: [.serverError: { .text("Whoops. Our bad.\n", status: $0.refusal.number ?? 500) }])

  /// archive.org: `/download/…` redirects to the computer with the file, which is `/dn/…` here.
  static let archive = Manner(answer: { ask in
    switch (ask.path.first, ask.path.last) {
    case ("download", _?):
      return .redirect(to: ask.url(.archive) + "/dn/" + ask.path.dropFirst().joined(separator: "/"))
    case ("dn", "index.json"):
      let item = ask.path.dropFirst().first ?? ""
      return Catalogue.albums.first { "mbid-\($0.releaseID)" == item }.map { .json($0.pictures) } ?? .nginx(404)
    case ("dn", _?): return .picture(width: 500, height: 500)
    default: return .nginx(404)
    }
  })
}

private enum MusicBrainz {
  static let missing = error(404, "Not Found")

  static func error(_ status: Int, _ words: String) -> Answer {
    .json(
      [
        "error": .string(words),
        "help": "For usage, please see: https://musicbrainz.org/development/mmd",
      ], status: status, type: "application/json; charset=utf-8")
  }

  /// - Parameter title: the field of the index with the title.
  static func search(
    _ ask: Ask, _ list: String, _ title: String, _ document: KeyPath<Album, OrderedJSON>
  ) -> Answer {
    guard let query = ask["query"] else { return error(400, "Query is missing") }
    let limit = min(max(ask.number("limit") ?? 25, 1), 100)
    let page = HitPage(
      Catalogue.albums.filter { LuceneQuery(query).matches($0, title: title) }, from: ask.number("offset") ?? 0,
      size: limit)
    return .json(
      .object([
        ("created", "2026-11-01T00:00:00.000Z"), ("count", .whole(page.total)), ("offset", .whole(page.offset)),
        (list, .list(page.hits.map { $0[keyPath: document].with(["score": 100]) })),
      ]))
  }

  static func entity(_ ask: Ask, _ id: KeyPath<Album, String>, _ document: KeyPath<Album, OrderedJSON>) -> Answer {
    Catalogue.albums.first { $0[keyPath: id] == ask.path.last }.map { .json($0[keyPath: document]) } ?? missing
  }
}

/// The part of the index's query language that programs use: words and `field:word` or `field:(words)`, all of which
/// must match.
private struct LuceneQuery {
  /// The words by field; those without a field have the key "".
  private var words: [String: [String]] = [:]

  init(_ text: String) {
    var field = ""
    var isInside = false
    for part in text.replacing("\\", with: "").split(separator: " ") where part != "AND" {
      var word = part
      if !isInside {
        let colon = part.firstIndex(of: ":")
        field = colon.map { String(part[..<$0]) } ?? ""
        word = colon.map { part[part.index(after: $0)...] } ?? part
        isInside = word.first == "("
      }
      words[field, default: []].append(word.filter { !"()\"".contains($0) })
      if word.last == ")" { isInside = false }
    }
  }

  func matches(_ album: Album, title: String) -> Bool {
    words.allSatisfy { field, words in
      let text = words.joined(separator: " ")
      return switch field {
      case title: album.matches(text, in: .title)
      case "artist": album.matches(text, in: .creator)
      case "label": Catalogue.words(in: text).allSatisfy(Catalogue.words(in: album.label).contains)
      case "catno": text.filter { $0 != " " } == album.catalogNumber.filter { $0 != " " }
      case "barcode": text.drop { $0 == "0" } == album.barcode.drop { $0 == "0" }
      case "format": text == "*vinyl" || text == "vinyl"
      default: album.matches(text)
      }
    }
  }
}

private enum CoverArtArchive {
  static func redirect(to url: String) -> Answer { .redirect(307, to: url, text: "See: \(url)\n") }

  static func page(_ status: Int, _ title: String, _ words: String) -> Answer {
    .html(
      "<!doctype html>\n<html lang=en>\n<title>\(status) \(title)</title>\n<h1>\(title)</h1>\n<p>\(words)</p>\n",
      status: status)
  }
}

extension Album {
  fileprivate var releaseID: String { "00000000-0000-4000-8000-0000000000\(number)" }
  fileprivate var groupID: String { "00000000-0000-4000-9000-0000000000\(number)" }
  fileprivate var pictureNumber: Int { 30_000_000_000 + number }

  private var artistCredit: OrderedJSON {
    let id = Person.number(of: artist)
    return [
      [
        "name": .string(artist), "joinphrase": "",
        "artist": [
          "id": "00000000-0000-4000-a000-0000000000\(id)", "name": .string(artist), "sort-name": .string(artist),
          "disambiguation": "",
        ],
      ]
    ]
  }

  fileprivate var releaseGroup: OrderedJSON {
    [
      "id": .string(groupID), "title": .string(title), "primary-type": "Album", "first-release-date": .string(released),
      "artist-credit": artistCredit, "genres": [["name": .string(genre.lowercased()), "count": 9]],
    ]
  }

  /// The release as a hit.
  fileprivate var release: OrderedJSON {
    document(media: [["format": "12\" Vinyl", "track-count": .whole(tracks.count)]])
  }

  /// The release with all parts that can be included.
  fileprivate var wholeRelease: OrderedJSON {
    let songs = tracks.map { track -> OrderedJSON in
      ["number": .string(track.position), "title": .string(track.title), "length": .whole(track.seconds * 1000)]
    }
    let disc: OrderedJSON = [
      "position": 1, "format": "12\" Vinyl", "track-count": .whole(tracks.count), "tracks": .list(songs),
    ]
    return document(media: [disc]).with([
      "genres": [
        ["name": .string(genre.lowercased()), "count": 9], ["name": .string(style.lowercased()), "count": 4],
      ],
      "cover-art-archive": ["front": true, "back": false, "artwork": true, "count": 1, "darkened": false],
    ])
  }

  private func document(media: OrderedJSON) -> OrderedJSON {
    [
      "id": .string(releaseID), "title": .string(title), "status": "Official", "date": .string(released),
      "country": .string(country), "barcode": .string(barcode), "disambiguation": "", "artist-credit": artistCredit,
      "label-info": [["catalog-number": .string(catalogNumber), "label": ["name": .string(label)]]],
      "release-group": releaseGroup, "media": media,
    ]
  }

  /// The list of the pictures in the archive.
  fileprivate var pictures: OrderedJSON {
    let picture = "http://coverartarchive.org/release/\(releaseID)/\(pictureNumber)"
    return [
      "images": [
        [
          "approved": true, "back": false, "comment": "", "edit": 1, "front": true, "id": .whole(pictureNumber),
          "image": "\(picture).jpg",
          "thumbnails": [
            "250": "\(picture)-250.jpg", "500": "\(picture)-500.jpg", "1200": "\(picture)-1200.jpg",
            "large": "\(picture)-500.jpg", "small": "\(picture)-250.jpg",
          ], "types": ["Front"],
        ]
      ], "release": "https://musicbrainz.org/release/\(releaseID)",
    ]
  }
}
