import Testing

@testable import Web

struct WebRequestTests {
  private func request(
    _ target: String = "/", method: WebRequest.Method = .get, _ headers: [(String, String)] = [("Host", "localhost")],
    body: String = ""
  ) throws(WebResponse) -> WebRequest {
    try WebRequest(
      method: method, target: target, headers: headers.map { (name: $0.0, value: $0.1) }, body: Array(body.utf8))
  }

  @Test func `the path, query, header and cookie of a request are parsed`() throws {
    let request = try request(
      "/item/42/a%20b%2Fc?q=%ED%95%98%EB%85%80+1960&q=second&empty=",
      [("HOST", "localhost"), ("Cookie", "a=1; catalog=tok=en; b=2")])
    #expect(request.path == ["item", "42", "a b/c"])
    #expect(request.query["q"] == "하녀 1960")
    #expect(request.query["empty"] == nil)
    #expect(request.query["none"] == nil)
    #expect(request.cookie("catalog") == "tok=en")
    #expect(request.cookie("c") == nil)
    #expect(request[header: "host"] == "localhost")
    #expect(try self.request("/").path == [])
  }

  @Test(arguments: ["http://other.example/", "//other.example/", "item", "", "*", "/a%00b", "/%FF"])
  func `an invalid request path is refused`(_ target: String) {
    let error = #expect(throws: WebResponse.self) { try request(target) }
    #expect(error?.status == .badRequest)
  }

  @Test(arguments: ["Host", "content-length", "Transfer-Encoding", "Cookie", "Origin", "Sec-Fetch-Site"])
  func `a repeated security-relevant header is refused`(_ name: String) {
    let error = #expect(throws: WebResponse.self) { try request("/", [(name, "1"), (name.uppercased(), "1")]) }
    #expect(error?.status == .badRequest)
  }

  struct Framing: CustomTestStringConvertible, Sendable {
    var headers: [String]
    var method = WebRequest.Method.post
    var isTaken = false
    var testDescription: String { "\(method) \(headers)" }
  }

  @Test(arguments: [
    Framing(headers: ["Content-Length: 9"], isTaken: true),
    Framing(headers: ["content-length: 0009"], isTaken: true),
    Framing(headers: ["Transfer-Encoding: Chunked"], isTaken: true),
    Framing(headers: [], isTaken: true),
    Framing(headers: [], method: .get, isTaken: true),
    Framing(headers: ["Content-Length: 0"], method: .get, isTaken: true),
    Framing(headers: ["X-Odd: caf\u{E9}\tx"], isTaken: true),
    Framing(headers: ["Content-Length: +9"]), Framing(headers: ["Content-Length: -9"]),
    Framing(headers: ["Content-Length: "]), Framing(headers: ["Content-Length: 9 "]),
    Framing(headers: ["Content-Length: 9, 9"]), Framing(headers: ["Content-Length: 0x9"]),
    Framing(headers: ["Content-Length: ٩"]), Framing(headers: ["Content-Length : 9"]),
    Framing(headers: [" Content-Length: 9"]), Framing(headers: [": 9"]),
    Framing(headers: ["Content-Length: 9", "Content-Length: 9"]),
    Framing(headers: ["Content-Length: 0", "Content-Length: 9"]),
    Framing(headers: ["Content-Length: 9", "Transfer-Encoding: chunked"]),
    Framing(headers: ["Transfer-Encoding: chunked", "Transfer-Encoding: identity"]),
    Framing(headers: ["Transfer-Encoding: chunked, identity"]), Framing(headers: ["Transfer-Encoding: xchunked"]),
    Framing(headers: ["Transfer-Encoding: "]), Framing(headers: ["X-Odd: a\u{1}b"]), Framing(headers: ["X-Odd: a\rb"]),
    Framing(headers: ["X Odd: a"]), Framing(headers: ["X-\u{E9}: a"]),
    Framing(headers: ["Content-Length: 9"], method: .get),
    Framing(headers: ["Transfer-Encoding: chunked"], method: .get),
  ])
  func `a request whose end others may find elsewhere is refused`(_ framing: Framing) {
    let headers = framing.headers.map { line -> (String, String) in
      let colon = line.firstIndex(of: ":") ?? line.endIndex
      return (String(line[..<colon]), String(line[colon...].dropFirst(2)))
    }
    let form = [("Host", "localhost"), ("Content-Type", "application/x-www-form-urlencoded")]
    let read = try? request("/", method: framing.method, form + headers)
    #expect((read != nil) == framing.isTaken)
  }

  @Test func `a NUL before the body is noticed, however the bytes come`() {
    let lines = "\r\nPOST / HTTP/1.1\r\nHost: localhost\r\n"
    for (text, hasNull) in [
      ("\(lines)\r\n", false), ("\(lines)\r\na\0b", false), ("\(lines)X: a\0b\r\n\r\n", true), ("\(lines)\n\0", false),
      ("\(lines)\0\r\n\r\n", true), ("GET /\0 HTTP/1.1\r\n\r\n", true), ("\0", true),
    ] {
      var (whole, byByte) = (RequestHead(), RequestHead())
      whole.read(Array(text.utf8))
      for byte in text.utf8 { byByte.read([byte]) }
      #expect(whole.hasNull == hasNull, "\(text.debugDescription)")
      #expect(byByte.hasNull == hasNull, "\(text.debugDescription)")
    }
  }

  @Test(
    arguments: [
      ("192.0.2.1", "192.0.2.1", true), ("192.0.2.1", "192.0.2.2", false), ("192.0.2.1", "::ffff:192.0.2.1", true),
      ("192.0.2.1", "::ffff:192.0.2.2", false), ("2001:db8:1:2::1", "2001:db8:1:2:ffff:ffff:ffff:ffff", true),
      ("2001:db8:1:2::1", "2001:db8:1:3::1", false), ("127.0.0.1", "127.0.0.2", false), ("::1", "127.0.0.1", false),
    ])
  func `addresses that one device may have are one network`(_ one: String, _ other: String, _ isOne: Bool) throws {
    #expect((try #require(ClientNetwork(one)) == #require(ClientNetwork(other))) == isOne)
  }

  @Test func `this machine is known by all its addresses`() {
    for address in ["127.0.0.1", "127.8.9.10", "::1", "::ffff:127.0.0.1"] {
      #expect(ClientNetwork(address)?.isLoopback == true, "\(address)")
    }
    for address in ["128.0.0.1", "::2", "::", "::ffff:10.0.0.1", "fe80::1"] {
      #expect(ClientNetwork(address)?.isLoopback == false, "\(address)")
    }
    for text in ["", "localhost", "1.2.3", "::g"] { #expect(ClientNetwork(text) == nil) }
  }

  @Test func `a form is URL-encoded, or has files`() throws {
    let form = [("Host", "localhost"), ("Content-Type", "application/x-www-form-urlencoded; charset=UTF-8")]
    let sent = try request("/", method: .post, form, body: "words=a%0D%0Ab%26c&stars=4.5")
    #expect(sent.form["words"] == "a\r\nb&c")
    #expect(sent.form["stars"] == "4.5")
    let json = [("Host", "localhost"), ("Content-Type", "application/json")]
    #expect(throws: WebResponse.refusing(.unsupportedMediaType)) { try request("/", method: .post, json, body: "{}") }
    #expect(throws: WebResponse.refusing(.unsupportedMediaType)) {
      try request("/", method: .post, [("Host", "localhost")], body: "a=b")
    }
  }

  /// The parts of a form with files, between marks.
  private func multipart(_ parts: [String], mark: String = "x-1", type: String? = nil) throws(WebResponse) -> WebForm {
    let body = parts.map { "--\(mark)\r\n\($0)\r\n" }.joined() + "--\(mark)--\r\n"
    return try form(body, type ?? "multipart/form-data; boundary=\(mark)")
  }

  private func form(_ body: String, _ type: String) throws(WebResponse) -> WebForm {
    try request("/", method: .post, [("Host", "localhost"), ("Content-Type", type)], body: body).form
  }

  private static let file =
    "Content-Disposition: form-data; name=\"photo\"; filename=\"a;b.jpg\"\r\n"
    + "Content-Type: image/jpeg\r\n\r\n"

  @Test(
    arguments: ["x", "", "\r\n", "\r\n--x", "\r\r\n--x-\r\n\r\n", "\0\u{7F}\r", "\r\n-", "a\r\n\r\nb"])
  func `the bytes of a file come unchanged`(_ content: String) throws {
    let field = "content-disposition:form-data;name=words\r\n\r\n"
    for (mark, type) in [("x-1", nil), ("x-1", "Multipart/Form-Data; charset=x; Boundary=\"x-1\""), ("-", nil)] {
      let form = try multipart([Self.file + content, field + "한강\r\n--", field], mark: mark, type: type)
      #expect(form.files.map(\.bytes) == (content.isEmpty ? [] : [Array(content.utf8)]), "\(mark)")
      #expect(form.fields == [.init(name: "words", value: "한강\r\n--"), .init(name: "words", value: "")])
    }
  }

  @Test func `a part without a name, of another kind or too long is left out`() throws {
    let head = "Content-Disposition: form-data"
    let form = try multipart([
      "\r\nno head", "\(head)\r\n\r\nno name", "X: y\r\n\(head); name=\"a\"\r\n\r\n1", "\(head); name=b\r\n\r\n\0",
      "\(head); name=c\r\n\r\n" + String(repeating: "c", count: 300_000), "X-\(head); name=d\r\n\r\n4",
    ])
    #expect(form.fields == [.init(name: "a", value: "1")])
    #expect(form.files == [])
  }

  @Test func `a form without an end or with too many parts is refused`() throws {
    let part = "Content-Disposition: form-data; name=a\r\n\r\n1"
    let type = "multipart/form-data; boundary=x"
    #expect(try multipart(Array(repeating: part, count: 100)).fields.count == 100)
    for body in [
      "", "--x", "--x\r\n", "--x\r\n\(part)", "--x\r\n\(part)\r\n--y--",
      "--x\r\nX: \(String(repeating: "x", count: 5_000))",
      String(repeating: "--x\r\n\(part)\r\n", count: 101) + "--x--",
    ] { #expect(throws: WebResponse.refusing(.badRequest)) { try form(body, type) } }
    let marks = ["", "; boundary=", "; boundary=\"\"", "; boundary", "; boundary=\(String(repeating: "x", count: 71))"]
    for mark in marks {
      #expect(throws: WebResponse.refusing(.badRequest)) { try form("--x--", "multipart/form-data\(mark)") }
    }
    #expect(throws: WebResponse.refusing(.tooLarge)) {
      try form(String(repeating: "a", count: 300_000), "application/x-www-form-urlencoded")
    }
  }

  @Test func `a damaged form with files is parsed or refused without a crash`() {
    let part = Array(
      "--x\r\n\(Self.file)\r\n-\r\n--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--x--".utf8)
    var random = SystemRandomNumberGenerator()
    for _ in 0..<20_000 {
      var body = part
      for _ in 0..<Int.random(in: 0...4, using: &random) where !body.isEmpty {
        let place = Int.random(in: body.indices, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: body[place] = [0x0D, 0x0A, 0x2D, 0x22, 0x3B, 0x3D, 0xFF].randomElement(using: &random) ?? 0
        case 1: body.remove(at: place)
        case 2: body.removeLast(Int.random(in: 0..<body.count, using: &random))
        default: body.insert(contentsOf: body[..<place], at: place)
        }
      }
      let form = WebForm(multipart: body, type: "multipart/form-data; boundary=x")
      #expect((form?.files.reduce(0) { $0 + $1.bytes.count } ?? 0) <= body.count)
    }
  }

  @Test func `a form is encoded as a query and decoded unchanged`() {
    var form = WebForm()
    for text in ["genre:\"science fiction\" year:1955..1965", "한강 & 100 %", "a+b=c", "", "\u{1F4BF}", "line\nline"] {
      form.add("name \(text.count)", text)
    }
    form.add("nothing", nil)
    #expect(WebForm(form.text) == form)
    #expect(form.text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
  }

  @Test func `random requests are parsed or refused without a crash`() {
    var random = SystemRandomNumberGenerator()
    let letters = Array("aZ%&=+;/?#\"\\ \r\n\u{0}é0:[]".unicodeScalars)
    for _ in 0..<20_000 {
      func text() -> String {
        String(
          String.UnicodeScalarView(
            (0..<Int.random(in: 0...40, using: &random)).map { _ in letters.randomElement(using: &random) ?? "a" }))
      }
      _ = try? request("/" + text(), method: .get, [("Host", text()), ("Cookie", text())])
      let form = WebForm(text())
      #expect(WebForm(form.text) == form)
      if let request = try? request("/", [("Host", text())]) { try? WebGuard(names: ["shelf"]).check(request) }
    }
  }

  // MARK: Who asks

  private func status(host: String?, post: Bool = false, _ headers: [(String, String)] = []) throws
    -> WebResponse.Status
  {
    do throws(WebResponse) {
      let all = (host.map { [("Host", $0)] } ?? []) + headers
      try WebGuard(names: ["Shelf", "shelf.local"]).check(try request("/", method: post ? .post : .get, all))
      return .ok
    } catch {
      return error.status
    }
  }

  @Test(
    arguments: [
      ("localhost", true), ("localhost:8750", true), ("LOCALHOST", true), ("shelf", true), ("shelf.local:80", true),
      ("shelf.local.", true), ("127.0.0.1:8750", true), ("192.168.1.20", true), ("[::1]:8750", true),
      ("[fe80::1]", true),
      ("evil.example", false), ("localhost.evil.example", false), ("127.0.0.1.evil.example", false), ("", false),
      ("localhost:", false), ("localhost:99999", false), ("localhost:80:80", false), ("[::1", false), ("[::1]x", false),
      ("::1", false), ("0x7f000001", false), ("localhost@evil.example", false),
    ])
  func `a request is answered only for the host names of the server`(_ host: String, _ isOurs: Bool) throws {
    #expect(try status(host: host) == (isOurs ? .ok : .misdirected))
  }

  @Test func `a request without a host is refused`() throws { #expect(try status(host: nil) == .misdirected) }

  @Test func `a form is accepted only from the server's own pages`() throws {
    let host = "shelf:8750"
    #expect(try status(host: host, post: true) == .forbidden)
    #expect(try status(host: host, post: true, [("Sec-Fetch-Site", "same-origin")]) == .ok)
    for site in ["same-site", "cross-site", "none", "SAME-ORIGIN", ""] {
      // The older header does not overrule the newer one.
      #expect(
        try status(host: host, post: true, [("Sec-Fetch-Site", site), ("Origin", "http://shelf:8750")]) == .forbidden)
    }
    #expect(try status(host: host, post: true, [("Origin", "http://shelf:8750")]) == .ok)
    #expect(try status(host: host, post: true, [("Origin", "https://Shelf:8750")]) == .ok)
    for origin in ["http://shelf", "http://evil.example", "null", "", "http://evil.example/://shelf:8750x"] {
      #expect(try status(host: host, post: true, [("Origin", origin)]) == .forbidden)
    }
  }
}
