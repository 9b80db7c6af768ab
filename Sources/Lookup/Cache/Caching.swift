public import FoundationEssentials

extension HTTPClient {
  /// Answers from the cache what the source lets be kept, and asks for the rest in one call.
  ///
  /// What is kept was read: ``Request/reader`` decides whether an answer is one. An HTML page, half an answer or one of
  /// another shape is not kept and takes no other's place, and what was kept and cannot be read is asked for as if it were
  /// not there. Neither is anything kept in which the key stands that was asked with.
  ///
  /// An answer that is no longer good is asked for with what it can be recognised by (`ETag`, `Last-Modified`); "not
  /// modified" keeps the bytes. When a source cannot be asked, or sends no answer, the old one is better than none, and
  /// says that it is old: ``Response/Origin/staleCache``. A request that ``Request/mustAsk`` gets neither.
  ///
  /// Over ``offline`` it is the client that never asks.
  public func cached(in cache: CacheDatabase, now: @escaping @Sendable () -> Date) -> HTTPClient {
    HTTPClient { requests in
      let moment = now()
      let kept = zip(requests, cache.answers(for: requests.map(\.cacheKey), now: moment)).map { request, kept in
        kept.flatMap { request.reads($0.response) ? $0 : nil }
      }
      let asked = requests.indices.filter { index in
        requests[index].oldAnswer != .only && (requests[index].mustAsk || kept[index]?.isFresh(moment) != true)
      }
      var results = zip(requests, kept).map { request, kept -> Result<Response, HTTPError> in
        guard let kept else { return .failure(.unreachable(host: request.host)) }
        // One that is asked for anew is replaced below.
        return .success(kept.response(from: kept.isFresh(moment) ? .cache : .staleCache))
      }
      guard !asked.isEmpty else { return results }

      let answers = send(asked.map { requests[$0].revalidating(kept[$0]?.response) })
      let received = now()
      var news: [(key: String, answer: KeptAnswer?)] = []
      for (index, answer) in zip(asked, answers) {
        let request = requests[index]
        let settled = Settlement(answer, to: request, kept: kept[index]?.response, now: received) {
          Self.reading($0, to: request)
        }
        // Where only the source itself will do, an old answer is none.
        let isOld = (try? settled.result.get())?.origin == .staleCache
        results[index] = isOld && (request.mustAsk || request.oldAnswer == .never) ? answer : settled.result
        switch settled.change {
        case .keep(let response, let until), .renew(let response, let until):
          news.append((request.cacheKey, KeptAnswer(response: response, freshUntil: until)))
        case .keepAbsence(var fact, let until):
          // Nobody reads what is written about it.
          fact.body = []
          news.append((request.cacheKey, KeptAnswer(response: fact, freshUntil: until)))
        case .forget: news.append((request.cacheKey, nil))
        case .nothing: break
        }
      }
      cache.keep(news, now: received)
      return results
    }
  }

  private static func reading(_ response: Response, to request: Request) -> Settlement.Reading {
    switch response.status {
    case 200 where request.reads(response): .answer
    case 404 where response.isSaidInJSON && request.reads(response),
      410 where response.isSaidInJSON && request.reads(response):
      .absence
    default: request.isHidden(response) ? .trouble : .refusal
    }
  }
}

extension Request {
  /// Whether a kept answer is better than this response: the source had no time for the question, but would answer it.
  fileprivate func isHidden(_ response: Response) -> Bool {
    switch (reader?(response), response.status) {
    case (.key, _), (.apiNotEnabled, _), (.noShop, _): false
    // A page of somebody on the way; a refusal of the very question that was answered before.
    case (_, 200), (_, 404), (_, 410), (_, 422): true
    case (let error?, _): error.isAway
    case (nil, let status): status >= 500 || response.isThrottling
    }
  }

  /// What the answer depends on. No key is in it: neither the secret nor a name and password in the address.
  var cacheKey: String {
    var key = url
    if let start = key.firstRange(of: "://")?.upperBound,
      let at = key[start...].prefix(while: { $0 != "/" && $0 != "?" && $0 != "#" }).lastIndex(of: "@")
    {
      key.removeSubrange(start...at)
    }
    for header in headers where !header.isCondition { key += "\n\(header.name): \(header.value)" }
    return key
  }

  /// The same question, to be answered by "not modified" when the kept answer is still right.
  func revalidating(_ kept: Response?) -> Request {
    // What somebody else has and asks with is his to recognise.
    guard let kept else { return self }
    var request = self
    // What is kept here is recognised by nothing that another cache asked with.
    request.headers.removeAll(where: \.isCondition)
    if let etag = kept.header("etag") { request.headers.append(Header("if-none-match", etag)) }
    if let date = kept.header("last-modified") { request.headers.append(Header("if-modified-since", date)) }
    return request
  }
}

extension Header {
  /// What a cache asks with, and no part of the question.
  fileprivate var isCondition: Bool { name == "if-none-match" || name == "if-modified-since" }
}

extension KeptAnswer {
  /// Longer, nothing is taken on trust, whatever a source says or a wrong clock wrote.
  static let longestLife: Double = 30 * 86_400

  func isFresh(_ now: Date) -> Bool {
    let seconds = freshUntil.timeIntervalSince(now)
    return seconds > 0 && seconds <= Self.longestLife
  }

  func response(from origin: Response.Origin) -> Response {
    var response = response
    response.origin = origin
    return response
  }
}

extension Response {
  /// Whether these are the words of a source, or none, and not a page of somebody on the way to it.
  fileprivate var isSaidInJSON: Bool { body.isEmpty || (try? JSON(body)) != nil }

  /// The kept answer with the headers that "not modified" brought.
  func updated(by notModified: Response) -> Response {
    var updated = self
    let names = Set(notModified.headers.map(\.name))
    updated.headers = notModified.headers + headers.filter { !names.contains($0.name) }
    updated.origin = .cache
    return updated
  }

  /// Until when the answer may be used without asking: now or before when it must be asked for again each time, and nil
  /// when it must not be kept at all. <https://www.rfc-editor.org/rfc/rfc9111>
  func freshUntil(_ now: Date) -> Date? {
    let directives = headers.filter { $0.name == "cache-control" }.flatMap { header in
      header.value.lowercased().split { $0 == "," || $0 == " " }
    }
    if directives.contains("no-store") { return nil }
    if directives.contains("no-cache") { return now }
    if let life = directives.first(where: { $0.hasPrefix("max-age=") }).map({ UInt32($0.dropFirst(8)) ?? 0 }) {
      let age = header("age").flatMap { UInt32($0) } ?? 0
      return now.addingTimeInterval(min(max(0, Double(life) - Double(age)), KeptAnswer.longestLife))
    }
    guard let expires = header("expires").flatMap({ Date(http: $0) }) else { return now }
    return min(expires, now.addingTimeInterval(KeptAnswer.longestLife))
  }
}
