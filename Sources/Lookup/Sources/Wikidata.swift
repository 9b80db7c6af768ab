import CatalogModel

extension Source {
  /// Wikidata, the open knowledge base: movies, also by their id at IMDb. No key, no posters and no summaries.
  ///
  /// <https://www.wikidata.org/w/api.php>. A search finds only the ids of *items* (`Q184843`). Their statements are a
  /// second question, and the names of the people, genres and countries in them a third.
  public static let wikidata = Source(
    id: Wikidata.id, name: "Wikidata", kinds: [.movie], fields: { _ in [.title] },
    paging: Paging(mostOnPage: Wikidata.mostOnPage, mostHits: 10_000),
    attribution: "Data from Wikidata, wikidata.org (CC0)",
    // For all projects of Wikimedia together, as measured in September 2026.
    limit: RateLimit(requests: 200, per: 60, withoutContact: 10),
    defaultBaseURL: "https://www.wikidata.org", asksForContact: true,
    policy: { RetryPolicy(throttled: [], busy: [2], rests: [.contact: .seconds(86_400)]) },
    request: Wikidata.request, read: Wikidata.read,
    complete: Wikidata.complete, fetch: Wikidata.fetch, find: Wikidata.find)
}

enum Wikidata {
  static let id = "wikidata"
  static let mostOnPage = 50

  // MARK: Asking

  static func request(_ search: Search, _ settings: SourceSettings) -> Request {
    ask(
      settings, size: search.size(atMost: mostOnPage), offset: search.offset(atMost: mostOnPage),
      for: query(for: search))
  }

  private static func ask(_ settings: SourceSettings, size: Int, offset: Int, for query: String) -> Request {
    ask(
      settings, action: "query",
      [
        ("list", "search"), ("srsearch", query), ("srlimit", "\(size)"), ("sroffset", "\(offset)"),
        ("srinfo", "totalhits"), ("srprop", ""), ("uselang", settings.language),
      ])
  }

  private static func ask(_ settings: SourceSettings, action: String, _ query: [(String, String)]) -> Request {
    let query = [("action", action)] + query + [("format", "json")]
    return Request(source: id, url: Request.url(settings.baseURL, "/w/api.php", query: query))
  }

  /// The classes of items that are movies: film, feature film, animated feature film, television film, animated film,
  /// short film, documentary film, silent film, anime film, animated short film.
  private static let classes = [
    "Q11424", "Q24869", "Q29168811", "Q506240", "Q202866", "Q24862", "Q93204", "Q226730", "Q20650540", "Q17517379",
  ]

  private static let isMovie = "haswbstatement:" + classes.map { "P31=\($0)" }.joined(separator: "|")

  /// The words of a search and the classes of movies in the index's query language, which allows 300 characters:
  /// <https://www.mediawiki.org/wiki/Help:CirrusSearch>. Words that do not fit are left out.
  private static func query(for search: Search) -> String {
    var left = 300 - isMovie.unicodeScalars.count
    var terms: [String] = []
    for word in words(of: search.words) {
      let term = search.field == .title ? "inlabel:\(word)" : word
      left -= term.unicodeScalars.count + 1
      guard left >= 0 else { break }
      terms.append(term)
    }
    return (terms + [isMovie]).joined(separator: " ")
  }

  /// The words without the signs that mean something to the index: quotes, `-` and `!` before a word, `~`, `*`, `?`,
  /// the colon of `intitle:`. `AND`, `OR` and `NOT` are words in lower case. A text of signs alone is a quotation, in
  /// which they mean nothing.
  private static func words(of text: String) -> [String] {
    let spoken = text.split { !($0.isLetter || $0.isNumber || "-'’.".contains($0)) }
    let words = spoken.compactMap { word -> String? in
      let word = word.drop { !($0.isLetter || $0.isNumber) }
      guard !word.isEmpty else { return nil }
      return ["AND", "OR", "NOT"].contains(word) ? word.lowercased() : String(word)
    }
    guard words.isEmpty else { return words }
    let signs = text.filter { !#""\"#.contains($0) }.trimmingBlanks
    return ["\"\(signs.isEmpty ? "?" : signs)\""]
  }

  // MARK: Searching

  /// A page with only ids, to be completed by ``complete``.
  static func read(_ response: Response, _ search: Search, _ settings: SourceSettings) throws(SourceError) -> Page {
    let found = try answer(response, settings)["query"]
    let hits = try found["search"].hits()
    return Page(hits, of: search, atMost: mostOnPage, total: found["searchinfo"]["totalhits"].whole) { hit in
      guard let item = hit["title"].item else { return nil }
      var record = Record(kind: .movie, title: item)
      record.externalIDs = [externalID(item)]
      return Candidate(id: externalID(item), record: record)
    }
  }

  /// The page with complete movies in place of ids. A movie counts as unreadable if the index still lists it but it has
  /// been deleted, or if it has no name. When the names of people, genres and countries fail, the movies stay without
  /// them.
  static func complete(
    _ page: Page, _ search: Search, _ settings: SourceSettings, _ http: HTTPClient
  ) throws(SourceError) -> Page {
    let library = Library(settings: settings, http: http)
    let items = try library.items(page.candidates.map(\.id.value))
    let (names, _) = library.names(of: items.values.flatMap { $0.mentioned(withCast: false) })
    var page = page
    let count = page.candidates.count
    page.candidates = page.candidates.compactMap { bare in
      items[bare.id.value]?.record(as: bare.id, names, withCast: false, settings)
        .map { Candidate(id: bare.id, record: $0) }
    }
    page.unreadable += count - page.candidates.count
    return page
  }

  // MARK: Fetching

  static func fetch(
    _ wanted: ExternalID, _ kind: Kind, _ settings: SourceSettings, _ http: HTTPClient
  ) throws(SourceError) -> Fetched {
    guard isItem(wanted.value) else { throw .notFound }
    let library = Library(settings: settings, http: http)
    guard let item = try library.items([wanted.value])[wanted.value], item.isMovie else { throw .notFound }
    let (names, failure) = library.names(of: item.mentioned(withCast: true))
    guard let record = item.record(as: wanted, names, withCast: true, settings) else {
      throw .unreadable("a movie without a title")
    }
    return Fetched(
      record, partialFailures: failure.map { reason in ["people", "genres"].map { PartialFailure($0, reason) } } ?? [])
  }

  /// The movie with an id of IMDb. The ids of people and series are ignored.
  static func find(
    _ wanted: ExternalID, _ settings: SourceSettings, _ http: HTTPClient
  ) throws(SourceError) -> Candidate? {
    guard ExternalID(imdb: wanted.value) != nil else { return nil }
    let request = ask(settings, size: 1, offset: 0, for: "haswbstatement:P345=\(wanted.value)")
    let hits = try http.ask(
      Question(request) { response throws(SourceError) in
        try answer(response, settings)["query"]["search"].hits()
      })
    guard let item = hits.first?["title"].item else { return nil }
    do {
      var movie = try fetch(externalID(item), .movie, settings, http)
      if !movie.record.externalIDs.contains(wanted) { movie.record.externalIDs.append(wanted) }
      return Candidate(id: externalID(item), record: movie.record, partialFailures: movie.partialFailures)
    } catch {
      guard error == .notFound else { throw error }
      return nil
    }
  }

  /// Wikidata as one question needs it.
  private struct Library {
    var settings: SourceSettings
    var http: HTTPClient

    /// The number of items per request. A famous movie has 350 kB and 20 000 values, most of them references.
    private static let mostItems = 7
    /// The number of names per request, the maximum that Wikidata allows.
    private static let mostNames = 50

    /// The items by id. Deleted items are missing.
    func items(_ ids: [String], atOnce most: Int = mostItems) throws(SourceError) -> [String: Item] {
      let batches = ids.chunks(of: most)
      var items: [String: Item] = [:]
      for (batch, answer) in zip(batches, http.ask(batches.map { question($0, "labels|aliases|claims") })) {
        switch answer {
        case .success(let found): items.merge(found) { $1 }
        case .failure(.notFound): break
        case .failure(.tooMuch) where batch.count > 1, .failure(.network(.tooLarge)) where batch.count > 1:
          items.merge(try self.items(batch, atOnce: batch.count / 2)) { $1 }
        case .failure(let error): throw error
        }
      }
      return items
    }

    /// The names of items, and the error if some could not be fetched.
    func names(of ids: [String]) -> (Names, SourceError?) {
      var names = Names(languages: settings.languages)
      var failure: SourceError?
      guard !ids.isEmpty else { return (names, nil) }
      let batches = ids.withoutRepeats(by: \.self).chunks(of: Self.mostNames)
      for answer in http.ask(batches.map { question($0, "labels") }) {
        switch answer {
        case .success(let found): names.labels.merge(found.mapValues(\.labels)) { $1 }
        case .failure(.notFound): break
        case .failure(let error): failure = failure ?? error
        }
      }
      return (names, failure)
    }

    private func question(_ ids: [String], _ parts: String) -> Question<[String: Item]> {
      let request = ask(
        settings, action: "wbgetentities",
        [("ids", ids.joined(separator: "|")), ("props", parts), ("languages", languages.joined(separator: "|"))])
      let settings = settings
      return Question(thing: request) { response throws(SourceError) in
        let entities = try answer(response, settings)["entities"]
        guard entities.object != nil else { throw .anotherShape }
        let items = entities.values { $0.object == nil ? nil : Item($0) }
        // A merged item is listed under the requested id or under its new one.
        return ids.reduce(into: [:]) { found, id in
          found[id] = items[id] ?? items.values.first { $0.redirectedID == id }
        }
      }
    }

    /// The languages of the requested names: the user's language, English, `mul` (the same in all languages), and the
    /// most frequent original languages of movies.
    private var languages: [String] {
      (settings.languages + ["en", "mul", "ko", "ja", "zh", "fr", "de", "es", "it", "pt", "ru", "hi", "sv"])
        .withoutRepeats(by: \.self)
    }
  }

  /// The names of items, by id and language.
  private struct Names {
    var languages: [String]
    var labels: [String: [String: String]] = [:]

    /// The name of a person in the user's language, in English, or in any.
    subscript(person id: String) -> String? { labels[id].flatMap { $0.name(in: languages + ["en", "mul"]) } }

    /// The English name, which the catalog uses for genres, countries and languages; without one, any name.
    subscript(english id: String) -> String? { labels[id].flatMap { $0.name(in: ["en", "mul"]) } }
  }

  private static func externalID(_ item: String) -> ExternalID { ExternalID(source: id, value: item) }

  /// Whether `text` is the id of an item: `Q184843`.
  static func isItem(_ text: String) -> Bool {
    let digits = text.utf8.dropFirst()
    return text.utf8.first == UInt8(ascii: "Q") && (1...12).contains(digits.count)
      && digits.first != UInt8(ascii: "0") && digits.allSatisfy(\.isASCIIDigit)
  }

  // MARK: Refusals

  /// The answer, unless it is a refusal, which comes with status 200:
  /// <https://www.mediawiki.org/wiki/API:Errors_and_warnings>.
  private static func answer(_ response: Response, _ settings: SourceSettings) throws(SourceError) -> JSON {
    let answer = try response.json(host: settings.host)
    let refusal = answer["error"]
    guard refusal.object != nil else { return answer }
    // Its databases lag behind by this time.
    let lag = refusal["lag"].amount.map { Int(clamping: min(max($0, 0), 3600).rounded(.up)) }
    let seconds = response.header("retry-after").flatMap { Int($0) }.map { max(0, $0) } ?? lag
    let code = refusal["code"].line ?? ""
    switch code {
    case "no-such-entity": throw .notFound
    case "ratelimited": throw .network(.throttled(host: settings.host, retryAfter: seconds))
    case "maxlag", "readonly", "cirrussearch-too-busy-error", "cirrussearch-backend-error":
      throw .network(.busy(host: settings.host, retryAfter: seconds))
    case _ where code.hasPrefix("internal_api_error"):
      throw .network(.busy(host: settings.host, retryAfter: seconds))
    default:
      let words = (refusal["info"].line ?? refusal["code"].line).map { String($0.prefix(200)) }
      throw .refused(status: response.status, words: words)
    }
  }

  // MARK: The answers

  /// An item. A deleted item has neither names nor statements.
  private struct Item: Sendable {
    private var id: String?
    /// The id under which it was known before it was merged.
    var redirectedID: String?
    var labels: [String: String]
    private var aliases: JSON
    private var claims: [Property: [Statement]]

    init(_ json: JSON) {
      (id, redirectedID) = (json["id"].item, json["redirects"]["from"].identifier)
      // `{"language": "en", "value": "Blade Runner"}`; the language is also the key.
      labels = json["labels"].values { $0["value"].line }
      aliases = json["aliases"]
      claims = Property.allCases.reduce(into: [:]) { claims, property in
        claims[property] = json["claims"][property.rawValue].elements.compactMap(Statement.init)
      }
    }

    /// Whether the item has a known class of movies. With an unknown class it is a movie if it has a movie id at TMDB,
    /// or a director and no series id at TMDB.
    var isMovie: Bool {
      items(.kind).contains(where: Wikidata.classes.contains) || tmdb != nil
        || !items(.director).isEmpty && best(.tmdbSeries).isEmpty
    }

    /// The ids of all items whose name is part of the record.
    func mentioned(withCast isWhole: Bool) -> [String] {
      let cast = isWhole ? billed : []
      return items(.director) + items(.genre) + items(.country) + items(.language)
        + cast.flatMap { [$0.value.item].compactMap(\.self) + $0.characters.compactMap(\.item) }
    }

    /// Nil without a title.
    func record(as wanted: ExternalID, _ names: Names, withCast isWhole: Bool, _ settings: SourceSettings) -> Record? {
      let language = items(.language).lazy.compactMap { Wikidata.language($0, names) }.first
      let titles = best(.title).compactMap(\.value.text)
      let original = titles.first { $0.language == language } ?? titles.first
      let known =
        settings.languages.flatMap { language in
          [labels[language], titles.first { $0.language == language }?.text]
        } + [labels["en"], labels["mul"], original?.text]
      guard let title = known.lazy.compactMap(\.self).first ?? labels.name(in: []) else { return nil }
      var record = Record(kind: .movie, title: title)
      record.externalIDs = externalIDs(with: wanted)
      record.originalTitle = original?.text == title ? nil : original?.text
      let languages = (settings.languages + ["en", "mul", language, original?.language]).compactMap(\.self)
        .withoutRepeats(by: \.self)
      // Labels before aliases.
      let others =
        languages.compactMap { labels[$0] } + titles.map(\.text)
        + languages.flatMap { aliases[$0].elements.compactMap { $0["value"].line } }
      record.set(otherTitles: others, atMost: Wikidata.mostTitles)
      record.released = best(.released).compactMap(\.value.date).earliest
      record.year = record.released?.year
      record.credits = credits(names, withCast: isWhole)
      record.labels = items(.genre).compactMap { names[english: $0] }.withoutRepeats(by: Folding.fold)
      record.url = wanted.page
      record.movie.minutes = best(.length).lazy.compactMap(\.value.minutes).first
      record.movie.countries = items(.country).compactMap { Wikidata.country($0, names) }.withoutRepeats(by: \.self)
      record.movie.language = language
      return record
    }

    private func externalIDs(with wanted: ExternalID) -> [ExternalID] {
      let imdb = best(.imdb).lazy.compactMap { ExternalID(imdb: $0.value.text?.text ?? "") }.first
      return [wanted, id.map(Wikidata.externalID), imdb, tmdb].compactMap(\.self).withoutRepeats(by: \.self)
    }

    private var tmdb: ExternalID? {
      best(.tmdb).lazy.compactMap { UInt32($0.value.text?.text ?? "") }.first { $0 > 0 }
        .map { ExternalID(source: "tmdb", value: "\($0)") }
    }

    private func credits(_ names: Names, withCast isWhole: Bool) -> [Credit] {
      func credit(_ id: String, _ role: Credit.Role, detail: String? = nil) -> Credit? {
        names[person: id].map { Credit(name: $0, role: role, detail: detail, externalID: Wikidata.externalID(id)) }
      }
      let directors = items(.director).compactMap { credit($0, .director) }
      guard isWhole else { return directors.withoutRepeats(by: \.self) }
      let cast = billed.compactMap { statement -> Credit? in
        let characters = statement.characters.compactMap { $0.text?.text ?? $0.item.flatMap { names[person: $0] } }
        let detail = characters.withoutRepeats(by: \.self).joined(separator: " / ")
        return statement.value.item.flatMap { credit($0, .cast, detail: detail.isEmpty ? nil : detail) }
      }
      return (directors + cast).withoutRepeats(by: \.self)
    }

    /// The cast by number; those without a number follow in their order.
    private var billed: ArraySlice<Statement> {
      (claims[.cast] ?? []).enumerated().sorted {
        ($0.element.ordinal ?? .max, $0.offset) < ($1.element.ordinal ?? .max, $1.offset)
      }.map(\.element).prefix(Wikidata.mostCast)
    }

    private func items(_ property: Property) -> [String] { best(property).compactMap(\.value.item) }

    /// The preferred statements, or all where none is preferred.
    private func best(_ property: Property) -> [Statement] {
      let all = claims[property] ?? []
      let preferred = all.filter(\.isPreferred)
      return preferred.isEmpty ? all : preferred
    }
  }

  private static let mostTitles = 12
  private static let mostCast = 20

  // MARK: Countries and languages

  private static func country(_ item: String, _ names: Names) -> String? {
    countries[item] ?? names[english: item].flatMap { Country.code(named: $0) }
  }

  private static func language(_ item: String, _ names: Names) -> String? {
    languages[item] ?? names[english: item].flatMap { Language.code(named: $0) }
  }

  /// Those with another name there than in Data/countries.txt.
  private static let countries = [
    "Q30": "US", "Q148": "CN", "Q29999": "NL", "Q756617": "DK", "Q713750": "DE", "Q16957": "DD", "Q36704": "YU",
    "Q33946": "XC", "Q15180": "SU",
  ]

  /// The kinds of Chinese and Norwegian that Data/languages.txt does not tell apart.
  private static let languages = ["Q9192": "zh", "Q727694": "zh", "Q9186": "zh", "Q7033959": "zh", "Q9043": "no"]

  // MARK: Statements

  /// The properties that are read: the others are most of an item.
  private enum Property: String, CaseIterable {
    case kind = "P31"
    case director = "P57"
    case cast = "P161"
    case genre = "P136"
    case country = "P495"
    case language = "P364"
    case title = "P1476"
    case released = "P577"
    case length = "P2047"
    case imdb = "P345"
    case tmdb = "P4947"
    case tmdbSeries = "P4983"
  }

  /// A statement that is neither deprecated, unknown (`somevalue`) nor absent (`novalue`):
  /// <https://doc.wikimedia.org/Wikibase/master/php/docs_topics_json.html>.
  private struct Statement: Sendable {
    var value: Value
    var isPreferred: Bool
    /// The characters that a cast member plays.
    var characters: [Value]
    /// The position of a cast member in the list.
    var ordinal: Int?

    init?(_ json: JSON) {
      guard let value = Value(snak: json["mainsnak"]), json["rank"].text != "deprecated" else { return nil }
      self.value = value
      isPreferred = json["rank"].text == "preferred"
      let qualifiers = json["qualifiers"]
      func values(_ property: String) -> [Value] { qualifiers[property].elements.compactMap(Value.init(snak:)) }
      characters = values("P453") + values("P4633")
      ordinal = values("P1545").lazy.compactMap { Int($0.text?.text ?? "") }.first
    }
  }

  private struct Value: Sendable {
    private let json: JSON

    /// Nil for a value that cannot be read.
    init?(snak: JSON) {
      guard snak["snaktype"].text == "value" else { return nil }
      json = snak["datavalue"]["value"]
      guard item != nil || text != nil || date != nil || minutes != nil else { return nil }
    }

    var item: String? { json["id"].item }

    var text: (text: String, language: String?)? {
      (json.line ?? json["text"].line).map { ($0, json["language"].text) }
    }

    /// `+1982-06-25T00:00:00Z` by its precision: 11 is a day, 10 a month, 9 a year, and a lower one not even a year.
    var date: PartialDate? {
      guard let time = json["time"].text, time.first == "+", let precision = json["precision"].whole,
        let date = JSON.text(String(time.dropFirst())).day
      else { return nil }
      switch precision {
      case 11...: return date
      case 10: return PartialDate(year: date.year, month: date.month)
      case 9: return PartialDate(year: date.year)
      default: return nil
      }
    }

    /// `+148` of a unit, which is named by the address of its item.
    var minutes: Int? {
      let seconds: [String?: Double] = ["Q7727": 60, "Q25235": 3600, "Q11574": 1]
      guard let amount = json["amount"].text.flatMap(Double.init), let unit = json["unit"].text,
        let length = seconds[unit.split(separator: "/").last.map(String.init)],
        case let count = (amount * length / 60).rounded(), (1...100_000).contains(count)
      else { return nil }
      return Int(count)
    }
  }
}

extension JSON {
  fileprivate var item: String? { identifier.flatMap { Wikidata.isItem($0) ? $0 : nil } }
}
