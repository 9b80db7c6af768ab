import Dispatch
import Foundation
import SQLite
import TestSupport
import Testing

/// Tests the way from a search to the shelf, with sources that work.
@Suite(.sandbox, .timeLimit(.minutes(Patience.minutes)))
struct MainJobTests {
  let sandbox: Sandbox

  init() throws { sandbox = try Sandbox.current }

  @Test func `three sources are asked at once, and results keep the order of kinds`() throws {
    let all = Gate(for: 3)
    let others = DispatchSemaphore(value: 0)
    let sources = try SourceServer { question in
      let usual = SourceServer.usual(question)
      return .init { connection in
        // Answers come when all were asked, that of the first section's source last.
        all.pass()
        if question.path.hasPrefix("/itunes") {
          others.wait()
          others.wait()
          usual.write(connection)
        } else {
          usual.write(connection)
          others.signal()
        }
      }
    }
    try sandbox.configure(sources.configuration)
    let found = try sandbox.run("search", "dune")
    #expect(found.status == 0, "\(found.errors)")
    #expect(sources.paths.count == 3)
    #expect(
      found.lines.map { $0.split(separator: "\t", omittingEmptySubsequences: false).prefix(4).joined(separator: "|") }
        == [
          "r1|Dune (2021)|Denis Villeneuve|2021", "r2|Dune (1984)|David Lynch|1984", "r3|Dune|Frank Herbert|1965",
          "r4|Kind of Blue|Miles Davis|1959",
        ])
  }

  @Test func `search at a terminal prints a section for each kind`() throws {
    let sources = try SourceServer()
    try sandbox.configure(sources.configuration)
    let terminal = try PseudoTerminal(width: 100)
    let search = try sandbox.launch("search", "dune", changing: ["NO_COLOR": "1"], terminal: terminal)
    terminal.readToEnd()
    #expect(search.wait() == 0)
    let headings = terminal.text.split(separator: "\n").filter { $0.contains(" · ") && !$0.hasPrefix("r") }
      .map { $0.prefix { $0 != "·" }.trimmingCharacters(in: .whitespaces) }
    #expect(headings.prefix(3) == ["Movies", "Books", "Vinyl"], "\(terminal.text)")
  }

  @Test func `a record found by search is added with genres, tracks and cover`() throws {
    let sources = try SourceServer()
    try sandbox.configure(sources.configuration)
    let found = try sandbox.run("search", "kind of blue", "--kind", "vinyl")
    #expect(found.status == 0, "\(found.errors)")
    #expect(found.output.hasPrefix("r1\tKind of Blue\tMiles Davis\t1959\t"))
    // The index of records is asked for records.
    #expect(sources.paths.count == 1)
    #expect(sources.paths[0].contains("format"))

    let added = try sandbox.run("add", "r1")
    #expect(added.status == 0, "\(added.errors)")
    #expect(added.output == "added vinyl 1: Kind of Blue — Miles Davis (1959)  Jazz, Modal Jazz\n")
    #expect(sources.paths.dropFirst().contains { $0.hasPrefix("/musicbrainz/release/\(SourceServer.kindOfBlue)") })
    #expect(sources.paths.last?.hasPrefix("/covers/release/\(SourceServer.kindOfBlue)") == true)

    let shown = try sandbox.run("show", "1", "--json")
    #expect(shown.status == 0)
    let object = try #require(try JSONSerialization.jsonObject(with: Data(shown.outputBytes)) as? [String: Any])
    #expect(object["title"] as? String == "Kind of Blue")
    #expect(object["creators"] as? [String] == ["Miles Davis"])
    #expect(object["year"] as? Int == 1959)
    #expect(object["genres"] as? [String] == ["Jazz", "Modal Jazz"])
    #expect(object["labels"] as? [String] == ["Columbia"])
    #expect(object["barcode"] as? String == "074646493519")
    #expect(object["has_cover"] as? Bool == true)
    let tracks = try #require(object["tracks"] as? [[String: Any]])
    #expect(tracks.map { $0["position"] as? String } == ["A1", "A2", "A3", "B1", "B2"])
    #expect(tracks.first?["seconds"] as? Int == 562)

    let db = try sandbox.database()
    try sandbox.expectWhole(db)
    #expect(try db.values("SELECT title FROM item", as: String.self) == ["Kind of Blue"])
    let cover = try db.one("SELECT bytes, media_type, width, height, etag FROM cover WHERE item_id = 1") { row in
      (
        bytes: try row.get("bytes", as: [UInt8].self), type: try row.get("media_type", as: String.self),
        width: try row.get("width", as: Int.self), height: try row.get("height", as: Int.self)
      )
    }
    #expect(cover?.bytes == Picture.png(width: 30, height: 20))
    #expect(cover?.type == "image/png")
    #expect(cover?.width == 30)
    #expect(cover?.height == 20)
  }

  @Test func `adding a result twice names the existing item and changes nothing`() throws {
    let sources = try SourceServer()
    try sandbox.configure(sources.configuration)
    #expect(try sandbox.run("search", "kind of blue", "--kind", "vinyl").status == 0)
    #expect(try sandbox.run("add", "r1").status == 0)
    let before = try sandbox.bytes(of: sandbox.catalog)
    let count = sources.paths.count
    let again = try sandbox.run("add", "r1")
    #expect(again.status == 0)
    #expect(again.output == "")
    #expect(again.errors == "catalog: already on the shelf: vinyl 1: Kind of Blue — Miles Davis (1959)\n")
    #expect(try sandbox.bytes(of: sandbox.catalog) == before)
    #expect(sources.paths.count == count)
  }

  @Test func `adding a book fetches its edition and cover`() throws {
    let sources = try SourceServer()
    try sandbox.configure(sources.configuration)
    #expect(try sandbox.run("search", "dune", "--kind", "book").status == 0)
    let added = try sandbox.run("add", "r1")
    #expect(added.status == 0, "\(added.errors)")
    let db = try sandbox.database()
    #expect(try db.values("SELECT isbn13 FROM book", as: String.self) == ["9780441172719"])
    #expect(try db.values("SELECT count(*) FROM cover", as: Int.self) == [1])
    try sandbox.expectWhole(db)
  }

  @Test func `showing a result records a view`() throws {
    let sources = try SourceServer()
    try sandbox.configure(sources.configuration)
    #expect(try sandbox.run("search", "dune").status == 0)
    let shown = try sandbox.run("show", "r2")
    #expect(shown.status == 0, "\(shown.errors)")
    #expect(shown.output.contains("David Lynch"))
    #expect(shown.errors == "")
    #expect(try sandbox.run("show", "r3").status == 0)
    let titles = try sandbox.database().values(
      "SELECT title FROM recently_viewed ORDER BY sequence DESC", as: String.self)
    #expect(titles == ["Dune", "Dune (1984)"])
    let recent = try sandbox.run("recent")
    #expect(recent.status == 0, "\(recent.errors)")
    #expect(recent.lines.count == 2)
    #expect(recent.lines.first?.contains("Frank Herbert") == true || recent.lines.first?.contains("Dune") == true)
    #expect(recent.output.contains("Dune (1984)"))
  }

  @Test func `without the network cached answers are shown with a note`() throws {
    var sources: SourceServer? = try SourceServer()
    try sandbox.configure(sources?.configuration ?? [:])
    let online = try sandbox.run("search", "dune")
    #expect(online.status == 0)
    let offline = try sandbox.run("search", "dune", "--offline")
    #expect(offline.status == 0)
    #expect(offline.output == online.output)
    #expect(offline.errors.contains("iTunes was not asked; its earlier answer is shown"))
    #expect(sources?.paths.count == 3)

    // The same when the sources are gone.
    sources = nil
    let gone = try sandbox.run("search", "dune", changing: ["LANG": "C.UTF-8"])
    #expect(gone.status == 0)
    #expect(gone.output == online.output)
    #expect(gone.errors.contains("; the earlier answer of Open Library is shown"))
  }

  @Test func `without the network and the cache results come from the starter pack`() throws {
    let sources = try SourceServer()
    try sandbox.configure(sources.configuration)
    let found = try sandbox.run("search", "kind of blue", "--kind", "vinyl", "--offline")
    #expect(found.status == 0)
    #expect(found.output.hasPrefix("r1\tKind of Blue\tMiles Davis\t1959\t"))
    #expect(try sandbox.run("add", "r1", "--offline").status == 0)
    #expect(sources.paths == [])
    let nothing = try sandbox.run("search", "qwxyzzy", "--offline")
    #expect(nothing.status == 1)
    #expect(nothing.errors.contains("no result was found for 'qwxyzzy'"))
  }

  @Test func `cache and settings are readable by the owner only, and requests carry no personal data`() throws {
    let sources = try SourceServer()
    let set = try sandbox.run("config", "set", "locale.country", "KR")
    #expect(set.status == 0, "\(set.errors)")
    #expect(try mode(of: sandbox.configuration) == 0o600)
    for (name, value) in sources.configuration {
      let set = try sandbox.run("config", "set", name, value)
      #expect(set.status == 0, "\(set.errors)")
    }
    #expect(try sandbox.run("search", "dune").status == 0)
    #expect(try mode(of: sandbox.cache) == 0o600)
    #expect(try mode(of: sandbox.configuration) == 0o600)
    // The country goes where it is needed, and nowhere else.
    #expect(sources.paths.filter { $0.contains("KR") }.allSatisfy { $0.hasPrefix("/itunes") })
    #expect(sources.paths.contains { $0.contains("country=KR") })
    // The requests name the program, and nothing of the person.
    for question in sources.server.questions {
      #expect(question.headers["user-agent"]?.hasPrefix("catalog/") == true)
      #expect(question.headers["authorization"] == nil)
      #expect(question.headers["cookie"] == nil)
    }
  }

  private func mode(of path: String) throws -> Int {
    try #require(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
  }

  /// The recorded answers of the real sources, if they are available.
  static let fixtures = ProcessInfo.processInfo.environment["CATALOG_FIXTURES"]

  @Test(.enabled(if: fixtures != nil, "CATALOG_FIXTURES is not set"))
  func `recorded answers are searched and added`() throws {
    let folder = try #require(Self.fixtures)
    func recorded(_ name: String) throws -> SourceServer.Reply {
      .answer(body: Array(try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)"))))
    }
    let books = try recorded("openlibrary/search_lotr.json")
    let music = try recorded("itunes/search_all_despacito_50.json")
    let records = try recorded("musicbrainz/release_search_kat_moda.json")
    let record = try recorded("musicbrainz/release_lookup_e47d04a4.json")
    let sources = try SourceServer { question in
      if question.path.hasPrefix("/openlibrary/search.json") { return books }
      if question.path.hasPrefix("/itunes/search") { return music }
      if question.path.hasPrefix("/musicbrainz/release/e47d04a4") { return record }
      if question.path.hasPrefix("/musicbrainz/release?") { return records }
      return question.path.hasPrefix("/covers") ? nil : .answer(404, text: "{}")
    }
    try sandbox.configure(sources.configuration)
    let found = try sandbox.run("search", "anything", "--kind", "book,vinyl,music", "--limit", "200", "--json")
    #expect(found.status == 0, "\(found.errors)")
    #expect(!found.errors.contains("could not be read"))
    let results = try #require(try JSONSerialization.jsonObject(with: Data(found.outputBytes)) as? [[String: Any]])
    let kinds = results.compactMap { $0["kind"] as? String }
    #expect(Set(kinds).isSuperset(of: ["book", "vinyl", "music"]))

    let number = try #require(kinds.firstIndex(of: "vinyl")) + 1
    let added = try sandbox.run("add", "r\(number)")
    #expect(added.status == 0, "\(added.errors)")
    #expect(added.output.hasPrefix("added vinyl 1: "))
    #expect(try sandbox.database().value("SELECT count(*) FROM vinyl", as: Int.self) == 1)
  }
}
