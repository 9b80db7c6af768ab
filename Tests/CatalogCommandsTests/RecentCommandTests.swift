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

  @Test func `the detail of a mere result counts as a view, and the item takes its place when it is added`() throws {
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

  @Test func `a terminal shows titles as they are now`() throws {
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

  @Test func `nothing viewed is said`() {
    #expect(
      catalog.run("recent")
        == .init(
          output: "", errors: "catalog: nothing was viewed yet\nhint: view something: catalog show WORDS\n", status: 1))
  }
}
