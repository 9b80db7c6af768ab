import FoundationEssentials

extension Response {
  /// The JSON of an answer that went well.
  ///
  /// The bytes are judged before a decoder sees them, so that the error can say in plain words what came instead.
  func decoded<Body: Decodable>(as type: Body.Type, host: String) throws(SourceError) -> Body {
    switch status {
    case 200: break
    case 429, 503:
      let seconds = header("retry-after").flatMap { Int($0) }.map { max(0, $0) }
      throw .network(.throttled(host: host, retryAfter: seconds))
    // Only sources with a key say so.
    case 401: throw .key(missing: false)
    default: throw .refused(status: status)
    }
    if let problem = JSONShape.problem(in: body) { throw .unreadable(problem) }
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .custom { PlainKey($0.last?.stringValue ?? "") }
    do {
      return try decoder.decode(type, from: Data(body))
    } catch {
      throw .unreadable("an answer of another shape than it documents")
    }
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

/// What can be said of a JSON text without reading it.
enum JSONShape {
  /// How deep real answers are nested is about 10; a decoder that calls itself must not be led deeper than this.
  static let deepest = 64

  /// What came instead of a whole JSON text, in the user's words, or nil.
  static func problem(in bytes: [UInt8]) -> String? {
    let start = bytes.firstIndex { !isBlank($0) && !byteOrderMark.contains($0) }
    guard let start else { return "an empty answer" }
    if bytes[start] == UInt8(ascii: "<") { return "an HTML page instead of an answer" }
    guard bytes[start] == UInt8(ascii: "{") || bytes[start] == UInt8(ascii: "[") else { return "text that is no JSON" }
    guard String(validating: bytes, as: UTF8.self) != nil else { return "text that is not valid UTF-8" }
    var depth = 0
    var isInString = false
    var isEscaped = false
    for byte in bytes[start...] {
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInString = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isInString = true
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: break
      }
      if depth > deepest { return "an answer nested too deeply" }
    }
    return depth > 0 || isInString ? "an answer that is cut short" : nil
  }

  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  private static func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
}

/// A key as Swift spells it: `first_publish_year` and `first-publish-year` are `firstPublishYear`.
private struct PlainKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(_ key: String) {
    var plain = ""
    var isNext = false
    for character in key {
      if character == "_" || character == "-" {
        isNext = !plain.isEmpty
      } else {
        plain += isNext ? character.uppercased() : String(character)
        isNext = false
      }
    }
    stringValue = plain
  }

  init?(stringValue: String) { self.init(stringValue) }
  init?(intValue: Int) { nil }
}
