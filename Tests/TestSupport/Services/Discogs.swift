extension Manner {
  /// Discogs. A search requires a token, which may be any text; without one, releases come without pictures.
  static let discogs = Manner(
    answer: { ask in
      let hasToken = ask.headers["authorization"]?.hasPrefix("Discogs ") == true || ask["token"] != nil
      var answer = Discogs.answer(ask, hasToken: hasToken)
      let limit = hasToken ? 60 : 25
      let numbers = ["": limit, "-Used": 1, "-Remaining": limit - 1]
      for (name, number) in numbers { answer.headers["X-Discogs-Ratelimit\(name)"] = "\(number)" }
      return answer
    },
    refusals: [
      .forbidden: { _ in
        .html(
          """
          <!DOCTYPE html>\n<html><head><title>Attention Required! | Cloudflare</title></head><body>\n\
          <h1>discogs.com needs to review the security of your connection before proceeding.</h1>\n</body></html>\n
          """, status: 403)
      },
      .throttled: { situation in
        Discogs.error(429, "You are making requests too quickly.").retrying(after: situation.refusal.number)
      },
      .serverError: {
        Discogs.error($0.refusal.number ?? 500, "An internal server error occurred. (Malformed query?)")
      },
      .busy: { situation in
        Discogs.error(503, "The service is temporarily unavailable.").retrying(after: situation.refusal.number)
      },
      .keyRefused: { _ in Discogs.error(401, "Invalid consumer token. Please register an app before making requests.")
      },
      .empty: { $0.times == 1 ? Answer() : $0.usual },
    ])
}

private enum Discogs {
  static func error(_ status: Int, _ words: String) -> Answer { .json(["message": .string(words)], status: status) }

  static func answer(_ ask: Ask, hasToken: Bool) -> Answer {
    let number = ask.path.dropFirst().first.flatMap { Int($0) }
    switch (ask.path.first, ask.path.last) {
    case ("database", "search"):
      return hasToken ? search(ask) : error(401, "You must authenticate to access this resource.")
    case ("releases", _):
      return Catalogue.albums.first { $0.releaseNumber == number }.map { .json($0.wholeRelease(ask, hasToken)) }
        ?? error(404, "Release not found.")
    case ("masters", let last):
      guard let album = Catalogue.albums.first(where: { $0.masterNumber == number }) else {
        return error(404, "Master Release not found.")
      }
      return last == "versions" ? list([album.version], ask, "versions") : .json(album.master(ask, hasToken))
    default: return error(404, "The requested resource was not found.")
    }
  }

  private static func search(_ ask: Ask) -> Answer {
    let isMaster = ask["type"] == "master"
    let found = Catalogue.albums.filter { album in
      let tests: [Bool?] = [
        ask["q"].map { album.matches($0) }, ask["release_title"].map { album.matches($0, in: .title) },
        ask["artist"].map { album.matches($0, in: .creator) },
        ask["label"].map { Catalogue.words(in: $0).allSatisfy(Catalogue.words(in: album.label).contains) },
        ask["catno"].map { $0.filter { $0 != " " } == album.catalogNumber.filter { $0 != " " } },
        // Discogs finds a barcode only in the form in which it was entered.
        ask["barcode"].map { $0 == album.barcode },
      ]
      let asked = tests.compactMap(\.self)
      return !asked.isEmpty && !asked.contains(false)
    }
    return list(found.map { $0.hit(ask, isMaster: isMaster) }, ask, "results")
  }

  private static func list(_ all: [OrderedJSON], _ ask: Ask, _ name: String) -> Answer {
    let page = ask.page(of: all, "page", size: "per_page", usual: 50, most: 100)
    return .json(
      .object([
        (
          "pagination",
          [
            "page": .whole(page.number), "pages": .whole(page.pages), "per_page": .whole(page.size),
            "items": .whole(page.total), "urls": [:],
          ]
        ), (name, .list(page.hits)),
      ]))
  }
}

extension Album {
  fileprivate var releaseNumber: Int { 9_000_000 + number }
  fileprivate var masterNumber: Int { 900_000 + number }

  private func picture(_ ask: Ask) -> String { "\(ask.url(.archive))/dn/discogs/\(number).jpg" }

  /// Discogs appends a number to some names.
  private var artists: OrderedJSON { [["id": .whole(Person.number(of: artist)), "name": .string(artist), "anv": ""]] }

  fileprivate func hit(_ ask: Ask, isMaster: Bool) -> OrderedJSON {
    [
      "id": .whole(isMaster ? masterNumber : releaseNumber), "type": isMaster ? "master" : "release",
      "master_id": .whole(masterNumber), "title": "\(artist) - \(title)", "year": .string(year),
      "country": country == "GB" ? "UK" : .string(country), "label": [.string(label)],
      "catno": .string(catalogNumber), "format": ["Vinyl", "LP", "Album"], "genre": [.string(genre)],
      "style": [.string(style)], "barcode": [.string(barcode), "BIEM"], "thumb": .string(picture(ask)),
      "cover_image": .string(picture(ask)), "community": ["want": 120, "have": 900],
    ]
  }

  fileprivate func wholeRelease(_ ask: Ask, _ hasToken: Bool) -> OrderedJSON {
    master(ask, hasToken).with([
      "id": .whole(releaseNumber), "master_id": .whole(masterNumber),
      "country": country == "GB" ? "UK" : .string(country),
      "released": .string(released), "labels": [["name": .string(label), "catno": .string(catalogNumber)]],
      "formats": [["name": "Vinyl", "qty": "1", "descriptions": ["LP", "Album"], "text": ""]],
      "identifiers": [["type": "Barcode", "value": .string(barcode)]],
      "community": ["have": 900, "want": 120, "rating": ["count": 80, "average": 4.5]],
    ])
  }

  fileprivate func master(_ ask: Ask, _ hasToken: Bool) -> OrderedJSON {
    [
      "id": .whole(masterNumber), "title": .string(title), "year": Int(year).map(OrderedJSON.whole) ?? 0,
      "artists": artists, "genres": [.string(genre)], "styles": [.string(style)],
      "images": [["type": "primary", "uri": .string(hasToken ? picture(ask) : ""), "uri150": ""]],
      "tracklist": .list(
        tracks.map {
          [
            "position": .string($0.position), "type_": "track", "title": .string($0.title),
            "duration": "\($0.seconds / 60):\($0.seconds % 60 < 10 ? "0" : "")\($0.seconds % 60)",
          ]
        }),
    ]
  }

  /// The pressing, as in the list of an album's pressings.
  fileprivate var version: OrderedJSON {
    [
      "id": .whole(releaseNumber), "title": .string(title), "label": .string(label), "catno": .string(catalogNumber),
      "country": country == "GB" ? "UK" : .string(country), "released": .string(year), "major_formats": ["Vinyl"],
      "format": "LP, Album", "thumb": "",
    ]
  }
}
