extension Manner {
  /// openlibrary.org: works are `OL9011W`, each with one edition `OL9011M`, authors are `OL901A`.
  static let openLibrary = Manner(
    answer: { ask in
      guard ask.namesContact else { return OpenLibrary.forbidden }
      return switch (ask.path.first, ask.path.last) {
      case ("search.json", _): OpenLibrary.search(ask)
      case ("isbn", let file?): OpenLibrary.edition(ofISBN: file, ask)
      case ("works", "editions.json"): OpenLibrary.editions(ask)
      case ("works", let file?): OpenLibrary.document("/works/", file, Catalogue.books, \.workKey, \.work)
      case ("books", let file?): OpenLibrary.document("/books/", file, Catalogue.books, \.editionKey, \.edition)
      case ("authors", let file?): OpenLibrary.document("/authors/", file, Person.all, \.authorKey, \.author)
      default: .nginx(404, version: OpenLibrary.server)
      }
    },
    refusals: [
      .forbidden: { _ in OpenLibrary.forbidden },
      .throttled: { situation in
        .json(
          [
            "status": 429,
            "message": "Too Many Requests. Consider using https://openlibrary.org/developers/dumps.",
          ], status: 429
        ).retrying(after: situation.refusal.number)
      },
      .unprocessable: {
        OpenLibrary.unprocessable($0.ask["q"] ?? "", "Query too short, must be at least 3 characters")
      },
      .serverError: { .nginx($0.refusal.number ?? 500, version: OpenLibrary.server) },
      .busy: { .nginx(503, version: OpenLibrary.server).retrying(after: $0.refusal.number) },
      .exceptionText: {
        $0.ask.path.first == "isbn" ? .text("Exception('no such host')", type: "text/html") : $0.usual
      },
      .inexact: { OpenLibrary.search($0.ask, isExact: false, else: $0.usual) },
    ])

  /// covers.openlibrary.org, whose large pictures are on archive.org.
  static let covers = Manner(
    answer: { ask in
      // `/b/id/8000011-L.jpg`
      let number = ask.path.last?.split(separator: "-").first.flatMap { Int($0) }
      guard let book = Catalogue.books.first(where: { $0.coverNumber == number }) else {
        return ask["default"] == "false" ? .nginx(404, version: OpenLibrary.server) : .picture(width: 1, height: 1)
      }
      return .redirect(to: ask.url(.archive) + "/download/l_covers_0008/\(book.coverNumber)-L.jpg")
    },
    refusals: [
      .forbidden: { _ in OpenLibrary.forbidden },
      .throttled: { situation in
        .json(["status": 429, "message": "Too Many Requests. Please email us at info@archive.org"], status: 429)
          .retrying(after: situation.refusal.number)
      },
    ])
}

private enum OpenLibrary {
  static let server = "nginx/1.30.1"
  static let forbidden = Answer.nginx(403, version: server)

  static func unprocessable(_ query: String, _ words: String) -> Answer {
    .json(
      [
        "detail": [
          [
            "type": "value_error", "loc": ["query", "q"], "msg": "Value error, \(words)", "input": .string(query),
            "ctx": ["error": [:]],
          ]
        ]
      ], status: 422, headers: ["x-served-by": "FastAPI"])
  }

  /// The fields of a hit when the request names none.
  private static let usualFields = [
    "author_key", "author_name", "cover_edition_key", "cover_i", "ebook_access", "edition_count", "first_publish_year",
    "has_fulltext", "key", "language", "title",
  ]

  /// - Parameter usual: the answer to a request that is no search.
  static func search(_ ask: Ask, isExact: Bool = true, else usual: Answer? = nil) -> Answer {
    if let usual, ask.path.first != "search.json" || usual.status != 200 { return usual }
    if let words = ask["q"] {
      if words.unicodeScalars.count < 3 {
        return unprocessable(words, "Query too short, must be at least 3 characters")
      }
      if words.lowercased() == "the" {
        return unprocessable(words, "Invalid query; the following queries are not allowed: the")
      }
    }
    let found = Catalogue.books.filter { isHit($0, ask) }
    var page = ask.page(of: found, "page", size: "limit", usual: 100, most: 1000)
    if let offset = ask.number("offset") { page = HitPage(found, from: offset, size: page.size) }
    let fields = ask["fields"]?.split(separator: ",").map(String.init) ?? usualFields
    // An inexact total is a lower bound.
    let total = isExact ? page.total : page.offset + page.hits.count
    return .json([
      "numFound": .whole(total), "start": .whole(page.offset), "numFoundExact": .bool(isExact),
      "num_found": .whole(total), "documentation_url": "https://openlibrary.org/dev/docs/api/search",
      "q": .string(ask["q"] ?? ""), "offset": ask.number("offset").map(OrderedJSON.whole) ?? nil,
      "docs": .list(page.hits.map { $0.searchDocument.only(fields) }),
    ])
  }

  private static func isHit(_ book: Book, _ ask: Ask) -> Bool {
    if let key = ask["q"].flatMap(workKey) { return book.workKey == key }
    let tests: [Bool?] = [
      ask["q"].map { book.matches($0) || $0.contains(book.isbn) },
      ask["title"].map { book.matches($0, in: .title) },
      ask["author"].map { book.matches($0, in: .creator) },
      ask["isbn"].map { $0.filter(\.isNumber) == book.isbn },
    ]
    let asked = tests.compactMap(\.self)
    return !asked.isEmpty && !asked.contains(false)
  }

  /// `key:"/works/OL9011W"`
  private static func workKey(in query: String) -> String? {
    guard query.hasPrefix("key:") else { return nil }
    return query.split(separator: "/").last.map { String($0.filter { $0 != "\"" }) }
  }

  static func editions(_ ask: Ask) -> Answer {
    guard let book = Catalogue.books.first(where: { $0.workKey == ask.path.dropFirst().first }) else {
      return missing("/works/\(ask.path.dropFirst().first ?? "")")
    }
    return .json(["links": ["work": "/works/\(book.workKey)"], "size": 1, "entries": [book.edition]])
  }

  static func edition(ofISBN file: String, _ ask: Ask) -> Answer {
    guard let book = Catalogue.books.first(where: { "\($0.isbn).json" == file }) else {
      return .html("<!DOCTYPE html>\n<html><head><title>Not Found | Open Library</title></head></html>\n", status: 404)
    }
    return .redirect(to: ask.url(.openLibrary) + "/books/\(book.editionKey).json")
  }

  /// The document with this name in `all`.
  static func document<Entry>(
    _ folder: String, _ file: String, _ all: [Entry], _ key: KeyPath<Entry, String>,
    _ document: KeyPath<Entry, OrderedJSON>
  ) -> Answer {
    guard let entry = all.first(where: { $0[keyPath: key] + ".json" == file }) else {
      return missing(folder + file.replacing(".json", with: ""))
    }
    return .json(entry[keyPath: document])
  }

  private static func missing(_ key: String) -> Answer {
    .json(["error": "notfound", "key": .string(key)], status: 404)
  }
}

extension String {
  /// The key of the author with this name.
  fileprivate var authorKey: String { "OL90\(Person.number(of: self))A" }

  fileprivate var author: OrderedJSON {
    ["key": "/authors/\(authorKey)", "type": ["key": "/type/author"], "name": .string(self)]
  }
}

extension Book {
  fileprivate var workKey: String { "OL90\(number)W" }
  fileprivate var editionKey: String { "OL90\(number)M" }
  fileprivate var coverNumber: Int { 8_000_000 + number }
  private var languageCode: String { isKorean ? "kor" : "eng" }

  fileprivate var searchDocument: OrderedJSON {
    [
      "author_key": [.string(author.authorKey)], "author_name": [.string(author)],
      "cover_edition_key": .string(editionKey), "cover_i": .whole(coverNumber), "ebook_access": "borrowable",
      "edition_count": 1, "first_publish_year": .whole(year), "has_fulltext": true, "isbn": [.string(isbn)],
      "key": "/works/\(workKey)", "language": [.string(languageCode)], "publisher": [.string(publisher)],
      "ratings_average": 4.25, "ratings_count": 120, "subject": OrderedJSON(subjects), "title": .string(title),
    ]
  }

  fileprivate var work: OrderedJSON {
    [
      "key": "/works/\(workKey)", "type": ["key": "/type/work"], "title": .string(title),
      "authors": [["author": ["key": "/authors/\(author.authorKey)"], "type": ["key": "/type/author_role"]]],
      "description": ["type": "/type/text", "value": .string(summary)], "covers": [.whole(coverNumber)],
      "subjects": OrderedJSON(subjects), "first_publish_date": "\(year)",
    ]
  }

  fileprivate var edition: OrderedJSON {
    [
      "key": "/books/\(editionKey)", "type": ["key": "/type/edition"], "title": .string(title),
      "works": [["key": "/works/\(workKey)"]], "authors": [["key": "/authors/\(author.authorKey)"]],
      "isbn_13": [.string(isbn)], "publishers": [.string(publisher)], "publish_date": .string(published),
      "number_of_pages": .whole(pages), "covers": [.whole(coverNumber)],
      "languages": [["key": "/languages/\(languageCode)"]],
    ]
  }
}
