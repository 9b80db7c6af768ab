extension Response {
  /// The JSON of an answer that went well. The error says in plain words what came instead.
  func decoded<Body: Decodable>(as type: Body.Type, host: String) throws(SourceError) -> Body {
    switch status {
    case 200: break
    case 429, 503:
      let seconds = header("retry-after").flatMap { Int($0) }.map { max(0, $0) }
      throw .network(.throttled(host: host, retryAfter: seconds))
    default: throw .refused(status: status)
    }
    let json = try JSON(body)
    do { return try Body(from: JSONDecoding(json: json)) } catch { throw .anotherShape }
  }
}

/// What came back to a question for one thing, not yet read.
struct Answer {
  var host: String
  var result: Result<Response, HTTPError>

  /// The JSON of the answer. A source that has no such thing says 404, or 410 when it is gone.
  func decoded<Body: Decodable>(as type: Body.Type) throws(SourceError) -> Body {
    switch result {
    case .failure(let error): throw .network(error)
    case .success(let response) where response.status == 404 || response.status == 410: throw .notFound
    case .success(let response): return try response.decoded(as: type, host: host)
    }
  }
}

extension HTTPClient {
  /// Asks for several things at once; the answers have the order of the requests.
  func answers(to requests: [Request]) -> [Answer] {
    var results = send(requests)[...]
    return requests.map {
      Answer(host: $0.host, result: results.popFirst() ?? .failure(.unreachable(host: $0.host)))
    }
  }

  /// Asks for three things at once.
  func answers(to first: Request, _ second: Request, _ third: Request) -> (Answer, Answer, Answer) {
    var all = answers(to: [first, second, third])[...]
    func next(_ request: Request) -> Answer {
      all.popFirst() ?? Answer(host: request.host, result: .failure(.unreachable(host: request.host)))
    }
    return (next(first), next(second), next(third))
  }

  /// Asks for one thing.
  func decoded<Body: Decodable>(_ request: Request, as type: Body.Type) throws(SourceError) -> Body {
    let answer: Answer
    do { answer = Answer(host: request.host, result: .success(try send(request))) } catch { throw .network(error) }
    return try answer.decoded(as: type)
  }
}
