public import Processes

/// A response to a browser.
public struct WebResponse: Error, Sendable, Hashable {
  /// The status codes of RFC 9110, section 15.
  public enum Status: Int, Sendable {
    case ok = 200
    case seeOther = 303
    case notModified = 304
    case badRequest = 400
    case forbidden = 403
    case notFound = 404
    case tooLarge = 413
    case unsupportedMediaType = 415
    case misdirected = 421
    case unprocessable = 422
    case tooMany = 429
    case failed = 500
    case unavailable = 503
  }

  public var status: Status
  public var headers: [Header] = []
  public var body: [UInt8]

  /// A line of the head.
  public struct Header: Sendable, Hashable {
    public var name: String
    public var value: String

    public init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
  }

  /// - Parameter type: the media type of the body.
  public init(_ status: Status = .ok, type: String, _ body: [UInt8]) {
    (self.status, self.body) = (status, body)
    headers = [Header("Content-Type", type)]
  }

  /// A response with only its status, as plain text.
  public static func refusing(_ status: Status) -> WebResponse {
    var response = WebResponse(status, type: "text/plain; charset=utf-8", Array("\(status.rawValue)\n".utf8))
    response.headers.append(Header("X-Content-Type-Options", "nosniff"))
    return response
  }

  /// The browser's cached copy is still valid.
  public static var notModified: WebResponse {
    var response = WebResponse.refusing(.notModified)
    (response.headers, response.body) = ([], [])
    return response
  }

  /// Redirects the browser to another page of this server, to be loaded by GET.
  public static func redirect(to path: String) -> WebResponse {
    var response = WebResponse.refusing(.seeOther)
    response.headers.append(Header("Location", path))
    return response
  }
}

/// The answer to a request: a response now or later.
public enum WebAnswer {
  case now(WebResponse)
  /// A response made later: once the descriptor is readable, the server calls `response` on its own thread. When the
  /// server ends before, it calls `cancel`, and waits for the response for a while.
  case later(descriptor: Int32, cancel: () -> Void, response: () -> WebResponse?)

  /// An answer made from the result of background work.
  public static func after<Value>(
    _ work: BackgroundWork<Value>, _ response: @escaping (Result<Value, any Error>) -> WebResponse
  ) -> WebAnswer {
    .later(descriptor: work.descriptor, cancel: { work.cancel() }) { work.result.map(response) }
  }
}
