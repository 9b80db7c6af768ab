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
    policy: {
      RetryPolicy(
        throttled: [3], busy: [1],
        rests: [.throttled: .seconds(600), .contact: .seconds(86_400), .hungUp: .seconds(600)])
    },
    request: OpenLibrary.request, read: OpenLibrary.read, fetch: OpenLibrary.fetch, lookUp: OpenLibrary.lookUp)
}

enum OpenLibrary {
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
    let found = try response.json(host: settings.host)
    let docs = try found["docs"].hits()
    let (total, isExact) = (found["numFound"].whole, found["numFoundExact"].flag ?? true)
    // An inexact count is the least that there is, so a full page may have another behind it.
    let isFull = !isExact && docs.count >= search.size(atMost: 100)
    let hasMore = !docs.isEmpty && (isFull || search.offset(atMost: 100) + docs.count < total ?? 0)
    // Words in other letters ask for an edition in them.
    let written = Language.written(in: search.words)
    let typed = written.filter { $0 == settings.language } + written
    return Page(docs, total: isExact ? total : nil, hasMore: hasMore) { doc in
      guard let key = doc["key"].key, let title = doc["title"].line else { return nil }
      var record = Record(kind: .book, title: title)
      record.externalIDs = [externalID(key)]
      record.credits = credits(doc)
      record.labels = doc["subject"].lines.withoutRepeats(by: \.self)
      record.url = externalID(key).page
      record.artworkURL = cover([doc["cover_i"]], settings)
      add(doc, to: &record)
      record.add(subtitle: doc["subtitle"].line)
      // Only values that hold for every edition, of a work with one ISBN, one language or one publisher.
      let languages = doc["language"].elements.compactMap(\.languageCode)
      record.book.isbn = isbns(doc["isbn"].lines).only
      record.book.language = typed.first(where: languages.contains) ?? languages.only
      record.book.publisher = doc["publisher"].lines.only
      return Candidate(id: externalID(key), record: record, popularity: doc["edition_count"].positive)
    }
  }

  // MARK: Fetching

  static func fetch(
    _ wanted: ExternalID, _ kind: Kind, _ settings: SourceSettings, _ http: HTTPClient
  ) throws(SourceError) -> Fetched {
    var library = Library(settings: settings, http: http)
    let key = wanted.value
    guard validKey(key) == key, !key.hasSuffix("A"), key != "OL0W", key != "OL0M" else { throw .notFound }
    let record = key.hasSuffix("W") ? try library.work(key) : try library.edition(at: "/books/\(key).json", isbn: nil)
    return Fetched(record, as: wanted, partialFailures: library.partialFailures)
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
          document("/works/\(key).json"), Question(thing: editions, with: "entries"), searchDocument(of: key))
        let work = try about.get()
        if let next = redirect(work) {
          key = next
          continue
        }
        let doc = PartialFailure.value(of: found, as: "first year", noting: &partialFailures).flatMap {
          hit(of: key, in: $0)
        }
        let known =
          PartialFailure.value(of: others, as: "editions", noting: &partialFailures)?["entries"].elements ?? []
        return try record(
          key, title: work["title"].line ?? doc?["title"].line, work: work, edition: best(of: known, for: work),
          doc: doc)
      }
      throw .unreadable("a book that only refers to others")
    }

    /// An edition, completed from its work.
    mutating func edition(at path: String, isbn: ISBN?) throws(SourceError) -> Record {
      let edition = try living(try http.ask(document(path))).get()
      guard let key = edition["key"].key else { throw .unreadable("a book without an id") }
      var work: JSON?
      var doc: JSON?
      if let workKey = edition["works"].elements.lazy.compactMap(\.key).first {
        let (about, found) = http.ask(document("/works/\(workKey).json"), searchDocument(of: workKey))
        work = PartialFailure.value(of: about.flatMap(living), as: "work", noting: &partialFailures)
        doc = PartialFailure.value(of: found, as: "first year", noting: &partialFailures).flatMap {
          hit(of: workKey, in: $0)
        }
      }
      let ownTitle = work?["title"].line
      var record = try record(key, title: edition["title"].line ?? ownTitle, work: work, edition: edition, doc: doc)
      let isTranslated = edition["translated_from"].list != nil
      if let original = edition["translation_of"].line ?? (isTranslated ? ownTitle : nil),
        Folding.nameKey(original) != Folding.nameKey(record.title)
      {
        record.originalTitle = original
      }
      if let isbn { record.book.isbn = isbn }
      return record
    }

    /// A redirect to a redirect to a redirect is a mistake of theirs.
    private static let mostRedirects = 3

    /// The question for a work, an edition or an author.
    private func document(_ path: String) -> Question<JSON> {
      let host = settings.host
      return Question(thing: ask(path)) { response throws(SourceError) in
        let document = try response.json(host: host)
        let isThere = ["title", "name", "personal_name"].contains { document[$0].line != nil }
        guard isThere || document["key"].key != nil || redirect(document) != nil else {
          throw .unreadable("a book without an id")
        }
        return document
      }
    }

    /// The document, or the one that it was merged into.
    private func living(_ document: JSON) -> Result<JSON, SourceError> {
      Result { () throws(SourceError) in
        var document = document
        for _ in 0..<Self.mostRedirects {
          guard let next = redirect(document) else { return document }
          document = try http.ask(self.document("/\(folder(of: next))/\(next).json"))
        }
        guard redirect(document) == nil else { throw .unreadable("a book that only refers to others") }
        return document
      }
    }

    private mutating func record(
      _ key: String, title: String?, work: JSON?, edition: JSON?, doc: JSON?
    ) throws(SourceError) -> Record {
      guard let title else { throw .unreadable("a book without a title") }
      var record = Record(kind: .book, title: title)
      record.externalIDs = [externalID(key)]
      record.credits = credits((work?["authors"].list ?? edition?["authors"].list ?? []).compactMap(\.key), doc)
      record.labels = ((work ?? edition)?["subjects"].lines ?? []).withoutRepeats(by: \.self)
      record.url = externalID(key).page
      let isOfEdition = key.hasSuffix("M")
      let descriptions = [work, edition].compactMap {
        $0.flatMap { $0["description"].markdown ?? $0["description"]["value"].markdown }
      }
      record.summary = isOfEdition ? descriptions.last : descriptions.first
      let covers = isOfEdition ? [edition, work] : [work, edition]
      record.artworkURL = cover(covers.flatMap { $0?["covers"].elements ?? [] } + [doc?["cover_i"] ?? .null], settings)
      record.released = work.flatMap { $0["first_publish_date"].printedDate }
      record.year = record.released?.year
      if let doc { add(doc, to: &record) }
      if let edition { record.book = book(edition) }
      // Better than none: the book is not younger.
      record.year = record.year ?? record.book.published?.year
      record.add(
        subtitle: isOfEdition ? edition?["subtitle"].line : work?["subtitle"].line ?? doc?["subtitle"].line)
      return record
    }

    /// The authors with their names. Those that the search does not tell are asked for at once.
    private mutating func credits(_ keys: [String], _ doc: JSON?) -> [Credit] {
      let told = doc.map(OpenLibrary.credits) ?? []
      guard !keys.isEmpty else { return told }
      var credits: [String: Credit] = [:]
      for credit in told { credit.externalID.map { credits[$0.value] = credit } }
      let unknown = keys.prefix(20).filter { credits[$0] == nil }
      for (key, answer) in zip(unknown, http.ask(unknown.map { document("/authors/\($0).json") })) {
        let person = PartialFailure.value(of: answer.flatMap(living), as: "authors", noting: &partialFailures)
        if let name = person?["name"].line ?? person?["personal_name"].line { credits[key] = author(name, key: key) }
      }
      return keys.compactMap { credits[$0] }
    }

    /// The most useful edition: first one in the user's language, then one with an ISBN, with the work's own title,
    /// with pages and a cover. Among equals, the first.
    private func best(of editions: [JSON], for work: JSON) -> JSON? {
      func worth(_ edition: JSON) -> Int {
        let book = book(edition)
        let isTitledSo = edition["title"].line.map(Folding.nameKey) == work["title"].line.map(Folding.nameKey)
        return (book.language == settings.language ? 32 : 0) + (book.isbn == nil ? 0 : 16) + (isTitledSo ? 8 : 0)
          + (book.pages == nil ? 0 : 2) + (cover(edition["covers"].elements, settings) == nil ? 0 : 1)
      }
      return editions.filter { $0.object != nil }.max { worth($0) < worth($1) }
    }

    private func searchDocument(of key: String) -> Question<JSON> {
      let query = [("q", "key:\"/works/\(key)\""), ("fields", fields), ("limit", "1")]
      return Question(thing: ask("/search.json", query: query), with: "docs")
    }

    /// The hit that is this work.
    private func hit(of work: String, in found: JSON) -> JSON? {
      found["docs"].elements.first { $0["key"].key == work }
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
  private static func cover(_ numbers: [JSON], _ settings: SourceSettings) -> String? {
    guard let number = numbers.lazy.compactMap(\.positive).first else { return nil }
    let base = settings.imageBaseURL ?? "https://covers.openlibrary.org"
    return Request.url(base, "/b/id/\(number)-L.jpg", query: [("default", "false")])
  }

  /// The authors of a hit. Names and keys are two lists; they belong together only while they are of one length.
  private static func credits(_ doc: JSON) -> [Credit] {
    let (names, keys) = (doc["author_name"].lines, doc["author_key"].elements.compactMap(\.key))
    guard keys.count == names.count else { return names.map { author($0, key: nil) } }
    return zip(names, keys).map { author($0, key: $1) }
  }

  /// Adds the fields of a work that only a search has.
  private static func add(_ doc: JSON, to record: inout Record) {
    if record.released == nil, let first = doc["first_publish_year"].whole, first != 0,
      ReleaseYear.range.contains(first)
    {
      record.year = first
      record.released = PartialDate(year: first)
    }
    record.publicRating = doc["ratings_count"].positive.flatMap {
      PublicRating(average: doc["ratings_average"].amount, of: 5, votes: $0)
    }
  }

  private static func book(_ edition: JSON) -> Book {
    var book = Book()
    book.isbn = isbns(edition["isbn_13"].lines + edition["isbn_10"].lines).first
    book.publisher = edition["publishers"].lines.first
    book.published = edition["publish_date"].printedDate
    book.pages = edition["number_of_pages"].positive
    book.language = edition["languages"].elements.lazy.compactMap(\.languageCode).first
    book.series = series(edition["series"].lines)?.description
    return book
  }

  /// The first series. Old records have the number in a text of its own behind the name.
  private static func series(_ series: [String]) -> SeriesName? {
    guard let first = series.first else { return nil }
    let whole = SeriesName(first)
    guard whole.number == nil, first.hasSuffix(","), series.count > 1 else { return whole }
    let pair = SeriesName("\(first) \(series[1])")
    return pair.number == nil ? whole : pair
  }

  /// Those of `texts` that are ISBNs, each once.
  private static func isbns(_ texts: [String]) -> [ISBN] {
    texts.compactMap { try? ISBN($0) }.withoutRepeats(by: \.digits13)
  }

  // MARK: The answers

  /// The target of a redirect. Only the type marks one: existing works may have an old `location`.
  private static func redirect(_ document: JSON) -> String? {
    document["type"]["key"].line == "/type/redirect" ? document["location"].key : nil
  }

  /// The id at the end of a path, when it is one of an author, a book (edition) or a work.
  static func validKey(_ path: String) -> String? {
    guard let key = path.split(separator: "/").last, key.hasPrefix("OL"), "AMW".contains(key.suffix(1)) else {
      return nil
    }
    let digits = key.dropFirst(2).dropLast()
    return !digits.isEmpty && digits.utf8.count <= 12 && digits.allSatisfy(\.isASCIIDigit) ? String(key) : nil
  }

  private static func folder(of key: String) -> String {
    switch key.last {
    case "A": "authors"
    case "M": "books"
    default: "works"
    }
  }
}

extension JSON {
  /// `/works/OL45804W`, `OL45804W`, or an object that has it as its `key` or its `author`.
  fileprivate var key: String? {
    switch self {
    case .text(let path): OpenLibrary.validKey(path)
    case .object: self["key"].key ?? self["author"].key
    default: nil
    }
  }

  /// The ISO 639-1 code of a language that is given by its MARC code: `eng`, or an object with `/languages/eng`.
  fileprivate var languageCode: String? {
    (line ?? self["key"].line)?.split(separator: "/").last.flatMap { Language.code(named: String($0)) }
  }

  private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

  /// A date as printed in a book: `2004`, `1978-03`, `October 1, 1988`, `Oct 28, 2016`, `c1999`. A text with two years
  /// is ignored.
  fileprivate var printedDate: PartialDate? {
    guard let line else { return nil }
    if let date = PartialDate(line) { return date }
    let words = line.lowercased().split { !$0.isLetter && !$0.isNumber }
    let years = words.compactMap { $0.utf8.count == 4 || $0.first == "c" ? Int($0.suffix(4)) : nil }
      .filter { $0 >= 1000 }
    guard let year = years.only else { return nil }
    let month = words.compactMap { word in
      word.first?.isLetter == true ? Self.months.firstIndex { word.hasPrefix($0) }.map { $0 + 1 } : nil
    }.only
    let day = words.compactMap { $0.utf8.count <= 2 ? Int($0) : nil }.only
    return PartialDate(year: year, month: month, day: month == nil ? nil : day)
      ?? PartialDate(year: year, month: month) ?? PartialDate(year: year)
  }
}
