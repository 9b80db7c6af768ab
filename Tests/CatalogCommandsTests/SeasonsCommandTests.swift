import CommandLineKit
import Foundation
import Lookup
import Synchronization
import Testing

@testable import CatalogCommands

struct SeasonsCommandTests {
  let catalog: TestCatalog
  let store = ITunesStore()

  init() throws {
    catalog = try TestCatalog()
    catalog.http = store.client
  }

  private func stock(_ words: [String] = ["spring", "summer", "autumn", "winter"], count: Int = 1) {
    store.found.withLock { found in
      for (index, word) in words.enumerated() {
        found[word] = (1...count).map { ITunesStore.album(1000 * (index + 1) + $0, "\(word) \($0)") }
      }
    }
  }

  @Test func `seasons sends four requests at once, for 5, 15, 15 and 15 albums`() {
    stock(count: 20)
    let run = catalog.run("seasons", "--json=season")
    #expect(store.asked.count == 1)
    #expect(store.asked.first?.map { $0["term"] } == ["spring", "summer", "autumn", "winter"])
    #expect(store.asked.first?.map { $0["limit"] } == ["5", "15", "15", "15"])
    #expect(store.asked.first?.allSatisfy { $0["entity"] == "album" && $0["country"] == "US" } == true)
    for (season, count) in [("spring", 5), ("summer", 15), ("autumn", 15), ("winter", 15)] {
      #expect(run.output.components(separatedBy: #"{"season":"\#(season)"}"#).count == count + 1)
    }
    #expect(run.status == 0)
  }

  @Test func `results are numbered over all seasons, and are the last results`() {
    stock(count: 2)
    let run = catalog.run("seasons", "--json=season,result,title")
    #expect(
      run.output == """
        [{"season":"spring","result":"r1","title":"spring 1"},{"season":"spring","result":"r2","title":"spring 2"},\
        {"season":"summer","result":"r3","title":"summer 1"},{"season":"summer","result":"r4","title":"summer 2"},\
        {"season":"autumn","result":"r5","title":"autumn 1"},{"season":"autumn","result":"r6","title":"autumn 2"},\
        {"season":"winter","result":"r7","title":"winter 1"},{"season":"winter","result":"r8","title":"winter 2"}]

        """)
    store.known.withLock { $0["4002"] = [ITunesStore.album(4002, "winter 2")] }
    #expect(catalog.run("show", "r8").output.hasPrefix("winter 2  music itunes:collection/4002\n"))
  }

  @Test func `seasons into a pipe prints the season before each result`() {
    stock()
    let lines = catalog.run("seasons").output.split(separator: "\n")
    #expect(lines.map { $0.prefix { $0 != "\t" } } == ["spring", "summer", "autumn", "winter"])
    #expect(catalog.run("seasons", "--csv").output.hasPrefix("season,id,result,kind,title,"))
    #expect(catalog.run("seasons", "--jsonl").output.hasPrefix(#"{"season":"spring","id":"r1","result":"r1","#))
  }

  @Test(arguments: [40, 80, 120]) func `seasons on a terminal prints a section per season`(width: Int) {
    // As many as were asked for: there may be more, but no page of them.
    stock(count: 15)
    catalog.atTerminal(width: width)
    let run = catalog.run("seasons")
    let lines = run.output.split(separator: "\n").map(String.init)
    #expect(
      lines.filter { $0.contains("iTunes") }
        == ["Spring · iTunes", "Summer · iTunes", "Autumn · iTunes", "Winter · iTunes"])
    #expect(lines.allSatisfy { $0.cellWidth <= width })
    #expect(run.errors == "Type 'catalog show r1' to see a result.\n")
  }

  @Test func `a failed season is reported, and the others are shown`() {
    stock()
    store.failures.withLock { $0["summer"] = .timedOut(host: "itunes.apple.com") }
    catalog.atTerminal()
    let run = catalog.run("seasons")
    #expect(run.status == 0)
    #expect(run.errors.hasPrefix("catalog: summer: iTunes did not answer in time (itunes.apple.com)\n"))
    #expect(run.output.contains("Summer · iTunes\n\nAutumn · iTunes\n"))
    for title in ["spring 1", "autumn 1", "winter 1"] { #expect(run.output.contains(title)) }
    catalog.terminal = Terminal()
    let piped = catalog.run("seasons", "--json=season,result")
    #expect(
      piped
        == .init(
          output: """
            [{"season":"spring","result":"r1"},{"season":"autumn","result":"r2"},{"season":"winter","result":"r3"}]

            """, errors: "catalog: summer: iTunes did not answer in time (itunes.apple.com)\n", status: 0))
  }

  @Test func `when all seasons fail each is reported with status 3`() {
    store.failures.withLock { $0["*"] = .throttled(host: "itunes.apple.com", retryAfter: 30) }
    let run = catalog.run("seasons")
    #expect(run.status == 3)
    #expect(run.output == "")
    let lines = ["spring", "summer", "autumn", "winter"].map {
      "catalog: \($0): iTunes asks for a pause: too many requests\n"
    }
    #expect(run.errors == lines.joined() + "hint: try again in 30 s\n")
  }

  @Test func `seasons without a result names the kind and the seasons`() {
    let piped = catalog.run("seasons", "podcast")
    #expect(
      piped.errors == "catalog: no podcast was found for 'spring', 'summer', 'autumn' or 'winter'\n")
    #expect(piped.output == "")
    #expect(piped.status == 1)
    catalog.atTerminal()
    let run = catalog.run("seasons", "movies")
    #expect(run.status == 1)
    for season in ["spring", "summer", "autumn", "winter"] {
      #expect(run.output.contains("No movie was found for '\(season)'.\n"))
    }
  }

  @Test func `seasons --offline reports that iTunes was not asked`() {
    catalog.http = .offline
    let run = catalog.run("seasons", "--offline")
    #expect(run.status == 1)
    #expect(run.errors.hasPrefix("catalog: spring: iTunes was not asked: --offline\ncatalog: summer: "))
    #expect(catalog.run("seasons", "movie", "--offline").status == 1, "the pack knows no seasons")
  }

  @Test(arguments: [
    (["--attribute", "artist"], "album", "artistTerm", "artist"),
    (["--attribute", "songTerm"], "song", "songTerm", "song"),
    (["movie", "--attribute", "artist"], "movie", "artistTerm", "artist"),
    // Only podcasts have it.
    (["--attribute", "title"], "podcast", "titleTerm", "title"),
  ])
  func `seasons --attribute searches one category of iTunes`(
    words: [String], entity: String, attribute: String, word: String
  ) {
    stock()
    catalog.atTerminal()
    let run = catalog.run(["seasons"] + words)
    #expect(store.asked.count == 1)
    #expect(store.asked.first?.map { $0["term"] } == ["spring", "summer", "autumn", "winter"])
    #expect(store.asked.first?.allSatisfy { $0["attribute"] == attribute && $0["entity"] == entity } == true)
    #expect(run.output.hasPrefix("The seasons · \(word)\n\nSpring · iTunes\n"))
    catalog.run("seasons", "--attribute", "all")
    #expect(store.asked.last?.allSatisfy { $0["attribute"] == nil && $0["entity"] == "album" } == true)
  }

  @Test func `the Korean shop is asked in Korean`() throws {
    stock(["봄", "여름", "가을", "겨울"])
    let run = catalog.run("seasons", "--country", "kr", "--json=season,title")
    #expect(store.asked.first?.map { $0["term"] } == ["봄", "여름", "가을", "겨울"])
    #expect(store.asked.first?.allSatisfy { $0["country"] == "KR" && $0["lang"] == "ko_kr" } == true)
    #expect(run.output.hasPrefix(#"[{"season":"spring","title":"봄 1"},{"season":"summer","title":"여름 1"}"#))
    catalog.atTerminal()
    try catalog.configure("locale.country", "KR")
    #expect(catalog.run("seasons").output.contains("겨울 · iTunes\n"))
    #expect(catalog.run("seasons", "--country", "US").output.contains("No music was found for 'spring'."))
  }

  @Test(arguments: [
    (["seasons", "vinyl"], "iTunes has no vinyl\nhint: it has movies, music, podcasts, apps, books\n"),
    (
      ["seasons", "podcas"],
      "KIND: there is no kind 'podcas'; did you mean 'podcast'?\nhint: the choices are movie, book,"
    ),
    (
      ["seasons", "book", "--attribute", "artist"],
      "'artist' is not an attribute of books\nhint: it is one of movies, music, podcasts;"
    ),
    (["seasons", "--attribute", "language,author"], "option '--attribute': just one attribute can be chosen\n"),
    (["seasons", "--attribute", "album", "--attribute", "song"], "just one attribute can be chosen\n"),
    (["seasons", "--country", "Xyz"], "option '--country': invalid country 'Xyz': give two letters such as KR\n"),
  ])
  func `seasons with invalid arguments is rejected without a request`(words: [String], message: String) {
    let run = catalog.run(words)
    #expect(run.status == 2)
    #expect(run.errors.hasPrefix("catalog: \(message)"))
    #expect(store.asked.isEmpty)
  }

  @Test func `a country without a shop is reported for each season, with one hint`() {
    let run = catalog.run("seasons", "--country", "AQ")
    #expect(run.status == 2)
    #expect(run.errors.hasPrefix("catalog: spring: iTunes has no shop in 'AQ'\n"))
    #expect(run.errors.components(separatedBy: "hint: name another country with --country").count == 2)
  }
}
