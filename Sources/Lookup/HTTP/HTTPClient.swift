public import FoundationEssentials

/// The network: one closure. Everything around it (cache, rate limit, retry, offline) is a function from client to
/// client, and tests answer from recorded files.
public struct HTTPClient: Sendable {
  /// Returns the results in the order of the requests, independent of the order of the answers.
  public var send: @Sendable ([Request]) -> [Result<Response, HTTPError>]

  public init(send: @escaping @Sendable ([Request]) -> [Result<Response, HTTPError>]) {
    self.send = send
  }

  public func send(_ request: Request) throws(HTTPError) -> Response {
    guard let result = send([request]).first else { throw .unreachable(host: request.host) }
    return try result.get()
  }
}

/// A GET request to a web API.
public struct Request: Sendable {
  /// The id of the source, which selects the rate limit and the cache.
  public var source: String
  public var url: String
  public var headers: [Header] = []
  /// The key, if the source needs one.
  public var secret: Secret?
  /// The configured addresses of the source. The request may lead to this computer or a private network only if one of
  /// them is there.
  public var home: [String]
  public var bypassesCache = false
  /// The use of an outdated answer from the cache.
  public enum OldAnswer: Sendable, Hashable {
    /// The outdated answer replaces a failed request.
    case afterFailure
    case never
    /// Only the cache is asked.
    case only
  }
  public var oldAnswer = OldAnswer.afterFailure
  /// The maximum size of the body, in bytes. A longer body is refused.
  public var sizeLimit = usualSizeLimit
  /// The time limit for the answer, in seconds.
  public var deadline = usualDeadline
  /// The time after which the answer is of no use. Neither a wait nor a retry goes beyond it.
  public var latest: Date?
  /// Whether the request is sent even while the source rests after a refusal.
  public var ignoresRest = false

  /// Returns why a response is not a valid answer, or nil for a valid one. A request without a reader bypasses the
  /// cache.
  var reader: (@Sendable (Response) -> SourceError?)?

  /// The default maximum size of an unpacked body, in bytes. The longest recorded answer has 170 kB; the JSON reader
  /// has limits of its own, ``JSON/mostValues``.
  public static let usualSizeLimit = 8 << 20

  /// The default time limit for an answer, in seconds.
  public static let usualDeadline = 10

  /// A request to a source at its own address.
  public init(source: String, url: String, headers: [Header] = [], secret: Secret? = nil) {
    (self.source, self.url, self.headers, self.secret, home) = (source, url, headers, secret, [url])
  }

  /// A request to an address named in an answer of one or several sources.
  public init(source: String, url: String, namedBy sources: [SourceSettings]) {
    (self.source, self.url) = (source, url)
    home = sources.flatMap { [$0.baseURL, $0.imageBaseURL].compactMap(\.self) }
  }

  /// The host of the address, with its port if one is given. Messages show it, so it contains no path, query, name or
  /// password.
  public var host: String { Request.host(of: url) }

  /// Whether the reader can read this response; false without a reader.
  func reads(_ response: Response) -> Bool {
    guard let reader else { return false }
    return switch reader(response) {
    // Some sources refuse with status 200.
    case .unreadable, .network, .refused(status: 200, _): false
    default: true
    }
  }

  static func host(of url: String) -> String {
    // By bytes, as curl reads it: a slash with a combining accent is a slash to curl, but not to Swift.
    let bytes = url.utf8
    let start = bytes.firstRange(of: "://".utf8)?.upperBound ?? bytes.startIndex
    let authority = bytes[start...].prefix { ![UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#")].contains($0) }
    let host = authority.lastIndex(of: UInt8(ascii: "@")).map { authority[bytes.index(after: $0)...] } ?? authority
    return String(Substring(host))
  }
}

/// Only the source and the host, because descriptions of requests appear in messages.
extension Request: CustomStringConvertible, CustomDebugStringConvertible {
  public var description: String { "\(source) asks \(host)" }
  public var debugDescription: String { description }
}

/// A key sent with a request. It is sent only to the origin of the request, and never stored in a cache, log, error or
/// argument, nor sent to the host of a redirect.
public enum Secret: Sendable, Hashable {
  case header(_ name: String, _ value: String)
  /// A query parameter.
  case parameter(_ name: String, _ value: String)
}

/// Hides the key, because descriptions of requests appear in messages.
extension Secret: CustomStringConvertible, CustomDebugStringConvertible {
  public var description: String { "a key" }
  public var debugDescription: String { description }
}

public struct Header: Sendable, Hashable {
  /// In lower case.
  public var name: String
  public var value: String

  public init(_ name: String, _ value: String) {
    (self.name, self.value) = (name, value)
  }
}

public struct Response: Sendable, Hashable {
  /// The origin of an answer.
  public enum Origin: Sendable, Hashable {
    case network
    /// From the cache, and fresh according to the source.
    case cache
    /// From the cache because the request failed; may be outdated.
    case staleCache
  }

  /// 200, 404, …
  public var status: Int
  public var headers: [Header]
  public var body: [UInt8]
  public var origin: Origin

  public init(status: Int, headers: [Header] = [], body: [UInt8] = [], origin: Origin = .network) {
    (self.status, self.headers, self.body, self.origin) = (status, headers, body, origin)
  }

  /// The value of the first header with this name (in lower case).
  public func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}

/// The reason for a missing answer.
public enum HTTPError: Error, Sendable, Hashable {
  /// curl is not installed.
  case curlMissing
  /// curl is older than the oldest version we support.
  case curlTooOld(found: String, needed: String)
  /// No connection: the name is unknown, the port is closed, the certificate is wrong, …
  case unreachable(host: String)
  /// The host refuses connections. Some hosts block an address this way after too many requests.
  case closed(host: String)
  /// The server closed the connection without an answer. Some services do so to programs that they reject.
  case hungUp(host: String)
  /// The source refused before, and is not asked for another `seconds` seconds.
  case resting(host: String, seconds: Int, Rest.Reason)
  /// The answer did not arrive completely in time.
  case timedOut(host: String)
  /// The answer is longer than the request allows.
  case tooLarge(host: String)
  /// The answer arrived damaged or cut short, and cannot be read.
  case damaged(host: String)
  /// The address, or a redirect to it, does not use HTTPS. The host is that of the address itself.
  case insecure(host: String)
  /// An answer leads to this computer or a private network, and its source is not there.
  case privateNetwork(host: String)
  case tooManyRedirects(host: String)
  /// The source refuses for now because of too many requests. `retryAfter` is in seconds, if the source gave it.
  case throttled(host: String, retryAfter: Int?)
  /// The source is overloaded. `retryAfter` is in seconds, if the source gave it.
  case busy(host: String, retryAfter: Int?)
  /// The program is offline, and the answer is not in the cache.
  case offline(host: String)
  /// The user pressed Ctrl-C.
  case interrupted
}

extension Response {
  /// The number of requests that the source allows for now, and its limit, if the source reports them. The header names
  /// have different prefixes: `x-ratelimit-remaining`, `x-discogs-ratelimit-remaining`.
  public var questionsLeft: (left: Int, of: Int?)? {
    func number(_ suffixes: [String]) -> Int? {
      headers.first { header in suffixes.contains { header.name.hasSuffix($0) } }.flatMap { Int($0.value) }
        .flatMap { $0 >= 0 ? $0 : nil }
    }
    return number(["ratelimit-remaining"]).map { ($0, number(["ratelimit-limit", "-ratelimit"])) }
  }
}
