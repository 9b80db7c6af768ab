extension Manner {
  /// Google Books. Without a key there is no quota. With one, which may be any text, plain words find nothing and
  /// keywords do.
  static let googleBooks = Manner(
    answer: { ask in
      if ask.path.first == "content" { return .picture(width: 300, height: 450) }
      guard ask["key"] ?? ask.headers["x-goog-api-key"] != nil else {
        return GoogleBooks.quota(perDay: 0, consumer: "764086051850")
      }
      switch (ask.path.first, ask.path.count) {
      case ("volumes", 1): return GoogleBooks.search(ask)
      case ("volumes", 2):
        return Catalogue.books.first { $0.volumeID == ask.path.last }.map { .json($0.volume(ask)) }
          ?? GoogleBooks.error(404, "The volume ID could not be found.", reason: "notFound", status: "NOT_FOUND")
      default: return .nginx(404)
      }
    },
    refusals: [
      .forbidden: { _ in
        .html(
          """
          <!DOCTYPE html>\n<html><head><title>Error 403 (Forbidden)!!1</title></head>\
          <body>Your client does not have permission to get this URL.</body></html>\n
          """, status: 403)
      },
      // The quota of a minute, which is over soon.
      .throttled: { situation in
        GoogleBooks.exceeded(limit: "Queries per minute", value: 100, consumer: "1001")
          .retrying(after: situation.refusal.number)
      },
      .busy: { situation in
        .json(
          [
            "error": [
              "code": 503, "message": "Service temporarily unavailable.",
              "errors": [
                ["message": "Service temporarily unavailable.", "domain": "global", "reason": "backendFailed"]
              ],
            ]
          ], status: 503
        ).retrying(after: situation.refusal.number)
      },
      .quotaUsedUp: { _ in GoogleBooks.quota(perDay: 1000, consumer: "1001") },
      .keyNotAllowed: { _ in
        GoogleBooks.error(
          403, "Books API has not been used in project 1001 before or it is disabled.", reason: "accessNotConfigured",
          status: "PERMISSION_DENIED", details: ["reason": "SERVICE_DISABLED", "domain": "googleapis.com"])
      },
      .invalidKey: { _ in
        GoogleBooks.error(
          400, "API key not valid. Please pass a valid API key.", reason: "badRequest", status: "INVALID_ARGUMENT",
          details: ["reason": "API_KEY_INVALID", "domain": "googleapis.com"])
      },
    ])
}

private enum GoogleBooks {
  static func error(
    _ code: Int, _ words: String, reason: String, status: String, details: OrderedJSON = .absent
  ) -> Answer {
    let type: OrderedJSON = ["@type": "type.googleapis.com/google.rpc.ErrorInfo"]
    let error: OrderedJSON = [
      "code": .whole(code), "message": .string(words),
      "errors": [["message": .string(words), "domain": "global", "reason": .string(reason)]],
      "status": .string(status),
    ]
    return .json(
      ["error": details.isAbsent ? error : error.with(["details": [type.with(details)]])], status: code,
      type: "application/json; charset=UTF-8")
  }

  static func quota(perDay value: Int, consumer: String) -> Answer {
    exceeded(limit: "Queries per day", value: value, consumer: consumer)
  }

  static func exceeded(limit: String, value: Int, consumer: String) -> Answer {
    error(
      429,
      "Quota exceeded for quota metric 'Queries' and limit '\(limit)' of service 'books.googleapis.com' for consumer"
        + " 'project_number:\(consumer)'.", reason: "rateLimitExceeded", status: "RESOURCE_EXHAUSTED",
      details: [
        "reason": "RATE_LIMIT_EXCEEDED", "domain": "googleapis.com",
        "metadata": [
          "service": "books.googleapis.com", "quota_limit_value": "\(value)",
          "quota_unit": limit.hasSuffix("day") ? "1/d/{project}" : "1/min/{project}/{user}",
          "consumer": "projects/\(consumer)",
        ],
      ])
  }

  static func search(_ ask: Ask) -> Answer {
    guard let query = ask["q"] else {
      return error(400, "Missing query.", reason: "queryRequired", status: "INVALID_ARGUMENT")
    }
    let size = min(max(ask.number("maxResults") ?? 10, 0), 40)
    let page = HitPage(Catalogue.books.filter { isHit($0, query) }, from: ask.number("startIndex") ?? 0, size: size)
    let answer: OrderedJSON = ["kind": "books#volumes", "totalItems": .whole(page.total)]
    return .json(page.hits.isEmpty ? answer : answer.with(["items": .list(page.hits.map { $0.volume(ask) })]))
  }

  /// Whether all words with keywords match. Without a keyword nothing is found.
  private static func isHit(_ book: Book, _ query: String) -> Bool {
    let tests = query.split(separator: " ").compactMap { part -> Bool? in
      let sides = part.split(separator: ":", maxSplits: 1).map(String.init)
      guard sides.count == 2, let keyword = sides.first, let words = sides.last else { return nil }
      return switch keyword {
      case "intitle": book.matches(words, in: .title)
      case "inauthor": book.matches(words, in: .creator)
      case "inpublisher": Catalogue.words(in: words).allSatisfy(Catalogue.words(in: book.publisher).contains)
      case "isbn": words.filter(\.isNumber) == book.isbn
      default: nil
      }
    }
    return !tests.isEmpty && !tests.contains(false)
  }
}

extension Book {
  fileprivate var volumeID: String { "Volume0000\(number)" }

  fileprivate func volume(_ ask: Ask) -> OrderedJSON {
    let picture = "\(ask.url(.googleBooks))/content/\(number)"
    return [
      "kind": "books#volume", "id": .string(volumeID), "etag": "etag\(number)",
      "volumeInfo": [
        "title": .string(title), "authors": [.string(author)], "publisher": .string(publisher),
        "publishedDate": .string(published), "description": .string(summary),
        "industryIdentifiers": [["type": "ISBN_13", "identifier": .string(isbn)]], "pageCount": .whole(pages),
        "printType": "BOOK", "categories": ["Fiction"], "averageRating": 4.5, "ratingsCount": 12,
        "imageLinks": [
          "smallThumbnail": "\(picture)?zoom=5&edge=curl", "thumbnail": "\(picture)?zoom=1&edge=curl",
        ], "language": .string(language), "infoLink": "https://books.google.com/books?id=\(volumeID)",
      ], "saleInfo": ["country": "US", "saleability": "NOT_FOR_SALE", "isEbook": false],
    ]
  }
}
