import Foundation

extension Manner {
  /// Kakao's book search, which has only Korean books. Any key is accepted.
  static let kakao = Manner(
    answer: { ask in
      if ask.path.first == "image" { return .picture(width: 300, height: 450) }
      guard ask.path == ["v3", "search", "book"] else { return Kakao.error(404, "ResourceNotFound", "not found") }
      guard ask.headers["authorization"]?.hasPrefix("KakaoAK ") == true else { return Kakao.wrongKey }
      return Kakao.search(ask)
    },
    refusals: [
      .forbidden: { _ in Kakao.code(-5, 403, "insufficient scopes.") },
      .throttled: { situation in
        Kakao.error(429, "RequestThrottled", "API limit has been exceeded.").retrying(after: situation.refusal.number)
      },
      // An internal error has status 400.
      .serverError: { situation in
        situation.refusal.number.map { .nginx($0) } ?? Kakao.code(-1, 400, "an internal error has occurred.")
      },
      .busy: { situation in
        Kakao.code(-9798, 503, "service is under maintenance.").retrying(after: situation.refusal.number)
      },
      .keyRefused: { _ in Kakao.wrongKey },
      .quotaUsedUp: { _ in Kakao.code(-10, 400, "API limit has been exceeded.") },
      .keyNotAllowed: { _ in
        Kakao.code(-3, 403, "App disabled [book search] service. Enable it in the app's settings.")
      },
    ])
}

private enum Kakao {
  static let wrongKey = error(401, "AccessDeniedError", "wrong appKey(null) format")

  /// The form of errors of this search.
  static func error(_ status: Int, _ type: String, _ words: String) -> Answer {
    .json(
      ["errorType": .string(type), "message": .string(words)], status: status, type: "application/json;charset=UTF-8")
  }

  /// The form of errors of all Kakao services.
  static func code(_ code: Int, _ status: Int, _ words: String) -> Answer {
    .json(["msg": .string(words), "code": .whole(code)], status: status, type: "application/json;charset=UTF-8")
  }

  static func search(_ ask: Ask) -> Answer {
    guard let query = ask["query"] else { return error(400, "MissingParameter", "query parameter required") }
    let bounds = [("page", 50), ("size", 50)]
    for (name, most) in bounds where ask.number(name) ?? 1 > most {
      return error(400, "InvalidArgument", "\(name) is more than max")
    }
    let found = Catalogue.books.filter { book in
      switch (ask["target"], book.isKorean) {
      case (_, false): false
      case ("isbn", _): query.filter(\.isNumber) == book.isbn
      case ("title", _): book.matches(query, in: .title)
      case ("person", _): book.matches(query, in: .creator)
      case ("publisher", _): Catalogue.words(in: query).allSatisfy(Catalogue.words(in: book.publisher).contains)
      default: book.matches(query)
      }
    }
    let page = ask.page(of: found, "page", size: "size", usual: 10, most: 50)
    return .json(
      [
        "documents": .list(page.hits.map { $0.kakao(ask) }),
        "meta": [
          "is_end": .bool(page.isLast), "pageable_count": .whole(page.total), "total_count": .whole(page.total),
        ],
      ], type: "application/json;charset=UTF-8")
  }
}

extension Book {
  fileprivate func kakao(_ ask: Ask) -> OrderedJSON {
    let picture = "\(ask.url(.kakao))/image/\(number)"
    let escaped = picture.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    return [
      "authors": [.string(author)], "contents": .string(summary),
      "datetime": .string((published.utf8.count == 4 ? published + "-01-01" : published) + "T00:00:00.000+09:00"),
      // The number of ten digits is missing, as for some books; the blank is not.
      "isbn": .string(" " + isbn), "price": .whole(price ?? 0), "publisher": .string(publisher), "sale_price": -1,
      "status": "정상판매", "thumbnail": "\(picture)?fname=\(escaped)", "title": .string(title), "translators": [],
      "url": "https://search.daum.net/search?w=bookpage&bookId=\(number)",
    ]
  }
}
