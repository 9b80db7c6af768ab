public import FoundationEssentials

/// The network: one closure. Everything around it (cache, rate limit, retry, offline) is a function from client to
/// client, and tests answer from recorded files.
public struct HTTPClient: Sendable {
  /// Answers in the order of the requests, whatever arrives first. One that failed carries its error.
  public var send: @Sendable ([Request]) -> [Result<Response, HTTPError>]

  public init(send: @escaping @Sendable ([Request]) -> [Result<Response, HTTPError>]) {
    self.send = send
  }

  /// Sends one request.
  public func send(_ request: Request) throws(HTTPError) -> Response {
    guard let result = send([request]).first else { throw .unreachable(host: request.host) }
    return try result.get()
  }
}

/// A question to a web API: always a GET.
public struct Request: Sendable {
  /// The id of the source that asks: its rate limit and its cache are used.
  public var source: String
  public var url: String
  public var headers: [Header] = []
  /// The key, where one is needed.
  public var secret: Secret?
  /// Where the source is, by what a person has set. Only where that is on this computer or in a private network may the
  /// request lead there.
  public var home: [String]
  /// Whether only the source itself will do, and no kept answer, however good.
  public var mustAsk = false
  /// What an answer is good for that the source gave before and that is out of date.
  public enum OldAnswer: Sendable, Hashable {
    /// To stand in when the source fails.
    case afterFailure
    case never
    /// It is the only one that is wanted, and no source is asked.
    case only
  }
  public var oldAnswer = OldAnswer.afterFailure
  /// A longer body is refused, in bytes.
  public var sizeLimit = usualSizeLimit
  /// How long the answer may take in all, in seconds.
  public var deadline = usualDeadline
  /// The time after which an answer is of no use any more: no wait and no further try goes beyond it.
  public var latest: Date?
  /// Whether the source is asked even while it rests after a refusal.
  public var ignoresRest = false

  /// Why a response is no answer, nil for an answer. Only the reader of a response can tell; a request without one
  /// passes by the cache.
  var reader: (@Sendable (Response) -> SourceError?)?

  /// How long a body may be when nothing else is said, in bytes, unpacked. The longest of the recorded
  /// answers has 170 kB; what is read of one has bounds of its own, ``JSON/mostValues``.
  public static let usualSizeLimit = 8 << 20

  /// How long an answer may take when nothing else is said, in seconds.
  public static let usualDeadline = 10

  /// A question to a source at its own address.
  public init(source: String, url: String, headers: [Header] = [], secret: Secret? = nil) {
    (self.source, self.url, self.headers, self.secret, home) = (source, url, headers, secret, [url])
  }

  /// A question to an address that an answer of a source has named, or of several.
  public init(source: String, url: String, namedBy sources: [SourceSettings]) {
    (self.source, self.url) = (source, url)
    home = sources.flatMap { [$0.baseURL, $0.imageBaseURL].compactMap(\.self) }
  }

  /// The host that is asked, with its port where one is given. It stands in messages, so nothing else does: no path,
  /// no query, no name and password.
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
    // By bytes, as curl reads it: a slash with an accent on it is a slash to curl, and none to Swift.
    let bytes = url.utf8
    let start = bytes.firstRange(of: "://".utf8)?.upperBound ?? bytes.startIndex
    let authority = bytes[start...].prefix { ![UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#")].contains($0) }
    let host = authority.lastIndex(of: UInt8(ascii: "@")).map { authority[bytes.index(after: $0)...] } ?? authority
    return String(Substring(host))
  }
}

/// Only the source and the host, because requests find their way into messages.
extension Request: CustomStringConvertible, CustomDebugStringConvertible {
  public var description: String { "\(source) asks \(host)" }
  public var debugDescription: String { description }
}

/// A key on its way. It is sent to the origin that the request is for, and stands nowhere else: in no cache, log, error
/// or argument, and at no host that a redirect leads to.
public enum Secret: Sendable, Hashable {
  case header(_ name: String, _ value: String)
  /// A part of the query.
  case parameter(_ name: String, _ value: String)
}

/// Nothing of the key, because requests find their way into messages.
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
  /// Where an answer came from.
  public enum Origin: Sendable, Hashable {
    case network
    /// From the cache, and still good by what the source said.
    case cache
    /// From the cache because the source could not be asked: perhaps out of date.
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

/// Why there is no answer.
public enum HTTPError: Error, Sendable, Hashable {
  /// curl is not installed.
  case curlMissing
  /// curl is older than what we need.
  case curlTooOld(found: String, needed: String)
  /// No connection: the name is unknown, the port is closed, the certificate is wrong, …
  case unreachable(host: String)
  /// The host takes no connection: some block an address so after too many requests.
  case closed(host: String)
  /// The server closed the connection without an answer. Some services do so to programs that they do not want.
  case hungUp(host: String)
  /// The source refused before, and is not asked for so many seconds more.
  case resting(host: String, seconds: Int, Rest.Reason)
  /// Nothing, or not all, came in time.
  case timedOut(host: String)
  /// The answer is longer than the request allows.
  case tooLarge(host: String)
  /// It would not be HTTPS, or a redirect left HTTPS.
  case insecure(host: String)
  /// An answer leads to this computer or a private network, where its source is not.
  case near(host: String)
  case tooManyRedirects(host: String)
  /// The source refuses for now: too many requests. When it said so, after how many seconds it answers again.
  case throttled(host: String, retryAfter: Int?)
  /// The source has too much to do just now. When it said so, after how many seconds it answers again.
  case busy(host: String, retryAfter: Int?)
  /// Offline was asked for, and the cache does not know the answer.
  case offline(host: String)
  /// The person pressed Ctrl-C.
  case interrupted
}

extension Response {
  /// How many more questions the source allows for now, and how many in all, where it says so. The names begin
  /// differently: `x-ratelimit-remaining`, `x-discogs-ratelimit-remaining`.
  public var questionsLeft: (left: Int, of: Int?)? {
    func number(_ suffixes: [String]) -> Int? {
      headers.first { header in suffixes.contains { header.name.hasSuffix($0) } }.flatMap { Int($0.value) }
        .flatMap { $0 >= 0 ? $0 : nil }
    }
    return number(["ratelimit-remaining"]).map { ($0, number(["ratelimit-limit", "-ratelimit"])) }
  }
}
