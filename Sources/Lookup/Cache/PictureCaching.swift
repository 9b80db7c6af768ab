public import FoundationEssentials

extension HTTPClient {
  /// Stores received pictures, and answers with the stored ones.
  ///
  /// A picture that has expired or has an `ETag` is revalidated each time; "not modified" keeps the bytes. When the
  /// request fails or the answer is not a picture, the stored picture is used. Answers that are not pictures are passed
  /// on but not stored, and so are answers that contain the key of their request.
  ///
  /// Two layers make two tiers: memory over the file over the network.
  public func keepingPictures(in cache: PictureCache, now: @escaping @Sendable () -> Date) -> HTTPClient {
    HTTPClient { requests in
      let moment = now()
      let urls = requests.map(\.cacheKey)
      let found = cache.use { table in try urls.map { try table.use($0, now: moment) } } ?? urls.map { _ in nil }
      let kept = found.map { kept in kept.flatMap { (try? ImageInfo.whole($0.bytes)) == nil ? nil : $0 } }
      var results = zip(requests, kept).map { request, kept -> Result<Response, HTTPError> in
        kept.map { .success($0.response(from: .cache)) } ?? .failure(.unreachable(host: request.host))
      }
      let asked = requests.indices.filter { kept[$0]?.mustBeAskedFor ?? true }
      guard !asked.isEmpty else { return results }

      let answers = send(asked.map { requests[$0].revalidating(kept[$0]?.response(from: .cache)) })
      let received = now()
      var news: [(url: String, response: Response?)] = []
      for (index, answer) in zip(asked, answers) {
        let decision = CacheDecision(
          answer, to: requests[index], kept: kept[index]?.response(from: .cache), now: received, reading: Self.reading)
        results[index] = decision.result
        switch decision.change {
        case .keep(let response, _): news.append((urls[index], response))
        case .keepAbsence where kept[index] == nil: break
        case .keepAbsence, .forget: news.append((urls[index], nil))
        // The stored bytes stay.
        case .renew, .nothing: break
        }
      }
      if !news.isEmpty {
        let news = news
        _ = cache.use { table in
          for (url, response) in news {
            guard let response else {
              try table.forget(url)
              continue
            }
            try table.keep(
              response.body, etag: response.header("etag"), modified: response.header("last-modified"), for: url,
              now: received)
          }
        }
      }
      return results
    }
  }

  /// The same client for a caller that already has some pictures, by address.
  ///
  /// A picture with an `ETag` is revalidated at `network`, and replaced only by another picture; the others are used as
  /// they are. All other requests go to the client itself.
  public func having(_ pictures: [String: Response], renewedBy network: HTTPClient) -> HTTPClient {
    HTTPClient { requests in
      var results = requests.map { request -> Result<Response, HTTPError> in
        pictures[request.url].map { .success($0) } ?? .failure(.unreachable(host: request.host))
      }
      let missing = requests.indices.filter { pictures[requests[$0].url] == nil }
      if !missing.isEmpty {
        for (index, result) in zip(missing, send(missing.map { requests[$0] })) { results[index] = result }
      }
      let marked = requests.indices.filter { pictures[requests[$0].url]?.header("etag") != nil }
      if !marked.isEmpty {
        let answers = network.send(marked.map { requests[$0].revalidating(pictures[requests[$0].url]) })
        for (index, answer) in zip(marked, answers) {
          switch answer {
          case .success(let response) where Self.reading(response) == .answer:
            results[index] = answer
          case .failure(.interrupted): results[index] = answer
          case .success, .failure: break
          }
        }
      }
      return results
    }
  }

  private static func reading(_ response: Response) -> CacheDecision.AnswerKind {
    switch response.status {
    case 200:
      do throws(ImageInfo.Fault) {
        _ = try ImageInfo.whole(response.body)
        return .answer
      } catch {
        return error == .tiny ? .absence : .trouble
      }
    case 404, 410: return .absence
    case 403, 408, 429, 500...: return .trouble
    default: return .refusal
    }
  }
}

extension PictureTable.Kept {
  fileprivate var mustBeAskedFor: Bool { hasExpired || etag != nil }

  fileprivate func response(from origin: Response.Origin) -> Response {
    let headers = [etag.map { Header("etag", $0) }, modified.map { Header("last-modified", $0) }].compactMap(\.self)
    return Response(status: 200, headers: headers, body: bytes, origin: origin)
  }
}
