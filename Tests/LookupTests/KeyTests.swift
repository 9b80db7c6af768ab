import Lookup
import Testing

struct KeyTests {
  @Test(
    arguments: [
      ("abc", "abc"), (" abc \r\nurl: https://x.org\n", "abc"), ("\n\n  abc", "abc"), ("", nil), (" \n\t", nil),
      ("two words", nil), ("키", nil), ("a\u{1B}b", nil), (String(repeating: "k", count: 5000), nil),
    ] as [(String, String?)])
  func `a key is one word on the first line`(text: String, key: String?) {
    #expect(KeyRequirement.key(in: text) == key)
  }

  @Test(arguments: Source.all.compactMap { $0.key?.variable })
  func `the variable of each source's key is known by its name`(variable: String) {
    #expect(KeyRequirement.isVariable(variable))
  }

  @Test(arguments: ["CATALOG_DB", "CATALOG_KEYS", "TMDB_TOKEN", "catalog_tmdb_token"])
  func `other variables are no keys`(variable: String) { #expect(!KeyRequirement.isVariable(variable)) }

  @Test(
    arguments: [
      (["x-ratelimit-limit": "40", "x-ratelimit-remaining": "39"], 39, 40),
      (["x-discogs-ratelimit": "60", "x-discogs-ratelimit-remaining": "0", "x-discogs-ratelimit-used": "60"], 0, 60),
      (["ratelimit-remaining": "7"], 7, nil), (["x-ratelimit-remaining": "-1"], nil, nil),
      (["x-ratelimit-remaining": "many"], nil, nil), ([:], nil, nil),
    ] as [([String: String], Int?, Int?)])
  func `the remaining requests are read from rate limit headers`(headers: [String: String], left: Int?, of: Int?) {
    let found = Response(200, "", headers).questionsLeft
    #expect(found?.left == left)
    #expect(found?.of == of)
  }

  @Test func `every source that needs a key says where to get one and how it works without`() {
    let sources = Source.all.filter { $0.key != nil }
    #expect(sources.map(\.id).contains("tmdb"))
    #expect(sources.map(\.id).contains("kakao"))
    for source in sources {
      guard let need = source.key else { continue }
      #expect(need.page.hasPrefix("https://"))
      #expect(need.variable.hasPrefix("CATALOG_"))
      #expect(!need.name.isEmpty)
      #expect(!need.without.hasSuffix("."))
      // Whatever is asked, the address holds no key.
      var settings = source.settings()
      settings.key = "sesame-of-mine"
      let request = source.request(Search(words: "x", kind: source.kinds[0]), settings)
      #expect(request.secret != nil)
      #expect(!request.url.contains("sesame"))
      #expect(request.headers.allSatisfy { !$0.value.contains("sesame") })
    }
    #expect(Set(sources.compactMap(\.key?.variable)).count == sources.count)
  }
}
