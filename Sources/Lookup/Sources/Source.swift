public import CatalogModel

/// A hit of a search that the person has not accepted yet.
public struct Candidate: Sendable, Hashable {
  public var record: Record
  /// The source's id of the item.
  public var id: ExternalID
  /// The parts that could not be fetched with the complete record; nil when only the search was asked.
  public var partialFailures: [PartialFailure]?
  /// The number of its editions or votes at its source. Only numbers of one source compare.
  public var popularity: Int

  public init(
    id: ExternalID, record: Record, partialFailures: [PartialFailure]? = nil, popularity: Int? = nil
  ) {
    (self.id, self.record, self.partialFailures) = (id, record, partialFailures)
    self.popularity = popularity ?? record.publicRating?.votes ?? 0
  }
}

/// The complete record of an item. When it takes several requests and one fails, the record is returned without that
/// part, and ``partialFailures`` lists it.
public struct Fetched: Sendable, Hashable {
  public var record: Record
  public var partialFailures: [PartialFailure]

  public init(_ record: Record, partialFailures: [PartialFailure] = []) {
    (self.record, self.partialFailures) = (record, partialFailures)
  }

  /// - Parameter wanted: the id that was asked for. An item that was merged into another answers under its new id, and
  ///   keeps this one.
  init(_ record: Record, as wanted: ExternalID, partialFailures: [PartialFailure] = []) {
    self.init(record, partialFailures: partialFailures)
    self.record.externalIDs = ([wanted] + record.externalIDs).withoutRepeats(by: \.self)
  }
}

/// A part of a record that its source could not be asked for.
public struct PartialFailure: Sendable, Hashable {
  /// In a word or two: `authors`.
  public var part: String
  public var reason: SourceError

  public init(_ part: String, _ reason: SourceError) {
    (self.part, self.reason) = (part, reason)
  }

  /// The value of an additional request; nil when it failed, which is noted. "Not found" is an answer, not a failure.
  static func value<Value>(
    of result: Result<Value, SourceError>, as part: String, noting partialFailures: inout [PartialFailure]
  ) -> Value? {
    switch result {
    case .success(let value): return value
    case .failure(.notFound): return nil
    case .failure(let reason):
      partialFailures.append(PartialFailure(part, reason))
      return nil
    }
  }
}

public struct Page: Sendable, Hashable {
  public var candidates: [Candidate]
  /// The number of hits on all pages, if the source reports it.
  public var total: Int?
  /// Whether there is a page after this one.
  public var hasMore: Bool
  /// The number of elements that could not be read and were left out.
  public var unreadable: Int
  /// Whether the source failed, and this page comes at least partly from outdated answers in the cache.
  public var isOld = false
  /// The reason why later hits cannot be fetched.
  public var stop: Stop?

  public enum Stop: Sendable, Hashable {
    /// The source's limit for a search: ``Paging``.
    case bound
    /// The next page failed.
    case failure(SourceError)
  }

  public init(candidates: [Candidate] = [], total: Int? = nil, hasMore: Bool = false, unreadable: Int = 0) {
    (self.candidates, self.total, self.hasMore, self.unreadable) = (candidates, total, hasMore, unreadable)
  }
}

public struct Search: Sendable, Hashable {
  public var words: String
  public var kind: Kind
  /// From 1.
  public var page: Int
  /// The number of hits on a page, 1 … 200; a source with a lower limit returns fewer.
  public var pageSize: Int
  /// The searched part; nil searches everywhere.
  public var scope: Scope?
  /// The year that was named with the title: works of that year come first.
  public var year: Int?
  /// Whether some of the words suffice, for a source that looks for all of them.
  public var isForgiving = false

  /// The searched part of a record. A search has at most one.
  public enum Scope: Sendable, Hashable {
    /// A field that many sources know.
    case field(Field)
    /// A category of one source, by the source's name: ``Attribute/parameter``.
    case attribute(String)
  }

  /// A part of a record that can be searched alone.
  public enum Field: String, CaseIterable, Sendable, Hashable {
    case title
    /// The director, author or artist.
    case creator
    /// The publisher of a book, the label of a record.
    case publisher
    case isbn
    /// The number that a label gives a record: `CL 1355`.
    case catalogNumber = "catno"
  }

  /// The field, when the words are looked for in one.
  public var field: Field? { if case .field(let field) = scope { field } else { nil } }

  /// - Parameter words: as typed. Korean that comes decomposed from some systems is composed, because services compare
  ///   letters as they are sent.
  public init(
    words: String, kind: Kind, page: Int = 1, pageSize: Int = 20, scope: Scope? = nil, year: Int? = nil
  ) {
    self.words = Folding.composed(words)
    (self.kind, self.page, self.pageSize, self.scope, self.year) = (kind, page, pageSize, scope, year)
  }
}

/// A number printed on the item.
public enum Code: Sendable, Hashable {
  case isbn(ISBN)
  case barcode(Barcode)
}

public struct SourceSettings: Sendable, Hashable {
  /// The address of the source, without a slash at the end. Mirrors and tests set another one.
  public var baseURL: String
  /// The address of its pictures, for a source that has them on another host.
  public var imageBaseURL: String?
  /// ISO 3166-1 alpha-2, upper case.
  public var country: String
  /// ISO 639-1, lower case.
  public var language: String
  /// The country whose form of the language it is, ISO 3166-1 alpha-2, upper case; nil when the locale names none.
  public var place: String?
  public var key: String?
  /// Whether pictures are drawn or kept, for a source that has to be asked for their addresses alone.
  public var wantsPictures = true

  public init(
    baseURL: String, imageBaseURL: String? = nil, country: String = "US", language: String = "en",
    place: String? = nil, key: String? = nil
  ) {
    (self.baseURL, self.imageBaseURL) = (baseURL, imageBaseURL)
    (self.country, self.language, self.place, self.key) = (country, language, place, key)
  }
}

extension SourceSettings {
  /// The language in the form of its place, for the languages that are written in more than one: `zh-TW`, `pt-BR`,
  /// `ko`.
  var languageOfPlace: String {
    guard let place else { return language }
    let form: String? =
      switch (language, place) {
      case ("zh", "MO"): "HK"
      case ("zh", "CN"), ("zh", "HK"), ("zh", "SG"), ("zh", "TW"), ("fr", "CA"), ("pt", "BR"), ("es", "ES"): place
      case ("pt", _): "PT"
      case ("es", _) where Self.ofLatinAmerica.contains(place): "MX"
      default: nil
      }
    return form.map { "\(language)-\($0)" } ?? language
  }

  /// The codes under which open databases keep texts in the language, in lower case, the best first: `zh-tw`,
  /// `zh-hant`, `zh`.
  var languages: [String] {
    let own = languageOfPlace.lowercased()
    let script = language == "zh" ? ["zh-tw", "zh-hk"].contains(own) ? ["zh-hant"] : ["zh-hans"] : []
    return own == language ? [language] : [own] + script + [language]
  }

  /// The countries for which films are translated into the Spanish of Mexico.
  private static let ofLatinAmerica: Set = [
    "AR", "BO", "CL", "CO", "CR", "CU", "DO", "EC", "GT", "HN", "MX", "NI", "PA", "PE", "PR", "PY", "SV", "US", "UY",
    "VE",
  ]
}

/// Without the key, because settings find their way into messages.
extension SourceSettings: CustomStringConvertible, CustomDebugStringConvertible {
  public var description: String { "\(baseURL), \(country), \(language)" }
  public var debugDescription: String { description }
}

/// The limits of a source's pages.
public struct Paging: Sendable, Hashable {
  /// The number of hits on each page, for a source with a fixed page size. Pages of other sizes are put together from
  /// these.
  public var fixedSize: Int?
  /// The maximum number of hits on a page.
  public var mostOnPage = 200
  /// The last page that may be requested, however many hits there are.
  public var last = Int.max
  /// The maximum number of hits on all pages of a search.
  public var mostHits = Int.max

  /// The last possible page of the given size.
  func last(ofSize size: Int) -> Int {
    func pages(of hits: Int) -> Int { hits == .max ? .max : (hits - 1) / size + 1 }
    guard let fixedSize, last < .max else { return min(last, pages(of: mostHits)) }
    return pages(of: last * fixedSize)
  }
}

/// A source of records: a web API (its requests, its answers, its abilities) or built-in data. Each source is one value
/// in one file.
public struct Source: Sendable, Identifiable {
  /// The short name in lower case, for references and settings: `itunes`.
  public var id: String
  /// The display name: `iTunes`.
  public var name: String
  /// The kinds that the source knows.
  public var kinds: [Kind]
  /// The fields that can be searched separately, by kind.
  public var fields: @Sendable (Kind) -> Set<Search.Field> = { _ in [.title, .creator] }
  /// The source's own categories for narrowing a search, beginning with ``Attribute/all``; empty when there are none.
  public var attributes: @Sendable (Kind) -> [Attribute] = { _ in [] }
  public var paging = Paging()
  public var knowsGenres = true
  /// The attribution that the source's terms require to be shown.
  public var attribution: String?
  /// The rate limit; nil for built-in data.
  public var limit: RateLimit?
  /// The key for requests; nil when none is needed.
  public var key: KeyRequirement?
  public var defaultBaseURL = ""
  public var defaultImageBaseURL: String?
  /// The hosts of its pictures besides its own hosts, including their subdomains.
  public var pictureHosts: [String] = []
  /// Whether its records have previews to listen to or watch.
  public var hasPreviews = false
  /// Whether it wants a contact of the user in the `User-Agent`.
  public var asksForContact = false
  /// The rules for retries and for the rest after a refusal. Called at the first request; most commands send none.
  public var policy: @Sendable () -> RetryPolicy = { RetryPolicy() }

  public var request: @Sendable (Search, SourceSettings) -> Request
  /// Reads the answer. Elements that cannot be read are left out and counted; throws if the answer as a whole cannot be
  /// read.
  public var read: @Sendable (Response, Search, SourceSettings) throws(SourceError) -> Page
  /// Returns the same search in other words, tried once when a search finds nothing; nil when there is none. A source
  /// that needs no second try has no such function.
  public var rephrased: (@Sendable (Search) -> Search?)?
  /// Completes the page of ``read`` by further requests. Nil when a search result has all fields of a list.
  public var complete: (@Sendable (Page, Search, SourceSettings, HTTPClient) throws(SourceError) -> Page)?
  /// Fetches the complete record of an item. Nil when a search result is already complete.
  public var fetch: (@Sendable (ExternalID, Kind, SourceSettings, HTTPClient) throws(SourceError) -> Fetched)?
  /// Looks a code up. Nil when the source has no such look-up. No hit is an empty array.
  public var lookUp: (@Sendable (Code, SourceSettings, HTTPClient) throws(SourceError) -> [Candidate])?
  /// Finds the movie with an id of IMDb; nil without a hit. The function is nil when the source does not know IMDb's
  /// ids.
  public var find: (@Sendable (ExternalID, SourceSettings, HTTPClient) throws(SourceError) -> Candidate?)?
  /// Fetches parts of a movie's page. Nil when the source has no such parts.
  public var movieParts: (@Sendable (ExternalID, Set<MovieParts.Part>, SourceSettings, HTTPClient) -> MovieParts)?
  /// The request for this week's popular movies, read like the first page of a search. Nil when the source has no such
  /// list.
  public var trending: (@Sendable (SourceSettings) -> Request)?
  /// The request for a page of an album's pressings, read like a page of a search; nil for an id that is not an
  /// album's. The function is nil when the source has no pressings.
  public var pressings: (@Sendable (ExternalID, _ page: Int, SourceSettings) -> Request?)?
  /// The country of the shop that a record is from, which has to be asked for more of it. Nil when the record does not
  /// say.
  public var shop: (@Sendable (Record) -> String?)?
  /// The beginnings of the ISBNs that it knows better than others: `97889`.
  public var isbnGroups: [String] = []
  /// The address of an item's page, up to its id; nil where only the source knows it.
  public var pages: String?
  /// The built-in data; nil for a web API.
  public var builtIn: BuiltIn?
}

/// Data compiled into the program.
public struct BuiltIn: Sendable {
  /// Returns a page of matching records, best first.
  public var search: @Sendable (Search) throws(SourceError) -> Page
  /// Returns the complete record of an item; nil for an unknown id.
  public var record: @Sendable (ExternalID) -> Record?

  public init(
    search: @escaping @Sendable (Search) throws(SourceError) -> Page,
    record: @escaping @Sendable (ExternalID) -> Record?
  ) {
    (self.search, self.record) = (search, record)
  }
}

extension Source {
  /// A source that is built in. It is searched as a whole, needs no key, and no request of it is ever sent.
  /// - Parameter fields: the fields that can be searched separately.
  public init(id: String, name: String, kinds: [Kind], fields: Set<Search.Field> = [], builtIn: BuiltIn) {
    self.init(
      id: id, name: name, kinds: kinds, fields: { _ in fields },
      request: { _, _ in Request(source: id, url: "") }, read: { _, _, _ throws(SourceError) in Page() },
      builtIn: builtIn)
  }

  /// Whether the source works without the network.
  public var isBuiltIn: Bool { builtIn != nil }

  /// - Throws: ``SourceError/key(missing:)`` when the source requires a key, and there is none.
  public func requireKey(_ settings: SourceSettings) throws(SourceError) {
    if key?.isRequired == true, settings.key == nil { throw .key(missing: true) }
  }

  /// Whether the source has its key or needs none. Without its key, a source is asked only when named, so that only its
  /// users are reminded of the key.
  public func hasItsKey(_ settings: SourceSettings) -> Bool { key == nil || settings.key != nil }
}

public struct RateLimit: Sendable, Hashable {
  public var requests: Int
  /// In seconds.
  public var interval: Int
  /// The number of requests per day, if the source has such a limit. The source enforces it; here it is only displayed.
  public var perDay: Int?
  /// The number of requests per interval without a contact, if lower.
  public var withoutContact: Int?

  public init(requests: Int, per interval: Int, perDay: Int? = nil, withoutContact: Int? = nil) {
    (self.requests, self.interval, self.perDay) = (requests, interval, perDay)
    self.withoutContact = withoutContact
  }

  /// The limit without a contact.
  var ofUnknown: RateLimit {
    RateLimit(requests: withoutContact ?? requests, per: interval, perDay: perDay)
  }
}

/// Why a source gave nothing.
public enum SourceError: Error, Sendable, Hashable {
  case network(HTTPError)
  /// The source does not have the item.
  case notFound
  case noShop(country: String)
  /// The answer has an undocumented status. `words` is the source's message, on one line.
  case refused(status: Int, words: String? = nil)
  /// The page does not exist. `last` is the last page of the requested size, and `hits` the number of hits, if the
  /// source reports them.
  case noPage(last: Int?, hits: Int? = nil)
  /// The key is missing, or the source does not accept it.
  case key(missing: Bool)
  /// The key is right, but the person's app or project at the source has not switched this API on.
  case apiNotEnabled
  /// The requests that the source allows are used up.
  case quota(Quota)
  /// The answer is not in the documented form. The text completes the sentence "the source sent …":
  /// `an HTML page instead of an answer`.
  case unreadable(String)
  /// The source, with this id, answers only from a copy, and there is none on this computer.
  case noCopy(source: String)
  /// The copy of the source cannot be read, for this reason.
  case badCopy(Message)
}

/// A used-up quota of a source.
public enum Quota: Sendable, Hashable {
  /// The quota shared by all requests without a key. A retry does not help.
  case noKey
  /// The key's quota for the day.
  case day
  /// The key's quota for the minute.
  case minute
}

extension SourceError {
  /// Whether the source is unavailable: it could not be reached, refuses requests, or sends no readable answer. Another
  /// source may answer the same request.
  public var isAway: Bool {
    switch self {
    case .network(.interrupted): false
    case .network, .quota, .unreadable, .badCopy: true
    case .refused(let status, _): [403, 408, 421, 429, 451].contains(status) || status >= 500
    case .notFound, .noShop, .noPage, .key, .apiNotEnabled, .noCopy: false
    }
  }

  /// Whether the key is the trouble. Another source may answer the same question, and the person has to do something.
  public var isOfKey: Bool {
    switch self {
    case .key, .apiNotEnabled: true
    default: false
    }
  }
}

extension Source {
  /// Whether an address is where the source has its pictures: at a host of theirs, over HTTPS or where a person has put
  /// it.
  public func hasPictures(at url: String, _ settings: SourceSettings) -> Bool {
    guard Request.isAllowed(url) else { return false }
    let host = Request.host(of: url).lowercased()
    let homes = [settings.baseURL, settings.imageBaseURL].compactMap(\.self).map { Request.host(of: $0).lowercased() }
    return homes.contains(host) || pictureHosts.contains { host == $0 || host.hasSuffix("." + $0) }
  }
}

extension SourceSettings {
  /// The host that is asked, for messages.
  var host: String { Request(source: "", url: baseURL).host }
}

extension Search {
  /// The page, limited to 1 … 1 000 000.
  var number: Int { min(max(page, 1), 1_000_000) }

  /// The number of hits on the page, for a source with at most `most` per page.
  func size(atMost most: Int) -> Int { min(max(pageSize, 1), most) }

  /// The number of hits before the page.
  func offset(atMost most: Int) -> Int { (number - 1) * size(atMost: most) }
}

extension Search {
  /// The error for a page without hits. It names the last page if the number of hits is known.
  public func end(of hits: Int?, at source: Source) -> SourceError {
    let size = size(atMost: source.paging.mostOnPage)
    guard let hits, hits > 0, offset(atMost: source.paging.mostOnPage) >= hits else { return .noPage(last: nil) }
    return .noPage(last: (hits - 1) / size + 1, hits: hits)
  }
}

extension PublicRating {
  /// Converts an average of votes from 0 to `best` to one of a hundred with one decimal. Nil for an invalid average.
  init?(average: Double?, of best: Double, votes: Int?) {
    guard let average, (0...best).contains(average) else { return nil }
    self.init(value: (average / best * 1000).rounded() / 10, votes: votes)
  }
}

extension [PartialDate] {
  /// The earliest; in the same year, the most precise one.
  var earliest: PartialDate? {
    self.min { ($0.year, $0.month ?? 13, $0.day ?? 32) < ($1.year, $1.month ?? 13, $1.day ?? 32) }
  }
}

extension [String: String] {
  /// The name in the first of these languages that has one, or else the first of all, by its code.
  func name(in languages: [String]) -> String? {
    languages.lazy.compactMap { self[$0] }.first ?? self.min { $0.key < $1.key }?.value
  }
}

extension Record {
  /// Sets the other titles, each spelling once and none of the title and the original title.
  mutating func set(otherTitles titles: [String], atMost most: Int = .max) {
    let known = Set([title, originalTitle].compactMap(\.self).map(Folding.fold))
    let others = titles.withoutRepeats(by: Folding.fold).filter { !known.contains(Folding.fold($0)) }
    otherTitles = Array(others.prefix(most))
  }

  /// Adds a subtitle as another title, so that a search finds the item by it.
  mutating func add(subtitle: String?) {
    guard let subtitle, !Folding.fold(title).contains(Folding.fold(subtitle)) else { return }
    otherTitles.append("\(title): \(subtitle)")
  }
}
