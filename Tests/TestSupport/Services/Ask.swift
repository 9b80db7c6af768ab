import Foundation

/// A request to one of the services.
struct Ask: Sendable {
  var service: Service
  /// The path after the service's name: `["works", "OL1W.json"]`.
  var path: [String]
  var query: [String: String]
  /// The headers, with names in lower case.
  var headers: [String: String]
  /// Returns the address of another service.
  var url: @Sendable (Service) -> String

  var agent: String { headers["user-agent"] ?? "" }

  /// Whether the `User-Agent` has an e-mail address or a page as a contact.
  var namesContact: Bool { agent.contains("@") || agent.contains("http") }

  /// The trimmed value of a parameter; nil when it is missing or empty.
  subscript(_ name: String) -> String? {
    query[name].map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  func number(_ name: String) -> Int? { self[name].flatMap { Int($0) } }

  /// The requested page of the hits, by the parameters for its number, from 1, and its size.
  func page<Hit>(of hits: [Hit], _ number: String, size name: String, usual: Int, most: Int) -> HitPage<Hit> {
    let size = min(max(self.number(name) ?? usual, 1), most)
    return HitPage(hits, from: (max(self.number(number) ?? 1, 1) - 1) * size, size: size)
  }

  /// The path and the query of a request target: `/search?q=a+b`.
  static func parts(of target: String) -> (path: [String], query: [String: String]) {
    let halves = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let path = (halves.first ?? "").split(separator: "/").map { decoded($0) }
    let pairs = (halves.dropFirst().first ?? "").split(separator: "&").map { pair in
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (decoded(sides[0]), decoded(sides.dropFirst().first?.replacing("+", with: " ") ?? ""))
    }
    return (path, Dictionary(pairs) { first, _ in first })
  }

  private static func decoded(_ text: some StringProtocol) -> String { text.removingPercentEncoding ?? String(text) }
}

/// A page of hits.
struct HitPage<Hit> {
  var hits: [Hit]
  var offset: Int
  var size: Int
  /// The number of hits on all pages.
  var total: Int

  init(_ all: [Hit], from offset: Int, size: Int) {
    hits = Array(all.dropFirst(max(offset, 0)).prefix(size))
    (self.offset, self.size, total) = (offset, size, all.count)
  }

  var pages: Int { max((total + size - 1) / size, 1) }
  var number: Int { offset / size + 1 }
  var isLast: Bool { offset + hits.count >= total }
}

/// An answer of a service, with the way in which it is delivered.
struct Answer: Sendable {
  enum Delivery: String, Sendable {
    case whole
    /// Half of the body is sent, then the connection ends.
    case cutShort = "cut short"
    /// The connection ends without a byte.
    case hungUp = "hung up"
    /// The connection is reset without a byte.
    case reset = "reset"
  }

  var status = 200
  var headers: [String: String] = [:]
  var body: [UInt8] = []
  var delivery = Delivery.whole
  /// The delay in seconds.
  var delay = 0.0

  static func text(
    _ text: String, status: Int = 200, type: String = "text/plain; charset=utf-8", headers: [String: String] = [:]
  ) -> Answer {
    Answer(status: status, headers: headers.merging(["Content-Type": type]) { $1 }, body: Array(text.utf8))
  }

  static func json(
    _ value: OrderedJSON, status: Int = 200, type: String = "application/json", headers: [String: String] = [:]
  ) -> Answer { text(value.text, status: status, type: type, headers: headers) }

  static func html(_ text: String, status: Int = 200, headers: [String: String] = [:]) -> Answer {
    .text(text, status: status, type: "text/html", headers: headers)
  }

  /// An error page of the web server itself.
  static func nginx(_ status: Int, version: String = "nginx", headers: [String: String] = [:]) -> Answer {
    let title = "\(status) \(phrases[status] ?? "Error")"
    return .html(
      """
      <html>\r\n<head><title>\(title)</title></head>\r\n<body>\r\n<center><h1>\(title)</h1></center>\r\n\
      <hr><center>\(version)</center>\r\n</body>\r\n</html>\r\n
      """, status: status, headers: headers)
  }

  private static let phrases = [
    403: "Forbidden", 404: "Not Found", 429: "Too Many Requests", 500: "Internal Server Error", 502: "Bad Gateway",
    503: "Service Temporarily Unavailable", 504: "Gateway Time-out",
  ]

  static func redirect(_ status: Int = 302, to url: String, text: String = "") -> Answer {
    .text(text, status: status, type: text.isEmpty ? "text/html" : "text/plain", headers: ["Location": url])
  }

  static func picture(width: Int, height: Int) -> Answer {
    Answer(
      headers: ["Content-Type": "image/jpeg", "ETag": "\"\(width)x\(height)\""],
      body: Picture.jpeg(width: width, height: height))
  }

  static let hungUp = Answer(delivery: .hungUp)
  static let reset = Answer(delivery: .reset)

  /// The answer with a `Retry-After` header; unchanged when nil.
  func retrying(after seconds: Int?) -> Answer {
    var answer = self
    answer.headers["Retry-After"] = seconds.map { "\($0)" }
    return answer
  }

  /// The outcome in a word or two: `200`, `200 cut short`, `reset`.
  var outcome: String {
    let words =
      switch delivery {
      case .whole: "\(status)"
      case .cutShort: "\(status) \(delivery.rawValue)"
      case .hungUp, .reset: delivery.rawValue
      }
    return delay > 0 ? "\(words) after \(delay) s" : words
  }

  var reply: LoopbackServer.Reply {
    LoopbackServer.Reply { [self] connection in
      if delay > 0 { connection.wait(seconds: delay) }
      switch delivery {
      case .whole: LoopbackServer.Reply.answer(status, headers: headers, body: body).write(connection)
      case .cutShort:
        LoopbackServer.Reply.answer(
          status, headers: headers.merging(["Content-Length": "\(max(body.count, 2))"]) { $1 },
          body: Array(body.prefix(body.count / 2))
        ).write(connection)
      case .hungUp: break
      case .reset: connection.reset()
      }
    }
  }
}
