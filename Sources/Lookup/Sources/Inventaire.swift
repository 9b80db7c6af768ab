import CatalogModel

extension Source {
  /// Inventaire, an open catalog of books on top of Wikidata, with books of its own beside it: more languages than Open
  /// Library, fewer editions. No key.
  ///
  /// <https://api.inventaire.io>. Everything has a URI: a *work* is `wd:Q2362563` where Wikidata has it and
  /// `inv:1732d81bf7376e04da27568a778561a4` where only Inventaire does, an *edition* is `isbn:9780375757853`. These are
  /// its ids here, too: `inventaire:wd:Q2362563`.
  public static let inventaire = Source(
    id: Inventaire.id, name: "Inventaire", kinds: [.book], fields: { _ in [] },
    paging: Paging(mostOnPage: Inventaire.mostOnPage, mostHits: 500),
    attribution: "Data from Inventaire, inventaire.io (CC0)", limit: RateLimit(requests: 2, per: 1),
    defaultBaseURL: "https://inventaire.io", asksForContact: true,
    policy: RetryPolicy(throttled: [], busy: [2], rests: [.contact: .seconds(86_400)]),
    request: Inventaire.request, read: Inventaire.read, complete: Inventaire.complete, fetch: Inventaire.fetch,
    lookUp: Inventaire.lookUp)
}

private enum Inventaire {
  static let id = "inventaire"
  /// It gives 100, but asks Wikidata for those that it has not seen lately.
  static let mostOnPage = 50

  // MARK: Searching

  static func request(_ search: Search, _ settings: SourceSettings) -> Request {
    ask(
      "/api/search", settings,
      [
        ("types", "works"), ("search", search.words), ("lang", settings.language),
        ("limit", "\(search.size(atMost: mostOnPage))"), ("offset", "\(search.offset(atMost: mostOnPage))"),
      ])
  }

  private static func ask(_ path: String, _ settings: SourceSettings, _ query: [(String, String)]) -> Request {
    Request(source: id, url: Request.url(settings.baseURL, path, query: query))
  }

  static func read(_ response: Response, _ search: Search, _ settings: SourceSettings) throws(SourceError) -> Page {
    let found = try response.decoded(as: Found.self, host: settings.host)
    let seen = search.offset(atMost: mostOnPage) + found.results.all.count
    return found.results.page(total: found.total, hasMore: !found.results.all.isEmpty && seen < (found.total ?? 0)) {
      hit in
      guard let uri = hit.uri, let label = hit.label else { return nil }
      var record = Record(kind: .book, title: label)
      record.externalIDs = [externalID(uri)]
      record.url = externalID(uri).page
      record.artworkURL = hit.image.map { Request.url(settings.baseURL, $0) }
      return Candidate(id: externalID(uri), record: record)
    }
  }

  /// The page with authors, years, genres and original titles. When they cannot be fetched, the hits stay without them.
  static func complete(
    _ page: Page, _ search: Search, _ settings: SourceSettings, _ http: HTTPClient
  ) throws(SourceError) -> Page {
    var library = Library(settings: settings, http: http)
    guard (try? library.load(page.candidates.map(\.id.value), with: [.author])) != nil else { return page }
    library.loadNames(of: page.candidates.compactMap { library[$0.id.value] }.flatMap { library.namesOfWork($0) })
    var page = page
    page.candidates = page.candidates.map { hit in
      guard let work = library[hit.id.value], var record = library.work(work, as: hit.id) else { return hit }
      record.artworkURL = record.artworkURL ?? hit.record.artworkURL
      return Candidate(id: hit.id, record: record)
    }
    return page
  }

  // MARK: Fetching

  static func fetch(
    _ wanted: ExternalID, _ kind: Kind, _ settings: SourceSettings, _ http: HTTPClient
  ) throws(SourceError) -> Fetched {
    guard URI.valid(wanted.value) else { throw .notFound }
    var library = Library(settings: settings, http: http)
    let record = try library.record(of: wanted, isbn: nil)
    return Fetched(record, partialFailures: library.partialFailures)
  }

  static func lookUp(_ code: Code, _ settings: SourceSettings, _ http: HTTPClient) throws(SourceError) -> [Candidate] {
    guard case .isbn(let isbn) = code else { return [] }
    var library = Library(settings: settings, http: http)
    let wanted = externalID("isbn:\(isbn.digits13)")
    do {
      let record = try library.record(of: wanted, isbn: isbn)
      return [Candidate(id: wanted, record: record, partialFailures: library.partialFailures)]
    } catch {
      guard error == .notFound else { throw error }
      return []
    }
  }

  /// The entities loaded for one request.
  private struct Library {
    var settings: SourceSettings
    var http: HTTPClient
    var partialFailures: [PartialFailure] = []
    private var known = Entities()

    init(settings: SourceSettings, http: HTTPClient) { (self.settings, self.http) = (settings, http) }

    /// The entity of a URI, also after a redirect.
    subscript(uri: String) -> Entity? { known.all[uri] ?? known.redirects[uri].flatMap { known.all[$0] } }

    /// Requests these entities, and with them the entities that these properties refer to.
    mutating func load(_ uris: [String], with relatives: [Property]) throws(SourceError) {
      var query = [("attributes", "info|labels|claims|image")]
      if !relatives.isEmpty { query.append(("relatives", relatives.map(\.rawValue).joined(separator: "|"))) }
      known.merge(try http.ask(question(uris, query)))
    }

    /// Requests the missing labels of these entities. They stay without labels when the request fails.
    @discardableResult
    mutating func loadNames(of uris: [String]) -> SourceError? {
      let unknown = uris.filter { self[$0] == nil }.withoutRepeats(by: \.self)
      guard !unknown.isEmpty else { return nil }
      var failure: SourceError?
      for answer in http.ask(unknown.chunks(of: mostOnPage).map { question($0, [("attributes", "labels")]) }) {
        switch answer {
        case .success(let found): known.merge(found)
        case .failure(.notFound): break
        case .failure(let error): failure = failure ?? error
        }
      }
      return failure
    }

    private func question(_ uris: [String], _ query: [(String, String)]) -> Question<Entities> {
      let query = [("action", "by-uris"), ("uris", uris.joined(separator: "|"))] + query
      let host = settings.host
      return Question(thing: ask("/api/entities", settings, query)) { response throws(SourceError) in
        let answer = try response.decoded(as: Answer.self, host: host)
        guard let all = answer.entities else { throw .anotherShape }
        return Entities(all: all, redirects: answer.redirects ?? [:])
      }
    }

    /// Everything about a work or an edition.
    mutating func record(of wanted: ExternalID, isbn: ISBN?) throws(SourceError) -> Record {
      try load([wanted.value], with: [.author, .work])
      guard let entity = self[wanted.value], ["work", "edition", nil].contains(entity.type) else { throw .notFound }
      let isEdition = entity.type == "edition" || wanted.value.hasPrefix("isbn:")
      let workURI = isEdition ? entity.uris(.work).first : nil
      if let workURI, self[workURI] == nil {
        do throws(SourceError) {
          try load([workURI], with: [.author])
        } catch {
          partialFailures.append(PartialFailure("work", error))
        }
      }
      let work = workURI.flatMap { self[$0] }
      let described = isEdition ? work : entity
      let parts = [
        ("authors", described?.uris(.author)), ("publisher", isEdition ? entity.uris(.publisher) : nil),
        ("genres", described?.uris(.genre)),
      ].filter { part in part.1?.contains { self[$0] == nil } == true }
      if let reason = loadNames(of: (isEdition ? namesOfEdition(entity) : []) + (described.map(namesOfWork) ?? [])) {
        partialFailures += parts.map { PartialFailure($0.0, reason) }
      }
      let record = isEdition ? edition(entity, of: work, as: wanted, isbn) : self.work(entity, as: wanted)
      guard let record else { throw .unreadable("a book without a title") }
      return record
    }

    func namesOfWork(_ work: Entity) -> [String] { work.uris(.author) + work.uris(.genre) + work.uris(.series) }

    private func namesOfEdition(_ edition: Entity) -> [String] { edition.uris(.publisher) + edition.uris(.translator) }

    /// The record of a work; nil without a title.
    func work(_ work: Entity, as wanted: ExternalID) -> Record? {
      let original = originalTitle(of: work)
      guard let title = name(of: work, orElse: original) else { return nil }
      var record = Record(kind: .book, title: title)
      record.externalIDs = externalIDs(of: work, as: wanted, ending: "W")
      record.originalTitle = original == title ? nil : original
      let known = Set([title, original].compactMap(\.self).map(Folding.fold))
      record.otherTitles = [work.labels?["en"], work.texts(.title).first].compactMap(\.self)
        .withoutRepeats(by: Folding.fold).filter { !known.contains(Folding.fold($0)) }
      if title == work.texts(.title).first { record.add(subtitle: work.texts(.subtitle).first) }
      record.credits = credits(work.uris(.author), .author)
      record.labels = genres(of: work)
      record.released = work.released
      record.year = record.released?.year
      record.url = wanted.page
      record.artworkURL = cover(of: work)
      record.book.series = work.uris(.series).lazy.compactMap { name(of: $0) }.first
      return record
    }

    /// The record of an edition, completed from its work; nil without a title.
    private func edition(_ edition: Entity, of work: Entity?, as wanted: ExternalID, _ isbn: ISBN?) -> Record? {
      let original = work.flatMap(originalTitle)
      guard let title = edition.texts(.title).first ?? name(of: edition, orElse: nil) ?? original else { return nil }
      var record = work.flatMap { self.work($0, as: wanted) } ?? Record(kind: .book, title: title)
      record.title = title
      record.externalIDs = externalIDs(of: edition, as: wanted, ending: "M")
      let isTranslated = work?.originalLang != nil && edition.originalLang != work?.originalLang
      record.originalTitle = isTranslated && original.map(Folding.fold) != Folding.fold(title) ? original : nil
      record.otherTitles = []
      record.add(subtitle: edition.texts(.subtitle).first)
      record.credits += credits(edition.uris(.translator), .translator)
      // Better than none: the book is not younger.
      record.year = record.year ?? edition.released?.year
      record.url = wanted.page
      record.artworkURL = cover(of: edition) ?? record.artworkURL
      var book = record.book
      book.isbn = isbn ?? edition.isbn ?? (try? ISBN(String(wanted.value.dropFirst("isbn:".count))))
      book.publisher = edition.uris(.publisher).lazy.compactMap { name(of: $0) }.first
      book.published = edition.released
      book.pages = edition.pages
      book.language = edition.originalLang.flatMap { $0.utf8.count == 2 ? $0 : nil }
      record.book = book
      return record
    }

    private func originalTitle(of work: Entity) -> String? {
      work.originalLang.flatMap { work.labels?[$0] } ?? work.texts(.title).first
    }

    private func genres(of work: Entity) -> [String] {
      work.uris(.genre).compactMap { self[$0]?.name(in: ["en", "mul"]) }.withoutRepeats(by: Folding.fold)
    }

    private func credits(_ uris: [String], _ role: Credit.Role) -> [Credit] {
      uris.compactMap { uri in
        name(of: uri).map { Credit(name: $0, role: role, externalID: externalID(uri)) }
      }.withoutRepeats(by: \.self)
    }

    private func name(of uri: String) -> String? { self[uri].flatMap { name(of: $0, orElse: nil) } }

    /// The name in the person's language, in English, the one for all languages, `known`, or any.
    private func name(of entity: Entity, orElse known: String?) -> String? {
      let labels = entity.labels ?? [:]
      return settings.languages.lazy.compactMap { labels[$0] }.first ?? labels["en"] ?? labels["mul"] ?? known
        ?? entity.name(in: [])
    }

    /// A picture uploaded to Inventaire. Pictures of Wikimedia Commons show authors and manuscripts.
    private func cover(of entity: Entity) -> String? { entity.image.map { Request.url(settings.baseURL, $0) } }

    private func externalIDs(of entity: Entity, as wanted: ExternalID, ending letter: String) -> [ExternalID] {
      let openLibrary = entity.texts(.openLibrary).first { text in
        let digits = text.utf8.dropFirst(2).dropLast()
        return text.hasPrefix("OL") && text.hasSuffix(letter) && (1...12).contains(digits.count)
          && digits.allSatisfy(Request.isDigit)
      }
      let ids = [
        wanted, entity.uri.map(externalID), openLibrary.map { ExternalID(source: "openlibrary", value: $0) },
      ]
      return ids.compactMap(\.self).withoutRepeats(by: \.self)
    }
  }

  private static func externalID(_ uri: String) -> ExternalID { ExternalID(source: id, value: uri) }

  // MARK: The answers

  private struct Found: Decodable {
    @Lenient<Whole> var total: Int?
    var results: Elements<Hit>
  }

  private struct Hit: Decodable {
    @Lenient<URI> var uri: String?
    @Lenient<Line> var label: String?
    @Lenient<Picture> var image: String?
  }

  /// The entities of some URIs.
  private struct Entities: Sendable {
    var all: [String: Entity] = [:]
    var redirects: [String: String] = [:]

    /// Adds entities. Those already known stay, since they contain more than a label.
    mutating func merge(_ found: Entities) {
      all.merge(found.all) { known, _ in known }
      redirects.merge(found.redirects) { $1 }
    }
  }

  private struct Answer: Decodable {
    @Lenient<Map<Object<Entity>>> var entities: [String: Entity]?
    @Lenient<Map<URI>> var redirects: [String: String]?
  }

  /// A work, an edition, a person, a genre, a publisher, a series.
  private struct Entity: Decodable {
    @Lenient<URI> var uri: String?
    @Lenient<Line> var type: String?
    @Lenient<Map<Line>> var labels: [String: String]?
    @Lenient<Line> var originalLang: String?
    @Lenient<Map<List<Claim>>> var claims: [String: [String]]?
    @Lenient<Picture> var image: String?

    func texts(_ property: Property) -> [String] { claims?[property.rawValue] ?? [] }

    func uris(_ property: Property) -> [String] { texts(property).filter(URI.valid).withoutRepeats(by: \.self) }

    /// The earliest of the dates; in the same year, the most precise one.
    var released: PartialDate? {
      texts(.released).compactMap { Day.read(.text($0)) }
        .min { ($0.year, $0.month ?? 13, $0.day ?? 32) < ($1.year, $1.month ?? 13, $1.day ?? 32) }
    }

    var pages: Int? { texts(.pages).lazy.compactMap { Count.read(.text($0)) }.first }

    var isbn: ISBN? { texts(.isbn).lazy.compactMap { try? ISBN($0) }.first }

    /// The name in the first of these languages that has one, or else in the first of all, by its code.
    func name(in languages: [String]) -> String? {
      languages.lazy.compactMap { labels?[$0] }.first ?? labels?.min { $0.key < $1.key }?.value
    }
  }

  /// The properties that are read, most of them Wikidata's.
  private enum Property: String {
    case author = "wdt:P50"
    case publisher = "wdt:P123"
    case genre = "wdt:P136"
    case series = "wdt:P179"
    case isbn = "wdt:P212"
    case released = "wdt:P577"
    /// The work of an edition.
    case work = "wdt:P629"
    case openLibrary = "wdt:P648"
    case translator = "wdt:P655"
    case pages = "wdt:P1104"
    case title = "wdt:P1476"
    case subtitle = "wdt:P1680"
  }

  /// A text, or a number as one.
  private enum Claim: Reading {
    static func read(_ json: JSON) -> String? { Line.read(json) ?? Whole.read(json).map { "\($0)" } }
  }

  /// `wd:Q2362563`, `inv:1732d81bf7376e04da27568a778561a4`, `isbn:9780375757853`.
  private enum URI: Reading {
    static func read(_ json: JSON) -> String? { json.text.flatMap { valid($0) ? $0 : nil } }

    static func valid(_ text: String) -> Bool {
      let parts = text.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count == 2, let prefix = parts.first, let value = parts.last?.utf8 else { return false }
      switch prefix {
      case "wd":
        let digits = value.dropFirst()
        return value.first == UInt8(ascii: "Q") && (1...12).contains(digits.count) && digits.allSatisfy(Request.isDigit)
      case "inv":
        return value.count == 32
          && value.allSatisfy { Request.isDigit($0) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0) }
      case "isbn":
        return [10, 13].contains(value.count)
          && value.allSatisfy { Request.isDigit($0) || $0 == UInt8(ascii: "X") }
      default: return false
      }
    }
  }

  /// The path of a picture: as it is, in a list, or as the `url` of an object; older answers have only its number.
  private enum Picture: Reading {
    static func read(_ json: JSON) -> String? {
      switch json {
      case .text(let text):
        let number = text.split(separator: "/").last ?? ""
        let isNumber =
          number.utf8.count == 40
          && number.utf8.allSatisfy { Request.isDigit($0) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0) }
        return isNumber && (text == number || text == folder + number) ? folder + number : nil
      case .list(let pictures): return pictures.lazy.compactMap(read).first
      case .object: return read(json["url"])
      default: return nil
      }
    }

    private static let folder = "/img/entities/"
  }
}
