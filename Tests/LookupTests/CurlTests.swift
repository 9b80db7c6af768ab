import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Lookup

/// Tests the real curl against a misbehaving server on loopback.
@Suite(.timeLimit(.minutes(Patience.minutes)))
struct CurlTests {
  let http = HTTPClient.curl(identity: Identity(program: "catalog/9.9", page: "https://example.org"), environment: [:])
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A client that starts a shell script in place of curl.
  func client(script: String) -> HTTPClient {
    .curl(
      identity: Identity(program: "x"), environment: ["PATH": "/usr/bin:/bin", "STAND_IN": script],
      program: StandIn.path)
  }

  func request(_ url: String, deadline: Int = 5, sizeLimit: Int = 1 << 20) -> Request {
    var request = Request(source: "test", url: url)
    (request.deadline, request.sizeLimit) = (deadline, sizeLimit)
    return request
  }

  // MARK: Answers

  @Test func `an answer has its status, headers and body`() throws {
    let server = try LoopbackServer { _ in
      .answer(404, headers: ["ETag": "\"a\"", "X-Empty": ""], body: Array(0...255))
    }
    var request = request(server.url + "/search?q=a+b&c=[1]{2}")
    request.headers = [Header("accept", "application/json"), Header("x-quoted", #"a "b" \ c\n"#)]
    let response = try http.send(request)
    #expect(response.status == 404)
    #expect(response.header("etag") == "\"a\"")
    #expect(response.header("x-empty") == "")
    #expect(response.body == Array(0...255))
    #expect(response.origin == .network)

    let question = try #require(server.questions.first)
    #expect(question.path == "/search?q=a+b&c=[1]{2}")
    #expect(question.headers["user-agent"] == "catalog/9.9")
    #expect(question.headers["accept"] == "application/json")
    #expect(question.headers["x-quoted"] == #"a "b" \ c\n"#)
    #expect(question.headers["accept-encoding"]?.contains("gzip") == true)
  }

  @Test func `requests run at once and answers keep their order`() throws {
    let gate = Gate(for: 3)
    let server = try LoopbackServer { question in
      // No one is answered before all have come.
      gate.pass()
      return .answer(text: question.path)
    }
    let answers = http.send((0..<3).map { request("\(server.url)/\($0)") })
    #expect(try answers.map { String(decoding: try $0.get().body, as: UTF8.self) } == ["/0", "/1", "/2"])
  }

  @Test func `requests beyond the limit of parallel ones are answered, each with its own error`() throws {
    let server = try LoopbackServer { $0.path == "/7" ? .hangUp : .answer(text: $0.path) }
    let answers = http.send((0..<20).map { request("\(server.url)/\($0)") })
    for (index, answer) in answers.enumerated() {
      #expect(
        answer.map { String(decoding: $0.body, as: UTF8.self) }
          == (index == 7 ? .failure(.hungUp(host: "127.0.0.1:\(server.port)")) : .success("/\(index)")))
    }
  }

  @Test func `sending no requests returns no answers`() { #expect(http.send([]).isEmpty) }

  @Test func `an answer with early hints and trailers is read`() throws {
    let server = try LoopbackServer { _ in
      LoopbackServer.Reply {
        $0.send(
          Array(
            """
            HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n\
            HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Late\r\n\r\n\
            2\r\nhi\r\n0\r\nX-Late: redirect\r\n\r\n
            """.utf8))
      }
    }
    let response = try http.send(request(server.url))
    #expect(response.body == Array("hi".utf8))
    #expect(response.header("link") == nil)
  }

  // MARK: Servers that misbehave

  @Test func `a server that hangs fails the request at the deadline`() throws {
    let server = try LoopbackServer { _ in .hang }
    #expect(throws: HTTPError.timedOut(host: "127.0.0.1:\(server.port)")) {
      try http.send(request(server.url, deadline: 1))
    }
  }

  @Test func `a server that sends slowly fails the request at the deadline`() throws {
    let server = try LoopbackServer { _ in .drip([UInt8](repeating: 1, count: 1000), seconds: 0.1) }
    #expect(throws: HTTPError.timedOut(host: "127.0.0.1:\(server.port)")) {
      try http.send(request(server.url, deadline: 1))
    }
  }

  @Test func `a closed port, a hang-up and a truncated answer are different errors`() throws {
    let server = try LoopbackServer { $0.path == "/cut" ? .truncated([1, 2, 3], claiming: 100) : .hangUp }
    let host = "127.0.0.1:\(server.port)"
    #expect(throws: HTTPError.damaged(host: host)) { try http.send(request(server.url + "/cut")) }
    #expect(throws: HTTPError.hungUp(host: host)) { try http.send(request(server.url + "/")) }
    let closed = try LoopbackServer.closedPort()
    #expect(throws: HTTPError.closed(host: "127.0.0.1:\(closed)")) {
      try http.send(request("http://127.0.0.1:\(closed)/"))
    }
  }

  @Test func `a host name that does not exist is unreachable`() {
    #expect(throws: HTTPError.unreachable(host: "catalog.invalid")) {
      try http.send(request("https://catalog.invalid/?key=1", deadline: 3))
    }
  }

  @Test func `an answer of 100 MB is refused with and without a length, and so are endless headers`() throws {
    let server = try LoopbackServer { question in
      switch question.path {
      case "/chunked": .chunked(count: 100 << 20)
      case "/head":
        LoopbackServer.Reply { connection in
          connection.send(Array("HTTP/1.1 200 OK\r\n".utf8))
          let line = Array("x: \(String(repeating: "x", count: 1000))\r\n".utf8)
          for _ in 0..<100_000 where connection.isOpen { connection.send(line) }
        }
      default: .truncated([1], claiming: 100 << 20)
      }
    }
    let host = "127.0.0.1:\(server.port)"
    #expect(throws: HTTPError.tooLarge(host: host)) { try http.send(request(server.url + "/chunked")) }
    #expect(throws: HTTPError.tooLarge(host: host)) { try http.send(request(server.url + "/length")) }
    #expect(throws: HTTPError.self) { try http.send(request(server.url + "/head")) }
  }

  @Test func `a small compressed answer that unpacks to a large one is refused`() throws {
    // 100 000 zeros.
    let packed = try #require(
      Data(
        base64Encoded: """
          H4sIAAAAAAACA+3BMQEAAADCoPVPbQ0PoAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
          AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAIBXA32VEdSghgEA
          """, options: .ignoreUnknownCharacters))
    let server = try LoopbackServer { _ in .answer(headers: ["Content-Encoding": "gzip"], body: Array(packed)) }
    #expect(throws: HTTPError.tooLarge(host: "127.0.0.1:\(server.port)")) {
      try http.send(request(server.url, sizeLimit: 1_000))
    }
    #expect(try http.send(request(server.url)).body == [UInt8](repeating: 0, count: 100_000))
  }

  @Test(arguments: ["gzip", "deflate"])
  func `an answer that cannot be unpacked is damaged`(_ coding: String) throws {
    let server = try LoopbackServer { _ in .answer(headers: ["Content-Encoding": coding], text: "\u{1f}\u{8}, no") }
    #expect(throws: HTTPError.damaged(host: "127.0.0.1:\(server.port)")) { try http.send(request(server.url)) }
  }

  @Test func `an answer that is not HTTP is reported as unreachable`() throws {
    let server = try LoopbackServer { _ in LoopbackServer.Reply { $0.send(Array("SSH-2.0-OpenSSH\r\n".utf8)) } }
    #expect(throws: HTTPError.unreachable(host: "127.0.0.1:\(server.port)")) { try http.send(request(server.url)) }
  }

  // MARK: Redirects

  @Test func `relative and absolute redirects are followed`() throws {
    let server = try LoopbackServer { question in
      switch question.path {
      case "/a/b": .redirect(307, to: "../c?x=1")
      case "/c?x=1": .redirect(301, to: "//\(question.headers["host"] ?? "")/d")
      default: .answer(text: question.path)
      }
    }
    #expect(try http.send(request(server.url + "/a/b")).body == Array("/d".utf8))
    #expect(server.questions.map(\.path) == ["/a/b", "/c?x=1", "/d"])
  }

  @Test func `a redirect loop ends after the fifth redirect`() throws {
    let server = try LoopbackServer { .redirect(to: $0.path == "/a" ? "/b" : "/a") }
    #expect(throws: HTTPError.tooManyRedirects(host: "127.0.0.1:\(server.port)")) {
      try http.send(request(server.url + "/a"))
    }
    #expect(server.questions.count == 6)
  }

  @Test func `the deadline applies to all redirects of a request together`() throws {
    let server = try LoopbackServer { question in
      Thread.sleep(forTimeInterval: 0.4)
      return .redirect(to: question.path + "x")
    }
    #expect(throws: HTTPError.timedOut(host: "127.0.0.1:\(server.port)")) {
      try http.send(request(server.url + "/", deadline: 1))
    }
  }

  @Test(arguments: ["http://example.invalid/", "file:///etc/passwd", "ftp://127.0.0.1/", "gopher://127.0.0.1/"])
  func `a redirect to plain HTTP or to another protocol is refused`(_ target: String) throws {
    let server = try LoopbackServer { _ in .redirect(to: target) }
    // The error names where the redirect leads, if there is a host.
    let host = target.hasPrefix("file:") ? Request.host(of: server.url) : Request.host(of: target)
    #expect(throws: HTTPError.insecure(host: host)) { try http.send(request(server.url)) }
  }

  @Test(arguments: ["authorization", "x-api-key"])
  func `a secret header is not sent to the host of a redirect`(_ name: String) throws {
    let other = try LoopbackServer { _ in .answer() }
    let server = try LoopbackServer { $0.path == "/same" ? .redirect(to: "/away") : .redirect(to: other.url) }
    var request = request(server.url + "/same")
    request.headers = [Header("x-plain", "p")]
    request.secret = .header(name, "secret-key")
    _ = try http.send(request)
    #expect(server.questions.map { $0.headers[name] } == ["secret-key", "secret-key"])
    #expect(other.questions.map { $0.headers[name] } == [nil])
    #expect(other.questions.map { $0.headers["x-plain"] } == ["p"])
  }

  @Test func `a secret query parameter is not sent to another host`() throws {
    let other = try LoopbackServer { _ in .answer() }
    let server = try LoopbackServer { question in
      // The source writes the key that it was asked with into the new address.
      question.path.hasPrefix("/same")
        ? .redirect(to: "/away?q=1&key=a%2Bb") : .redirect(to: other.url + "/?key=a%2Bb&q=2")
    }
    var request = request(server.url + "/same?q=1")
    request.secret = .parameter("key", "a+b")
    _ = try http.send(request)
    #expect(server.questions.map(\.path) == ["/same?q=1&key=a%2Bb", "/away?q=1&key=a%2Bb"])
    #expect(other.questions.map(\.path) == ["/?q=2"])
    #expect(!request.cacheKey.contains("a+b"))
    #expect(!request.cacheKey.contains("key="))
    #expect("\(request) \(String(reflecting: request.secret))".contains("a+b") == false)
  }

  @Test func `curl does not inherit the program's keys from the environment`() throws {
    let file = folder.path("env")
    let writing = HTTPClient.curl(
      identity: Identity(program: "x"),
      environment: ["PATH": "/usr/bin:/bin", "CATALOG_TMDB_TOKEN": "t", "OTHER": "o", "STAND_IN": "env > \(file)"],
      program: StandIn.path)
    _ = try? writing.send(request("http://127.0.0.1:1/"))
    let text = try String(contentsOfFile: file, encoding: .utf8)
    #expect(text.contains("OTHER=o"))
    #expect(!text.contains("CATALOG_"))
  }

  // MARK: Safety

  @Test(arguments: [
    "http://example.org/", "http://127.0.0.1.example.org/", "http://127.0.0.1@example.org/", "http://[::2]/",
    "http://127.1/", "http://127.0.0.256/", "http://localhost.example.org/", "http:///", "https:///", "https://",
    "http://2130706433/", "ftp://localhost/", "file:///etc/passwd", "https:example.org", "example.org", "",
    "http://127.0.0.1\\@example.org/", "https://example.org/\n", "https://example.org/ a", "http://127.0.0.1:80:80/",
    "-o/tmp/x", "http://localhost:@example.org/", "http://1270.0.0.1/", "http://127.0.0.0x1/",
  ])
  func `an address that is not HTTPS or loopback is refused`(_ url: String) {
    #expect(!Request.isAllowed(url))
    #expect(throws: HTTPError.insecure(host: Request.host(of: url))) { try http.send(request(url)) }
  }

  @Test(arguments: [
    "https://example.org", "HTTPS://example.org/?q=é", "http://127.0.0.1", "http://127.255.0.1:1/x", "http://[::1]:80/",
    "http://localhost:8080?x", "http://LOCALHOST/",
  ])
  func `HTTPS and loopback are allowed`(_ url: String) { #expect(Request.isAllowed(url)) }

  @Test func `a long address is sent, a far too long one is not`() throws {
    let server = try LoopbackServer { .answer(text: "\($0.path.utf8.count)") }
    #expect(try http.send(request(server.url + "/" + String(repeating: "x", count: 8_000))).body == Array("8001".utf8))
    #expect(throws: HTTPError.unreachable(host: "127.0.0.1:\(server.port)")) {
      try http.send(request(server.url + "/" + String(repeating: "x", count: 1_000_000)))
    }
  }

  @Test(arguments: ["a\nb", "a\r\nX-Injected: 1", "a\0b", "\u{1b}[0m", ""])
  func `a header with a line break or another control character is not sent`(_ value: String) throws {
    let server = try LoopbackServer { _ in .answer() }
    var request = request(server.url)
    request.secret = .header("authorization", value)
    #expect(throws: HTTPError.unreachable(host: "127.0.0.1:\(server.port)")) { try http.send(request) }
    #expect(server.questions.isEmpty)
  }

  @Test func `a secret appears in no argument of any process`() throws {
    let seen = Mutex<[String]>([])
    let server = try LoopbackServer { _ in
      let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
      let lines = all.compactMap { FileManager.default.contents(atPath: "/proc/\($0)/cmdline") }
      seen.withLock { $0 += lines.map { String(decoding: $0, as: UTF8.self) } }
      return .answer()
    }
    var request = request(server.url + "/?private=query-of-mine")
    request.secret = .header("authorization", "Bearer secret-key-of-mine")
    _ = try http.send(request)
    #expect(server.questions.first?.headers["authorization"] == "Bearer secret-key-of-mine")
    let lines = seen.withLock { $0 }
    #expect(lines.contains("curl\0-q\0--no-progress-meter\0--config\0-\0"))
    #expect(!lines.contains { $0.contains("secret-key-of-mine") || $0.contains("query-of-mine") })
  }

  @Test func `errors and descriptions contain neither the query nor the key`() {
    var request = request("https://user:password@catalog.invalid/path?key=secret", deadline: 3)
    request.secret = .header("authorization", "secret")
    let error = #expect(throws: HTTPError.self) { try http.send(request) }
    #expect(error.map { "\($0)" } == #"unreachable(host: "catalog.invalid")"#)
    #expect("\(request)".contains("secret") == false)
  }

  @Test func `the user's curl settings and proxies do not affect requests to loopback`() throws {
    try Data("fail\nuser-agent = \"other\"\n".utf8).write(to: folder.url.appending(path: ".curlrc"))
    let server = try LoopbackServer { _ in .answer() }
    let http = HTTPClient.curl(
      identity: Identity(program: "me"),
      environment: ["HOME": folder.path, "http_proxy": "http://127.0.0.1:9", "all_proxy": "http://127.0.0.1:9"])
    _ = try http.send(request(server.url))
    #expect(server.questions.first?.headers["user-agent"] == "me")
  }

  // MARK: curl itself

  @Test func `a missing curl is reported as missing`() {
    for program in ["/nowhere/curl", "/etc/passwd", "/etc/passwd/curl"] {
      let http = HTTPClient.curl(identity: Identity(program: "x"), environment: [:], program: program)
      #expect(throws: HTTPError.curlMissing) { try http.send(request("https://example.invalid")) }
    }
  }

  @Test func `an outdated curl is detected when a request fails`() {
    let http = client(
      script: """
        if [ "$1" = --version ]; then echo 'curl 7.52.1 (x86_64-pc-linux-gnu) libcurl/7.52.1'; exit 0; fi
        echo 'curl: option --no-progress-meter: is unknown' >&2
        exit 2
        """)
    #expect(throws: HTTPError.curlTooOld(found: "7.52.1", needed: "7.67.0")) {
      try http.send(request("https://example.invalid"))
    }
  }

  @Test(arguments: ["exit 2", "exit 77", "kill -9 $$", "exec >&- 2>&-; exit 0", "cat; exit 0", "echo HTTP/1.1 x >&2"])
  func `a program that is not curl is reported as unreachable`(_ script: String) throws {
    let http = client(script: script)
    #expect(throws: HTTPError.unreachable(host: "example.invalid")) {
      try http.send(request("https://example.invalid"))
    }
  }

  @Test func `a curl that closes its output and hangs is ended at the deadline`() throws {
    let http = client(script: "exec >&- 2>&-; exec sleep 60")
    #expect(throws: HTTPError.timedOut(host: "example.invalid")) {
      try http.send(request("https://example.invalid", deadline: 1))
    }
  }

  @Test func `versions compare number by number`() {
    #expect(Curl.isOlder("7.9.1", than: "7.67.0"))
    #expect(Curl.isOlder("7.66.9", than: "7.67.0"))
    #expect(!Curl.isOlder("7.67.0", than: "7.67.0"))
    #expect(!Curl.isOlder("8.0", than: "7.67.0"))
    #expect(!Curl.isOlder("7.88.1-DEV", than: "7.67.0"))
  }

  @Test func `Ctrl-C ends all running curls and starts no new one`() throws {
    let isInterrupted = Mutex(false)
    let server = try LoopbackServer { question in
      if question.path == "/last" { isInterrupted.withLock { $0 = true } }
      return .hang
    }
    let http = HTTPClient.curl(identity: Identity(program: "x"), environment: [:]) { isInterrupted.withLock { $0 } }
    let answers = http.send([request(server.url + "/slow"), request(server.url + "/last")])
    #expect(answers == [.failure(.interrupted), .failure(.interrupted)])
    // It is not begun again.
    #expect(http.send([request(server.url + "/never")]) == [.failure(.interrupted)])
    #expect(!server.questions.map(\.path).contains("/never"))
  }

  @Test func `every curl is reaped, and none inherits the pipes of another`() throws {
    // A name of its own tells this test's curls from those of the tests beside it.
    let program = folder.path("curl")
    try FileManager.default.createSymbolicLink(atPath: program, withDestinationPath: "/usr/bin/curl")
    let curls = Mutex<[String: Set<String>]>([:])
    let isInterrupted = Mutex(false)
    let gate = Gate(for: 4)
    let server = try LoopbackServer { question in
      gate.pass()
      for pid in (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? [] {
        let line = FileManager.default.contents(atPath: "/proc/\(pid)/cmdline") ?? Data()
        guard String(decoding: line, as: UTF8.self).hasPrefix(program + "\0") else { continue }
        let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd")) ?? []
        let targets = descriptors.compactMap {
          try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(pid)/fd/\($0)")
        }
        curls.withLock { $0[pid] = Set(targets.filter { $0.hasPrefix("pipe:") }) }
      }
      switch question.path {
      case "/large": return .chunked(count: 100 << 20)
      case "/late": return .hang
      case "/cut": return .truncated([1], claiming: 2)
      default:
        Thread.sleep(forTimeInterval: 2.5)
        isInterrupted.withLock { $0 = true }
        return .hang
      }
    }
    let http = HTTPClient.curl(identity: Identity(program: "x"), environment: [:], program: program) {
      isInterrupted.withLock { $0 }
    }
    let host = "127.0.0.1:\(server.port)"
    let answers = http.send([
      request(server.url + "/large"), request(server.url + "/late", deadline: 2), request(server.url + "/cut"),
      request(server.url + "/interrupted"),
    ])
    #expect(
      answers == [
        .failure(.tooLarge(host: host)), .failure(.timedOut(host: host)), .failure(.damaged(host: host)),
        .failure(.interrupted),
      ])
    let pipes = curls.withLock { $0 }
    #expect(pipes.count == 4)
    // Not even as a zombie.
    #expect(pipes.keys.filter { FileManager.default.fileExists(atPath: "/proc/\($0)") } == [])
    // All may inherit one from the test runner; beyond it, each has its own three.
    let inherited = pipes.values.reduce(pipes.values.first ?? []) { $0.intersection($1) }
    #expect(pipes.values.map { $0.subtracting(inherited).count } == [3, 3, 3, 3])
  }

  // MARK: What curl writes

  @Test func `malformed header output never crashes the parser`() {
    #expect(Head(Array("HTTP/1.1 200\r\na: b\r\n\r\n".utf8))?.headers == [Header("a", "b")])
    #expect(Head(Array("HTTP/2 204 \r\n\r\n\nredirect: \n".utf8))?.status == 204)
    #expect(
      Head(Array("HTTP/1.1 302 X\r\nredirect: https://evil\r\n\r\n\nredirect: https://b\n".utf8))?.redirect
        == "https://b")
    #expect(Head(Array("HTTP/1.1 200 X\r\n\r\nredirect: https://evil\n".utf8))?.redirect == nil)
    #expect(Head([])?.status == nil)
    var random = SplitMix(seed: 1)
    for _ in 0..<2_000 {
      let bytes = (0..<Int.random(in: 0..<80, using: &random)).map { _ in
        Array("HTTP/1. 2034:\r\nredirct\u{80}".utf8).randomElement(using: &random) ?? 0
      }
      _ = Head(bytes)
    }
  }
}
