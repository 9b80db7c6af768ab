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

struct TrendingCommandTests {
  let catalog: TestCatalog
  let web = Web()

  /// TMDB and its pictures.
  final class Web: Sendable {
    let movies = Mutex<[Int]>([])
    let failure = Mutex<HTTPError?>(nil)
    let asked = Asked()
    var lists: Int { asked.requests.count { $0.source == "tmdb" } }
    var covers: [String] { asked.requests.filter { $0.source == "covers" }.map { String($0.url.suffix(6)) } }

    func answer(_ request: Request) -> Result<Response, HTTPError> {
      asked.note(request)
      if let failure = failure.withLock({ $0 }) { return .failure(failure) }
      guard request.source == "tmdb" else {
        return .success(
          Response(
            status: 200,
            body: CoverCommandTests.png()))
      }
      let rows = movies.withLock { $0 }.map { number in
        """
        {"id": \(number), "title": "Movie \(number)", "release_date": "20\(number)-01-01", "genre_ids": [18],
         "poster_path": "/\(number).jpg", "vote_average": 7.04, "vote_count": 3, "media_type": "movie"}
        """
      }
      return .success(
        Response(status: 200, body: Array(#"{"results": [\#(rows.joined(separator: ","))], "total_pages": 1000}"#.utf8))
      )
    }
  }

  init() throws {
    catalog = try TestCatalog()
    catalog.environment["CATALOG_TMDB_TOKEN"] = "token"
    catalog.http = HTTPClient(each: { [web] in web.answer($0) })
  }

  private func list(_ numbers: Int...) { web.movies.withLock { $0 = numbers } }

  private func rows(_ words: String...) -> [String] {
    let json = catalog.run(["trending", "--json=result,change,title,rank_before"] + words).output
    return json.dropFirst().dropLast(2).replacing("},{", with: "}\n{").split(separator: "\n").map {
      String($0).replacing("\"", with: "").replacing("Movie ", with: "")
    }
  }

  @Test func `a trending list is kept for its week and compared with the week before`() throws {
    list(10, 11, 12)
    #expect(
      rows() == [
        "{result:r1,change:new,title:10,rank_before:null}", "{result:r2,change:new,title:11,rank_before:null}",
        "{result:r3,change:new,title:12,rank_before:null}",
      ])
    // 2026-11-21 is a Saturday.
    #expect(try catalog.store.trendingWeek() == ISOWeek(rawValue: "2026-W47"))
    list(12, 10, 13)
    catalog.now += 86_400
    #expect(rows().map { $0.contains("new") } == [true, true, true], "Sunday belongs to the same week")
    #expect(web.lists == 1)

    catalog.now += 86_400
    let monday = [
      "{result:r1,change:stayed,title:12,rank_before:3}", "{result:r2,change:stayed,title:10,rank_before:1}",
      "{result:r3,change:new,title:13,rank_before:null}", "{result:null,change:gone,title:11,rank_before:2}",
    ]
    #expect(rows() == monday)
    #expect(rows() == monday, "the same when nobody is asked")
    #expect(web.lists == 2)
  }

  @Test func `trending --refresh bypasses the cache and lists the changes`() throws {
    list(10, 11)
    catalog.run("trending")
    list(11, 12)
    #expect(
      rows("--refresh") == [
        "{result:r1,change:stayed,title:11,rank_before:2}", "{result:r2,change:new,title:12,rank_before:null}",
        "{result:null,change:gone,title:10,rank_before:1}",
      ])
    #expect(web.lists == 2)
    #expect(web.asked.requests.filter { $0.source == "tmdb" }.allSatisfy { $0.bypassesCache })
    #expect(try catalog.store.trending(in: ISOWeek(rawValue: "2026-W47")).map(\.title) == ["Movie 11", "Movie 12"])
    let before = try catalog.store.db.value("SELECT total_changes()", as: Int.self)
    catalog.run("trending", "--refresh")
    #expect(try catalog.store.db.value("SELECT total_changes()", as: Int.self) == before, "nothing is written anew")
  }

  @Test func `pictures of movies that stay on the list are not fetched again`() throws {
    list(10, 11)
    catalog.run("trending")
    #expect(web.covers == ["10.jpg", "11.jpg"].map { "/" + $0 }.map { String($0.suffix(6)) })
    list(11, 12)
    catalog.run("trending", "--refresh")
    #expect(web.covers == ["10.jpg", "11.jpg", "12.jpg"])
    catalog.run("trending", "--refresh")
    catalog.run("trending")
    #expect(web.covers.count == 3)
    list(14)
    catalog.run("trending", "--refresh", "--no-covers")
    #expect(web.covers.count == 3)
  }

  @Test func `a trending movie can be added offline, with its picture`() throws {
    list(10, 11)
    catalog.run("trending")
    web.failure.withLock { $0 = .offline(host: "api.themoviedb.org") }
    let added = catalog.run("add", "r2", "--offline")
    #expect(added.output == "added movie 1: Movie 11 (2011)  Drama\n", "\(added.errors)")
    #expect(try catalog.store.cover(of: ItemID(rawValue: 1))?.mediaType == "image/png")
    #expect(catalog.run("trending", "--json=result,have").output.contains(#"{"result":"r2","have":"[on shelf 1]"}"#))
  }

  @Test func `when TMDB fails the last trending list is shown and named`() throws {
    web.failure.withLock { $0 = .timedOut(host: "api.themoviedb.org") }
    let nothing = catalog.run("trending")
    #expect(nothing.status == 3)
    #expect(nothing.output == "")
    web.failure.withLock { $0 = nil }
    list(10)
    catalog.run("trending")
    catalog.now += 7 * 86_400
    web.failure.withLock { $0 = .timedOut(host: "api.themoviedb.org") }
    let old = catalog.run("trending", "--json=title")
    #expect(old.status == 0)
    #expect(old.output == "[{\"title\":\"Movie 10\"}]\n")
    #expect(
      old.errors.hasPrefix(
        "catalog: TMDB did not answer in time (api.themoviedb.org); the list of 2026-W47 is shown\n"))
    #expect(old.errors.contains("hint: where it is blocked, another address may work: "))
    web.failure.withLock { $0 = nil }
    list()
    let empty = catalog.run("trending", "--refresh")
    #expect(empty.errors.hasPrefix("catalog: TMDB sent a list without movies; the list of 2026-W47 is shown\n"))
    #expect(try catalog.store.trending(in: ISOWeek(rawValue: "2026-W47")).count == 1, "an empty list wipes nothing")
  }

  @Test func `trending without a key explains how to get one, or shows the stored list`() {
    catalog.environment = [:]
    let run = catalog.run("trending")
    #expect(run.status == 4)
    #expect(run.errors.hasPrefix("catalog: TMDB needs a key\nhint: get one at https://www.themoviedb.org/settings/api"))
    #expect(web.lists == 0)
    catalog.environment["CATALOG_TMDB_TOKEN"] = "token"
    list(10)
    catalog.run("trending")
    catalog.environment = [:]
    #expect(catalog.run("trending") == catalog.run("trending", "--offline"))
    #expect(catalog.run("trending").status == 0)
    catalog.now += 7 * 86_400
    #expect(
      catalog.run("trending").errors.hasPrefix("catalog: TMDB needs a key; the list of 2026-W47 is shown\nhint: "))
  }

  @Test func `trending in a dry run stores nothing`() throws {
    list(10)
    #expect(catalog.run("trending", "--dry-run").status == 0)
    #expect(try catalog.store.trendingWeek() == nil)
    #expect(web.covers.isEmpty)
  }

  @Test(arguments: [40, 80, 120]) func `trending on a terminal prints the list and its changes`(width: Int) {
    list(10, 11, 12)
    catalog.run("trending")
    list(12, 13)
    catalog.atTerminal(width: width)
    let run = catalog.run("trending", "--refresh")
    let lines = run.output.split(separator: "\n")
    #expect(lines[0] == "Trending · 2026-W47")
    #expect(lines[1].hasPrefix("1 new, 2 gone, 1 stayed since it was"))
    #expect(lines.allSatisfy { $0.cellWidth <= width })
    #expect(run.output.contains("+2"))
    #expect(run.output.contains("gone"))
    #expect(run.output.contains("new"))
    #expect(run.errors.hasPrefix("Type 'catalog add r1'"))
  }
}
