import CatalogModel
import SQLite
import Testing

@testable import CatalogCommands
@testable import CatalogStore

struct RecentCommandTests {
  let catalog: TestCatalog

  init() throws { catalog = try TestCatalog() }

  @Test func `the 11th view removes the oldest, and a re-view moves to the front`() throws {
    for number in 1...11 { try catalog.add(.movie, "Movie \(number)", year: 1950 + number) }
    for number in 1...11 { catalog.run("show", "\(number)") }
    func shown() -> String {
      catalog.run("recent", "--json=item").output.filter { $0.isNumber || $0 == "," }
    }
    #expect(shown() == "11,10,9,8,7,6,5,4,3,2")
    catalog.run("show", "5")
    #expect(shown() == "5,11,10,9,8,7,6,4,3,2")
    catalog.run("show", "1")
    #expect(shown() == "1,5,11,10,9,8,7,6,4,3")
    // The rule is the file's own.
    try catalog.store.db.run(
      """
      INSERT INTO recently_viewed (source, source_id, item_id, kind, title, viewed_at)
      VALUES ('item', '2', 2, 'movie', 'Movie 2', '2026-11-21T10:00:00Z')
      """)
    #expect(shown() == "2,1,5,11,10,9,8,7,6,4")
  }

  @Test func `showing a result counts as a view, and adding it puts the item in its place`() throws {
    try catalog.addThree()
    catalog.addResult()
    catalog.run("show", "2")
    catalog.run("show", "r1")
    catalog.run("show", "1")
    #expect(
      catalog.run("recent")
        == .init(
          output: """
            @1\tmovie\t기생충\t봉준호\t2019\t1\t2026-11-21T09:30:05Z
            @2\tvinyl\tBlue Train\tJohn Coltrane\t1958\t\t2026-11-21T09:30:05Z
            @3\tbook\t소년이 온다\t한강\t2014\t2\t2026-11-21T09:30:05Z

            """, errors: "", status: 0))
    #expect(catalog.run("add", "@2").output == "added vinyl 4: Blue Train — John Coltrane (1958)\n")
    #expect(
      catalog.run("recent", "--json=recent,item,source").output.contains(#"{"recent":"@2","item":4,"source":null}"#))
  }

  @Test func `recent on a terminal shows the present titles`() throws {
    try catalog.addThree()
    catalog.run("show", "1")
    catalog.run("edit", "1", "title=Parasite")
    catalog.atTerminal()
    #expect(
      catalog.run("recent").output == """
            Kind   Title     By      Year  Item  Viewed
        @1  movie  Parasite  봉준호  2019     1  2026-11-21

        """)
  }

  @Test func `recent without any view is reported`() {
    #expect(
      catalog.run("recent")
        == .init(
          output: "", errors: "catalog: nothing was viewed yet\nhint: view something: catalog show WORDS\n", status: 1))
    let listed = catalog.run("recent", "--json")
    #expect(listed.output == "[]\n")
    #expect(listed.status == 1)
    #expect(
      catalog.run("recent", "remove", "--all")
        == .init(output: "", errors: "catalog: nothing was viewed yet\n", status: 0))
  }

  @Test func `recent remove removes several views, and the others move up`() throws {
    try catalog.addThree()
    catalog.addResult()
    for ref in ["1", "r1", "2", "3"] { catalog.run("show", ref) }
    #expect(
      catalog.run("recent", "remove", "@1", "@3", "3", "-n").output == """
        would be removed from the recents: vinyl 3: Kind of Blue — Miles Davis (1959)
        would be removed from the recents: vinyl: Blue Train — John Coltrane (1958)

        """)
    #expect(catalog.run("recents", "rm", "r1", "kind of blue").status == 0)
    #expect(try catalog.store.recents().map(\.item?.rawValue) == [2, 1])
    #expect(
      catalog.run("recent", "remove", "@2")
        == .init(output: "removed from the recents: movie 1: 기생충 — 봉준호 (2019)\n", errors: "", status: 0))
    #expect(catalog.run("recent", "list").output.hasPrefix("@1\tbook\t소년이 온다\t"))
    #expect(try catalog.store.shelfCounts().total == 3)
    #expect(try catalog.store.favorites() == [ItemID(rawValue: 3)])
  }

  @Test func `recent remove --all asks first and keeps views made while the question was open`() throws {
    try catalog.addThree()
    for ref in ["1", "2", "3"] { catalog.run("show", ref) }
    #expect(catalog.run("recent", "remove", "--all").errors.contains("hint: --yes answers yes"))
    catalog.atTerminal()
    catalog.input = ["n"]
    #expect(catalog.run("recent", "remove", "--all").status == 1)
    #expect(try catalog.store.recents().count == 3)
    catalog.input = ["y"]
    catalog.beforeLine = { [store = catalog.store, clock = catalog.clock] in
      try? store.recordView(of: ItemID(rawValue: 2), now: clock)
    }
    let run = catalog.run("recent", "remove", "--all")
    #expect(run.errors.hasSuffix("\nRemove all 3 from the recents? [y/N] "))
    #expect(run.status == 0)
    #expect(
      run.output == """
        removed from the recents: vinyl 3: Kind of Blue — Miles Davis (1959)
        removed from the recents: movie 1: 기생충 — 봉준호 (2019)

        """)
    #expect(try catalog.store.recents().map(\.item?.rawValue) == [2])
  }

  @Test func `a view of an unknown source can be removed`() throws {
    try catalog.addThree()
    catalog.run("show", "1")
    try catalog.store.db.run(
      """
      INSERT INTO recently_viewed (source, source_id, kind, title, viewed_at)
      VALUES ('bygone', '7', 'music', 'A Song', '2026-11-21T10:00:00Z')
      """)
    #expect(catalog.run("recent", "remove", "@1").output == "removed from the recents: music: A Song\n")
    #expect(try catalog.store.recents().count == 1)
  }

  @Test(arguments: [
    BadInput("recent", "remove", errors: "missing REF"),
    BadInput("recent", "remove", "@1", "--all", errors: "'--all' cannot be combined"),
    BadInput(
      "recent", "remove", "@3", errors: "there is no recent @3: there are 1\nhint: 'catalog recent' lists", status: 1),
    BadInput("recent", "remove", "2", errors: "not among the recents: book 2: 소년이 온다", status: 0),
    BadInput(
      "recent", "remove", "1",
      errors:
        "not among the recents: movie 1: 기생충 — 봉준호 (2019)\nhint: for the one in that place: catalog recent remove @1",
      status: 0),
    BadInput("recent", "remove", "@1", "99", errors: "there is no item 99", status: 1),
    BadInput("recent", "clear", errors: "unknown command 'recent clear'"),
  ])
  func `bad input is explained, and nothing is taken away`(_ bad: BadInput) throws {
    try catalog.addThree()
    catalog.run("show", "3")
    let run = catalog.run(bad.words)
    #expect(run.errors.contains(bad.errors))
    #expect(run.status == bad.status)
    #expect(run.output.isEmpty)
    #expect(try catalog.store.recents().count == 1)
  }

  @Test func `completion offers the recents`() throws {
    try catalog.addThree()
    for ref in ["1", "3"] { catalog.run("show", ref) }
    let offered = catalog.run("completion", "--candidates", "--", "recent", "remove", "@").output
    #expect(offered.contains("@1\tKind of Blue — Miles Davis (1959)"))
    #expect(offered.contains("@2\t기생충"))
  }
}
