extension Manner {
  /// Wikidata's action API, at any path. Programs without a contact are refused.
  static let wikidata = Manner(
    answer: { ask in
      guard ask.namesContact else { return Wikidata.forbidden }
      return switch (ask["action"], ask["list"]) {
      case ("query", "search"): Wikidata.search(ask)
      case ("wbgetentities", _): Wikidata.entities(ask)
      default: Wikidata.error("badvalue", "Unrecognized value for parameter \"action\": \(ask["action"] ?? "").")
      }
    },
    refusals: [
      .forbidden: { _ in Wikidata.forbidden },
      .throttled: {
        .html(
          "<!DOCTYPE html>\n<html lang=\"en\"><title>Wikimedia Error</title><p>Too many requests</p></html>\n",
          status: 429
        ).retrying(after: $0.refusal.number ?? 5)
      },
      .busy: { .nginx(503).retrying(after: $0.refusal.number ?? 5) },
      .maxlag: {
        Wikidata.error("maxlag", "Waiting for a database server: 6.2 seconds lagged.")
          .retrying(after: $0.refusal.number ?? 5)
      },
    ])

  /// Inventaire's search and entities, at any path with this ending. Programs without a contact are refused.
  static let inventaire = Manner(answer: { ask in
    guard ask.namesContact else { return .nginx(403) }
    switch ask.path.last {
    case "search": return Inventaire.search(ask)
    case "entities": return Inventaire.entities(ask)
    default: return .json(["status": 404, "status_verbose": "not found"], status: 404)
    }
  })
}

private enum Wikidata {
  static let forbidden = Answer.text(
    "Please set a user-agent and respect our robot policy https://w.wiki/4wJS. See also T400119.\n", status: 403)
  private static let mostEntities = 50

  /// An error, which has status 200.
  static func error(_ code: String, _ words: String) -> Answer {
    .json(["error": ["code": .string(code), "info": .string(words)], "servedby": "mw-api-ext"])
  }

  static func search(_ ask: Ask) -> Answer {
    let terms = (ask["srsearch"] ?? "").split(separator: " ").map(String.init)
    let statements = terms.filter { $0.hasPrefix("haswbstatement:") }
    let words = terms.filter { !$0.hasPrefix("haswbstatement:") }.joined(separator: " ")
    let found = Catalogue.films.filter { film in
      (words.isEmpty ? !statements.isEmpty : film.matches(words, in: .title))
        && statements.allSatisfy { isTrue($0, of: film) }
    }
    let offset = ask.number("sroffset") ?? 0
    let page = HitPage(found, from: offset, size: min(max(ask.number("srlimit") ?? 10, 1), 500))
    let more: OrderedJSON =
      page.isLast ? .absent : ["sroffset": .whole(offset + page.hits.count), "continue": "-||"]
    return .json([
      "batchcomplete": "", "continue": more,
      "query": [
        "searchinfo": ["totalhits": .whole(page.total)],
        "search": .list(
          page.hits.map { film -> OrderedJSON in
            ["ns": 0, "title": .string(film.wikidata), "pageid": .whole(film.number), "snippet": ""]
          }),
      ],
    ])
  }

  /// `haswbstatement:P31=Q11424|P31=Q24869`
  private static func isTrue(_ statement: String, of film: Film) -> Bool {
    let known = ["P31=Q11424", film.imdb.map { "P345=\($0)" }, film.tmdb.map { "P4947=\($0)" }].compactMap(\.self)
    return statement.dropFirst("haswbstatement:".count).split(separator: "|").contains { known.contains(String($0)) }
  }

  static func entities(_ ask: Ask) -> Answer {
    let ids = (ask["ids"] ?? "").split(separator: "|").map(String.init)
    guard ids.count <= mostEntities else {
      return error("toomanyvalues", "Too many values supplied for parameter \"ids\". The limit is \(mostEntities).")
    }
    let props = (ask["props"] ?? "labels|descriptions|aliases|claims").split(separator: "|").map(String.init)
    let fields = ["type", "id", "missing"] + props
    return .json([
      "entities": .object(ids.map { ($0, entity($0).only(fields)) }), "success": 1,
    ])
  }

  private static func entity(_ id: String) -> OrderedJSON {
    if let film = Catalogue.films.first(where: { $0.wikidata == id }) { return film.entity }
    return names[id].map { named(id, $0) } ?? ["id": .string(id), "missing": ""]
  }

  /// The entities with only a name: people, genres, countries, languages.
  private static let names: [String: String] =
    Dictionary(Person.all.map { (Person.wikidata(of: $0), $0) }) { first, _ in first }
    .merging(
      Catalogue.films.flatMap(\.genres).map { ($0.wikidata, $0.name.lowercased() + " film") }
    ) { first, _ in first }
    .merging([
      "Q30": "United States", "Q884": "South Korea", "Q142": "France", "Q1860": "English", "Q9176": "Korean",
      "Q150": "French",
    ]) { first, _ in first }

  private static func named(_ id: String, _ name: String) -> OrderedJSON {
    [
      "type": "item", "id": .string(id), "labels": ["en": ["language": "en", "value": .string(name)]],
      "descriptions": [:], "aliases": [:], "claims": [:],
    ]
  }

  // MARK: Claims

  typealias Value = (type: String, value: OrderedJSON)

  /// The claims of a property, one for each value; the property is absent without values.
  static func claims(_ property: String, _ values: [Value]) -> OrderedJSON {
    values.isEmpty
      ? .absent
      : .list(
        values.map { type, value in
          let data: OrderedJSON = ["value": value, "type": .string(type)]
          return claim(property, ["snaktype": "value", "property": .string(property), "datavalue": data])
        })
  }

  /// A value that exists but is unknown.
  static func unknown(_ property: String) -> OrderedJSON {
    [claim(property, ["snaktype": "somevalue", "property": .string(property)])]
  }

  private static func claim(_ property: String, _ snak: OrderedJSON) -> OrderedJSON {
    ["mainsnak": snak, "type": "statement", "id": "statement-\(property)", "rank": "normal"]
  }

  static func item(_ id: String) -> Value {
    ("wikibase-entityid", ["entity-type": "item", "numeric-id": .whole(Int(id.dropFirst()) ?? 0), "id": .string(id)])
  }

  static func text(_ text: String) -> Value { ("string", .string(text)) }

  /// A day, or a year: `+1902-00-00T00:00:00Z`.
  static func time(_ date: String) -> Value {
    let isYear = date.utf8.count == 4
    return (
      "time",
      [
        "time": .string("+\(date)\(isYear ? "-00-00" : "")T00:00:00Z"), "timezone": 0, "before": 0, "after": 0,
        "precision": isYear ? 9 : 11, "calendarmodel": "http://www.wikidata.org/entity/Q1985727",
      ]
    )
  }

  static func minutes(_ number: Int) -> Value {
    ("quantity", ["amount": "+\(number)", "unit": "http://www.wikidata.org/entity/Q7727"])
  }
}

extension Film {
  private static let countries = ["US": "Q30", "KR": "Q884", "FR": "Q142"]
  private static let languages = ["en": "Q1860", "ko": "Q9176", "fr": "Q150"]

  fileprivate var entity: OrderedJSON {
    let titles = (originalTitle.map { [(language, $0)] } ?? []) + [("en", title)]
    let labels = titles.map { language, title -> (String, OrderedJSON) in
      (language, ["language": .string(language), "value": .string(title)])
    }
    return [
      "type": "item", "id": .string(wikidata),
      "labels": .object(labels),
      "descriptions": ["en": ["language": "en", "value": "film by \(directors.joined(separator: " and "))"]],
      "aliases": [:],
      "claims": [
        "P31": Wikidata.claims("P31", [Wikidata.item("Q11424")]),
        "P1476": Wikidata.claims(
          "P1476",
          [("monolingualtext", ["text": .string(originalTitle ?? title), "language": .string(language)])]),
        "P577": hasUnknownDate
          ? Wikidata.unknown("P577") : Wikidata.claims("P577", released.map { [Wikidata.time($0)] } ?? []),
        "P57": Wikidata.claims("P57", directors.map { Wikidata.item(Person.wikidata(of: $0)) }),
        "P161": Wikidata.claims("P161", cast.map { Wikidata.item(Person.wikidata(of: $0.name)) }),
        "P136": Wikidata.claims("P136", genres.map { Wikidata.item($0.wikidata) }),
        "P2047": Wikidata.claims("P2047", minutes.map { [Wikidata.minutes($0)] } ?? []),
        "P495": Wikidata.claims("P495", Self.countries[country].map { [Wikidata.item($0)] } ?? []),
        "P364": Wikidata.claims("P364", Self.languages[language].map { [Wikidata.item($0)] } ?? []),
        "P345": Wikidata.claims("P345", imdb.map { [Wikidata.text($0)] } ?? []),
        "P4947": Wikidata.claims("P4947", tmdb.map { [Wikidata.text("\($0)")] } ?? []),
      ],
    ]
  }
}

private enum Inventaire {
  static func search(_ ask: Ask) -> Answer {
    guard let words = ask["search"] else {
      return .json(["status": 400, "status_verbose": "missing parameter in query: search"], status: 400)
    }
    let size = min(max(ask.number("limit") ?? 10, 1), 100)
    let page = HitPage(Catalogue.books.filter { $0.matches(words) }, from: ask.number("offset") ?? 0, size: size)
    return .json([
      "results": .list(page.hits.map(\.inventaireHit)), "total": .whole(page.total),
      "continue": page.isLast ? .absent : .whole(page.offset + page.hits.count),
    ])
  }

  static func entities(_ ask: Ask) -> Answer {
    let uris = (ask["uris"] ?? "").split(separator: "|").map(String.init)
    let known = uris.map { uri in (uri: uri, entity: entity(uri)) }
    return .json([
      "entities": .object(known.compactMap { uri, entity in entity.map { (uri, $0) } }), "redirects": [:],
      "notFound": OrderedJSON(known.filter { $0.entity == nil }.map(\.uri)),
    ])
  }

  private static func entity(_ uri: String) -> OrderedJSON? {
    for book in Catalogue.books {
      if uri == "isbn:\(book.isbn)" { return book.inventaireEdition }
      if uri == book.inventaireURI { return book.inventaireWork }
    }
    return Person.all.first { "wd:\(Person.wikidata(of: $0))" == uri }.map { name in
      ["uri": .string(uri), "type": "human", "labels": ["en": .string(name)], "claims": [:]]
    }
  }
}

extension Book {
  fileprivate var inventaireURI: String { wikidata.map { "wd:\($0)" } ?? "inv:000000000000000000000000000000\(number)" }

  fileprivate var inventaireHit: OrderedJSON {
    [
      "id": .string(String(inventaireURI.split(separator: ":").last ?? "")), "type": "works",
      "uri": .string(inventaireURI), "label": .string(title), "description": "book by \(author)", "image": [],
      "_score": 42.5, "_popularity": 3,
    ]
  }

  fileprivate var inventaireEdition: OrderedJSON {
    [
      "uri": "isbn:\(isbn)", "type": "edition", "labels": ["fromclaims": .string(title)],
      "claims": [
        "wdt:P31": ["wd:Q3331189"], "wdt:P212": ["\(isbn.prefix(3))-\(isbn.dropFirst(3))"],
        "wdt:P407": [isKorean ? "wd:Q9176" : "wd:Q1860"], "wdt:P577": [.string(published)],
        "wdt:P629": [.string(inventaireURI)], "wdt:P1104": [.whole(pages)], "wdt:P1476": [.string(title)],
      ],
    ]
  }

  fileprivate var inventaireWork: OrderedJSON {
    [
      "uri": .string(inventaireURI), "type": "work", "labels": .object([(language, .string(title))]),
      "descriptions": ["en": "book by \(author)"],
      "claims": [
        "wdt:P31": ["wd:Q7725634"], "wdt:P50": ["wd:\(Person.wikidata(of: author))"], "wdt:P577": ["\(year)"],
      ],
    ]
  }
}
