import Lookup
import Testing

struct URLTests {
  @Test func `a query is escaped, with a plus for a space`() {
    #expect(
      Request.url("https://itunes.apple.com", "/search", query: [("term", "kind of blue"), ("media", "music")])
        == "https://itunes.apple.com/search?term=kind+of+blue&media=music")
    #expect(
      Request.url("https://x.org/", "/s", query: [("q", "a&b=c+d#e%/?\"*~é기\n\0")])
        == "https://x.org/s?q=a%26b%3Dc%2Bd%23e%25%2F%3F%22%2A~%C3%A9%EA%B8%B0%0A%00")
  }

  @Test func `a path keeps its slashes and nothing else that means something`() {
    #expect(Request.url("https://x.org", "/ws/2/release/a b?c#d") == "https://x.org/ws/2/release/a%20b%3Fc%23d")
    #expect(Request.url("https://x.org/mirror", "/isbn/1.json") == "https://x.org/mirror/isbn/1.json")
  }

  @Test(arguments: [
    ("https://api.example.org/search?q=1", "api.example.org"),
    ("http://127.0.0.1:8080/a", "127.0.0.1:8080"),
    ("https://user:password@example.org/?key=1", "example.org"),
    ("https://example.org", "example.org"),
    ("nonsense?key=1", "nonsense"),
  ])
  func `the host that messages name has no name, password or query in it`(_ url: String, _ host: String) {
    #expect(Request(source: "x", url: url).host == host)
  }
}
