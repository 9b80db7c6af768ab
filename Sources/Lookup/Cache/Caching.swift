internal import CatalogModel
public import FoundationEssentials

extension HTTPClient {
  /// Answers from the cache as far as the sources allow, and sends the other requests in one call.
  ///
  /// Only answers that ``Request/reader`` accepts are stored: an HTML page, an incomplete answer or one of another
  /// shape is not, and it does not replace a stored one. A stored answer that cannot be read is requested again. An
  /// answer that contains the key of its request is not stored.
  ///
  /// An answer that is no longer fresh is revalidated (`ETag`, `Last-Modified`); "not modified" keeps the bytes. When
  /// the request fails, the old answer is used and marked as ``Response/Origin/staleCache``. A request with
  /// ``Request/bypassesCache`` gets neither.
  ///
  /// On top of ``offline``, the client never sends a request.
  public func cached(in cache: CacheDatabase, now: @escaping @Sendable () -> Date) -> HTTPClient {
    HTTPClient { requests in
      let moment = now()
      let kept = zip(requests, cache.answers(for: requests.map(\.cacheKey), now: moment)).map { request, kept in
        kept.flatMap { request.reads($0.response) ? $0 : nil }
      }
      let asked = requests.indices.filter { index in
        requests[index].oldAnswer != .only && (requests[index].bypassesCache || kept[index]?.isFresh(moment) != true)
      }
      var results = zip(requests, kept).map { request, kept -> Result<Response, HTTPError> in
        // Only a request that must not be sent keeps this.
        guard let kept else { return .failure(.offline(host: request.host)) }
        // Replaced below if it is requested again.
        return .success(kept.response(from: kept.isFresh(moment) ? .cache : .staleCache))
      }
      guard !asked.isEmpty else { return results }

      let answers = send(asked.map { requests[$0].revalidating(kept[$0]?.response) })
      let received = now()
      var news: [(key: String, answer: KeptAnswer?)] = []
      for (index, answer) in zip(asked, answers) {
        let request = requests[index]
        let decision = CacheDecision(answer, to: request, kept: kept[index]?.response, now: received) {
          Self.reading($0, to: request)
        }
        // A request that must ask the source does not accept an old answer.
        let isOld = (try? decision.result.get())?.origin == .staleCache
        results[index] = isOld && (request.bypassesCache || request.oldAnswer == .never) ? answer : decision.result
        switch decision.change {
        case .keep(let response, let until), .renew(let response, let until):
          news.append((request.cacheKey, KeptAnswer(response: response, freshUntil: until)))
        case .keepAbsence(var fact, let until):
          // The body of a "not found" answer is not used.
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

  private static func reading(_ response: Response, to request: Request) -> CacheDecision.AnswerKind {
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
  /// Whether a stored answer is better than this response, because the source failed only temporarily.
  fileprivate func isHidden(_ response: Response) -> Bool {
    switch (reader?(response), response.status) {
    case (.key, _), (.apiNotEnabled, _), (.noShop, _): false
    // A page from a proxy, or a refusal of a request that was answered before.
    case (_, 200), (_, 404), (_, 410), (_, 422): true
    case (let error?, _): error.isAway
    case (nil, let status): status >= 500 || response.isThrottling
    }
  }

  /// The key of the answer in the cache. It contains no secret, and no name and password of the address.
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

  /// The same request with the validators of the stored answer, so that the source may answer "not modified".
  func revalidating(_ kept: Response?) -> Request {
    // Without a stored answer, the caller's own validators stay.
    guard let kept else { return self }
    var request = self
    // Only the validators of the answer stored here apply.
    request.headers.removeAll(where: \.isCondition)
    if let etag = kept.header("etag") { request.headers.append(Header("if-none-match", etag)) }
    if let date = kept.header("last-modified") { request.headers.append(Header("if-modified-since", date)) }
    return request
  }
}

extension Header {
  /// Whether the header is a condition of a revalidation rather than part of the request.
  fileprivate var isCondition: Bool { name == "if-none-match" || name == "if-modified-since" }
}

extension KeptAnswer {
  /// The maximum freshness in seconds, whatever a source allows or a wrong clock has stored.
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
  /// Whether the body is empty or JSON, as from the source itself, and not a page from a proxy.
  fileprivate var isSaidInJSON: Bool { body.isEmpty || (try? JSON(answer: body)) != nil }

  /// The stored answer with the headers of the "not modified" response.
  func updated(by notModified: Response) -> Response {
    var updated = self
    let names = Set(notModified.headers.map(\.name))
    updated.headers = notModified.headers + headers.filter { !names.contains($0.name) }
    updated.origin = .cache
    return updated
  }

  /// The end of the answer's freshness: `now` or earlier when it must be revalidated each time, nil when it must not be
  /// stored. <https://www.rfc-editor.org/rfc/rfc9111>
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
