import CatalogModel
import Foundation
import Lookup
import SQLite
import Synchronization
import TestSupport
import Testing
import Web

@testable import CatalogCommands
@testable import CatalogStore
@testable import CommandLineKit

struct ServeTests {
  let site: TestSite
  private var catalog: TestCatalog { site.catalog }

  init() throws {
    site = try TestSite()
    for words in [
      ["movie", "--title", "Parasite", "--creator", "Bong Joon-ho", "--year", "2019", "--genre", "Thriller"],
      ["book", "--title", "The Hobbit", "--creator", "J. R. R. Tolkien", "--year", "1937"],
      ["vinyl", "--title", "Kind of Blue", "--creator", "Miles Davis", "--year", "1959", "--genre", "Jazz"],
    ] { try #require(catalog.run(["--yes", "add"] + words).status == 0) }
  }

  // MARK: Who is let in

  @Test(arguments: ["/", "/item/1", "/cover/1", "/find?q=heat", "/genres", "/browsers", "/nothing"])
  func `an unpaired browser gets only the pairing page`(_ path: String) throws {
    let page = try site.get(path)
    #expect(page.status == 403)
    #expect(page.text.contains("Pair this browser"))
    for word in ["Parasite", "Hobbit", "Davis"] { #expect(!page.text.contains(word)) }
    let posted = try site.post(path.split(separator: "?").first.map(String.init) ?? path, ["q": "x"])
    #expect(posted.status == 403)
    #expect(site.typed == [])
  }

  @Test func `a pairing code pairs one browser, once`() throws {
    let code = try site.browsers.makeCode(now: catalog.now)
    #expect(code.wholeMatch(of: /[A-Z2-9]{4}-[A-Z2-9]{4}/) != nil)
    // As a person types it.
    let page = try site.post(
      "/pair", ["code": " \(code.lowercased().replacing("-", with: " ")) ", "name": "phone\u{1B}[2J"])
    #expect(page.status == 303)
    let cookie = try #require(page.headers["Set-Cookie"])
    for part in ["; HttpOnly", "; SameSite=Strict", "; Path=/"] { #expect(cookie.contains(part)) }
    #expect(!cookie.contains("Secure"))
    #expect(try site.post("/pair", ["code": code]).status == 403)
    let kept = try #require(try AtomicFile.read(site.browsers.path))
    let token = try #require(cookie.prefix { $0 != ";" }.split(separator: "=").last)
    #expect(!String(decoding: kept, as: UTF8.self).contains(token), "only a digest of it is kept")
    #expect(try FileManager.default.attributesOfItem(atPath: site.browsers.path)[.posixPermissions] as? Int == 0o600)
    site.headers.append(("Cookie", "catalog-8750=\(token)"))
    #expect(try site.get("/").status == 200)
    // A paired browser stays paired after a restart of the server.
    site.restart()
    #expect(try site.get("/").status == 200)
    let listing = catalog.run("serve", "browsers")
    #expect(listing.output.hasPrefix("1\tphone"))
    #expect(!listing.output.contains("\u{1B}"))
    #expect(catalog.run("serve", "forget", "2").status == 1)
    #expect(catalog.run("serve", "forget", "1", "--dry-run").output.hasPrefix("would unpair phone"))
    #expect(try site.get("/").status == 200)
    #expect(catalog.run("serve", "forget", "1").status == 0)
    #expect(try site.get("/").status == 403)
  }

  @Test func `the cookie set over HTTPS is Secure`() throws {
    site.headers = [("Host", "shelf"), ("Origin", "https://shelf")]
    let page = try site.post("/pair", ["code": try site.browsers.makeCode(now: catalog.now)])
    #expect(page.headers["Set-Cookie"]?.hasSuffix("; Secure") == true)
  }

  @Test func `a pairing code is valid for ten minutes and until a newer one is made`() throws {
    let old = try site.browsers.makeCode(now: catalog.now - 601)
    #expect(try site.post("/pair", ["code": old]).status == 403)
    let first = try site.browsers.makeCode(now: catalog.now)
    let second = try site.browsers.makeCode(now: catalog.now)
    #expect(try site.post("/pair", ["code": first]).status == 403)
    #expect(try site.post("/pair", ["code": second]).status == 303)
    #expect(try site.post("/pair", ["code": ""]).status == 403)
  }

  @Test func `five pairing codes a minute may be tried`() throws {
    let code = try site.browsers.makeCode(now: catalog.now)
    for _ in 0..<5 { #expect(try site.post("/pair", ["code": "AAAA-AAAA"]).status == 403) }
    #expect(try site.post("/pair", ["code": code]).status == 429)
    site.uptime += .seconds(61)
    #expect(try site.post("/pair", ["code": code]).status == 303)
  }

  /// The terminal, and whether the QR code is drawn there.
  @Test(arguments: [
    (Terminal(isOutputTerminal: true, width: 80), true),
    (Terminal(isOutputTerminal: true, width: 80, usesColor: true), true),
    (Terminal(isOutputTerminal: true, width: 30), false), (Terminal(width: 80), false),
    (Terminal(isOutputTerminal: true, width: 80, usesUnicode: false), false),
  ])
  func `the address of a code is drawn for a phone where there is room`(_ terminal: Terminal, _ isDrawn: Bool) throws {
    let output = Output.memory()
    var context = catalog.context(output: output)
    context.terminal = terminal
    try context.print(code: "K7QF-2M9X", at: "http://192.0.2.7:8750/", draws: true)
    #expect(output.text.contains("http://192.0.2.7:8750/pair?code=K7QF-2M9X"))
    let drawn = output.text.split(separator: "\n").map(String.init).filter { $0.contains("█") || $0.contains("▀") }
    let code = QRCode("http://192.0.2.7:8750/pair?code=K7QF-2M9X")?.halfBlocks ?? []
    let style = terminal.usesColor ? ("\u{1B}[97;40m", "\u{1B}[0m") : ("", "")
    #expect(drawn == (isDrawn ? code.map { style.0 + $0 + style.1 } : []))
    #expect(!isDrawn || !code.isEmpty)
  }

  @Test func `wrong codes of one network stop only that network`() throws {
    let code = try site.browsers.makeCode(now: catalog.now)
    let before = FileIdentity(site.browsers.path)
    // One device has all addresses of its half.
    for number in 0..<5 {
      #expect(try site.post("/pair", ["code": "AAAA-AAAA"], from: "2001:db8:1:2::\(number)").status == 403)
    }
    #expect(FileIdentity(site.browsers.path) == before, "a wrong code writes nothing")
    #expect(try site.post("/pair", ["code": code], from: "2001:db8:1:2:ffff::").status == 429)
    for _ in 0..<5 { #expect(try site.post("/pair", ["code": "AAAA-AAAA"], from: "192.0.2.7").status == 403) }
    #expect(try site.post("/pair", ["code": code], from: "::ffff:192.0.2.7").status == 429)
    #expect(try site.post("/pair", ["code": code], from: "127.0.0.1").status == 303)
  }

  @Test func `a request with the host or origin of another site is refused`() throws {
    try site.pair()
    let cookie = site.headers.filter { $0.name == "Cookie" }
    site.headers = [("Host", "evil.example"), ("Origin", "http://evil.example")] + cookie
    #expect(try site.get("/").status == 421)
    site.headers = [("Host", "shelf"), ("Origin", "http://evil.example")] + cookie
    #expect(try site.post("/item/1/remove").status == 403)
    site.headers = [("Host", "shelf")] + cookie
    #expect(try site.post("/item/1/remove").status == 403)
    #expect(site.typed == [])
  }

  @Test func `every page has a strict Content-Security-Policy`() throws {
    try site.pair()
    for path in ["/", "/item/1", "/nothing", "/pair"] {
      let policy = try #require(try site.get(path).headers["Content-Security-Policy"])
      #expect(policy.hasPrefix("default-src 'none'; style-src 'self'; script-src 'self'; "))
      #expect(!policy.contains("unsafe"))
    }
  }

  @Test func `with a damaged file of browsers the server answers with an error`() throws {
    try site.pair()
    try AtomicFile.write(Array("{".utf8), to: site.browsers.path)
    #expect(try site.get("/").status == 500)
    let run = catalog.run("serve", "browsers")
    #expect(run.status == 1)
    #expect(run.errors.contains("is damaged"))
  }

  // MARK: Pages

  @Test func `every page is well-formed and shows the requested items`() throws {
    try site.pair()
    catalog.run("card", "add", "1", "--stars", "4.5", "first line\nsecond <b>line</b>")
    catalog.run("log", "1", "--on", "2026-11-20")
    catalog.run("wish", "a red <book>", "--up-to", "10 EUR")
    catalog.run("lend", "c1", "to", "Anna & Co", "--on", "2026-10-01", "--due", "2026-11-01")
    for (path, words) in [
      ("/", ["Parasite", "The Hobbit", "Kind of Blue", "★★★★½"]), ("/?q=kind:vinyl", ["Kind of Blue"]),
      ("/?q=kind:book", ["The Hobbit"]), ("/?view=list", ["The Hobbit", "Tolkien"]), ("/more", ["History"]),
      ("/history", ["Kind of Blue"]), ("/favorites", ["0 items"]), ("/stats", ["2026"]), ("/year/2025", ["2025"]),
      ("/report/creators", ["Miles Davis"]), ("/report/decades", ["1930s"]),
      ("/?q=nonesuch", ["Nothing here matches."]),
      ("/?q=year:x", ["x"]), ("/item/1", ["Bong Joon-ho", "second <b>line</b>", "★★★★½"]),
      ("/item/1/edit", ["Genres"]), ("/item/1/remove", ["Remove it"]), ("/recent", ["Parasite"]),
      ("/diary", ["Parasite"]), ("/wishes", ["a red <book>", "up to €10.00"]), ("/loans", ["Anna & Co", "overdue"]),
      ("/genres", ["Thriller"]), ("/browsers", ["phone"]), ("/find", ["Enter it by hand"]),
    ] {
      let page = try site.get(path)
      #expect(page.status == 200, "\(path)")
      let html = try page.html
      for word in words { #expect(html.text.contains(word), "\(path): \(word)") }
      for link in html.all("a") {
        let address = try #require(link.attributes["href"])
        #expect(address.hasPrefix("/") || address.hasPrefix("#"), "\(address)")
      }
      for form in html.all("form") { #expect(form.attributes["action"]?.hasPrefix("/") == true) }
    }
    #expect(!(try site.get("/?q=kind:book").html.text.contains("Parasite")))
    for path in [
      "/item/99", "/item/x", "/item/-1", "/cover/1", "/nothing", "/item/1/nothing", "/..%2f..%2fetc%2fpasswd",
    ] {
      #expect(try site.get(path).status == 404, "\(path)")
    }
  }

  @Test func `the wall has pages`() throws {
    for number in 0..<60 {
      var record = Record(kind: .movie, title: "Film \(number)")
      record.year = 2000
      try catalog.store.add(record, now: Timestamp(catalog.now))
    }
    try site.pair()
    let first = try site.get("/?q=kind:movie&sort=title").html
    #expect(first.all("li").count == 48)
    let more = try #require(first.all("a").last { $0.text == "Next ›" }?.attributes["href"])
    let second = try site.get(more).html
    #expect(second.all("li").count == 13)
    #expect(second.all("a").contains { $0.text == "‹ Back" })
    #expect(Set((first.all("li") + second.all("li")).map(\.text)).count == 61)
    #expect(try site.get("/?page=99999999999999999999").status == 200)
  }

  @Test func `opening an item records a view, and a prefetch does not`() throws {
    try site.pair()
    _ = try site.get("/item/2")
    #expect(try catalog.store.recents().map(\.title) == ["The Hobbit"])
    _ = try site.get("/item/1", adding: [("Sec-Purpose", "prefetch")])
    #expect(try catalog.store.recents().map(\.title) == ["The Hobbit"])
    // Further views within half a second are written together.
    for number in [1, 3, 1] { _ = try site.get("/item/\(number)") }
    #expect(try catalog.store.recents().map(\.title) == ["The Hobbit"])
    site.uptime += .milliseconds(500)
    site.tick()
    #expect(try catalog.store.recents().map(\.title) == ["Parasite", "Kind of Blue", "The Hobbit"])
  }

  @Test func `an unchanged cover is answered with 304, and a cover that is no picture with 404`() throws {
    try site.pair()
    try catalog.store.setCover(Cover(bytes: [0xFF, 0xD8, 0xFF], mediaType: "image/jpeg"), of: ItemID(rawValue: 1))
    let page = try site.get("/cover/1")
    #expect(page.body == [0xFF, 0xD8, 0xFF])
    #expect(page.headers["Content-Type"] == "image/jpeg")
    let tag = try #require(page.headers["ETag"])
    for known in [tag, "W/\(tag)", "\"other\", \(tag)", "*"] {
      #expect(try site.get("/cover/1", adding: [("If-None-Match", known)]).status == 304, "\(known)")
    }
    // A file that could be a page is no picture.
    try catalog.store.setCover(Cover(bytes: Array("<script>".utf8), mediaType: "text/html"), of: ItemID(rawValue: 2))
    #expect(try site.get("/cover/2").status == 404)
  }

  // MARK: Changes

  private func change(_ target: String, _ fields: KeyValuePairs<String, String>) throws -> [String] {
    let page = try site.post(target, fields)
    #expect(page.status == 303, "\(target): \(page.text.suffix(600))")
    return try #require(site.typed.last)
  }

  @Test func `each form runs the command with the same arguments`() throws {
    try site.pair()
    #expect(
      try change("/item/1/card", ["stars": "4.5", "seen": "2026-11-20", "words": "one\r\ntwo"])
        == ["card", "add", "--stars=4.5", "--seen=2026-11-20", "--comment=one\ntwo", "--", "1"])
    #expect(try catalog.store.cards(of: ItemID(rawValue: 1)).first?.comment == "one\ntwo")
    #expect(try change("/item/1/log", ["on": "", "stars": "", "words": ""]) == ["log", "--", "1"])
    #expect(try change("/item/3/favorite", ["x": "y"]) == ["favorite", "--", "3"])
    #expect(try catalog.store.favorites() == [ItemID(rawValue: 3)])
    #expect(try change("/item/3/unfavorite", [:]) == ["unfavorite", "--", "3"])
    #expect(
      try change("/item/3/copy", ["media": "VG+", "sleeve": "", "place": "--help", "price": "25000 KRW"])
        == ["copy", "add", "--media=VG+", "--place=--help", "--price=25000 KRW", "--", "3"])
    #expect(
      try change("/wish", ["what": "--a wish", "limit": "10 EUR"]) == [
        "wish", "--words", "--up-to=10 EUR", "--", "--a wish",
      ])
    #expect(try change("/wish/w1/remove", [:]) == ["wishes", "remove", "--yes", "--", "w1"])
    #expect(
      try change("/add", ["kind": "movie", "title": "하녀", "creator": "김기영", "year": "1960", "genre": ""])
        == ["add", "--title=하녀", "--creator=김기영", "--year=1960", "--", "movie"])
    #expect(
      try change("/copy/c1/lend", ["person": "Anna & Co", "due": "2027-01-01", "item": "2"])
        == ["lend", "--due=2027-01-01", "--", "c1", "to", "Anna & Co"])
    #expect(try site.get("/item/2").html.all("button").contains { $0.text == "It is back" })
    #expect(try change("/copy/c1/return", [:]) == ["return", "--", "c1"])
    #expect(try site.get("/loans").text.contains("Nothing is lent."))
    #expect(try change("/item/2/remove", [:]) == ["remove", "--yes", "--", "2"])
    #expect(try !catalog.store.exists(ItemID(rawValue: 2)))
    let undo = try site.get("/")
    #expect(try site.send("/undo", on: undo).status == 303)
    #expect(site.typed.last == ["undo"])
    #expect(try catalog.store.exists(ItemID(rawValue: 2)))
    let told = try site.get("/")
    #expect(told.text.contains("The Hobbit"))
    #expect(try told.html.all("div").contains { $0.attributes["class"] == "told" })
    #expect(try !site.get("/").html.all("div").contains { $0.attributes["class"] == "told" }, "it is told once")
  }

  @Test(arguments: FormRoute.all)
  func `each form runs a command that has its options`(_ route: FormRoute) throws {
    var node: CommandNode<Context>?
    for word in route.command where !word.hasPrefix("-") {
      let children = node?.children ?? CatalogProgram.program.root.children
      let child = try #require(children.first { $0.isCalled(word) }, "\(route.command)")
      node = child
    }
    let names = Set((node?.arguments ?? []).map(\.name))
    for option in route.optionNames { #expect(names.contains(option), "\(route.command): \(option)") }
  }

  @Test func `the edit form writes only the changed fields`() throws {
    try site.pair()
    let page = try site.get("/item/1/edit").html
    let inputs = page.all("input") + page.all("textarea")
    let shown = inputs.map { input in
      // The first line feed of a text is not its own.
      (input.attributes["name"] ?? "", input.attributes["value"] ?? String(input.text.dropFirst()))
    }
    func fields(_ changed: [String: String]) -> WebForm {
      var form = WebForm()
      for (name, value) in shown { form.add(name, changed[name] ?? value) }
      return form
    }
    #expect(shown.contains { $0 == ("title", "Parasite") })
    // Meanwhile a command is typed.
    catalog.run("edit", "1", "year=2020")
    let form = fields(["title": "기생충"])
    let body = Array(form.text.utf8)
    let type = (name: "Content-Type", value: "application/x-www-form-urlencoded")
    let request = try WebRequest(method: .post, target: "/item/1/edit", headers: site.headers + [type], body: body)
    #expect(try site.ask(request).status == 303)
    #expect(site.typed.last == ["edit", "--", "1", "title=기생충"])
    let record = try catalog.store.item(ItemID(rawValue: 1)).record
    #expect(record.title == "기생충")
    #expect(record.year == 2020)
    // Nothing changed is nothing to do.
    let count = site.typed.count
    let same = try WebRequest(
      method: .post, target: "/item/1/edit", headers: site.headers + [type], body: Array(fields([:]).text.utf8))
    #expect(try site.ask(same).location == "/item/1")
    #expect(site.typed.count == count)
  }

  @Test func `saving the unchanged words of a card is no change`() throws {
    try site.pair()
    catalog.run("card", "add", "1", "--stars", "87%", "one\ntwo 'three' \"four\"")
    let html = try site.get("/item/1").html
    let form = try #require(html.all("form").first { $0.attributes["action"] == "/card/1/edit" })
    let was = try #require(form.all("input").first { $0.attributes["name"] == "was-words" }?.attributes["value"])
    #expect(was == "one\ntwo 'three' \"four\"")
    #expect(form.all("option").first { $0.attributes["selected"] != nil }?.attributes["value"] == "87%")
    let place = try site.post(
      "/card/1/edit",
      ["stars": "87%", "was-stars": "87%", "words": was.replacing("\n", with: "\r\n"), "was-words": was, "item": "1"])
    #expect(place.location == "/item/1")
    #expect(site.typed == [])
    _ = try site.post("/card/1/edit", ["stars": "5", "was-stars": "87%", "words": was, "was-words": was, "item": "1"])
    #expect(site.typed.last == ["card", "edit", "--stars=5", "--", "1"])
    #expect(try catalog.store.card(CardID(rawValue: 1)).comment == was)
    #expect(try site.post("/card/1/remove", ["item": "1"]).location == "/item/1")
    #expect(try catalog.store.cards().isEmpty)
  }

  @Test func `the undo button undoes its own change, or nothing`() throws {
    try site.pair()
    _ = try site.post("/item/1/card", ["words": "of the phone"])
    let done = try site.get("/item/1")
    catalog.run("card", "add", "2", "of the laptop")
    let refused = try site.send("/undo", on: done)
    #expect(refused.status == 422)
    #expect(refused.text.contains("omething else was changed since"))
    #expect(try catalog.store.cards().count == 2)
    #expect(catalog.run("undo").status == 0)
    #expect(try site.send("/undo", on: done).status == 303)
    #expect(try catalog.store.cards().isEmpty)
    // Another tab with the same button, and a button without an operation.
    var form = try site.form("/undo", on: done)
    form.add("x", "y")
    #expect(try site.ask(site.request("/undo", form)).status == 422)
    #expect(try site.post("/undo").status == 404)
    #expect(try site.post("/undo", ["operation": "x"]).status == 404)
    // A form that changes nothing has no button.
    _ = try site.post("/item/1/unfavorite")
    #expect(try !site.get("/item/1").html.all("form").contains { $0.attributes["action"] == "/undo" })
    #expect(catalog.run("history").output.contains("movie"), "the catalog as it was")
  }

  @Test(
    arguments: [
      ("/item/1/card", ["words": "once"]), ("/item/1/log", ["on": "2026-11-20"]),
      ("/item/1/copy", ["place": "Kitchen"]),
      ("/item/1/wish", ["yes": "1"]), ("/item/1/favorite", [:]),
    ] as [(String, [String: String])])
  func `a form that is sent twice writes once`(_ action: String, _ values: [String: String]) throws {
    try site.pair()
    let shown = try site.get("/item/1")
    var form = try site.form(action, on: shown, values)
    form.add("yes", "1")
    let request = try site.request(action, form)
    // At the same time, as of a double click.
    let answers = (try site.site.answer(request), try site.site.answer(request))
    let pages = (try site.page(of: answers.0), try site.page(of: answers.1))
    #expect(pages.0.status == 303)
    #expect(pages.1.location == pages.0.location)
    #expect(site.typed.count == 1)
    let told = try site.get("/item/1")
    // Later, and after a restart.
    #expect(try site.ask(request).location == pages.0.location)
    site.restart()
    #expect(try site.ask(request).location == pages.0.location)
    #expect(site.typed.count == 1)
    func lines(_ page: TestSite.Page) throws -> [String] {
      try page.html.all("div").filter { $0.attributes["class"] == "told" }.map(\.text)
    }
    #expect(try lines(site.get("/item/1")) == lines(told), "it tells what the first one did")
    guard action != "/item/1/favorite" else { return }
    // The same words in the form of another page are another card.
    _ = try site.send(action, on: site.get("/item/1"), values)
    #expect(site.typed.count == 2)
  }

  @Test func `a form that its person changed, or that could not be done, is sent anew`() throws {
    try site.pair()
    let shown = try site.get("/item/1")
    #expect(try site.send("/item/1/copy", on: shown, ["price": "much"]).status == 422)
    #expect(try site.send("/item/1/copy", on: shown, ["price": "much"]).status == 422)
    #expect(site.typed.count == 2)
    // Going back and sending again writes another card.
    for words in ["one", "another", "one"] { _ = try site.send("/item/1/card", on: shown, ["words": words]) }
    #expect(try Set(catalog.store.cards().map(\.comment)) == ["one", "another"])
    #expect(try catalog.store.cards().count == 2)
    for number in 0..<150 {
      try site.browsers.keep(
        .init("\(number)", CommandResult(lines: [String(repeating: "x", count: 9_999)]), place: "/"))
    }
    #expect(try site.browsers.content().sentForm("49") == nil, "only the last hundred are kept")
    #expect(try site.browsers.content().sentForm("50") != nil)
    #expect(try site.browsers.all.count == 1)
  }

  @Test func `an old form overwrites nothing that another wrote meanwhile`() throws {
    try site.pair()
    catalog.run("card", "add", "1", "--stars", "4", "as it was")
    catalog.run("edit", "1", "note=two\nlines", "genre=Thriller; Drama")
    struct Case {
      var page: String
      var action: String
      var first: [String: String]
      var second: [String: String]
      /// Whether the second writes, too.
      var isWritten: Bool
    }
    for test in [
      Case(
        page: "/item/1/edit", action: "/item/1/edit", first: ["year": "2001"], second: ["year": "1999"],
        isWritten: false),
      Case(page: "/item/1/edit", action: "/item/1/edit", first: ["note": "a"], second: ["note": "b"], isWritten: false),
      Case(
        page: "/item/1/edit", action: "/item/1/edit", first: ["genre": ""], second: ["genre": "Drama"], isWritten: false
      ),
      Case(
        page: "/item/1/edit", action: "/item/1/edit", first: ["tagline": "x"], second: ["tagline": "y", "note": "z"],
        isWritten: false),
      Case(
        page: "/item/1/edit", action: "/item/1/edit", first: ["year": "2002"], second: ["note": "c"], isWritten: true),
      Case(
        page: "/item/1/edit", action: "/item/1/edit", first: ["year": "2003"], second: ["year": "2003"], isWritten: true
      ),
      Case(page: "/item/1", action: "/card/1/edit", first: ["words": "a"], second: ["words": "b"], isWritten: false),
      Case(page: "/item/1", action: "/card/1/edit", first: ["stars": "1"], second: ["stars": "2"], isWritten: false),
      Case(
        page: "/item/1", action: "/card/1/edit", first: ["seen": "2026"], second: ["seen": "2025"], isWritten: false),
      Case(page: "/item/1", action: "/card/1/edit", first: ["stars": "3"], second: ["words": "c"], isWritten: true),
      Case(page: "/item/1", action: "/card/1/remove", first: [:], second: [:], isWritten: false),
    ] {
      let (one, two) = (try site.get(test.page), try site.get(test.page))
      if test.action == "/card/1/remove" {
        #expect(try site.send("/card/1/edit", on: one, ["words": "newer"]).status == 303)
      } else {
        #expect(try site.send(test.action, on: one, test.first).status == 303, "\(test)")
      }
      let shown = try site.get(test.page)
      func fields(_ page: TestSite.Page) throws -> [WebForm.Field] {
        try site.form(test.action, on: page).fields.filter { $0.name != "once" }
      }
      let answer = try site.send(test.action, on: two, test.second)
      #expect(answer.status == (test.isWritten ? 303 : 422), "\(test)")
      if !test.isWritten {
        #expect(try fields(site.get(test.page)) == fields(shown), "\(test)")
        // A yes to another question is none to this.
        var form = try site.form(test.action, on: two, test.second)
        form.add("yes", "1")
        #expect(try site.ask(site.request(test.action, form)).status == 422, "\(test)")
        #expect(try fields(site.get(test.page)) == fields(shown), "\(test)")
      }
    }
    #expect(try catalog.store.card(CardID(rawValue: 1)).comment == "newer")
  }

  // MARK: The file

  @Test func `a locked file stops no other page`() throws {
    try site.pair()
    _ = try site.get("/")
    let path = site.folder.path("catalog.db")
    // The thread of the connections gives up soon, the one in the background waits.
    catalog.openStore = { try Store.open(at: path, for: $0, busyTimeout: 20) }
    for isOpen in [true, false] {
      site.restart()
      if isOpen { _ = try site.get("/") }
      catalog.openStore = { try Store.open(at: path, for: $0, busyTimeout: 60_000) }
      let other = try Connection(.file(path))
      try other.execute(script: "BEGIN EXCLUSIVE")
      let waiting = try site.site.answer(WebRequest(method: .get, target: "/", headers: site.headers))
      guard case .later = waiting else {
        Issue.record("it does not wait")
        return
      }
      let free = try site.site.answer(WebRequest(method: .get, target: "/pair", headers: site.headers))
      guard case .now(let response) = free else {
        Issue.record("it waits")
        return
      }
      #expect(response.status == .ok)
      try other.execute(script: "ROLLBACK")
      let page = try site.page(of: waiting)
      #expect(page.status == 200)
      #expect(page.text.contains("Parasite"))
      catalog.openStore = { try Store.open(at: path, for: $0, busyTimeout: 20) }
    }
    // A message says that waiting took too long.
    let other = try Connection(.file(path))
    try other.execute(script: "BEGIN EXCLUSIVE")
    let page = try site.get("/item/1")
    #expect(page.status == 503)
    #expect(page.text.contains("Another program is writing to the catalog"))
    try other.execute(script: "ROLLBACK")
    #expect(try site.get("/item/1").status == 200)
  }

  @Test func `a file that is emptied, filled, put back or replaced is served as it is`() throws {
    try site.pair()
    let path = site.folder.path("catalog.db")
    catalog.openStore = { try Store.open(at: path, for: $0, busyTimeout: 1_000) }
    site.restart()
    let kept = try Data(contentsOf: URL(filePath: path))
    func put(_ data: Data) throws {
      let file = try FileHandle(forWritingTo: URL(filePath: path))
      try file.truncate(atOffset: 0)
      try file.write(contentsOf: data)
      try file.close()
    }
    func shows(_ title: String) throws -> Bool { try site.get("/").text.contains(">\(title)</p>") }
    #expect(try shows("Parasite"))
    for _ in 0..<2 {
      try put(Data())
      #expect(try site.get("/").text.contains("There is nothing here yet."))
      #expect(try site.get("/item/1").status == 404)
      try put(kept)
      #expect(try shows("Parasite"))
      for place in ["/item/1", "/genres", "/diary"] { #expect(try site.get(place).status == 200, "\(place)") }
    }
    // An item that is added to an empty catalog is there.
    try put(Data())
    #expect(try site.get("/").text.contains("There is nothing here yet."))
    #expect(try site.post("/add", ["kind": "book", "title": "Invented"]).status == 303)
    #expect(try shows("Invented"))
    #expect(try site.get("/item/1").status == 200)
    // Cut short, removed, another one in its place.
    try put(kept.prefix(kept.count / 2))
    #expect(try site.get("/").status == 500)
    try put(kept)
    #expect(try shows("Parasite"))
    try FileManager.default.moveItem(atPath: path, toPath: path + ".away")
    #expect(try site.get("/").text.contains("There is nothing here yet."))
    #expect(try site.get("/").text.contains("There is nothing here yet."))
    try FileManager.default.moveItem(atPath: path + ".away", toPath: path)
    #expect(try shows("Parasite"))
    try kept.write(to: URL(filePath: path), options: .atomic)
    #expect(try shows("Parasite"))
  }

  @Test(arguments: [(0o600, false), (0o640, true), (0o604, true), (0o644, true)])
  func `a catalog that other accounts can read is told of`(_ mode: Int, _ isOpen: Bool) throws {
    let path = try site.folder.write("", to: "some.db")
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: site.folder.path)
    #expect(!FileIdentity.isOpenToOthers(path), "the folder is closed")
    try FileManager.default.setAttributes([.posixPermissions: 0o711], ofItemAtPath: site.folder.path)
    let isAbove = FileIdentity.isOpenToOthers(site.folder.path)
    #expect(FileIdentity.isOpenToOthers(path) == isOpen || !isAbove)
  }

  // MARK: More of the changes

  @Test func `an error of a command is shown, and its question can be confirmed`() throws {
    try site.pair()
    let wrong = try site.post("/item/1/copy", ["price": "much"])
    #expect(wrong.status == 422)
    #expect(wrong.text.contains("is not a price"))
    #expect(!wrong.text.contains("hint:"), "nobody types here")
    let asked = try site.post("/item/3/wish", ["limit": "10 EUR"])
    #expect(asked.status == 422)
    #expect(try asked.html.all("form").contains { $0.attributes["action"] == "/item/3/wish" })
    #expect(try change("/item/3/wish", ["limit": "10 EUR", "yes": "1"]).starts(with: ["--yes", "wish"]))
    #expect(try catalog.store.wishes().count == 1)
    for path in ["/item/1/nothing", "/nothing", "/card/1/nothing", "/item/x/card"] {
      #expect(try site.post(path).status == 404)
    }
  }

  @Test func `the find page searches sources and adds a result`() throws {
    try site.pair()
    let html = try site.get("/find?q=dune&kind=movie").html
    let found = try #require(html.all("li").first)
    #expect(found.text.contains("Denis Villeneuve"))
    #expect(found.text.contains("2021 · movie · "))
    let reference = try #require(found.all("input").first { $0.attributes["name"] == "what" }?.attributes["value"])
    #expect(try change("/add", ["what": reference]) == ["add", "--", reference])
    #expect(try site.get("/find?q=dune&kind=movie").html.all("li").first?.text.contains("on your shelf") == true)
    // A code needs no search.
    let code = try site.get("/find?q=978-0547928227").html
    #expect(code.all("input").contains { $0.attributes["value"] == "978-0547928227" })
  }

  @Test func `random requests are all answered and leave the catalog valid`() throws {
    try site.pair()
    var random = SplitMix(seed: 7)
    let parts = [
      "item", "card", "cover", "copy", "wish", "find", "add", "edit", "remove", "log", "undo", "recent", "genres", "1",
      "2", "3",
      "99", "c1", "w1", "x", "-1", "", "%00", "..", "%2e%2e", "9223372036854775807", "하녀",
    ]
    let names = [
      "q", "kind", "sort", "page", "words", "was-words", "stars", "seen", "item", "title", "was-title", "year",
      "was-year",
      "genres", "was-genres", "what", "as", "limit", "note", "price", "yes", "place", "on", "creator", "genre", "bogus",
      "was-bogus",
    ]
    let values = [
      "", "1", "4.5", "-", "--", "--help", "-x", "a\0b", "'\"<&>", "movie", "vinyl", "year-", "2026-11-20", "10 EUR",
      "genre:(",
      String(repeating: "x", count: 20_000), "\u{202E}abc", "\r\n", "토지", "pack:movie/dune-2021", "id:1..", "none",
    ]
    for _ in 0..<400 {
      let path = (0..<Int.random(in: 0...3, using: &random)).map { _ in parts.randomElement(using: &random) ?? "" }
      var form = WebForm()
      for _ in 0..<Int.random(in: 0...5, using: &random) {
        form.add(names.randomElement(using: &random) ?? "", values.randomElement(using: &random))
      }
      let isPost = Bool.random(using: &random)
      let type = (name: "Content-Type", value: "application/x-www-form-urlencoded")
      let target = "/" + path.joined(separator: "/") + (isPost ? "" : "?" + form.text)
      guard
        let request = try? WebRequest(
          method: isPost ? .post : .get, target: target, headers: site.headers + [type],
          body: isPost ? Array(form.text.utf8) : [])
      else { continue }
      let page = try site.ask(request)
      #expect([200, 303, 404, 422].contains(page.status), "\(target) \(form.text.prefix(300)): \(page.status)")
      if page.headers["Content-Type"]?.hasPrefix("text/html") == true { _ = try page.html }
    }
    #expect(catalog.run("doctor").status == 0)
  }

  @Test func `a warning of the layers below a command is shown, without its hint`() throws {
    try site.pair()
    site.warning = Failure("the catalog was converted", hint: "see 'catalog doctor'")
    _ = try site.post("/item/3/favorite")
    let shelf = try site.get("/")
    #expect(shelf.text.contains("the catalog was converted"))
    #expect(!shelf.text.contains("catalog doctor"))
    #expect(try site.get("/find?q=dune&kind=movie").text.contains("the catalog was converted"))
  }

  @Test func `the find page tells why results are missing and what was not found`() throws {
    try site.pair()
    catalog.http = .offline
    let html = try site.get("/find?q=zzzz&kind=movie")
    #expect(html.text.contains("no movie was found for"), "\(html.text)")
    #expect(!html.text.contains("hint:"))
  }

  @Test func `the server started with --offline asks no source`() throws {
    site.globals.isOffline = true
    site.restart()
    try site.pair()
    _ = try site.get("/find?q=dune&kind=movie")
    #expect(site.lastGlobals?.isOffline == true)
    _ = try site.post("/item/3/favorite")
    #expect(site.typed.last == ["--offline", "favorite", "--", "3"])
  }

  // MARK: Sync

  @Test func `the server syncs at the start, after changes and at intervals`() throws {
    site.restart(syncs: true)
    site.result = CommandResult(lines: ["nothing new"])
    func syncs() -> Int {
      site.tick()
      return site.typed.count { $0 == ["sync"] }
    }
    #expect(syncs() == 1)
    try site.pair()
    #expect(try site.get("/").text.contains("Synced just now"))
    _ = try site.post("/item/1/favorite")
    #expect(syncs() == 1, "whoever changes one thing may change another")
    site.uptime += .seconds(4)
    #expect(syncs() == 2)
    site.uptime += .seconds(120)
    #expect(syncs() == 2)
    site.result = CommandResult(isDone: false, lines: ["the remote cannot be reached"])
    site.uptime += .seconds(900)
    #expect(syncs() == 3)
    #expect(try site.get("/").text.contains("Not synced just now: the remote cannot be reached"))
  }

  // MARK: Words

  @Test func `the server shows Korean pages in a Korean locale`() throws {
    final class Missing: Sendable { let keys = Mutex<Set<String>>([]) }
    let missing = Missing()
    let korean = try #require(SpokenLanguage.all.first { $0.code == "ko" })
    catalog.terminal.translation = korean.translation { key in missing.keys.withLock { _ = $0.insert(key) } }
    site.restart(syncs: true)
    catalog.run("card", "add", "1", "--stars", "4.5", "words")
    catalog.run("log", "1", "--on", "2026-11-20")
    catalog.run("wish", "a book", "--up-to", "10 EUR")
    catalog.run("lend", "c1", "to", "Anna", "--on", "2026-10-01", "--due", "2026-11-01")
    catalog.run("lend", "c2", "to", "Anna", "--due", "2027-11-01")
    _ = try site.get("/")
    try site.pair()
    for path in [
      "/", "/?q=nonesuch", "/?page=2", "/item/1", "/item/3", "/item/1/edit", "/item/1/remove", "/recent", "/diary",
      "/wishes",
      "/loans", "/genres", "/browsers", "/find", "/find?q=dune", "/nothing", "/item/99", "/pair",
    ] { _ = try site.get(path) }
    _ = try site.post("/pair", ["code": "x"])
    _ = try site.post("/item/3/wish")
    _ = try site.post("/item/3/favorite")
    #expect(try site.get("/").text.contains("lang=\"ko\""))
    let forms = try site.get("/item/1").html
    #expect(forms.text.contains("카드 쓰기"))
    #expect(missing.keys.withLock { $0.sorted() } == [])
    // A browser in another language gets that language.
    #expect(try site.get("/", adding: [("Accept-Language", "en-US,en;q=0.9,ko;q=0.8")]).text.contains("Newest first"))
    catalog.terminal.translation = nil
    site.restart()
    #expect(try site.get("/", adding: [("Accept-Language", "fr, ko-KR;q=0.8, en;q=0.5")]).text.contains("lang=\"ko\""))
  }
}
