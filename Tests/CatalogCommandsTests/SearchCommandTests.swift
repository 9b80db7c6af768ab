import CatalogModel
import CommandLineKit
import Foundation
import Lookup
import Synchronization
import TestSupport
import Testing

@testable import CatalogCommands
@testable import CatalogStore

struct SearchCommandTests {
  let catalog: TestCatalog

  init() throws { catalog = try TestCatalog() }

  @Test func `with no network the built-in pack answers, in the order of the kinds`() throws {
    let run = catalog.run("search", "dune", "--offline", "--limit", "2", "--json=result,kind,title,year")
    #expect(
      run
        == .init(
          output: """
            [{"result":"r1","kind":"movie","title":"Dune","year":2021},\
            {"result":"r2","kind":"movie","title":"Dune: Part Two","year":2024},\
            {"result":"r3","kind":"book","title":"Dune","year":1965},\
            {"result":"r4","kind":"book","title":"The Woman in the Dunes","year":1962}]

            """, errors: "catalog: no vinyl was found for 'dune'\n", status: 0))
    #expect(
      catalog.run("add", "r3").output == "added book 1: Dune — Frank Herbert (1965)  Science Fiction, Space Opera\n")
    #expect(
      catalog.run("search", "dune", "--source", "pack", "--kind", "book", "--json=have,item").output.hasPrefix(
        #"[{"have":"[on shelf 1]","item":1}"#))
  }

  @Test func `search on a terminal prints a section per kind, fitted to the width`() throws {
    catalog.atTerminal(width: 80)
    let run = catalog.run("search", "kind of blue", "--source", "pack", "--kind", "book,vinyl")
    #expect(run.status == 0)
    let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.prefix(3) == ["Results for 'kind of blue'", "", "Books · Built-in pack"])
    #expect(lines.contains("No book was found for 'kind of blue'."))
    #expect(lines.contains("Vinyl · Built-in pack"))
    #expect(lines.allSatisfy { $0.count <= 80 })
  }

  @Test func `search without a result prints a message with status 1`() {
    let run = catalog.run("search", "zzqx", "--offline")
    #expect(run == .init(output: "", errors: "catalog: no result was found for 'zzqx'\n", status: 1))
  }

  @Test func `search for blanks is rejected without a request`() {
    var asked = false
    catalog.http = HTTPClient(each: { request in
      Issue.record("asked \(request.host)")
      return .failure(.unreachable(host: request.host))
    })
    let run = catalog.run("search", "  ")
    asked = run.status != 2
    #expect(!asked)
    #expect(run.errors.hasPrefix("catalog: the words to search for are empty\n"))
  }

  @Test func `a source that fails is named, and the pack answers instead`() {
    catalog.http = HTTPClient(each: { .failure(.unreachable(host: $0.host)) })
    let run = catalog.run("search", "토지", "--kind", "book", "--limit", "1", "--json=title")
    #expect(run.output == #"[{"title":"토지"}]"# + "\n")
    #expect(
      run.errors == """
        catalog: Open Library cannot be reached (openlibrary.org); no answer from Inventaire, iTunes either; the \
        built-in pack answers instead
        hint: check the network, or use --offline

        """)
    #expect(run.status == 0)
  }

  @Test func `when every source fails and the pack knows nothing, the status is 3`() {
    catalog.http = HTTPClient(each: { .failure(.timedOut(host: $0.host)) })
    #expect(catalog.run("search", "zzqx").status == 3)
    catalog.http = HTTPClient(each: { .failure(.throttled(host: $0.host, retryAfter: 30)) })
    let run = catalog.run("search", "beatles", "--kind", "podcast")
    #expect(run.status == 3)
    #expect(run.errors.contains("iTunes asks for a pause: too many requests\nhint: try again in 30 s"))
  }

  @Test func `a failed search prints only its error and keeps the results of the search before`() {
    catalog.run("search", "dune", "--offline", "--kind", "book", "--limit", "2")
    catalog.http = HTTPClient(each: { .failure(.timedOut(host: $0.host)) })
    for format in ["--json", "--csv", "--tsv"] {
      let run = catalog.run("search", "beatles", "--kind", "music", format)
      #expect(run.output.isEmpty, "\(run)")
      #expect(run.status == 3, "\(run)")
    }
    #expect(
      catalog.run("add", "r9").errors == """
        catalog: there is no result r9: the last search found 2
        hint: they are r1 to r2

        """)
    #expect(catalog.run("add", "r1").output.hasPrefix("added book 1: Dune"))
  }

  @Test func `search prints the kinds in their order, each as soon as the kinds before are done`() throws {
    // Movies come last of all.
    let asked = Mutex<Set<String>>([])
    catalog.http = HTTPClient(each: { request in
      asked.withLock { _ = $0.insert(request.source) }
      let end = Date(timeIntervalSinceNow: Patience.seconds)
      while request.source == "itunes", Date() < end, asked.withLock({ !$0.contains("musicbrainz") }) { usleep(1_000) }
      return .failure(.unreachable(host: Date() < end ? request.host : "nobody else was asked"))
    })
    catalog.forgetContact()
    try catalog.configure("contact", "me@example.org")
    var received: [[Kind]] = []
    let context = catalog.context()
    let sections = try Finder(context: context).search("dune", kinds: nil, source: nil) {
      received.append($0.map(\.kind))
    }
    #expect(received.last == [.movie, .book, .vinyl])
    #expect(received.allSatisfy { [Kind.movie, .book, .vinyl].starts(with: $0) })
    #expect(sections.map(\.standIn) == [.pack, .pack, nil])
    #expect(sections.allSatisfy { !(context.text($0.failure?.message ?? "nobody else").contains("nobody else")) })
  }

  @Test func `on a terminal the sources that are waited for are named after a second`() throws {
    catalog.atTerminal()
    let isLate = Mutex(false)
    catalog.http = HTTPClient(each: { request in
      let end = Date(timeIntervalSinceNow: Patience.seconds)
      while Date() < end, isLate.withLock({ !$0 }) { usleep(1_000) }
      return .failure(.unreachable(host: request.host))
    })
    let errors = Output.memory()
    var context = catalog.context(errors: errors)
    var looks = 0
    context.uptime = {
      looks += 1
      // The line is shown right after this look, in the same thread.
      if looks > 3 { isLate.withLock { $0 = true } }
      return .seconds(looks > 3 ? 2 : 0)
    }
    _ = try Finder(context: context).search("dune", kinds: [.book], source: nil) { _ in }
    #expect(errors.text.contains("\rasking Open Library …, Ctrl-C stops\u{1B}[K"))
    // It is taken away before anything is printed.
    #expect(errors.text.contains("\r\u{1B}[K"))
  }

  @Test func `a rejected key is reported with the variable it comes from`() throws {
    catalog.http = HTTPClient(each: { _ in .success(Response(status: 401, body: Array("{}".utf8))) })
    catalog.environment["CATALOG_TMDB_TOKEN"] = "secret"
    let run = catalog.run("search", "x", "--source", "tmdb")
    #expect(run.errors.contains("hint: it is what CATALOG_TMDB_TOKEN says; it should be the API Read Access Token of"))
    #expect(run.status == 4)
    #expect(!run.errors.contains("secret"))
    let page = catalog.run("show", "tmdb:550")
    #expect(page.errors.contains("hint: it is what CATALOG_TMDB_TOKEN says; it should be the API Read Access Token of"))
    #expect(page.status == 4)
    #expect(!page.errors.contains("secret"))
  }

  @Test func `a page after the last is reported with the number of pages`() {
    catalog.http = HTTPClient(each: { request in
      let isFirst = request.url.contains("page=1")
      let docs = isFirst ? #"[{"key": "/works/OL1W", "title": "Dune"}]"# : "[]"
      return .success(Response(status: 200, body: Array(#"{"numFound": 23, "docs": \#(docs)}"#.utf8)))
    })
    func search(_ words: String...) -> TestCatalog.Run { catalog.run(["search", "dune", "--kind", "book"] + words) }
    #expect(search().status == 0)
    for words in [[], ["--json"]] {
      #expect(
        catalog.run(["search", "dune", "--kind", "book", "--page", "9"] + words)
          == .init(
            output: words.isEmpty ? "" : "[]\n",
            errors: "catalog: Open Library has 23 results, on 3 pages\nhint: --page goes from 1 to 3\n", status: 1))
    }

    #expect(catalog.run("add", "r9").errors.contains("the last search found 1"), "what was found before stays")
    // A message says that hits are missing.
    #expect(search("--page", "3").errors == "catalog: Open Library has no more results\nhint: give a lower --page\n")
    let pack = catalog.run("search", "dune", "--source", "pack", "--kind", "book", "--page", "9")
    #expect(pack.errors.hasPrefix("catalog: Built-in pack has 2 results, on 1 page\nhint: leave --page out\n"))
    catalog.http = .offline
    #expect(search("--page", "9", "--offline") == pack)
  }

  // MARK: Prices

  @Test func `search prints the prices and the ISBN of a book`() {
    let book = """
      {"title": "소년이 온다", "authors": ["한강"], "translators": [], "publisher": "창비", "price": 15000,
       "sale_price": 14000, "isbn": "8936434128 9788936434120", "datetime": "2014-05-19T00:00:00.000+09:00",
       "contents": "", "url": "", "thumbnail": "", "status": "정상판매"}
      """
    let gone = book.replacing("14000", with: "-1").replacing("소년이", with: "누가").replacing("34120", with: "34267")
      .replacing("8936434128 ", with: "")
    catalog.environment = ["CATALOG_KAKAO_KEY": "k", "LANG": "ko_KR.UTF-8"]
    catalog.http = HTTPClient(each: { _ in
      let json = #"{"documents": [\#(book), \#(gone)], "meta": {"is_end": true, "pageable_count": 2}}"#
      return .success(Response(status: 200, body: Array(json.utf8)))
    })
    let words = ["search", "소년이 온다", "--kind", "book"]
    #expect(
      catalog.run(words + ["--json=isbn,price,sale_price"]).output == """
        [{"isbn":"9788936434120","price":{"amount":15000,"currency":"KRW"},\
        "sale_price":{"amount":14000,"currency":"KRW"}},\
        {"isbn":"9788936434267","price":{"amount":15000,"currency":"KRW"},"sale_price":null}]

        """)
    #expect(catalog.run(words).output.hasPrefix("r1\t소년이 온다\t한강\t2014\t\t\t\t15000 KRW\t14000 KRW\n"))
    catalog.atTerminal()
    let lines = catalog.run(words).output.split(separator: "\n")
    #expect(
      lines[2...].map { $0.hasSuffix($0.contains("누가") ? "₩15,000" : $0.hasPrefix("r1") ? "₩14,000" : "Price") } == [
        true, true, true,
      ])
  }

  // MARK: All pages

  @Test func `search --all requests the pages of several kinds together, none twice, up to a limit`() {
    let asked = Asked()
    catalog.environment = ["CATALOG_TMDB_TOKEN": "t"]
    catalog.http = HTTPClient { requests in
      requests.map { request in
        asked.note(request)
        let page = request.url.firstMatch(of: /page=([0-9]+)/).flatMap { Int($0.1) } ?? 0
        if request.source == "tmdb" {
          let rows = (1...20).map { #"{"id": \#(page * 20 + $0), "title": "T"}"# }.joined(separator: ",")
          return .success(
            Response(
              status: 200, body: Array(#"{"results": [\#(rows)], "total_pages": 60, "total_results": 1193}"#.utf8)))
        }
        let docs = page > 1 ? "" : (1...30).map { #"{"key": "/works/OL\#($0)W", "title": "B"}"# }.joined(separator: ",")
        return .success(Response(status: 200, body: Array(#"{"numFound": 30, "docs": [\#(docs)]}"#.utf8)))
      }
    }
    for words in [["--json=result"], []] {
      if words.isEmpty { catalog.atTerminal(width: 120) }
      let run = catalog.run(["search", "x", "--all", "--kind", "book,movie"] + words)
      let bound =
        "catalog: '--all' stops after 200 of 1193 movies: these are 20 pages; --page 21 goes on\n"
      #expect(run.status == 0, "\(run.errors)")
      #expect(run.errors.hasPrefix(bound), "\(run.errors)")
      #expect(run.output.contains("r230"))
      #expect(!run.output.contains("r231"))
    }
    #expect(asked.requests.count == 22)
    let once = asked.requests.prefix(11).map(\.url)
    #expect(Set(once).count == 11, "ten pages of movies, one of books")
    let rest = catalog.run("search", "x", "--all", "--kind", "movie", "--page", "21")
    #expect(rest.errors.contains("--page 41 goes on"))
    #expect(Set(asked.requests.dropFirst(22).map(\.url)).isDisjoint(with: once))
  }

  @Test func `search --all reports the limit of a source, and keeps the pages before a failed one`() {
    catalog.http = HTTPClient(each: { request in
      let limit = request.url.firstMatch(of: /limit=([0-9]+)/).flatMap { Int($0.1) } ?? 200
      let rows = (1...limit).map { ITunesStore.movie($0, "M") }.joined(separator: ",")
      return .success(Response(status: 200, body: Array(#"{"results": [\#(rows)]}"#.utf8)))
    })
    let all = catalog.run("search", "x", "--all", "--kind", "movie", "--json=result")
    #expect(all.errors == "catalog: '--all' stops after 200 movies: iTunes returns no more for one search\n")
    #expect(catalog.run("search", "x", "--limit", "200", "--kind", "movie", "--json=result").errors == "")
    catalog.http = HTTPClient(each: { request in
      guard request.url.contains("page=1&") else { return .failure(.timedOut(host: request.host)) }
      let docs = (1...100).map { #"{"key": "/works/OL\#($0)W", "title": "B"}"# }.joined(separator: ",")
      return .success(Response(status: 200, body: Array(#"{"numFound": 300, "docs": [\#(docs)]}"#.utf8)))
    })
    let half = catalog.run("search", "x", "--all", "--kind", "book")
    #expect(half.errors.hasPrefix("catalog: Open Library did not answer in time ("), "\(half.errors)")
    #expect(half.errors.hasSuffix("; the pages before it are shown\n"))
    #expect(half.status == 0)
    #expect(half.output.split(separator: "\n").count == 100)
  }

  @Test func `search --all prints all results of the pack`() {
    let run = catalog.run("search", "the", "--offline", "--all", "--kind", "movie", "--json=result")
    #expect(run.status == 0)
    #expect(run.output.contains("r199"))
  }

  @Test func `search --source pack sends no request`() {
    catalog.http = HTTPClient(each: { request in
      Issue.record("asked \(request.host)")
      return .failure(.unreachable(host: request.host))
    })
    let all = catalog.run("search", "dune", "--source", "pack", "--kind", "all", "--json=kind")
    #expect(all.output.contains("book"), "\(all)")
    #expect(all.errors == "catalog: no vinyl was found for 'dune'\n", "\(all)")
    let music = catalog.run("search", "dune", "--source", "pack", "--kind", "music")
    #expect(music.status == 2)
    #expect(music.errors.hasPrefix("catalog: pack has no music\nhint: it has movies, books, vinyl"))
    let field = catalog.run("search", "dune", "--source", "pack", "--kind", "book", "--by", "title")
    #expect(field.status == 2)
    #expect(field.errors.hasPrefix("catalog: Built-in pack cannot search books by title\nhint: by"))
    let test = catalog.run("source", "test", "pack", "--json=source,key")
    #expect(test == .init(output: #"[{"source":"pack","key":"not needed"}]"# + "\n", errors: "", status: 0))
    #expect(catalog.run("source", "key", "pack").errors == "catalog: Built-in pack needs no key\n")
  }

  @Test func `the country of a pressing is printed by name, or UK for GB`() {
    let releases = ["XE", "GB", "XW", "QX"].enumerated().map { number, country in
      #"{"id": "\#(number)48e3e26-1111-4222-8333-123456789abc", "title": "A", "country": "\#(country)", "#
        + #""media": [{"format": "12\" Vinyl"}]}"#
    }
    catalog.http = HTTPClient(each: { _ in
      .success(Response(status: 200, body: Array(#"{"releases": [\#(releases.joined(separator: ","))]}"#.utf8)))
    })
    let run = catalog.run("search", "x", "--kind", "vinyl", "--json=format")
    let formats = [#"12\" Vinyl · Europe"#, #"12\" Vinyl · UK"#, #"12\" Vinyl · Worldwide"#, #"12\" Vinyl"#]
    #expect(run.output == "[" + formats.map { #"{"format":"\#($0)"}"# }.joined(separator: ",") + "]\n", "\(run)")
  }

  @Test func `songs of the same name show their albums, and unspecific genres are left out`() {
    catalog.http = HTTPClient(each: { _ in
      .success(
        Response(
          status: 200,
          body: Array(
            #"""
            {"results":[
             {"wrapperType":"track","kind":"song","trackId":1,"trackName":"Help!","artistName":"The Beatles",
              "collectionName":"Help!","releaseDate":"1965-07-23","primaryGenreName":"Rock","trackNumber":1},
             {"wrapperType":"track","kind":"song","trackId":2,"trackName":"Help!","artistName":"The Beatles",
              "collectionName":"1","releaseDate":"1965-07-23","genres":["Other","Rock"],"trackNumber":9},
             {"wrapperType":"track","kind":"song","trackId":3,"trackName":"Yesterday","artistName":"The Beatles",
              "collectionName":"Help!","releaseDate":"1965-07-23","trackNumber":2}]}
            """#.utf8)))
    })
    catalog.atTerminal(width: 100)
    let run = catalog.run("search", "help", "--attribute", "song")
    #expect(run.output.contains("Help! (Help!)") && run.output.contains("Help! (1)"), "\(run.output)")
    #expect(run.output.contains("Yesterday "))
    #expect(!run.output.contains("Yesterday ("))
    #expect(!run.output.contains("Other"))
    catalog.terminal = .init()
    #expect(catalog.run("search", "help", "--attribute", "song", "--json=title").output.contains(#"{"title":"Help!"}"#))
  }
}
