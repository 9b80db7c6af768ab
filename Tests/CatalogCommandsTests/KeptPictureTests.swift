import CatalogModel
import CommandLineKit
import Foundation
import Lookup
import SQLite
import Synchronization
import TestSupport
import Testing

@testable import CatalogCommands
@testable import CatalogStore

/// Tests the origins of a picture: the file, the posters of popular movies, the cache, its server.
struct KeptPictureTests {
  let catalog: TestCatalog
  let folder: TemporaryFolder
  let cache: PictureCache
  let web = Web()
  static let address = "https://image.tmdb.org/t/p/w500/10.jpg"

  /// TMDB with one popular movie, and its pictures.
  final class Web: Sendable {
    let asked = Asked()
    /// The answer of the server of pictures.
    let answer = Mutex<Result<Response, HTTPError>>(
      .success(Response(status: 200, headers: [Header("etag", "e1")], body: KeptPictureTests.picture(1))))

    var client: HTTPClient {
      HTTPClient(each: { [self] request in
        asked.note(request)
        guard request.source == "tmdb" else { return answer.withLock { $0 } }
        let list = #"{"results": [{"id": 10, "title": "Movie", "poster_path": "/10.jpg"}], "total_pages": 1}"#
        return .success(Response(status: 200, body: Array(list.utf8)))
      })
    }

    /// The requests for pictures.
    var pictures: [Request] { asked.requests.filter { $0.source == "covers" } }
    func say(_ answer: Result<Response, HTTPError>) { self.answer.withLock { $0 = answer } }
  }

  static func picture(_ mark: UInt8) -> [UInt8] { CoverCommandTests.png() + [mark] }

  init() throws {
    catalog = try TestCatalog()
    folder = try TemporaryFolder()
    cache = PictureCache(in: CacheDatabase(path: folder.path("cache.db")))
    catalog.environment["CATALOG_TMDB_TOKEN"] = "token"
    connect(web.client)
    #expect(catalog.run("trending").status == 0)
    _ = cache.collect(now: .distantFuture)
    #expect(cache.totals(now: catalog.now).pictures == 0)
  }

  /// The network, with the layers that the program puts over it.
  private func connect(_ network: HTTPClient) {
    let now = catalog.now
    catalog.http = network
    catalog.pictures = network.keepingPictures(in: cache, now: { now })
  }

  /// The last byte of the picture that `cover` saves.
  private func saved(_ words: String...) throws -> UInt8? {
    let path = folder.path("\(UUID().uuidString).png")
    let run = catalog.run(["cover", "--save", path] + words)
    #expect(run.status == 0, "\(run.errors)")
    return try? Data(contentsOf: URL(filePath: path)).last
  }

  @Test(arguments: ["r1", "tmdb:10", address])
  func `a kept poster is there without a network`(_ reference: String) throws {
    connect(.offline)
    #expect(try saved(reference, "--offline") == 1)
  }

  @Test func `a stored poster is revalidated with its etag`() throws {
    web.say(.success(Response(status: 304)))
    #expect(try saved("r1") == 1)
    #expect(web.pictures.last?.headers == [Header("if-none-match", "e1")])
    #expect(cache.totals(now: catalog.now).pictures == 0, "it is kept once")
  }

  @Test(
    arguments: [
      .failure(.timedOut(host: "h")), .success(Response(status: 500)), .success(Response(status: 404)),
      .success(Response(status: 200, body: Array("<html>".utf8))),
    ] as [Result<Response, HTTPError>])
  func `a stored poster is used when the request for it fails`(_ answer: Result<Response, HTTPError>) throws {
    web.say(answer)
    #expect(try saved("r1") == 1)
  }

  @Test func `a new poster replaces the stored one`() throws {
    web.say(.success(Response(status: 200, headers: [Header("etag", "e2")], body: Self.picture(2))))
    #expect(try saved("r1") == 2)
    connect(.offline)
    #expect(try saved("r1", "--offline") == 2)
    connect(web.client)
    web.say(.success(Response(status: 304)))
    #expect(try saved("r1") == 2)
    #expect(web.pictures.last?.headers == [Header("if-none-match", "e2")])
  }

  @Test func `a kept poster comes before the cache, and the file before both`() throws {
    // The cache has another.
    let other = HTTPClient(each: { _ in .success(Response(status: 200, body: Self.picture(3))) })
    _ = try other.keepingPictures(in: cache, now: { [now = catalog.now] in now }).send(
      Request(source: "covers", url: Self.address))
    connect(.offline)
    #expect(try saved("r1", "--offline") == 1)
    #expect(catalog.run("add", "r1", "--offline").status == 0)
    #expect(try catalog.store.cover(of: ItemID(rawValue: 1))?.bytes == Self.picture(1))
    try catalog.store.setCover(try Cover(image: Self.picture(4)), of: ItemID(rawValue: 1))
    #expect(try saved("r1", "--offline") == 4)
    try catalog.store.db.run("DELETE FROM cover")
    try catalog.store.db.run("DELETE FROM trending_cover")
    #expect(try saved(Self.address, "--offline") == 3)
  }

  @Test func `an item without a cover takes the stored poster as its cover`() throws {
    connect(.offline)
    #expect(catalog.run("add", "r1", "--no-cover", "--offline").status == 0)
    #expect(try saved("1", "--offline") == 1)
    #expect(try catalog.store.cover(of: ItemID(rawValue: 1))?.bytes == Self.picture(1))
  }

  @Test func `looking at a popular movie fetches no second copy`() {
    web.say(.success(Response(status: 304)))
    let before = web.pictures.count
    _ = catalog.run("show", "r1")
    #expect(web.pictures.dropFirst(before).allSatisfy { $0.headers == [Header("if-none-match", "e1")] })
    #expect(cache.totals(now: catalog.now).pictures == 0)
  }

  @Test func `a dry run leaves the stored poster unchanged`() throws {
    web.say(.success(Response(status: 200, body: Self.picture(2))))
    #expect(catalog.run("cover", "r1", "--save", folder.path("x"), "--dry-run").status == 0)
    #expect(try catalog.store.trendingCover(at: Self.address)?.bytes == Self.picture(1))
  }
}
