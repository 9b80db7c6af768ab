import Testing

@testable import Lookup

struct URLTests {
  @Test func `a query is escaped, with a plus for a space`() {
    #expect(
      Request.url("https://itunes.apple.com", "/search", query: [("term", "kind of blue"), ("media", "music")])
        == "https://itunes.apple.com/search?term=kind+of+blue&media=music")
    #expect(
      Request.url("https://x.org/", "/s", query: [("q", "a&b=c+d#e%/?\"*~é기\n\0")])
        == "https://x.org/s?q=a%26b%3Dc%2Bd%23e%25%2F%3F%22%2A~%C3%A9%EA%B8%B0%0A%00")
  }

  @Test func `a path keeps its slashes and escapes all other special characters`() {
    #expect(Request.url("https://x.org", "/ws/2/release/a b?c#d") == "https://x.org/ws/2/release/a%20b%3Fc%23d")
    #expect(Request.url("https://x.org/mirror", "/isbn/1.json") == "https://x.org/mirror/isbn/1.json")
  }

  @Test(arguments: [
    ("https://x.org/v", "https://x.org/v?key=a%2Bb"), ("https://x.org/v?q=1", "https://x.org/v?q=1&key=a%2Bb"),
    ("https://x.org/v?q=1#part", "https://x.org/v?q=1&key=a%2Bb"),
  ])
  func `a query parameter is added and removed again`(_ url: String, _ whole: String) {
    #expect(Request.url(url, adding: ("key", "a+b")) == whole)
    #expect(Request.url(whole, removing: "key") == url.prefix { $0 != "#" })
    #expect(Request.url(whole, removing: "ke") == whole)
    #expect(Request.url("https://x.org/?key=1&q=2&key=3#key=4", removing: "key") == "https://x.org/?q=2#key=4")
  }

  @Test(arguments: [
    ("https://api.example.org/search?q=1", "api.example.org"),
    ("http://127.0.0.1:8080/a", "127.0.0.1:8080"),
    ("https://user:password@example.org/?key=1", "example.org"),
    ("https://example.org", "example.org"),
    ("nonsense?key=1", "nonsense"),
  ])
  func `the host of a request has no name, password or query`(_ url: String, _ host: String) {
    #expect(Request(source: "x", url: url).host == host)
  }
}
