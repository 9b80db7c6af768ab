import Foundation
import TestSupport
import Testing

@testable import Lookup

struct PictureCachingTests {
  let clock = FakeClock()
  let folder: TemporaryFolder
  let cache: PictureCache

  init() throws {
    folder = try TemporaryFolder()
    cache = PictureCache(in: CacheDatabase(path: folder.path("cache.db"))) { 1000 }
  }

  func client(_ network: FakeNetwork) -> HTTPClient {
    network.client.keepingPictures(in: cache, now: { [clock] in clock.now })
  }

  static func picture(_ mark: UInt8, count: Int = 60) -> [UInt8] {
    // The parts of a PNG of 30 × 20 that ImageInfo reads.
    func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
      [0, 0, 0, UInt8(data.count)] + Array(name.utf8) + data + [0, 0, 0, 0]
    }
    let whole =
      [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", [0, 0, 0, 30, 0, 0, 0, 20, 8, 0, 0, 0, 0])
      + chunk("IDAT", [1]) + chunk("IEND", [])
    return whole + [UInt8](repeating: mark, count: count - whole.count)
  }

  static func answer(_ mark: UInt8, _ headers: [Header] = [], count: Int = 60) -> Result<Response, HTTPError> {
    .success(Response(status: 200, headers: headers, body: picture(mark, count: count)))
  }

  /// The last byte and where it came from.
  func marks(_ results: [Result<Response, HTTPError>]) -> [String] {
    results.map { result in
      switch result {
      case .success(let response): "\(response.status) \(response.body.last ?? 0) \(response.origin)"
      case .failure(let error): "\(error)"
      }
    }
  }

  @Test func `a picture without an ETag is not requested again for 24 hours after its last use`() {
    let network = FakeNetwork { _, times in Self.answer(UInt8(times) + 1) }
    #expect(marks(client(network).send([ask("a")])) == ["200 1 network"])
    clock.advance(80_000)
    #expect(marks(client(network).send([ask("a")])) == ["200 1 cache"])
    clock.advance(80_000)
    #expect(marks(client(network).send([ask("a")])) == ["200 1 cache"])
    #expect(network.calls.count == 1)
    clock.advance(86_400)
    #expect(marks(client(network).send([ask("a")])) == ["200 2 network"])
    #expect(marks(client(network).send([ask("a")])) == ["200 2 cache"])
  }

  @Test func `a picture with an ETag is revalidated each time and kept on 304`() {
    let network = FakeNetwork { request, _ in
      request.headers.contains(Header("if-none-match", "\"1\""))
        ? .success(Response(status: 304)) : Self.answer(1, [Header("etag", "\"1\""), Header("last-modified", "then")])
    }
    for _ in 0..<3 { _ = client(network).send([ask("a")]) }
    #expect(marks(client(network).send([ask("a")])) == ["200 1 cache"])
    #expect(network.calls.count == 4)
    #expect(network.requests[3].headers == [Header("if-none-match", "\"1\""), Header("if-modified-since", "then")])
    #expect(cache.rows == ["a 4"])
  }

  @Test func `a changed picture replaces the cached one`() {
    let network = FakeNetwork { _, times in Self.answer(UInt8(times) + 1, [Header("etag", "\"\(times)\"")]) }
    #expect(marks(client(network).send([ask("a")])) == ["200 1 network"])
    #expect(marks(client(network).send([ask("a")])) == ["200 2 network"])
    #expect(cache.totals(now: clock.now).bytes == 60)
  }

  @Test(arguments: [
    Result<Response, HTTPError>.failure(.unreachable(host: "a")), .failure(.timedOut(host: "a")),
    .failure(.offline(host: "a")), .success(Response(500)), .success(Response(503)), .success(Response(403)),
    .success(Response(200, "<html>Please sign in</html>")), .success(Response(200, "")),
  ])
  func `a cached picture is served as stale when the request fails`(_ failure: Result<Response, HTTPError>) {
    let network = FakeNetwork { _, times in times == 0 ? Self.answer(1, [Header("etag", "x")]) : failure }
    _ = client(network).send([ask("a")])
    clock.advance(900_000)
    #expect(marks(client(network).send([ask("a")])) == ["200 1 staleCache"])
    #expect(cache.rows == ["a 2"])
  }

  @Test func `offline requests get only cached pictures`() {
    _ = client(FakeNetwork { _, _ in Self.answer(1) }).send([ask("a")])
    let offline = HTTPClient.offline.keepingPictures(in: cache, now: { [clock] in clock.now })
    #expect(marks(offline.send([ask("a"), ask("https://b/c")])) == ["200 1 cache", "offline(host: \"b\")"])
  }

  @Test func `a deleted picture is removed from the cache`() {
    let network = FakeNetwork { _, times in times == 0 ? Self.answer(1, [Header("etag", "x")]) : .success(Response(404))
    }
    _ = client(network).send([ask("a")])
    #expect(marks(client(network).send([ask("a")])) == ["404 0 network"])
    #expect(cache.rows == [])
  }

  @Test func `data that is no picture, must not be stored or is too large is returned and not cached`() {
    let network = FakeNetwork { request, _ in
      switch request.url {
      case "page": .success(Response(200, "<html>not here</html>"))
      case "secret": Self.answer(1, [Header("cache-control", "no-store")])
      default: Self.answer(1, count: 1001)
      }
    }
    for _ in 0..<2 {
      #expect(
        marks(client(network).send([ask("page"), ask("secret"), ask("large")])) == [
          "200 62 network", "200 1 network", "200 1 network",
        ])
    }
    #expect(cache.rows == [])
    #expect(network.calls.count == 2)
  }

  @Test func `a cached picture that is invalid is requested again`() {
    cache.keep(Array("<html>".utf8), for: "a", now: clock.now)
    let network = FakeNetwork { _, _ in Self.answer(7) }
    #expect(marks(client(network).send([ask("a")])) == ["200 7 network"])
    #expect(marks(client(network).send([ask("a")])) == ["200 7 cache"])
  }

  @Test(arguments: ["open-sesame", "open%2Dsesame"])
  func `a picture that contains the key is returned and not cached`(_ echo: String) {
    let network = FakeNetwork { _, times in
      .success(
        Response(
          status: 200, headers: times > 1 ? [Header("etag", "\"open-sesame\"")] : [],
          body: Self.picture(1) + (times > 1 ? [] : Array("<x:comment>\(echo)</x:comment>".utf8))))
    }
    var request = ask("a")
    request.secret = .header("authorization", "Bearer open-sesame")
    for _ in 0..<3 { #expect(marks(client(network).send([request])).count == 1) }
    #expect(network.calls.count == 3)
    #expect(cache.rows == [])
  }

  @Test func `pictures of the caller are revalidated with their ETag without using the cache`() {
    let network = FakeNetwork { request, times in
      switch (request.url, times) {
      case ("same", _): .success(Response(status: 304))
      case ("other", _): Self.answer(9)
      case ("broken", _): .success(Response(status: 500, body: [1]))
      case ("gone", _): .success(Response(status: 404))
      case ("page", _): .success(Response(status: 200, body: Array("<html>".utf8)))
      default: .failure(.unreachable(host: "h"))
      }
    }
    let had = Response(status: 200, headers: [Header("etag", "e")], body: Self.picture(1), origin: .cache)
    let plain = Response(status: 200, body: Self.picture(2), origin: .cache)
    let names = ["same", "other", "broken", "gone", "page", "away"]
    var pictures = Dictionary(uniqueKeysWithValues: names.map { ($0, had) })
    pictures["plain"] = plain
    let asking = client(network).having(pictures, renewedBy: network.client)
    #expect(
      marks(asking.send(names.map { ask($0) } + [ask("plain")])) == [
        "200 1 cache", "200 9 network", "200 1 cache", "200 1 cache", "200 1 cache", "200 1 cache", "200 2 cache",
      ])
    #expect(network.requests.map(\.url) == names, "nobody recognises one without a mark")
    #expect(network.requests.allSatisfy { $0.headers == [Header("if-none-match", "e")] })
    #expect(cache.totals(now: clock.now).pictures == 0, "it is kept by who has it")
  }

  @Test func `a cache without the picture passes on conditional headers`() {
    let network = FakeNetwork { _, _ in .success(Response(status: 304)) }
    var request = ask("a")
    request.headers = [Header("if-none-match", "e")]
    #expect(marks(client(network).send([request])) == ["304 0 network"])
    let answers = network.client.cached(in: CacheDatabase(path: folder.path("other.db")), now: { [clock] in clock.now })
    #expect(marks(answers.send([request])) == ["304 0 network"])
    #expect(network.requests.map(\.headers) == [request.headers, request.headers])
  }

  @Test func `pictures come from memory before the file before the network`() {
    let network = FakeNetwork { request, _ in
      request.url == "plain"
        ? Self.answer(1)
        : request.headers == [Header("if-none-match", "\"1\"")]
          ? .success(Response(status: 304)) : Self.answer(2, [Header("etag", "\"1\"")])
    }
    let memory = PictureCache(inMemoryUpTo: 1000)
    let both = client(network).keepingPictures(in: memory, now: { [clock] in clock.now })
    for _ in 0..<3 {
      #expect(marks(both.send([ask("plain"), ask("marked")])).map { $0.prefix(5) } == ["200 1", "200 2"])
    }
    // The plain one came once, and then from memory; the server of the other was asked each time, with one mark.
    #expect(network.calls.map(\.count) == [2, 1, 1])
    #expect(cache.rows == ["plain 1", "marked 3"])
    #expect(memory.rows == ["plain 3", "marked 3"])
  }

  @Test func `an unusable picture cache causes no error`() {
    let network = FakeNetwork { _, times in Self.answer(UInt8(times)) }
    let none = PictureCache(in: CacheDatabase(path: "/dev/full"))
    let client = network.client.keepingPictures(in: none, now: { [clock] in clock.now })
    #expect(marks(client.send([ask("a")])) == ["200 0 network"])
    #expect(marks(client.send([ask("a")])) == ["200 1 network"])
    #expect(none.collect(now: clock.now) == [])
    #expect(none.totals(now: clock.now) == PictureTotals())
  }

  @Test func `a picture removed during its revalidation is still returned and not cached`() {
    // Between the look into the cache and the answer.
    let folder = folder
    let network = FakeNetwork { _, times in
      if times == 0 { return Self.answer(1, [Header("etag", "x")]) }
      _ = CacheDatabase(path: folder.path("cache.db")).clear([.pictures])
      return .success(Response(status: 304))
    }
    _ = client(network).send([ask("a")])
    #expect(marks(client(network).send([ask("a")])) == ["200 1 cache"])
    #expect(cache.rows == [])
  }
}
