import CatalogModel

extension Source {
  /// Open Library, the Internet Archive's catalog of books. No key.
  ///
  /// <https://openlibrary.org/developers/api>. A book is a *work* (`OL45804W`) with *editions* (`OL7353617M`): a search
  /// finds works, an ISBN names an edition.
  public static let openLibrary = Source(
    id: OpenLibrary.id, name: "Open Library", kinds: [.book], fields: { _ in [.title, .creator, .isbn] },
    paging: Paging(mostOnPage: 100), attribution: "Data from Open Library, openlibrary.org",
    limit: RateLimit(requests: 3, per: 1, withoutContact: 1),
    defaultBaseURL: "https://openlibrary.org", defaultImageBaseURL: "https://covers.openlibrary.org",
    asksForContact: true,
    policy: RetryPolicy(
      throttled: [3], busy: [1],
      rests: [.throttled: .seconds(600), .contact: .seconds(86_400), .hungUp: .seconds(600)]),
    request: OpenLibrary.request, read: OpenLibrary.read, fetch: OpenLibrary.fetch, lookUp: OpenLibrary.lookUp)
}

private enum OpenLibrary {
  static let id = "openlibrary"

  // MARK: Searching

  /// The requested fields; without them, an answer has only a few.
  static let fields = [
    "key", "title", "subtitle", "author_name", "author_key", "first_publish_year", "cover_i", "subject", "isbn",
    "language", "publisher", "ratings_average", "ratings_count", "edition_count",
  ].joined(separator: ",")

  static func request(_ search: Search, _ settings: SourceSettings) -> Request {
    let parameter =
      switch search.field {
      case nil, .publisher, .catalogNumber: "q"
      case .title: "title"
      case .creator: "author"
      case .isbn: "isbn"
      }
    // Its index knows an ISBN by its digits alone.
    let isbn = search.field == .isbn ? (try? ISBN(search.words))?.digits13 : nil
    return ask(
      "/search.json", settings,
      query: [
        (parameter, isbn ?? (parameter == "q" ? question(search.words) : search.words)), ("fields", fields),
        ("page", "\(search.number)"), ("limit", "\(search.size(atMost: 100))"),
      ])
  }

  /// The words as Open Library takes them. Since November 2025 it refuses a `q` of fewer than three characters, and
  /// `the`, with status 422. The quotes around them count as characters: `"한강"` has four.
  private static func question(_ words: String) -> String {
    let trimmed = words.trimmingBlanks
    guard trimmed.unicodeScalars.count < 3 || trimmed.lowercased() == "the" else { return words }
    return "\"\(trimmed.filter { $0 != "\"" })\""
  }

  static func ask(_ path: String, _ settings: SourceSettings, query: [(String, String)] = []) -> Request {
    Request(source: id, url: Request.url(settings.baseURL, path, query: query))
  }

  static func read(_ response: Response, _ search: Search, _ settings: SourceSettings) throws(SourceError) -> Page {
    let found = try response.decoded(as: Found.self, host: settings.host)
    let count = found.docs.all.count
    let isExact = found.numFoundExact ?? true
    // An inexact count is the least that there is, so a full page may have another behind it.
    let isFull = !isExact && count >= search.size(atMost: 100)
    let hasMore = count > 0 && (isFull || search.offset(atMost: 100) + count < found.numFound ?? 0)
    // Words in other letters mean an edition in them.
    let written = CatalogModel.Language.written(in: search.words)
    let typed = written.filter { $0 == settings.language } + written
    return found.docs.page(total: isExact ? found.numFound : nil, hasMore: hasMore) { doc in
      guard let key = doc.key, let title = doc.title else { return nil }
      var record = Record(kind: .book, title: title)
      record.externalIDs = [externalID(key)]
      record.credits = doc.credits
      record.labels = (doc.subject ?? []).withoutRepeats(by: \.self)
      record.url = externalID(key).page
      record.artworkURL = cover([doc.coverI], settings)
      add(doc, to: &record)
      record.add(subtitle: doc.subtitle)
      record.details = .book(doc.book)
      record.book.language = typed.first { doc.language?.contains($0) == true } ?? record.book.language
      return Candidate(id: externalID(key), record: record, popularity: doc.editionCount)
    }
  }

  // MARK: Fetching

  static func fetch(
    _ wanted: ExternalID, _ kind: Kind, _ settings: SourceSettings, _ http: HTTPClient
  ) throws(SourceError) -> Fetched {
    var library = Library(settings: settings, http: http)
    let key = wanted.value
    guard Key.valid(key) == key, !key.hasSuffix("A"), key != "OL0W", key != "OL0M" else { throw .notFound }
    var record = key.hasSuffix("W") ? try library.work(key) : try library.edition(at: "/books/\(key).json", isbn: nil)
    // A work or edition that was merged into another keeps the name under which it is known here.
    record.externalIDs = ([wanted] + record.externalIDs).withoutRepeats(by: \.self)
    return Fetched(record, partialFailures: library.partialFailures)
  }

  static func lookUp(_ code: Code, _ settings: SourceSettings, _ http: HTTPClient) throws(SourceError) -> [Candidate] {
    guard case .isbn(let isbn) = code else { return [] }
    var library = Library(settings: settings, http: http)
    let record: Record
    do {
      record = try library.edition(at: "/isbn/\(isbn).json", isbn: isbn)
    } catch {
      guard error == .notFound else { throw error }
      return []
    }
    return record.externalIDs.prefix(1).map {
      Candidate(id: $0, record: record, partialFailures: library.partialFailures)
    }
  }

  /// Open Library as one question needs it.
  private struct Library {
    var settings: SourceSettings
    var http: HTTPClient
    /// The parts that could not be fetched, besides the book itself.
    var partialFailures: [PartialFailure] = []

    /// The complete record of a work: its own fields, the most detailed edition, and the fields that only a search has
    /// (the year of the first edition, the public rating).
    mutating func work(_ key: String) throws(SourceError) -> Record {
      var key = key
      for _ in 0...Self.mostRedirects {
        let editions = ask("/works/\(key)/editions.json", query: [("limit", "50")])
        let (about, others, found) = http.ask(
          document("/works/\(key).json"), Question(thing: editions, as: Editions.self), searchDocument(of: key))
        let work = try about.get()
        if let next = work.redirect {
          key = next
          continue
        }
        let doc = PartialFailure.value(of: found, as: "first year", noting: &partialFailures)?.hit(of: key)
        let known =
          PartialFailure.value(of: others, as: "editions", noting: &partialFailures)?.entries.all.compactMap(\.self)
          ?? []
        let edition = best(of: known, for: work)
        return try record(key, title: work.title ?? doc?.title, work: work, edition: edition, doc: doc)
      }
      throw .unreadable("a book that only refers to others")
    }

    /// An edition, completed from its work.
    mutating func edition(at path: String, isbn: ISBN?) throws(SourceError) -> Record {
      let edition = try living(try http.ask(document(path))).get()
      guard let key = edition.key else { throw .unreadable("a book without an id") }
      var work: Document?
      var doc: Doc?
      if let workKey = edition.works?.first {
        let (about, found) = http.ask(document("/works/\(workKey).json"), searchDocument(of: workKey))
        work = PartialFailure.value(of: about.flatMap(living), as: "work", noting: &partialFailures)
        doc = PartialFailure.value(of: found, as: "first year", noting: &partialFailures)?.hit(of: workKey)
      }
      var record = try record(key, title: edition.title ?? work?.title, work: work, edition: edition, doc: doc)
      if let original = edition.translationOf ?? (edition.translatedFrom == nil ? nil : work?.title),
        Folding.nameKey(original) != Folding.nameKey(record.title)
      {
        record.originalTitle = original
      }
      if let isbn, case .book(var book) = record.details {
        book.isbn = isbn
        record.details = .book(book)
      }
      return record
    }

    /// A redirect to a redirect to a redirect is a mistake of theirs.
    private static let mostRedirects = 3

    /// The question for a work, an edition or an author.
    private func document(_ path: String) -> Question<Document> {
      let host = settings.host
      return Question(thing: ask(path)) { response throws(SourceError) in
        let document = try response.decoded(as: Document.self, host: host)
        guard document.isThere else { throw .unreadable("a book without an id") }
        return document
      }
    }

    /// The document, or the one that it was merged into.
    private func living(_ document: Document) -> Result<Document, SourceError> {
      Result { () throws(SourceError) in
        var document = document
        for _ in 0..<Self.mostRedirects {
          guard let next = document.redirect else { return document }
          document = try http.ask(self.document("/\(Key.folder(of: next))/\(next).json"))
        }
        guard document.redirect == nil else { throw .unreadable("a book that only refers to others") }
        return document
      }
    }

    private mutating func record(
      _ key: String, title: String?, work: Document?, edition: Document?, doc: Doc?
    ) throws(SourceError) -> Record {
      guard let title else { throw .unreadable("a book without a title") }
      var record = Record(kind: .book, title: title)
      record.externalIDs = [externalID(key)]
      record.credits = credits(work?.authors ?? edition?.authors ?? [], doc: doc)
      record.labels = ((work?.subjects ?? []) + (work == nil ? edition?.subjects ?? [] : [])).withoutRepeats(by: \.self)
      record.url = externalID(key).page
      let isOfEdition = key.hasSuffix("M")
      let descriptions = [work?.description, edition?.description].compactMap(\.self)
      record.summary = isOfEdition ? descriptions.last : descriptions.first
      let covers = isOfEdition ? [edition, work] : [work, edition]
      record.artworkURL = cover(covers.flatMap { $0?.covers ?? [] } + [doc?.coverI], settings)
      record.released = work?.firstPublishDate
      record.year = record.released?.year
      if let doc { add(doc, to: &record) }
      // Better than none: the book is not younger.
      record.year = record.year ?? edition?.publishDate?.year
      record.add(subtitle: isOfEdition ? edition?.subtitle : work?.subtitle ?? doc?.subtitle)
      if let edition { record.details = .book(edition.book) }
      return record
    }

    /// The authors with their names. Those that the search does not tell are asked for at once.
    private mutating func credits(_ keys: [String], doc: Doc?) -> [Credit] {
      guard !keys.isEmpty else { return doc?.credits ?? [] }
      var credits: [String: Credit] = [:]
      for credit in doc?.credits ?? [] { credit.externalID.map { credits[$0.value] = credit } }
      let unknown = keys.prefix(20).filter { credits[$0] == nil }
      for (key, answer) in zip(unknown, http.ask(unknown.map { document("/authors/\($0).json") })) {
        let person = PartialFailure.value(of: answer.flatMap(living), as: "authors", noting: &partialFailures)
        if let name = person?.name ?? person?.personalName { credits[key] = author(name, key: key) }
      }
      return keys.compactMap { credits[$0] }
    }

    /// The most useful edition: first one in the user's language, then one with an ISBN, with the work's own title,
    /// with pages and a cover. Among equals, the first.
    private func best(of editions: [Document], for work: Document) -> Document? {
      func worth(_ edition: Document) -> Int {
        let book = edition.book
        let isTitledSo = edition.title.map(Folding.nameKey) == work.title.map(Folding.nameKey)
        return (book.language == settings.language ? 32 : 0) + (book.isbn == nil ? 0 : 16) + (isTitledSo ? 8 : 0)
          + (book.pages == nil ? 0 : 2) + (edition.covers?.contains { $0 > 0 } == true ? 1 : 0)
      }
      return editions.reduce(nil as Document?) { best, edition in
        best.map { worth($0) >= worth(edition) } == true ? best : edition
      }
    }

    private func searchDocument(of key: String) -> Question<Found> {
      let query = [("q", "key:\"/works/\(key)\""), ("fields", fields), ("limit", "1")]
      return Question(thing: ask("/search.json", query: query), as: Found.self)
    }

    private func ask(_ path: String, query: [(String, String)] = []) -> Request {
      OpenLibrary.ask(path, settings, query: query)
    }
  }

  // MARK: Parts of a record

  private static func externalID(_ key: String) -> ExternalID { ExternalID(source: id, value: key) }

  private static func author(_ name: String, key: String?) -> Credit {
    Credit(name: name, role: .author, externalID: key.map(externalID))
  }

  /// The address of the first valid cover in `numbers`; −1 marks a deleted cover. Covers by number have no rate limit,
  /// and without `default=false` a missing one would be an empty picture.
  private static func cover(_ numbers: [Int?], _ settings: SourceSettings) -> String? {
    guard let number = numbers.lazy.compactMap(\.self).first(where: { $0 > 0 }) else { return nil }
    let base = settings.imageBaseURL ?? "https://covers.openlibrary.org"
    return Request.url(base, "/b/id/\(number)-L.jpg", query: [("default", "false")])
  }

  /// Adds the fields of a work that only a search has.
  private static func add(_ doc: Doc, to record: inout Record) {
    if record.released == nil, let first = doc.firstPublishYear, first != 0, ReleaseYear.range.contains(first) {
      record.year = first
      record.released = PartialDate(year: first)
    }
    record.publicRating = doc.ratingsCount.flatMap { PublicRating(average: doc.ratingsAverage, of: 5, votes: $0) }
  }

  // MARK: The answers

  private struct Found: Decodable {
    @Lenient<Whole> var numFound: Int?
    @Lenient<Flag> var numFoundExact: Bool?
    var docs: Elements<Doc>

    /// The hit that is this work.
    func hit(of key: String) -> Doc? { docs.all.lazy.compactMap(\.self).first { $0.key == key } }
  }

  /// A hit of the search: a work with something of all its editions.
  private struct Doc: Decodable {
    @Lenient<Key> var key: String?
    @Lenient<Line> var title: String?
    @Lenient<Line> var subtitle: String?
    @Lenient<List<Line>> var authorName: [String]?
    @Lenient<List<Key>> var authorKey: [String]?
    @Lenient<Whole> var firstPublishYear: Int?
    @Lenient<Whole> var coverI: Int?
    @Lenient<List<Line>> var subject: [String]?
    @Lenient<List<Line>> var isbn: [String]?
    @Lenient<List<Language>> var language: [String]?
    @Lenient<List<Line>> var publisher: [String]?
    @Lenient<Amount> var ratingsAverage: Double?
    @Lenient<Count> var ratingsCount: Int?
    @Lenient<Count> var editionCount: Int?

    var credits: [Credit] {
      let names = authorName ?? []
      // Names and keys are two lists; they belong together only while they are of one length.
      guard let authorKey, authorKey.count == names.count else { return names.map { author($0, key: nil) } }
      return zip(names, authorKey).map { author($0, key: $1) }
    }

    /// The fields that hold for every edition, for a work with one ISBN, one language or one publisher.
    var book: Book {
      var book = Book()
      book.isbn = isbns(isbn).only
      book.language = language?.only
      book.publisher = publisher?.only
      return book
    }
  }

  private struct Editions: Decodable {
    var entries: Elements<Document>
  }

  /// A work, an edition or an author.
  private struct Document: Decodable {
    @Lenient<Object<TypeKey>> var type: TypeKey?
    @Lenient<Key> var location: String?
    @Lenient<Key> var key: String?
    @Lenient<Line> var title: String?
    @Lenient<Line> var subtitle: String?
    @Lenient<List<Key>> var authors: [String]?
    @Lenient<Text> var description: String?
    @Lenient<List<Whole>> var covers: [Int]?
    @Lenient<List<Line>> var subjects: [String]?
    // Fields of a work.
    @Lenient<Printed> var firstPublishDate: PartialDate?
    // Fields of an edition.
    @Lenient<List<Key>> var works: [String]?
    @Lenient<Printed> var publishDate: PartialDate?
    @Lenient<List<Line>> var publishers: [String]?
    @Lenient<Count> var numberOfPages: Int?
    @Lenient<List<Line>> var isbn13: [String]?
    @Lenient<List<Line>> var isbn10: [String]?
    @Lenient<List<Language>> var languages: [String]?
    @Lenient<List<Line>> var series: [String]?
    @Lenient<Line> var translationOf: String?
    @Lenient<List<Language>> var translatedFrom: [String]?
    // Fields of an author.
    @Lenient<Line> var name: String?
    @Lenient<Line> var personalName: String?

    struct TypeKey: Decodable {
      @Lenient<Line> var key: String?
    }

    /// Whether anything of it came.
    var isThere: Bool { [key, title, name, personalName, redirect].contains { $0 != nil } }

    /// The target of a redirect. Only the type marks one: existing works may have an old `location`.
    var redirect: String? { type?.key == "/type/redirect" ? location : nil }

    var book: Book {
      var book = Book()
      book.isbn = isbns((isbn13 ?? []) + (isbn10 ?? [])).first
      book.publisher = publishers?.first
      book.published = publishDate
      book.pages = numberOfPages
      book.language = languages?.first
      book.series = seriesName?.description
      return book
    }

    /// The first of its series. Old records have the number in a text of its own behind the name.
    private var seriesName: SeriesName? {
      guard let series, let first = series.first else { return nil }
      let whole = SeriesName(first)
      guard whole.number == nil, first.hasSuffix(","), series.count > 1 else { return whole }
      let pair = SeriesName("\(first) \(series[1])")
      return pair.number == nil ? whole : pair
    }
  }

  /// Those of `texts` that are ISBNs, each once.
  private static func isbns(_ texts: [String]?) -> [ISBN] {
    (texts ?? []).compactMap { try? ISBN($0) }.withoutRepeats(by: \.digits13)
  }

  /// `/works/OL45804W`, `OL45804W`, or an object that has it as its `key` or its `author`.
  private enum Key: Reading {
    static func read(_ json: JSON) -> String? {
      switch json {
      case .text(let path): valid(path)
      case .object: read(json["key"]) ?? read(json["author"])
      default: nil
      }
    }

    /// The id at the end of a path, when it is one of an author, a book (edition) or a work.
    static func valid(_ path: String) -> String? {
      guard let key = path.split(separator: "/").last, key.hasPrefix("OL"), "AMW".contains(key.suffix(1)) else {
        return nil
      }
      let digits = key.dropFirst(2).dropLast()
      return !digits.isEmpty && digits.utf8.count <= 12 && digits.allSatisfy(\.isASCIIDigit) ? String(key) : nil
    }

    static func folder(of key: String) -> String {
      switch key.last {
      case "A": "authors"
      case "M": "books"
      default: "works"
      }
    }
  }

  /// A text, or an object that has it as its `value`. It is Markdown.
  private enum Text: Reading {
    static func read(_ json: JSON) -> String? { Markdown.read(json) ?? Markdown.read(json["value"]) }
  }

  /// The ISO 639-1 code of a language that is given by its MARC code: `eng`, or an object with `/languages/eng`.
  private enum Language: Reading {
    static func read(_ json: JSON) -> String? {
      let path = Line.read(json) ?? Line.read(json["key"])
      return path?.split(separator: "/").last.flatMap { CatalogModel.Language.code(named: String($0)) }
    }
  }

  /// A date as printed in a book: `2004`, `1978-03`, `October 1, 1988`, `Oct 28, 2016`, `c1999`. A text with two years
  /// is ignored.
  private enum Printed: Reading {
    static func read(_ json: JSON) -> PartialDate? { Line.read(json).flatMap { PartialDate($0) ?? parse($0) } }

    private static let months = [
      "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]

    private static func parse(_ text: String) -> PartialDate? {
      let words = text.lowercased().split { !$0.isLetter && !$0.isNumber }
      let years = words.compactMap { $0.utf8.count == 4 || $0.first == "c" ? Int($0.suffix(4)) : nil }
        .filter { $0 >= 1000 }
      guard let year = years.only else { return nil }
      let month = words.compactMap { word in
        word.first?.isLetter == true ? months.firstIndex { word.hasPrefix($0) }.map { $0 + 1 } : nil
      }.only
      let day = words.compactMap { $0.utf8.count <= 2 ? Int($0) : nil }.only
      return PartialDate(year: year, month: month, day: month == nil ? nil : day)
        ?? PartialDate(year: year, month: month) ?? PartialDate(year: year)
    }
  }
}
