import Foundation
import Lookup
import Synchronization
import TestSupport
import Testing

/// All layers over the real curl.
@Suite(.timeLimit(.minutes(Patience.minutes)))
struct LiveTests {
  let folder: TemporaryFolder
  let cache: CacheDatabase

  init() throws {
    folder = try TemporaryFolder()
    cache = CacheDatabase(path: folder.path("cache.db"))
  }

  func client(isOffline: Bool = false) -> HTTPClient {
    .network(
      identity: Identity(program: "catalog/1.0", page: "https://example.org"), environment: [:], limits: [:],
      cache: cache, isOffline: isOffline
    ).cached(in: cache, now: { Date() })
  }

  @Test func `an answer is fetched, cached, revalidated and served offline`() throws {
    let server = try LoopbackServer { question in
      question.headers["if-none-match"] == "\"1\""
        ? .answer(304, headers: ["ETag": "\"1\""]) : .answer(headers: ["ETag": "\"1\""], text: "body")
    }
    let url = server.url + "/search?q=kind+of+blue"
    #expect(
      try client().send(ask(url))
        == Response(200, "body", ["connection": "close", "content-length": "4", "etag": "\"1\""]))
    let again = try client().send(ask(url))
    #expect(again.status == 200)
    #expect(again.text == "body")
    #expect(again.origin == .cache)
    #expect(server.questions.count == 2)
    let offline = try client(isOffline: true).send(ask(url))
    #expect(offline.text == "body")
    #expect(offline.origin == .staleCache)
    #expect(server.questions.count == 2)
  }

  @Test func `a long Retry-After is reported as busy, and an empty 403 as throttling`() throws {
    let server = try LoopbackServer { question in
      question.path == "/busy" ? .answer(503, headers: ["Retry-After": "120"], text: "busy") : .answer(403)
    }
    let host = "127.0.0.1:\(server.port)"
    #expect(
      client().send(["/busy", "/refused"].map { Request(source: "test", url: server.url + $0) }) == [
        .failure(.busy(host: host, retryAfter: 120)), .failure(.throttled(host: host, retryAfter: nil)),
      ])
  }

  @Test func `a key appears in no process argument and not in the cache`() throws {
    let lines = Mutex("")
    let server = try LoopbackServer { _ in
      for pid in (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? [] {
        let line = FileManager.default.contents(atPath: "/proc/\(pid)/cmdline") ?? Data()
        lines.withLock { $0 += String(decoding: line, as: UTF8.self) + "\n" }
      }
      return .answer(headers: ["Cache-Control": "max-age=60", "Set-Cookie": "a=open-sesame"], text: "found")
    }
    var request = ask(server.url + "/search?q=1")
    request.secret = .header("authorization", "Bearer open-sesame")
    _ = try client().send(request)
    #expect(server.questions.first?.headers["authorization"] == "Bearer open-sesame")
    #expect(lines.withLock { $0 }.contains("curl\0-q"))
    #expect(!lines.withLock { $0 }.contains("open-sesame"))
    let bytes = String(decoding: try Data(contentsOf: folder.url.appending(path: "cache.db")), as: UTF8.self)
    #expect(bytes.contains("/search?q=1"))
    #expect(!bytes.contains("open-sesame"))
  }
}
