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
    policy: { RetryPolicy(throttled: [], busy: [2], rests: [.contact: .seconds(86_400)]) },
    request: Inventaire.request, read: Inventaire.read, complete: Inventaire.complete, fetch: Inventaire.fetch,
    lookUp: Inventaire.lookUp)
}

enum Inventaire {
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
    let found = try response.json(host: settings.host)
    return Page(try found["results"].hits(), of: search, atMost: mostOnPage, total: found["total"].whole) { hit in
      guard let uri = uri(hit["uri"]), let label = hit["label"].line else { return nil }
      var record = Record(kind: .book, title: label)
      record.externalIDs = [externalID(uri)]
      record.url = externalID(uri).page
      record.artworkURL = picture(hit["image"]).map { Request.url(settings.baseURL, $0) }
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
    guard isURI(wanted.value) else { throw .notFound }
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
        let answer = try response.json(host: host)
        guard answer["entities"].object != nil else { throw .anotherShape }
        return Entities(all: answer["entities"].values(Entity.init), redirects: answer["redirects"].values(uri))
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
      record.set(otherTitles: [work.labels["en"], work.texts(.title).first].compactMap(\.self))
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
      work.originalLang.flatMap { work.labels[$0] } ?? work.texts(.title).first
    }

    private func genres(of work: Entity) -> [String] {
      work.uris(.genre).compactMap { self[$0]?.labels.name(in: ["en", "mul"]) }.withoutRepeats(by: Folding.fold)
    }

    private func credits(_ uris: [String], _ role: Credit.Role) -> [Credit] {
      uris.compactMap { uri in
        name(of: uri).map { Credit(name: $0, role: role, externalID: externalID(uri)) }
      }.withoutRepeats(by: \.self)
    }

    private func name(of uri: String) -> String? { self[uri].flatMap { name(of: $0, orElse: nil) } }

    /// The name in the person's language, in English, the one for all languages, `known`, or any.
    private func name(of entity: Entity, orElse known: String?) -> String? {
      settings.languages.lazy.compactMap { entity.labels[$0] }.first ?? entity.labels["en"] ?? entity.labels["mul"]
        ?? known ?? entity.labels.name(in: [])
    }

    /// A picture uploaded to Inventaire. Pictures of Wikimedia Commons show authors and manuscripts.
    private func cover(of entity: Entity) -> String? { entity.image.map { Request.url(settings.baseURL, $0) } }

    private func externalIDs(of entity: Entity, as wanted: ExternalID, ending letter: String) -> [ExternalID] {
      let openLibrary = entity.texts(.openLibrary).first { $0.hasSuffix(letter) && OpenLibrary.validKey($0) == $0 }
      let ids = [
        wanted, entity.uri.map(externalID), openLibrary.map { ExternalID(source: "openlibrary", value: $0) },
      ]
      return ids.compactMap(\.self).withoutRepeats(by: \.self)
    }
  }

  private static func externalID(_ uri: String) -> ExternalID { ExternalID(source: id, value: uri) }

  // MARK: The answers

  private struct Entities: Sendable {
    var all: [String: Entity] = [:]
    var redirects: [String: String] = [:]

    /// Adds entities. Those already known stay, since they contain more than a label.
    mutating func merge(_ found: Entities) {
      all.merge(found.all) { known, _ in known }
      redirects.merge(found.redirects) { $1 }
    }
  }

  /// A work, an edition, a person, a genre, a publisher, a series.
  private struct Entity: Sendable {
    var uri: String?
    var type: String?
    var labels: [String: String]
    var originalLang: String?
    var image: String?
    private var claims: JSON

    /// Nil for what is no object.
    init?(_ json: JSON) {
      guard json.object != nil else { return nil }
      (uri, type, labels) = (Inventaire.uri(json["uri"]), json["type"].line, json["labels"].values(\.line))
      (originalLang, image, claims) = (json["originalLang"].line, picture(json["image"]), json["claims"])
    }

    /// The values of a property: texts, or numbers as such.
    func texts(_ property: Property) -> [String] {
      claims[property.rawValue].elements.compactMap { $0.line ?? $0.whole.map(String.init) }
    }

    func uris(_ property: Property) -> [String] { texts(property).filter(isURI).withoutRepeats(by: \.self) }

    var released: PartialDate? { texts(.released).compactMap { JSON.text($0).day }.earliest }

    var pages: Int? { texts(.pages).lazy.compactMap { JSON.text($0).positive }.first }

    var isbn: ISBN? { ISBN.first(of: texts(.isbn)) }
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

  private static func uri(_ json: JSON) -> String? { json.text.flatMap { isURI($0) ? $0 : nil } }

  /// `wd:Q2362563`, `inv:1732d81bf7376e04da27568a778561a4`, `isbn:9780375757853`.
  static func isURI(_ text: String) -> Bool {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, let prefix = parts.first, let value = parts.last?.utf8 else { return false }
    switch prefix {
    case "wd": return Wikidata.isItem(String(parts[1]))
    case "inv": return isHexadecimal(value, count: 32)
    case "isbn":
      return [10, 13].contains(value.count) && value.allSatisfy { $0.isASCIIDigit || $0 == UInt8(ascii: "X") }
    default: return false
    }
  }

  private static func isHexadecimal(_ text: Substring.UTF8View, count: Int) -> Bool {
    text.count == count
      && text.allSatisfy { $0.isASCIIDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0) }
  }

  /// The path of a picture: as it is, in a list, or as the `url` of an object; older answers have only its number.
  private static func picture(_ json: JSON) -> String? {
    switch json {
    case .text(let text):
      let folder = "/img/entities/"
      let number = text.split(separator: "/").last ?? ""
      let isPicture = isHexadecimal(number.utf8, count: 40) && (text == number || text == folder + number)
      return isPicture ? folder + number : nil
    case .list(let pictures): return pictures.lazy.compactMap(picture).first
    case .object: return picture(json["url"])
    default: return nil
    }
  }
}
