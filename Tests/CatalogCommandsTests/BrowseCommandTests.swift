import CatalogModel
import CommandLineKit
import Foundation
import Lookup
import Synchronization
import TestSupport
import Testing

@testable import CatalogCommands
@testable import CatalogStore

/// Tests the event loop of `browse` with a screen and a clock of the test.
struct BrowseCommandTests {
  private let catalog: TestCatalog
  private let asked = Asked()
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let path = folder.path("catalog.db")
    catalog = try TestCatalog(path: path)
    // A command in another thread has a connection of its own.
    catalog.openStore = { try Store.open(at: path, for: $0) }
    catalog.atTerminal()
  }

  /// Runs `browse` with these steps of a person, followed by Ctrl-C.
  @discardableResult
  private func browse(_ words: String..., doing steps: TestScreen.Step...) -> TestCatalog.Run {
    let screen = TestScreen(steps)
    catalog.screen = screen
    catalog.http = catalog.http.noting(in: asked)
    let run = catalog.run(["browse"] + words)
    #expect(run.status == 0, "\(run.errors)")
    return run
  }

  private func answer(_ text: String) -> HTTPClient {
    HTTPClient(each: { _ in .success(Response(status: 200, body: Array(text.utf8))) })
  }

  // MARK: Who is asked

  struct Asking: CustomTestStringConvertible {
    var kind: Kind
    var words: String
    var hasKeys: Bool
    var source: String
    var testDescription: String { "\(kind.plural)\(hasKeys ? " with keys" : ""): \(source)" }
  }

  static let keys = ["CATALOG_TMDB_TOKEN": "t", "CATALOG_KAKAO_KEY": "k", "CATALOG_DISCOGS_TOKEN": "d"]

  @Test(
    "seven characters typed within a second ask the source once",
    arguments: [
      Asking(kind: .movie, words: "parasit", hasKeys: false, source: "itunes"),
      Asking(kind: .movie, words: "parasit", hasKeys: true, source: "tmdb"),
      Asking(kind: .book, words: "the hob", hasKeys: false, source: "openlibrary"),
      Asking(kind: .book, words: "소년이 온다ㅏ", hasKeys: true, source: "kakao"),
      Asking(kind: .vinyl, words: "kind of", hasKeys: false, source: "musicbrainz"),
      Asking(kind: .vinyl, words: "kind of", hasKeys: true, source: "discogs"),
      Asking(kind: .music, words: "kind of", hasKeys: false, source: "itunes"),
      Asking(kind: .podcast, words: "serials", hasKeys: false, source: "itunes"),
      Asking(kind: .app, words: "camera+", hasKeys: false, source: "itunes"),
    ])
  func sevenCharacters(_ asking: Asking) throws {
    #expect(asking.words.count == 7)
    catalog.http = .empty
    if asking.hasKeys { catalog.environment = Self.keys }
    browse(
      "--kind", asking.kind.rawValue,
      doing: .type(asking.words, every: 0.14), .then { [asked] in #expect(asked.requests.isEmpty) }, .answer,
      .pass(60), .see(asking.kind.isShelved ? "Built-in pack" : "No result was found for"))
    // The next source is asked for a hit that one does not have.
    let chain = Source.chain(
      for: asking.kind, words: asking.words, keys: asking.hasKeys ? ["tmdb", "kakao", "discogs"] : [])
    #expect(sources(asked) == chain.map(\.id))
    #expect(asked.requests.first?.source == asking.source)
    let question = asked.requests.first?.url.replacing("+", with: " ").removingPercentEncoding ?? ""
    #expect(asking.words.split(separator: " ").allSatisfy { question.contains($0) }, "\(question)")
  }

  /// The sources that were asked, each once.
  private func sources(_ asked: Asked) -> [String] {
    asked.requests.filter { $0.oldAnswer != .only }.map(\.source).withoutRepeats(by: \.self)
  }

  @Test func `switching back to a kind in a session sends no second request`() {
    catalog.http = .empty
    let round = Array(repeating: TestScreen.Step.press(.tab), count: 6)
    let screen = TestScreen(
      [.type("parasit", every: 0.14), .answer]
        + (1...5).flatMap { _ in [TestScreen.Step.press(.tab), .answer] } + round.flatMap { [$0, .pass(5)] }
        + [.press(.escape), .type("parasit", every: 0.1), .pass(30)])
    catalog.screen = screen
    catalog.http = catalog.http.noting(in: asked)
    catalog.run("browse")
    #expect(sources(asked) == ["itunes", "wikidata", "openlibrary", "inventaire", "musicbrainz"])
    let sent = asked.requests.filter { $0.oldAnswer != .only }.map(\.url)
    // Twelve questions; iTunes gets one of them for records and for music.
    #expect(sent.count == 12)
    #expect(Set(sent).count == 11)
  }

  @Test func `with --offline or the pack each keystroke is answered at once without a request`() {
    catalog.http = .offline
    browse(
      "--offline",
      doing: .type("parasi"), .see("Built-in pack", "Parasite"), .miss("cannot be reached"),
      .press(.control("u")), .type("the"), .see("20 of"), .press(.enter, .end, .home), .see("40 of"),
      .press(.end, .home), .see("60 of"),
      .press(.escape, .control("u")), .type("zzzzzz"), .see("No result was found for 'zzzzzz'"))
    browse("--source", "pack", doing: .type("aliens"), .see("Built-in pack", "Aliens", "James Cameron"))
    #expect(
      asked.requests.allSatisfy { $0.oldAnswer != .afterFailure }, "only the client without a network is left")
    catalog.http = answer("")
    browse("--source", "pack", doing: .press(.tab, .tab, .tab), .see("[Movies] Books  Vinyl\n"))
  }

  @Test func `the pack stands in for an unreachable source and Enter asks the source again`() {
    catalog.http = HTTPClient(each: { .failure(.unreachable(host: $0.host)) })
    browse(
      doing: .type("aliens"), .answer, .see("iTunes cannot be reached", "Built-in pack · 1", "James Cameron"),
      .miss("again"), .pass(60), .press(.enter), .see("Asking iTunes again …"), .answer, .miss("again"))
    let sent = asked.requests.filter { $0.oldAnswer != .only }
    #expect(sent.map(\.source) == ["itunes", "wikidata", "itunes", "wikidata"])
  }

  @Test func `the line below the list names the source that is waited for, as long as it waits`() {
    let (told, released) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let (deferredWarnings, answer) = (catalog.deferredWarnings, answer(Self.dune))
    catalog.http = HTTPClient { requests in
      #expect(
        deferredWarnings.hold(.waiting(source: "itunes", seconds: 12, .rateLimit(RateLimit(requests: 20, per: 60)))))
      told.signal()
      released.wait()
      #expect(deferredWarnings.hold(.askingAgain(source: "itunes")))
      told.signal()
      released.wait()
      #expect(deferredWarnings.hold(.over))
      return answer.send(requests)
    }
    catalog.pictures = .offline
    browse(
      doing: .type("dune"), .pass(1.1), .then { told.wait() }, .pass(1),
      .see("Waiting 12 s: iTunes allows 20 a minute"),
      .then {
        released.signal()
        told.wait()
      }, .pass(1), .see("Asking iTunes again"), .miss("Waiting 12 s"),
      .then { released.signal() }, .answer, .see("iTunes · 2"), .miss("again"))
    #expect(!deferredWarnings.hold(.over), "the screen is closed")
  }

  @Test func `a missing key is reported without a request`() {
    browse("--source", "tmdb", doing: .type("aliens"), .answer, .see("TMDB needs a key.", "catalog source key tmdb"))
    #expect(asked.requests.isEmpty)
  }

  // MARK: Pasting

  @Test func `a paste is looked up once, at its end`() throws {
    catalog.http = .empty
    try catalog.addThree()
    let text = String(repeating: "word ", count: 1_000)
    let screen = TestScreen([.paste(text), .see("word word"), .press(.escape), .paste("blue"), .see("Kind of Blue")])
    catalog.screen = screen
    #expect(catalog.run("browse", "--kind", "vinyl", "--offline").status == 0)
    // The first screen, and one for each step.
    #expect(screen.frames.count < 20)
  }

  // MARK: The pane

  @Test func `the pane shows the first pictures of the selected row beside its cover or below it`() throws {
    let chafa = ["/usr/bin/chafa", "/usr/local/bin/chafa"].contains { FileManager.default.isExecutableFile(atPath: $0) }
    guard chafa else { return print("skipped: chafa is not installed") }
    catalog.environment = ["TERM": "xterm"]
    catalog.http = answer(#"{"results": [\#(GalleryCommandTests.app)]}"#)
    let pictures = Asked()
    catalog.pictures = HTTPClient(each: { _ in .success(Response(status: 200, body: Picture.png(width: 30, height: 20)))
    }
    )
    .noting(in: pictures)
    // The cover is as high as 14 lines, three screenshots of half that stand below it.
    browse(
      "--kind", "app", doing: .resize(columns: 160, lines: 50), .type("chat"), .answer, .press(.down), .see("▸ Chat"),
      .pass(0.4), .answer,
      .see("│ cover", "│ 1 "), .miss("Screenshots"))
    #expect(
      pictures.requests.map { $0.url.split(separator: "/").dropFirst(2).joined(separator: "/") } == [
        "600x600bb.jpg", "one/392x696bb.png", "two/392x696bb.png", "three/552x414bb.png",
      ])
  }

  // MARK: Categories and seasons

  private func parameters(_ name: String) -> [String?] {
    asked.requests.map { ITunesStore.parameters(of: $0.url)[name] }
  }

  @Test func `the category key cycles the categories of iTunes and only the last one is requested`() {
    catalog.environment = Self.keys
    catalog.http = answer(Self.dune)
    catalog.pictures = .offline
    browse(
      "--kind", "movie",
      doing: .see("Ctrl-T category", "Ctrl-S seasons"), .press(.control("t"), .control("t"), .control("t")),
      .see("[Movies · artist] Books"), .type("dune", every: 0.1), .answer, .see("iTunes · artist · 2"),
      .press(.down, .down), .pass(60), .see("▸ Dune (1984)"), .press(.character("t")), .pass(0.1),
      .press(.character("t")), .see("[Movies · producer]", "iTunes …"), .answer, .see("iTunes · producer · 2"),
      .press(.character("T"), .character("T")), .see("iTunes · artist · 2"), .pass(60),
      .press(.tab), .see("Movies [Books]"), .miss("t category"))
    // TMDB, the usual source of movies, knows no categories.
    #expect(asked.requests.prefix(2).map(\.source) == ["itunes", "itunes"])
    #expect(parameters("attribute").prefix(2) == ["artistTerm", "producerTerm"])
  }

  @Test func `the pack does not stand in for a category, and Discogs has no categories`() {
    catalog.http = HTTPClient(each: { .failure(.unreachable(host: $0.host)) })
    browse(
      "--kind", "movie",
      doing: .press(.control("t")), .type("aliens"), .answer, .see("iTunes cannot be reached"), .miss("Built-in pack"))
    browse("--source", "discogs", doing: .press(.control("t")), .see("There are no categories of"), .miss("Ctrl-T"))
  }

  @Test func `the four seasons are requested at once, and again for another category`() {
    let store = ITunesStore()
    for (index, word) in ["봄", "여름", "가을", "겨울"].enumerated() {
      store.found.withLock { $0[word] = [ITunesStore.album(index + 1, "\(word)의 노래")] }
    }
    catalog.http = store.client
    catalog.pictures = .offline
    browse(
      "--seasons", "--country", "kr",
      doing: .answer, .see("[Music]", "봄 · iTunes · 1", "봄의 노래", "겨울 · iTunes · 1", "$9.99", "Esc back"),
      .press(.control("t"), .control("t"), .control("t")), .answer,
      .see("[Music · artist]", "여름 · iTunes · artist · 1"),
      .press(.down, .down, .enter), .answer, .see("여름의 노래"), .press(.escape, .character("s")), .see("Recent"))
    #expect(store.asked.map(\.count) == [4, 4, 1])
    #expect(
      parameters("attribute") == Array(repeating: nil, count: 4) + Array(repeating: "artistTerm", count: 4) + [nil])
    #expect(parameters("limit").prefix(4) == ["5", "15", "15", "15"])
  }

  @Test func `browse --seasons rejects other kinds, other sources and search words`() {
    #expect(catalog.run("browse", "--seasons", "--kind", "vinyl").errors.contains("iTunes has no vinyl"))
    #expect(catalog.run("browse", "--seasons", "--source", "tmdb").errors.contains("searched for at iTunes"))
    #expect(catalog.run("browse", "dune", "--seasons").errors.contains("takes no words"))
  }

  @Test func `scrolling down and back requests no result page twice`() {
    catalog.http = HTTPClient(each: { request in
      let docs = (1...70).map { #"{"key": "/works/OL\#($0)W", "title": "Book \#($0)"}"# }
      return .success(
        Response(status: 200, body: Array(#"{"numFound": 70, "docs": [\#(docs.joined(separator: ","))]}"#.utf8)))
    })
    catalog.pictures = .offline
    browse(
      "book", "--kind", "book",
      doing: .answer, .press(.enter, .end), .answer, .press(.end), .answer, .press(.end), .answer, .press(.end),
      .see("Book 70"), .pass(60), .press(.home, .end, .tab, .backTab, .escape, .enter), .pass(60))
    // Each page of the screen is a part of the first hundred results, which the cache keeps.
    #expect(parameters("page") == ["1", "1", "1", "1"])
    #expect(parameters("limit") == ["100", "100", "100", "100"])
  }

  // MARK: The whole way

  @Test func `one session can search, show, add, favorite, write a card and quit`() throws {
    catalog.http = answer(Self.dune)
    catalog.pictures = .offline
    catalog.input = ["5 apples", "4.5", "Sand."]
    let run = browse(
      doing: .see("Type a title or a name."),
      .type("dune"), .see("iTunes …"), .answer, .see("iTunes · 2", "Dune (2021)", "Denis Villeneuve"),
      .press(.enter), .see("▸ Dune (2021)"),
      .press(.enter), .see("movie itunes:track/1594582022", "2 h 35 min", "Sci-Fi & Fantasy"), .answer,
      .see("Sand, and what lives in it.", "Esc back"),
      .press(.escape), .see("▸ Dune (2021)"), .miss("Recent"),
      .press(.character("a")), .answer, .see("Added movie 1: Dune (2021)", "[on shelf 1]"),
      .press(.character("a")), .answer, .see("Already on the shelf: movie 1"),
      .press(.character("ㄹ")), .answer, .see("Favorite: movie 1: Dune (2021)"),
      .press(.down, .character("c")), .answer,
      .see("card 1 ★★★★½ of movie 2: Dune (1984)", "[on shelf 2] [card ★★★★½]"),
      .press(.character("q")))
    #expect(run.errors.contains("A card for movie: Dune (1984)"))
    #expect(run.errors.contains("5 apples"))
    #expect(catalog.screen?.lendings == 1)
    let store = catalog.store
    #expect(try store.favorites() == [ItemID(rawValue: 1)])
    #expect(try store.item(ItemID(rawValue: 1)).genres == ["Science Fiction", "Fantasy"])
    #expect(try store.cards(of: ItemID(rawValue: 2)).map(\.comment) == ["Sand."])
    #expect(try store.recents().map(\.item) == [ItemID(rawValue: 1)])
    // A search, then each thing once: its record. Showing does not spare adding the question.
    #expect(asked.requests.map { $0.url.contains("/search?") } == [true, false, false, false])
    // Each action is an operation with the line of its command.
    catalog.atTerminal(width: 200)
    let history = catalog.run("history").output
    for line in ["card add itunes:track/284910350 --stars 4.5", "favorite 1", "add itunes:track/1594582022"] {
      #expect(history.contains(line), "\(history)")
    }
  }

  @Test func `opening an item shows its page and records a view, as show does`() throws {
    try catalog.addThree()
    browse(
      "kind of blue", "--kind", "vinyl",
      doing: .see("On your shelf", "Kind of Blue", "[on shelf 3]"), .press(.down, .enter),
      .see("vinyl 3", "Miles Davis", "Jazz"), .press(.escape), .miss("Recent"),
      .press(.character("/"), .escape), .see("Recent", "Kind of Blue"),
      .miss("vinyl · Miles Davis"), .press(.tab), .see("vinyl · Miles Davis"))
    #expect(try catalog.store.recents().map(\.item) == [ItemID(rawValue: 3)])
  }

  @Test func `an action that is not possible prints a message and the browser goes on`() throws {
    catalog.http = answer(
      """
      {"resultCount": 1, "results": [{"wrapperType": "collection", "collectionId": 7, "collectionName": "Blue Train",
       "artistName": "John Coltrane"}]}
      """)
    browse(
      "blue train", "--kind", "music",
      doing: .answer, .press(.enter, .character("a")), .answer,
      .see("Music cannot be shelved: movies, books and vinyl can. Shelve the album as a record: add --as vinyl."),
      .press(.character("p")), .answer, .see("No preview of 'Blue Train' is known."),
      .press(.character("o")), .answer, .see("No page of 'Blue Train' is known."))
    #expect(try catalog.store.favorites().isEmpty)
  }

  @Test func `a question of a command is answered yes by the same key once more, and by no other`() throws {
    try catalog.addThree()
    let question = "Another edition is on your shelf: vinyl 3: Kind of Blue — Miles Davis (1959). Add this one too?"
    browse(
      "kind of blue", "--kind", "vinyl", "--source", "pack",
      doing: .press(.down, .down, .character("a")), .answer, .see("\(question) The same key again says yes."),
      .press(.character("f")), .answer, .see(question), .press(.character("a")), .answer, .see(question),
      .press(.character("a")), .answer, .see("Added vinyl 4: Kind of Blue"))
    #expect(try catalog.store.shelfCounts().total == 4)
    #expect(try catalog.store.favorites().map(\.rawValue) == [3])
  }

  @Test func `a wish for an item that one owns is asked about`() throws {
    try catalog.addThree()
    catalog.run("copy", "add", "3")
    browse(
      "kind of blue", "--kind", "vinyl", "--source", "pack",
      doing: .press(.down, .character("w")), .answer,
      .see("You own it already. Wish for another copy? The same key again says yes."),
      .press(.character("w")), .answer, .see("Wished for w1: vinyl 3: Kind of Blue"),
      .press(.character("l")), .answer, .see("vinyl 3: Kind of Blue — Miles Davis"))
    #expect(try catalog.store.openWish(for: .item(ItemID(rawValue: 3))) != nil)
    #expect(try catalog.store.diary(of: ItemID(rawValue: 3)).count == 1)
  }

  @Test func `a result is added as it was found when its source fails afterwards`() throws {
    catalog.http = HTTPClient(each: { request in
      guard request.url.contains("/search?") else { return .failure(.unreachable(host: request.host)) }
      return .success(Response(status: 200, body: Array(Self.dune.utf8)))
    })
    catalog.pictures = .offline
    browse(
      "dune", "--source", "itunes",
      doing: .answer, .press(.enter, .character("f")), .answer,
      .see("the search result was saved", "favorite: movie 1: Dune (2021)", "[on shelf 1]"))
    #expect(try catalog.store.favorites() == [ItemID(rawValue: 1)])
  }

  @Test func `browse --dry-run writes nothing`() throws {
    catalog.http = answer(Self.dune)
    catalog.pictures = .offline
    catalog.input = ["4", "Sand."]
    browse(
      "dune", "--dry-run",
      doing: .answer, .press(.enter, .character("a")), .answer, .see("Would add movie: Dune (2021)"),
      .press(.character("f")), .answer, .see("Would become a favorite: movie: Dune (2021)"),
      .press(.character("l")), .answer, .see("Would write into the diary: movie: Dune (2021)"),
      .press(.character("w")), .answer, .see("Would wish for movie: Dune (2021)"),
      .press(.character("c")), .answer, .see("Would write a card for movie: Dune (2021)", "★★★★, 'Sand.'"))
    #expect(try catalog.store.ids(Query(), limit: 10).isEmpty)
  }

  @Test func `a card without answers is not written`() throws {
    try catalog.addThree()
    catalog.input = ["", ""]
    browse(
      "기생충", doing: .press(.down, .character("c")), .see("No card was written"))
    #expect(try catalog.store.cards().count == 1)
  }

  @Test func `text from the editor stays in its file until the card is written`() throws {
    try catalog.addThree()
    let folder = try TemporaryFolder()
    catalog.environment = ["TMPDIR": folder.path, "EDITOR": "cp \(folder.path("words"))"]
    try Data("Hours of work".utf8).write(to: URL(filePath: folder.path("words")))
    func files() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
    let open = try #require(catalog.openStore)
    catalog.openStore = { purpose in
      if purpose != .reading { throw CatalogError.locked("/c.db") }
      return try open(purpose)
    }
    catalog.input = ["4", "e"]
    browse(
      "기생충",
      doing: .press(.down, .character("c")), .answer, .answer,
      .see("your text is kept: catalog card add 1 --stars 4 ", "catalog-card-"))
    let kept = try #require(try files().first { $0.hasPrefix("catalog-card-") })
    #expect(FileManager.default.contents(atPath: folder.path(kept)) == Data("Hours of work".utf8))
    try FileManager.default.removeItem(atPath: folder.path(kept))
    catalog.openStore = open
    browse("기생충", doing: .press(.down, .character("c")), .answer, .answer, .see("of movie 1: 기생충"))
    #expect(try files() == ["words"])
    #expect(try catalog.store.cards(of: ItemID(rawValue: 1)).map(\.comment) == ["Hours of work"])
  }

  // MARK: Sizes

  @Test func `the browser draws at every screen size`() throws {
    try catalog.addThree()
    for id in 1...3 { try catalog.store.recordView(of: ItemID(rawValue: Int64(id)), now: catalog.clock) }
    catalog.http = answer(Self.dune)
    var steps: [TestScreen.Step] = [.type("dune 한강"), .answer, .press(.enter)]
    for (columns, lines) in [(40, 10), (1, 1), (2, 3), (20, 5), (200, 60), (13, 2), (80, 24)] {
      steps += [
        .resize(columns: columns, lines: lines), .press(.character("?"), .character("x"), .down, .up, .enter), .answer,
        .press(.pageDown, .escape, .character("/"), .tab, .backTab, .down),
      ]
    }
    steps.append(.see("Dune (1984)"))
    let screen = TestScreen(steps)
    catalog.screen = screen
    #expect(catalog.run("browse").status == 0)
  }

  @Test func `a wide screen shows the page of the selected row in a pane`() throws {
    try catalog.addThree()
    browse(
      "소년", "--kind", "book", "--source", "pack",
      doing: .miss("│"), .resize(columns: 140, lines: 30),
      .see("소년이 온다  book 2", "│ Genres  Literary Fiction", "│   잊을 수 없다"), .press(.down, .enter), .miss("│"),
      .press(.escape), .see("│ Genres"), .resize(columns: 109, lines: 30), .miss("│"))
  }

  @Test func `browse opens the kind that was open last`() throws {
    let folder = try TemporaryFolder()
    catalog.cache = CacheDatabase(path: folder.path("cache.db"))
    browse(doing: .see("[Movies]"), .press(.tab), .see("[Books]"))
    browse(doing: .see("[Books]"))
    browse("--kind", "vinyl", doing: .see("[Vinyl]"))
    browse(doing: .see("[Vinyl]"))
    // A source that has none of them begins with what it has.
    browse("--source", "kakao", doing: .see("[Books]"))
  }

  @Test func `at forty columns titles, years and marks stay visible`() throws {
    try catalog.addThree()
    catalog.http = answer(Self.dune)
    browse(
      "dune",
      doing: .answer, .resize(columns: 40, lines: 10),
      .see(
        """
        [Movies] Books  Vinyl  Music  Podcasts
         › dune
        iTunes · 2
          Dune (2021)                       2021
          Dune (1984)                       1984



        """))
  }

  @Test func `the selected kind and the main keys are visible at every width`() throws {
    try catalog.addThree()
    browse(
      "기생충",
      doing: .resize(columns: 20, lines: 10), .see("[Movies] Books"), .press(.tab, .tab), .see("Books [Vinyl]"),
      .press(.tab, .tab, .tab), .see("[Apps]"), .press(.tab, .down), .see("? help · q quit"),
      .resize(columns: 40, lines: 10), .see("Enter show · a add · ? help · q quit"), .press(.character("?")),
      .see("While you type", "Tab, Shift-Tab"), .press(.pageDown, .pageDown, .pageDown, .pageDown),
      .see("q              quit; Ctrl-C"))
  }

  @Test func `the creator is cut off before the marks of an item`() throws {
    try catalog.addThree()
    browse(
      "소년이", "--kind", "book",
      doing: .see("[on shelf 2] [card ★★★★½]"), .resize(columns: 40, lines: 10), .see("2014  [on shelf 2]\n"))
  }

  // MARK: Without a screen

  @Test func `without a terminal browse names the search command instead`() {
    catalog.terminal = Terminal()
    let refusal = TestCatalog.Run(
      output: "",
      errors: """
        catalog: browsing needs a terminal with a screen
        hint: catalog search kind 'of blue'

        """, status: 2)
    #expect(catalog.run("browse", "kind", "of blue") == refusal)
    catalog.atTerminal()
    catalog.environment["TERM"] = "dumb"
    #expect(catalog.run("browse", "kind", "of blue") == refusal)
  }

  @Test func `browse rejects unknown kinds, sources and countries`() {
    #expect(catalog.run("browse", "--kind", "films", "--source", "discogs").errors.contains("discogs has no movies"))
    #expect(catalog.run("browse", "--kind", "vinly").errors.contains("did you mean 'vinyl'?"))
    #expect(catalog.run("browse", "--source", "nobody").status == 2)
    #expect(catalog.run("browse", "--country", "Klingon").status == 2)
  }

  private static let dune = """
    {"resultCount": 2, "results": [
      {"wrapperType": "track", "kind": "feature-movie", "trackId": 1594582022, "trackName": "Dune (2021)",
       "artistName": "Denis Villeneuve", "releaseDate": "2021-10-22T07:00:00Z",
       "primaryGenreName": "Sci-Fi & Fantasy", "trackTimeMillis": 9324000,
       "longDescription": "Sand, and what lives in it."},
      {"wrapperType": "track", "kind": "feature-movie", "trackId": 284910350, "trackName": "Dune (1984)",
       "artistName": "David Lynch", "releaseDate": "1984-12-14T08:00:00Z", "primaryGenreName": "Sci-Fi & Fantasy",
       "trackTimeMillis": 8220000}
    ]}
    """
}

extension HTTPClient {
  /// Every source finds nothing.
  fileprivate static let empty = HTTPClient(each: { request in
    let body =
      switch request.source {
      case "openlibrary": #"{"numFound": 0, "start": 0, "docs": []}"#
      case "musicbrainz": #"{"count": 0, "offset": 0, "releases": []}"#
      case "tmdb": #"{"page": 1, "total_pages": 1, "total_results": 0, "results": []}"#
      case "kakao": #"{"documents": [], "meta": {"is_end": true, "pageable_count": 0, "total_count": 0}}"#
      case "discogs": #"{"pagination": {"page": 1, "pages": 1, "per_page": 20, "items": 0}, "results": []}"#
      default: #"{"resultCount": 0, "results": []}"#
      }
    return .success(Response(status: 200, body: Array(body.utf8)))
  })

  fileprivate func noting(in asked: Asked) -> HTTPClient {
    HTTPClient { requests in
      requests.forEach(asked.note)
      return send(requests)
    }
  }
}
