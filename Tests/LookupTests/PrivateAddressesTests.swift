import Foundation
import TestSupport
import Testing

@testable import Lookup

/// Tests the addresses to which an answer may redirect.
struct PrivateAddressesTests {
  static let near = [
    "localhost", "LOCALHOST", "localhost.", "a.localhost", "printer.local", "nas", "router", "x.internal",
    "nas.home.arpa", "localhost.localdomain", "127.0.0.1", "127.0.0.1.", "127.1", "127.0.1", "0", "0.0.0.0", "10.0.0.1",
    "100.64.0.1", "100.127.255.255", "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.168.1.1", "192.0.0.8",
    "198.18.0.1", "224.0.0.1", "255.255.255.255", "2130706433", "0x7f000001", "0x7F.1", "017700000001", "0177.0.0.1",
    "0x7f.0x0.0x0.0x1", "3232235777", "192.168.257", "127.0.0.256", "1.2.3.4.5", "99999999999999999999", "09", "08.1",
    "1..2", ".", "", "%6c%6f%63alhost", "127.0.0.%31", "１２７.0.0.1", "127。0。0。1", "ⓛocalhost",
    "[::]", "[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::127.0.0.1]", "[fe80::1]", "[fe80::1%25eth0]",
    "[fc00::1]", "[fd12:3456::1]", "[ff02::1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "[2002:c0a8:101::1]", "[x]",
    "[2001:db8::1%25lo]",
  ]

  @Test(arguments: near)
  func `this computer and private networks are private in every spelling`(host: String) {
    for url in [
      "https://\(host)/a.jpg", "https://\(host):8443", "https://me@\(host)?x", "https://example.org@\(host)/",
    ] {
      #expect(Request.isPrivateNetwork(url), "\(url)")
    }
    let request = Request(source: "covers", url: "https://\(host)/", namedBy: [Source.itunes.settings()])
    #expect(request.refusal(of: request.url) != nil)
  }

  @Test(arguments: [
    "example.org", "is1-ssl.mzstatic.com", "i.scdn.co", "1.1.1.1", "100.63.0.1", "100.128.0.1", "172.15.0.1",
    "172.32.0.1",
    "192.167.1.1", "192.0.1.1", "198.20.0.1", "223.255.255.255", "localhost.example.org", "local.example",
    "10.example.org",
    "127.0.0.1.example.org", "xn--9t4b11yi5a.example", "a_b.example", "[2606:4700::1111]", "[2002:101:101::]",
  ])
  func `public hosts are not private`(host: String) {
    for url in ["https://\(host)/a.jpg", "https://\(host):8443", "https://127.0.0.1@\(host)/", "HTTPS://\(host)/#x"] {
      #expect(!Request.isPrivateNetwork(url), "\(url)")
      let request = Request(source: "covers", url: url, namedBy: [Source.itunes.settings()])
      #expect(request.refusal(of: url) == nil)
    }
  }

  @Test(arguments: ["/", "?", "#", "/x?"])
  func `a combining accent hides no host that curl would see`(mark: String) {
    let url = "https://10.0.0.1\(mark)\u{301}@api.example/"
    #expect(Request.host(of: url) == "10.0.0.1")
    #expect(Request.isPrivateNetwork(url))
    let secret = Secret.header("authorization", "sesame")
    var chain = RedirectChain(index: 0, request: Request(source: "x", url: "https://api.example/", secret: secret))
    #expect(chain.follow("https://evil.example\(mark)\u{301}@api.example/") == nil)
    #expect(chain.headers.isEmpty)
  }

  @Test func `a source with a private address may be requested and may link to private addresses`() {
    let own = Request(source: "itunes", url: "http://127.0.0.1:80/search")
    #expect(own.refusal(of: own.url) == nil)
    let mirror = SourceSettings(baseURL: "https://192.168.1.2/itunes")
    let pictures = SourceSettings(baseURL: "https://example.org", imageBaseURL: "http://localhost:1")
    for settings in [mirror, pictures] {
      let request = Request(source: "covers", url: "http://127.0.0.1:90/a.jpg", namedBy: [settings])
      #expect(request.refusal(of: request.url) == nil)
    }
    let far = Request(source: "covers", url: "http://127.0.0.1:90/a.jpg", namedBy: [Source.itunes.settings()])
    #expect(far.refusal(of: far.url) == .privateNetwork(host: "127.0.0.1:90"))
    let request = Request(source: "covers", url: "https://10.0.0.1/", namedBy: [])
    #expect(request.refusal(of: request.url) == .privateNetwork(host: "10.0.0.1"))
  }

  @Test func `no redirect leads from a public host to a private one at any hop`() {
    var chain = RedirectChain(index: 0, request: Request(source: "itunes", url: "https://itunes.apple.com/search"))
    #expect(chain.follow("https://example.org/") == nil)
    #expect(chain.follow("https://10.0.0.1/admin") == .privateNetwork(host: "10.0.0.1"))
    #expect(chain.follow("http://127.0.0.1:631/") == .privateNetwork(host: "127.0.0.1:631"))
    #expect(chain.url == "https://example.org/")
    var near = RedirectChain(index: 0, request: Request(source: "itunes", url: "https://nas/search"))
    #expect(near.follow("https://10.0.0.1/search") == nil)
  }

  @Test func `no connection is opened to a private address`() throws {
    let server = try LoopbackServer { _ in .answer(text: "private") }
    let http = HTTPClient.curl(identity: Identity(program: "x"), environment: [:])
    let request = Request(source: "covers", url: server.url + "/a.jpg", namedBy: [Source.itunes.settings()])
    #expect(throws: HTTPError.privateNetwork(host: "127.0.0.1:\(server.port)")) { try http.send(request) }
    #expect(server.connections == 0)
    let home = SourceSettings(baseURL: server.url)
    #expect(try http.send(Request(source: "covers", url: request.url, namedBy: [home])).text == "private")
    #expect(server.connections == 1)
  }
}
