public import FoundationEssentials

extension HTTPClient {
  /// Answers from the cache what the source lets be kept, and asks for the rest in one call.
  ///
  /// An answer that is no longer good is asked for with what it can be recognised by (`ETag`, `Last-Modified`); "not
  /// modified" keeps the bytes. When a source cannot be asked, the old answer is better than none, and says that it is
  /// old: ``Response/Origin/staleCache``. A request that ``Request/mustAsk`` gets neither.
  ///
  /// Over ``offline`` it is the client that never asks.
  public func cached(in cache: CacheDatabase, now: @escaping @Sendable () -> Date) -> HTTPClient {
    HTTPClient { requests in
      let moment = now()
      let kept = cache.answers(for: requests.map(\.cacheKey), now: moment)
      let asked = requests.indices.filter { requests[$0].mustAsk || kept[$0]?.isFresh(moment) != true }
      var results = zip(requests, kept).map { request, kept -> Result<Response, HTTPError> in
        kept.map { .success($0.response(from: .cache)) } ?? .failure(.unreachable(host: request.host))
      }
      guard !asked.isEmpty else { return results }

      let answers = send(asked.map { requests[$0].revalidating(kept[$0]?.response) })
      let received = now()
      var news: [(key: String, answer: KeptAnswer?)] = []
      for (index, answer) in zip(asked, answers) {
        let (result, change) = Self.settle(answer, kept: kept[index], now: received)
        // Where only the source itself will do, an old answer is none.
        let isOld = (try? result.get())?.origin == .staleCache
        results[index] = isOld && requests[index].mustAsk ? answer : result
        switch change {
        case .keep(let answer): news.append((requests[index].cacheKey, answer))
        case .forget: news.append((requests[index].cacheKey, nil))
        case .nothing: break
        }
      }
      cache.keep(news, now: received)
      return results
    }
  }

  private enum CacheChange {
    case keep(KeptAnswer)
    case forget
    case nothing
  }

  /// What an answer means where another one is kept.
  private static func settle(
    _ answer: Result<Response, HTTPError>, kept: KeptAnswer?, now: Date
  ) -> (Result<Response, HTTPError>, CacheChange) {
    switch (answer, kept) {
    case (.success(let response), let kept?) where response.status == 304:
      let updated = kept.response.updated(by: response)
      guard let freshUntil = updated.freshUntil(now) else { return (.success(updated), .forget) }
      return (.success(updated), .keep(KeptAnswer(response: updated, freshUntil: freshUntil)))
    case (.success(let response), _) where [200, 404, 410].contains(response.status):
      guard let freshUntil = response.freshUntil(now) else { return (answer, kept == nil ? .nothing : .forget) }
      return (answer, .keep(KeptAnswer(response: response, freshUntil: freshUntil)))
    case (.success(let response), let kept?) where response.status >= 500 || response.isThrottling:
      return (.success(kept.response(from: .staleCache)), .nothing)
    case (.failure(let error), let kept?) where error != .interrupted:
      return (.success(kept.response(from: .staleCache)), .nothing)
    default:
      return (answer, .nothing)
    }
  }
}

extension Request {
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
    var request = self
    // What is kept here is recognised by nothing that another cache asked with.
    request.headers.removeAll(where: \.isCondition)
    if let etag = kept?.header("etag") { request.headers.append(Header("if-none-match", etag)) }
    if let date = kept?.header("last-modified") { request.headers.append(Header("if-modified-since", date)) }
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
