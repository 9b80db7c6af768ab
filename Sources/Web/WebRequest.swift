/// A request from a browser. Requests that no browser sends have been refused before.
public struct WebRequest: Sendable {
  public enum Method: Sendable {
    /// `GET` or `HEAD`: changes nothing.
    case get
    /// `POST`: changes data.
    case post
  }

  public let method: Method
  /// The network that it comes from; nil if it is unknown.
  public let client: ClientNetwork?
  /// The parts of the path, decoded: `["item", "42"]`; empty for `/`.
  public let path: [String]
  public let query: WebForm
  /// The fields of a form that was sent.
  public let form: WebForm
  private let headers: [(name: String, value: String)]

  /// Parses a request.
  /// - Parameters:
  ///   - target: the target in the request line: an absolute path with its query.
  ///   - headers: every line, in order.
  /// - Throws: a ``WebResponse`` that refuses the request. Requests that servers in a chain may read differently are
  ///   refused: an absolute address, a framing header that is repeated or has an odd value (RFC 9112, 3.2 and 6).
  public init(
    method: Method, target: String, headers: [(name: String, value: String)], body: [UInt8] = [],
    from client: ClientNetwork? = nil
  ) throws(WebResponse) {
    let headers = headers.map { (name: $0.name.lowercased(), value: $0.value) }
    guard Self.isPlain(headers, method) else { throw .refusing(.badRequest) }
    self.client = client
    guard target.hasPrefix("/"), !target.hasPrefix("//") else { throw .refusing(.badRequest) }
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let path = parts[0].split(separator: "/")
    self.path = path.compactMap { Percent.decoded($0) }
    guard self.path.count == path.count else { throw .refusing(.badRequest) }
    self.method = method
    query = parts.count > 1 ? WebForm(parts[1]) : WebForm()
    self.headers = headers
    form = method == .post ? try Self.form(body, headers.first { $0.name == "content-type" }?.value ?? "") : WebForm()
  }

  /// Parses the body of a form.
  private static func form(_ body: [UInt8], _ type: String) throws(WebResponse) -> WebForm {
    switch type.prefix(while: { $0 != ";" }).lowercased() {
    case "multipart/form-data":
      guard let form = WebForm(multipart: body, type: type) else { throw .refusing(.badRequest) }
      return form
    case let name where name == "application/x-www-form-urlencoded" || body.isEmpty:
      guard body.count <= WebForm.mostText else { throw .refusing(.tooLarge) }
      guard let text = String(validating: body, as: UTF8.self) else { throw .refusing(.badRequest) }
      return WebForm(text)
    default: throw .refusing(.unsupportedMediaType)
    }
  }

  /// Whether every reader of these lines finds the same end of the request.
  private static func isPlain(_ headers: [(name: String, value: String)], _ method: Method) -> Bool {
    for name in ["host", "content-length", "transfer-encoding", "cookie", "origin", "sec-fetch-site"]
    where headers.count(where: { $0.name == name }) > 1 {
      return false
    }
    let areLines = headers.allSatisfy { name, value in
      !name.isEmpty && name.utf8.allSatisfy(isOfToken)
        && value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
    }
    let length = headers.first { $0.name == "content-length" }?.value
    let encoding = headers.first { $0.name == "transfer-encoding" }?.value
    let isLength = length.map { !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } } ?? true
    // The bytes behind a GET are taken for the next request.
    let hasNoBody = encoding == nil && length?.utf8.allSatisfy { $0 == 0x30 } != false
    return areLines && isLength && (encoding == nil || length == nil && encoding?.lowercased() == "chunked")
      && (method == .post || hasNoBody)
  }

  /// Whether the byte may be in the name of a header (RFC 9110, 5.6.2).
  private static func isOfToken(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }

  /// The value of a header, by its name in lower case.
  public subscript(header name: String) -> String? { headers.first { $0.name == name }?.value }

  /// Whether the browser has the answer with this tag: alone, in a list, weakly, or any (RFC 9110, 13.1.2).
  public func has(tag: String) -> Bool {
    (self[header: "if-none-match"] ?? "").split(separator: ",").contains { word in
      let word = word.filter { $0 != " " }
      return word == "*" || (word.hasPrefix("W/") ? word.dropFirst(2) : word[...]) == tag
    }
  }

  public func cookie(_ name: String) -> String? {
    for pair in (self[header: "cookie"] ?? "").split(separator: ";") {
      let parts = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2, parts[0] == name { return String(parts[1]) }
    }
    return nil
  }
}
