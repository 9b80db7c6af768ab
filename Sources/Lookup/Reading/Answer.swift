internal import CatalogModel
internal import Synchronization

extension Response {
  /// Decodes the JSON of a successful answer. The error describes any other answer in plain words.
  func decoded<Body: Decodable>(as type: Body.Type, host: String) throws(SourceError) -> Body {
    try requireSuccess(host: host)
    let json = try JSON(answer: body)
    do { return try Body(from: JSONDecoding(json: json)) } catch { throw .anotherShape }
  }

  /// - Throws: the error of an answer with another status than 200.
  func requireSuccess(host: String) throws(SourceError) {
    switch status {
    case 200: break
    case 429, 503:
      let seconds = header("retry-after").flatMap { Int($0) }.map { max(0, $0) }
      throw .network(refusal(by: host, retryAfter: seconds))
    // Only sources with a key say so.
    case 401: throw .key(missing: false)
    default: throw .refused(status: status, words: ownWords)
    }
  }

  /// The source's own words about its refusal. Each source has its own key for them.
  private var ownWords: String? {
    guard let json = try? JSON(answer: body) else { return nil }
    let error = json["error"]
    var places = [json["statusMessage"], json["errorMessage"], json["message"], json["msg"], error, error["message"]]
    // FastAPI lists the problem of each parameter: `{"detail":[{"loc":["query","q"],"msg":"…"}]}`.
    if case .list(let problems) = json["detail"] { places += problems.prefix(1).map { $0["msg"] } }
    return places.lazy.compactMap(Line.read).first.map { String($0.prefix(200)) }
  }

  /// Whether the source does not have the item, or no longer does.
  var isMissing: Bool { status == 404 || status == 410 }
}

/// A request with the function that reads its answer.
///
/// The cache must know whether an answer is valid, both before it stores one and before it uses a stored one. Only the
/// reader can decide this, so it is part of the request and runs where the answer arrives. Its result is kept here, so
/// that no answer is read twice.
struct Question<Value: Sendable>: Sendable {
  let request: Request
  private let reading: Reading

  init(_ request: Request, read: @escaping @Sendable (Response) throws(SourceError) -> Value) {
    let reading = Reading(read)
    self.reading = reading
    var request = request
    request.reader = { response in
      if case .failure(let error) = reading.result(of: response) { error } else { nil }
    }
    self.request = request
  }

  /// A request for one item, which may be missing at the source.
  init(thing request: Request, read: @escaping @Sendable (Response) throws(SourceError) -> Value) {
    self.init(request) { response throws(SourceError) in
      if response.isMissing { throw .notFound }
      return try read(response)
    }
  }

  /// The value in the answer, or the error.
  func value(of result: Result<Response, HTTPError>?) -> Result<Value, SourceError> {
    switch result {
    case .success(let response): reading.result(of: response)
    case .failure(let error): .failure(.network(error))
    case nil: .failure(.network(.unreachable(host: request.host)))
    }
  }

  private final class Reading: Sendable {
    private let read: @Sendable (Response) throws(SourceError) -> Value
    private let last = Mutex<(status: Int, body: [UInt8], result: Result<Value, SourceError>)?>(nil)

    init(_ read: @escaping @Sendable (Response) throws(SourceError) -> Value) { self.read = read }

    func result(of response: Response) -> Result<Value, SourceError> {
      // The same bytes are mostly the same memory, which takes no time to compare.
      if let last = last.withLock({ $0 }), last.status == response.status, last.body == response.body {
        return last.result
      }
      let result = Result { () throws(SourceError) in try read(response) }
      last.withLock { $0 = (response.status, response.body, result) }
      return result
    }
  }
}

extension Question where Value: Decodable {
  /// A request for one item, whose answer has this form.
  init(thing request: Request, as form: Value.Type) {
    let host = request.host
    self.init(thing: request) { response throws(SourceError) in try response.decoded(as: form, host: host) }
  }
}

extension HTTPClient {
  func ask<Value>(_ question: Question<Value>) throws(SourceError) -> Value {
    try ask([question])[0].get()
  }

  /// Asks several questions at once; the answers have their order.
  func ask<Value>(_ questions: [Question<Value>]) -> [Result<Value, SourceError>] {
    var results = send(questions.map(\.request))[...]
    return questions.map { $0.value(of: results.popFirst()) }
  }

  /// The same for questions of several kinds.
  func ask<each Value>(_ question: repeat Question<each Value>) -> (repeat Result<each Value, SourceError>) {
    var requests: [Request] = []
    repeat requests.append((each question).request)
    var results = send(requests)[...]
    return (repeat (each question).value(of: results.popFirst()))
  }
}
