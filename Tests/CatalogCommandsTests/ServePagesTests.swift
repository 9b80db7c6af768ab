import CatalogModel
import TestSupport
import Testing
import Web

@testable import CatalogCommands
@testable import CatalogStore
@testable import CommandLineKit

/// Tests the pages of the shelf in a browser, and what a person reads after a form.
struct ServePagesTests {
  let site: TestSite
  private var catalog: TestCatalog { site.catalog }

  init() throws {
    site = try TestSite()
    for words in [
      ["movie", "--title", "Dune", "--creator", "Denis Villeneuve", "--year", "2021", "--genre", "Science Fiction"],
      ["book", "--title", "Dune", "--creator", "Frank Herbert", "--year", "1965"],
      ["vinyl", "--title", "Kind of Blue", "--creator", "Miles Davis", "--year", "1959", "--genre", "Jazz"],
      ["book", "--title", "토지", "--creator", "박경리", "--year", "1969"],
    ] { try #require(catalog.run(["--yes", "add"] + words).status == 0) }
    try site.pair()
  }

  private func links(_ path: String) throws -> [String: String] {
    let all = try site.get(path).html.all("a").map { ($0.text, $0.attributes["href"] ?? "") }
    return Dictionary(all) { first, _ in first }
  }

  // MARK: The shelf

  @Test func `chips narrow the shelf, count, and are terms of a query`() throws {
    catalog.run("favorite", "3")
    let all = try links("/")
    #expect(all["Books 2"] == "/?q=kind%3Abook")
    #expect(all["♥ Favorites 1"] == "/?q=is%3Afavorite")
    #expect(all["1960s 2"] != nil)
    #expect(all["Lent out 1"] == nil, "nothing is behind it")
    let books = try links("/?q=kind:book")
    #expect(books["Books 2"] == "/", "the same chip takes the term away")
    #expect(books["1960s 2"] == "/?q=kind%3Abook%20year%3A1960s")
    #expect(books["Movies 1"] == nil)
    // The number is counted again after a change.
    catalog.run("add", "book", "--title", "Another")
    #expect(try links("/")["Books 3"] != nil)
  }

  @Test func `each thing has a cover or its title set on a color, and says its kind`() throws {
    try catalog.store.setCover(Cover(bytes: [0xFF, 0xD8, 0xFF], mediaType: "image/jpeg"), of: ItemID(rawValue: 1))
    catalog.run("log", "1", "--on", "2026-11-20")
    catalog.run("log", "2", "--on", "2026-11-21")
    for path in ["/item/1", "/item/2"] { _ = try site.get(path) }
    for path in ["/", "/?view=list", "/diary", "/recent"] {
      let rows = try site.get(path).html.all("li")
      func row(_ item: Int) -> MarkupElement? {
        rows.first { row in
          row.all("a").contains { $0.attributes["href"] == "/item/\(item)" && $0.attributes["aria-label"] == nil }
        }
      }
      #expect(row(1)?.text.lowercased().contains("movie") == true, "\(path)")
      #expect(row(2)?.text.lowercased().contains("book") == true, "\(path)")
      #expect(row(1)?.all("img").isEmpty == false)
      #expect(row(2)?.all("b").contains { $0.text == "Dune" } == true)
    }
    #expect(try site.get("/").html.all("bdi").contains { $0.attributes["lang"] == "ko" && $0.text == "토지" })
  }

  @Test func `a browser remembers the list view`() throws {
    let page = try site.get("/?view=list")
    #expect(page.headers["Set-Cookie"]?.hasPrefix("catalog-view=list; ") == true)
    #expect(try site.get("/").html.all("ul").first?.attributes["class"] == "wall")
    let cookie = try #require(site.headers.last { $0.name == "Cookie" }?.value)
    site.headers.removeAll { $0.name == "Cookie" }
    site.headers.append((name: "Cookie", value: "\(cookie); catalog-view=list"))
    #expect(try site.get("/").html.all("ul").first?.attributes["class"] == "list")
  }

  @Test func `a search is named, and its words stand in the field`() throws {
    let html = try site.get("/?q=blue").html
    #expect(html.all("title").first?.text == "blue · Shelf")
    #expect(html.all("input").first { $0.attributes["name"] == "q" }?.attributes["value"] == "blue")
  }

  @Test func `style, script, icon and manifest are there, also before pairing`() throws {
    site.headers.removeAll { $0.name == "Cookie" }
    let head = try site.get("/pair").html
    let addresses =
      head.all("link").compactMap { $0.attributes["href"] } + head.all("script").compactMap { $0.attributes["src"] }
    #expect(addresses.count == 4)
    for address in addresses {
      let page = try site.get(address)
      #expect(page.status == 200)
      #expect(page.headers["Cache-Control"]?.contains("immutable") == true)
    }
    #expect(try site.get("/asset/x/style.css").status == 403)
  }

  // MARK: An item

  @Test func `the page of an item has stars, its makers, and others like it`() throws {
    catalog.run("add", "vinyl", "--title", "Sketches of Spain", "--creator", "Miles Davis", "--genre", "Jazz")
    #expect(try site.post("/item/3/rate", ["stars": "4.5"]).status == 303)
    #expect(site.typed.last == ["rate", "--", "3", "4.5"])
    let html = try site.get("/item/3").html
    #expect(html.all("button").filter { $0.attributes["class"] == "on" }.count == 9)
    let links = html.all("a").map { ($0.text, $0.attributes["href"] ?? "") }
    #expect(links.contains { $0 == ("Miles Davis", "/?q=creator%3A%3D%22Miles%20Davis%22") })
    #expect(links.contains { $0.0.contains("Sketches of Spain") && $0.1 == "/item/5" })
    #expect(try site.get("/?q=creator%3A%3D%22Miles%20Davis%22").text.contains("Sketches of Spain"))
  }

  @Test func `the page elsewhere is a link, and a script is none`() throws {
    catalog.run("edit", "1", "url=https://example.org/dune")
    let link = try site.get("/item/1").html.all("a").first { $0.attributes["href"] == "https://example.org/dune" }
    #expect(link?.attributes["rel"] == "noreferrer")
  }

  @Test(
    arguments: [
      ("/copy/c1/edit", ["place": "Attic", "note": "signed"], "copy"), ("/entry/1/edit", ["on": "2026-11-05"], "diary"),
      ("/entry/1/edit", ["note": "with Anna", "stars": "3"], "diary"),
      ("/wish/w1/edit", ["note": "paperback"], "wishes"),
    ] as [(String, [String: String], String)])
  func `a copy, an entry and a wish can be changed`(
    _ action: String, _ values: [String: String], _ listing: String
  ) throws {
    catalog.run("copy", "edit", "c1", "--place", "Kitchen", "--price", "12.50 EUR")
    catalog.run("log", "2", "--on", "2026-11-02", "--stars", "4")
    catalog.run("wish", "1", "--up-to", "30000 KRW", "--note", "hardcover")
    let path = listing == "wishes" ? "/wishes" : "/item/2"
    let shown = try site.get(path)
    #expect(try site.send(action, on: shown, values).status == 303)
    let options = try #require(site.typed.last).filter { $0.hasPrefix("--") && $0 != "--" }
    #expect(options.count == values.count, "only what differs is written: \(options)")
    let text = try site.get(path).text
    for value in values.values { #expect(text.contains("value=\"\(value)\""), "\(value)") }
    // The form of another tab does not overwrite it.
    let other = values.mapValues { $0 == "2026-11-05" ? "2026-11-06" : $0 == "3" ? "2" : "other" }
    if listing != "wishes" {
      let refused = try site.send(action, on: shown, other)
      #expect(refused.status == 422)
      #expect(refused.text.contains("changed elsewhere"))
    }
  }

  // MARK: Mistakes and questions

  @Test(
    arguments: [
      ("/item/3/copy", "/item/3", ["price": "abc", "note": "by the river"], "price"),
      ("/item/3/card", "/item/3", ["stars": "9 stars", "words": "by the river"], "stars"),
      ("/item/3/wish", "/item/3", ["limit": "abc", "note": "by the river"], "limit"),
      ("/add", "/find", ["title": "New", "year": "abc", "creator": "by the river"], "year"),
      ("/add", "/find", ["creator": "by the river"], "title"),
      ("/wish", "/wishes", ["note": "by the river"], "what"),
      ("/item/3/edit", "/item/3/edit", ["year": "abc", "label": "by the river"], ""),
    ] as [(String, String, [String: String], String)])
  func `a mistake shows the form again with all that was typed`(
    _ action: String, _ page: String, _ values: [String: String], _ field: String
  ) throws {
    let count = try catalog.store.count(Query())
    let answer = try site.send(action, on: site.get(page), values)
    #expect(answer.status == 422)
    let html = try answer.html
    let form = try #require(html.all("form").first { $0.attributes["action"] == action })
    let shown = (form.all("input") + form.all("textarea")).filter { $0.attributes["type"] != "hidden" }
    #expect(shown.contains { ($0.attributes["value"] ?? $0.text).contains("by the river") }, "\(action)")
    if !field.isEmpty {
      let invalid = (shown + form.all("select")).filter { $0.attributes["aria-invalid"] == "true" }
      #expect(invalid.map { $0.attributes["name"] } == [field])
    }
    // A browser has no options.
    #expect(html.all("main").first?.text.contains("--") == false, "\(html.text)")
    #expect(try catalog.store.count(Query()) == count)
  }

  @Test func `a new genre is a question with a button`() throws {
    let values = ["kind": "book", "title": "Two", "creator": "Ann Bee; Cee Dee", "genre": "Jazz; Sea Stories Invented"]
    let asked = try site.send("/add", on: site.get("/find"), values)
    #expect(asked.status == 422)
    #expect(asked.text.contains("Create it?"))
    let added = try site.send("/add", on: asked)
    #expect(added.location == "/item/5")
    let item = try catalog.store.item(ItemID(rawValue: 5))
    #expect(item.record.creators == ["Ann Bee", "Cee Dee"])
    #expect(item.genres == ["Jazz", "Sea Stories Invented"])
  }

  @Test func `words that an owned thing has become a wish`() throws {
    for words in ["Miles Davis", "Dune"] {
      #expect(try site.send("/wish", on: site.get("/wishes"), ["what": words]).status == 303)
    }
    #expect(try catalog.store.wishes().count == 2)
  }

  @Test func `the page of removal tells all that goes with it`() throws {
    catalog.run("log", "2", "--on", "2026-11-02")
    catalog.run("card", "add", "2", "some words")
    catalog.run("favorite", "2")
    catalog.run("lend", "c1", "to", "Anna")
    let text = try site.get("/item/2/remove").html.text
    for words in ["1 copy", "1 entry", "1 card", "favorites", "Anna has borrowed it"] {
      #expect(text.contains(words), "\(words)")
    }
  }

  // MARK: Lists and reports

  @Test func `the diary has months with covers, and goes on to the oldest`() throws {
    catalog.run("log", "1", "--on", "2026-11-20")
    catalog.run("log", "2", "--on", "2024-02-29")
    catalog.run("log", "3", "--on", "1999")
    catalog.run("log", "4", "--undated")
    var path = "/diary"
    var titles: [String] = []
    for _ in 0..<4 {
      let html = try site.get(path).html
      titles.append(html.all("h1").first?.text ?? "")
      path = html.all("a").first { $0.text.hasPrefix("‹") }?.attributes["href"] ?? path
    }
    #expect(titles == ["November 2026", "February 2024", "1999", "Without a date"])
    let days = try site.get("/diary?month=2024-02").html.all("ol")[0].all("li").filter { $0.attributes["class"] == nil }
    #expect(days.count == 29)
    #expect(days[28].all("a").map { $0.attributes["href"] } == ["/item/2"])
    // 1 February 2024 was a Thursday.
    #expect(try site.get("/diary?month=2024-02").html.all("ol")[0].all("li").count == 7 + 3 + 29)
  }

  @Test func `each row of a report leads to its items`() throws {
    let creators = try links("/report/creators")
    #expect(creators["Miles Davis"] == "/?q=creator%3A%3D%22Miles%20Davis%22")
    #expect(try links("/report/decades")["1960s"] == "/?q=year%3A1960s")
    #expect(try links("/stats")["Creators"] == "/report/creators")
    #expect(try site.get("/report/nothing").status == 404)
  }

  @Test func `tags, piles, saved queries and favorites are behind More`() throws {
    catalog.run("tag", "add", "winterly", "2")
    catalog.run("pile", "add", "next up", "4")
    catalog.run("pile", "add", "next up", "3")
    catalog.run("shelf", "save", "oldest", "year:1959")
    let more = try links("/more")
    func items(_ link: String) throws -> [String] {
      try site.get(#require(more[link])).html.all("a").compactMap { $0.attributes["href"] }.filter {
        $0.hasPrefix("/item/")
      }
    }
    #expect(try items("winterly 1") == ["/item/2"])
    #expect(try items("next up 2").filter { !$0.isEmpty } == ["/item/4", "/item/4", "/item/3", "/item/3"])
    #expect(try items("oldest") == ["/item/3"])
    #expect(try site.send("/pile/remove", on: site.get(#require(more["next up 2"]))).status == 303)
    #expect(site.typed.last == ["pile", "remove", "--", "next up", "4"])
  }

  @Test func `the history tells of what is gone, and undoes its newest change`() throws {
    catalog.run("remove", "1", "--yes")
    let page = try site.get("/history")
    #expect(page.text.contains("Dune"))
    #expect(try page.html.all("form").filter { $0.attributes["action"] == "/history/undo" }.count == 1)
    #expect(try site.send("/history/undo", on: page).location == "/history")
    #expect(try catalog.store.exists(ItemID(rawValue: 1)))
    #expect(try !site.get("/history").text.contains("--"), "nothing that is typed")
  }
}
