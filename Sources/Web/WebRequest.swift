/// A request from a browser. Requests that no browser sends have been refused before.
public struct WebRequest: Sendable {
  public enum Method: Sendable {
    /// `GET` or `HEAD`: changes nothing.
    case get
    /// `POST`: changes data.
    case post
  }

  public let method: Method
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
  ///   refused: an absolute address, a repeated framing header (RFC 9112, 3.2 and 6.3).
  public init(
    method: Method, target: String, headers: [(name: String, value: String)], body: [UInt8] = []
  ) throws(WebResponse) {
    let headers = headers.map { (name: $0.name.lowercased(), value: $0.value) }
    for name in ["host", "content-length", "transfer-encoding", "cookie", "origin", "sec-fetch-site"]
    where headers.count(where: { $0.name == name }) > 1 {
      throw .refusing(.badRequest)
    }
    guard target.hasPrefix("/"), !target.hasPrefix("//") else { throw .refusing(.badRequest) }
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let path = parts[0].split(separator: "/")
    self.path = path.compactMap { Percent.decoded($0) }
    guard self.path.count == path.count else { throw .refusing(.badRequest) }
    self.method = method
    query = parts.count > 1 ? WebForm(parts[1]) : WebForm()
    self.headers = headers
    let type = headers.first { $0.name == "content-type" }?.value.prefix { $0 != ";" }.lowercased()
    if method == .post {
      guard type == "application/x-www-form-urlencoded" || body.isEmpty else { throw .refusing(.unsupportedMediaType) }
      guard let text = String(validating: body, as: UTF8.self) else { throw .refusing(.badRequest) }
      form = WebForm(text)
    } else {
      form = WebForm()
    }
  }

  /// The value of a header, by its name in lower case.
  public subscript(header name: String) -> String? { headers.first { $0.name == name }?.value }

  /// The value of a cookie.
  public func cookie(_ name: String) -> String? {
    for pair in (self[header: "cookie"] ?? "").split(separator: ";") {
      let parts = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2, parts[0] == name { return String(parts[1]) }
    }
    return nil
  }
}
