internal import CatalogModel
internal import Processes

extension HTTPClient {
  /// A client that sends requests with the `curl` program, which handles TLS, certificates, proxies and HTTP/2.
  ///
  /// Each request runs its own curl, with its own status, error and limits. Only HTTPS is allowed, except plain HTTP to
  /// this computer (127.0.0.0/8, ::1, localhost). At most five redirects are followed, by the same rule. A secret
  /// header is sent only to the origin of the request. An address named by an answer never leads to this computer or a
  /// private network, unless its source is there: ``Request/home``.
  ///
  /// - Parameters:
  ///   - identity: the `User-Agent`, which depends on the host.
  ///   - environment: passed on to curl, which reads proxies and certificates from it.
  ///   - program: a name to look for in the PATH, or a path.
  ///   - isInterrupted: called many times a second. When it returns true, every curl is ended and each request without
  ///     an answer fails with ``HTTPError/interrupted``.
  public static func curl(
    identity: Identity, environment: [String: String], program: String = "curl",
    isInterrupted: @escaping @Sendable () -> Bool = { false }
  ) -> HTTPClient {
    let curl = Curl(identity: identity, environment: environment, program: program, isInterrupted: isInterrupted)
    return HTTPClient { curl.send($0) }
  }
}

/// Runs curl: its arguments, its configuration and the meaning of its exit status.
struct Curl: Sendable {
  var identity: Identity
  var environment: [String: String]
  var program: String
  var isInterrupted: @Sendable () -> Bool

  /// The first version with `--no-progress-meter`, which is in the arguments so that an older curl refuses to run.
  static let oldestVersion = "7.67.0"
  static let mostAtOnce = 8
  static let mostRedirects = 5
  /// The maximum size of the headers, in bytes. A longer header is refused.
  static let headLimit = 256 << 10

  func send(_ requests: [Request]) -> [Result<Response, HTTPError>] {
    var results = [Result<Response, HTTPError>?](repeating: nil, count: requests.count)
    var waiting = requests.indices.map { RedirectChain(index: $0, request: requests[$0]) }[...]
    var running: [Transfer] = []
    defer { for index in running.indices { running[index].child.end() } }

    while !(waiting.isEmpty && running.isEmpty), !isInterrupted() {
      for index in running.indices.reversed() {
        guard let outcome = running[index].step() else { continue }
        running[index].child.end()
        var chain = running.remove(at: index).chain
        switch outcome {
        case .answer(let response): results[chain.index] = .success(response)
        case .redirect(let url):
          if let error = chain.follow(url) {
            results[chain.index] = .failure(error)
          } else {
            waiting.insert(chain, at: waiting.startIndex)
          }
        case .refused: results[chain.index] = .failure(refusal(host: chain.host))
        case .failure(let error): results[chain.index] = .failure(error)
        }
      }
      while running.count < Self.mostAtOnce, let next = waiting.popFirst() {
        do throws(HTTPError) { running.append(try start(next)) } catch { results[next.index] = .failure(error) }
      }
      if !running.isEmpty { ChildProcess.wait(for: running.lazy.map(\.child)) }
    }
    return results.map { $0 ?? .failure(.interrupted) }
  }

  private func start(_ chain: RedirectChain) throws(HTTPError) -> Transfer {
    var chain = chain
    if let error = chain.request.refusal(of: chain.url) { throw error }
    let end = chain.end ?? Uptime.now() + .seconds(chain.request.deadline)
    chain.end = end
    let seconds = max(1, Int(clamping: ((end - Uptime.now()) / .seconds(1)).rounded(.up)))
    guard let configuration = configuration(for: chain, seconds: seconds) else {
      throw .unreachable(host: chain.host)
    }
    do throws(SystemError) {
      let child = try ChildProcess(
        [program, "-q", "--no-progress-meter", "--config", "-"],
        // curl does not need our own settings, which include keys.
        environment: .only(environment.filter { !$0.key.hasPrefix("CATALOG_") }), input: .bytes(configuration))
      return Transfer(chain: chain, end: end, child: child)
    } catch {
      throw error.isMissingProgram ? .curlMissing : .unreachable(host: chain.host)
    }
  }

  /// The configuration that curl reads from its standard input, so that neither address nor key appears in an argument.
  /// Nil when a header contains a control character such as a line break.
  func configuration(for chain: RedirectChain, seconds: Int) -> [UInt8]? {
    let isPlain = chain.url.lowercased().hasPrefix("http:")
    var options: [(String, String?)] = [
      ("url", chain.address), ("globoff", nil), ("silent", nil), ("compressed", nil),
      // The program follows redirects itself: it refuses plain HTTP at every hop and keeps a key at its host.
      ("proto", isPlain ? "=http" : "=https"), ("write-out", "%{stderr}\n\(Head.redirectMark)%{redirect_url}"),
      ("dump-header", "/dev/stderr"), ("suppress-connect-headers", nil),
      ("user-agent", identity.agent(for: chain.request, at: chain.url)),
      ("max-time", "\(seconds)"), ("max-filesize", "\(chain.request.sizeLimit)"),
    ]
    // A request to this computer needs no proxy.
    if isPlain { options.append(("noproxy", "*")) }
    for header in chain.headers {
      guard Self.isSendable(header) else { return nil }
      options.append(("header", "\(header.name): \(header.value)"))
    }
    return options.flatMap { name, value in
      Array((value.map { "\(name) = \(Self.quoted($0))" } ?? name).utf8) + [UInt8(ascii: "\n")]
    }
  }

  /// Quotes a value for curl's configuration file.
  static func quoted(_ value: String) -> String {
    var bytes: [UInt8] = [UInt8(ascii: "\"")]
    for byte in value.utf8 {
      switch byte {
      case UInt8(ascii: "\\"), UInt8(ascii: "\""): bytes += [UInt8(ascii: "\\"), byte]
      case UInt8(ascii: "\n"): bytes += "\\n".utf8
      default: bytes.append(byte)
      }
    }
    return String(decoding: bytes + [UInt8(ascii: "\"")], as: UTF8.self)
  }

  private static func isSendable(_ header: Header) -> Bool {
    // curl reads `@` as the name of a file of headers, and a header without a value as one to leave out.
    !header.name.isEmpty && header.name.utf8.allSatisfy { (0x21...0x7e).contains($0) && $0 != 0x3a && $0 != 0x40 }
      && !header.value.isEmpty && header.value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f }
  }

  /// The error for curl's exit status 2: it did not understand an argument, which usually means that it is too old.
  private func refusal(host: String) -> HTTPError {
    guard let found = version(), Self.isOlder(found, than: Self.oldestVersion) else { return .unreachable(host: host) }
    return .curlTooOld(found: found, needed: Self.oldestVersion)
  }

  private func version() -> String? {
    guard var child = try? ChildProcess([program, "--version"], environment: .only(environment)) else { return nil }
    defer { child.end() }
    let end = Uptime.now() + .seconds(2)
    while !child.isSilent, Uptime.now() < end, !isInterrupted() {
      ChildProcess.wait(for: [child], until: end)
      child.read()
    }
    let words = String(decoding: child.output.bytes.prefix(200), as: UTF8.self).split(separator: " ")
    return words.count > 1 && words[0] == "curl" ? String(words[1]) : nil
  }

  /// Compares `7.9.1` and `7.67.0` number by number.
  static func isOlder(_ version: String, than other: String) -> Bool {
    let numbers = [version, other].map { $0.split(separator: ".").map { Int($0.prefix { $0.isNumber }) ?? 0 } }
    return numbers[0].lexicographicallyPrecedes(numbers[1])
  }
}

/// A request on its way from one redirect to the next.
package struct RedirectChain {
  var index: Int
  var request: Request
  /// The current address, after the redirects so far.
  package private(set) var url: String
  var redirects = 0
  /// The deadline on the clock of ``Uptime``, set when the request starts.
  var end: Duration?

  package init(index: Int, request: Request) {
    (self.index, self.request, url) = (index, request, request.url)
  }

  package var host: String { request.host }

  /// The key, if the current address has the origin of the request.
  private var secret: Secret? { Self.origin(url) == Self.origin(request.url) ? request.secret : nil }

  package var headers: [Header] {
    guard case .header(let name, let value) = secret else { return request.headers }
    return request.headers + [Header(name, value)]
  }

  /// The current address, with the key if that is a query parameter.
  package var address: String {
    guard case .parameter(let name, let value) = secret else { return url }
    return Request.url(url, adding: (name, value))
  }

  /// Follows a redirect to another address.
  /// - Returns: the error if the redirect is not allowed.
  package mutating func follow(_ url: String) -> HTTPError? {
    if let error = request.refusal(of: url) { return error }
    redirects += 1
    guard redirects <= Curl.mostRedirects else { return .tooManyRedirects(host: host) }
    self.url = url
    // A source may copy the key of the request into the redirect address.
    if case .parameter(let name, _) = request.secret { self.url = Request.url(url, removing: name) }
    return nil
  }

  private static func origin(_ url: String) -> String {
    (url.prefix { $0 != ":" } + "://" + Request.host(of: url)).lowercased()
  }
}

/// A running curl.
private struct Transfer {
  enum Outcome {
    case answer(Response)
    case redirect(String)
    /// curl does not know an option.
    case refused
    case failure(HTTPError)
  }

  var chain: RedirectChain
  var end: Duration
  var child: ChildProcess

  /// Reads the available output.
  /// - Returns: the outcome, or nil while curl is running.
  mutating func step() -> Outcome? {
    let host = chain.host
    child.read()
    // curl does not enforce the limit for an answer that is compressed or has no length.
    if child.output.bytes.count > chain.request.sizeLimit || child.error.bytes.count > Curl.headLimit {
      return .failure(.tooLarge(host: host))
    }
    guard child.isSilent, let exit = child.poll() else {
      return Uptime.now() < end ? nil : .failure(.timedOut(host: host))
    }
    // <https://curl.se/docs/manpage.html#EXIT>
    switch exit {
    case .exited(0): break
    case .exited(2): return .refused
    case .exited(28): return .failure(.timedOut(host: host))
    case .exited(63): return .failure(.tooLarge(host: host))
    case .exited(7): return .failure(.closed(host: host))
    // Empty reply, connection reset, or HTTP/2 stream reset.
    case .exited(52), .exited(56), .exited(92): return .failure(.hungUp(host: host))
    // Broken HTTP, only a part of the answer, or content that cannot be unpacked.
    case .exited(8), .exited(16), .exited(18), .exited(23), .exited(61), .exited(95):
      return .failure(.damaged(host: host))
    default: return .failure(.unreachable(host: host))
    }
    guard let head = Head(child.error.bytes) else { return .failure(.unreachable(host: host)) }
    if let redirect = head.redirect { return .redirect(redirect) }
    return .answer(Response(status: head.status, headers: head.headers, body: child.output.bytes))
  }
}

/// The headers and the redirect address, as curl writes them to its standard error.
package struct Head {
  package static let redirectMark = "redirect: "

  package private(set) var status = 0
  package private(set) var headers: [Header] = []
  /// Set when the answer is a redirect.
  package private(set) var redirect: String?

  /// Nil when the bytes contain no response.
  package init?(_ bytes: [UInt8]) {
    var isInside = false
    for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      let line = String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
      if isInside {
        if line.isEmpty { isInside = false }
        guard let colon = line.firstIndex(of: ":") else { continue }
        let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
        headers.append(Header(line[..<colon].lowercased(), String(value)))
      } else if line.hasPrefix("HTTP/") {
        // The last status line counts: 1xx responses come before it.
        (status, headers, isInside) = (line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0, [], true)
      } else if line.hasPrefix(Self.redirectMark) {
        redirect = String(line.dropFirst(Self.redirectMark.count))
      }
    }
    if ![301, 302, 303, 307, 308].contains(status) || redirect?.isEmpty == true { redirect = nil }
    guard (200...599).contains(status) else { return nil }
  }
}
