import CatalogModel
import Testing

@testable import CatalogCommands
@testable import CatalogStore

struct TagCommandTests {
  private typealias Tag = CatalogStore.Tag
  let catalog: TestCatalog

  init() throws {
    catalog = try TestCatalog()
    try catalog.addThree()
  }

  private func tags() throws -> [Tag] { try catalog.store.tags() }

  @Test func `a tag is added, searched, listed, renamed and removed`() throws {
    #expect(
      catalog.run("tag", "add", "winter", "1", "kind of blue")
        == .init(
          output: """
            tagged 'winter': movie 1: 기생충 — 봉준호 (2019)
            tagged 'winter': vinyl 3: Kind of Blue — Miles Davis (1959)

            """, errors: "'winter' is a new tag\n", status: 0))
    #expect(
      catalog.run("tag", "add", "Winter", "1").errors
        == "catalog: already tagged 'winter': movie 1: 기생충 — 봉준호 (2019)\n")
    #expect(catalog.run("list", "tag:win", "--tsv", "--columns", "id,tags").output == "3\twinter\n1\twinter\n")
    #expect(catalog.run("show", "1").output.contains("Tags"))
    #expect(catalog.run("tags").output == "winter\t2\n")
    #expect(catalog.run("tag", "list", "--json").output == #"[{"tag":"winter","items":2}]"# + "\n")
    #expect(catalog.run("tag", "rename", "winter", "cold days").output == "renamed winter → cold days (2 items)\n")
    #expect(
      catalog.run("tag", "remove", "cold-days", "1", "2")
        == .init(
          output: "no longer tagged 'cold days': movie 1: 기생충 — 봉준호 (2019)\n",
          errors: "catalog: not tagged 'cold days': book 2: 소년이 온다 — 한강 (2014)\n", status: 0))
    #expect(catalog.run("tag", "remove", "cold days", "--all", "--yes").output.contains("Kind of Blue"))
    #expect(catalog.run("tags").errors.hasPrefix("catalog: there is no tag yet"))
  }

  @Test func `tag add with a result adds the item without a copy`() throws {
    let words = ["tag", "add", "winter", "pack:vinyl/after-school-session-1957", "2"]
    #expect(
      catalog.run(words + ["-n"]).output == """
        would be tagged 'winter': vinyl: After School Session — Chuck Berry (1957)
        would be tagged 'winter': book 2: 소년이 온다 — 한강 (2014)

        """)
    #expect(try tags().isEmpty)
    let run = catalog.run(words)
    #expect(run.output.hasPrefix("added vinyl 4: After School Session — Chuck Berry (1957)"))
    #expect(
      run.output.hasSuffix(
        """
        tagged 'winter': vinyl 4: After School Session — Chuck Berry (1957)
        tagged 'winter': book 2: 소년이 온다 — 한강 (2014)

        """))
    #expect(run.errors.hasSuffix("'winter' is a new tag\n"))
    #expect(run.status == 0)
    #expect(try tags() == [Tag("winter", items: 2)])
    #expect(try catalog.store.copies(of: ItemID(rawValue: 4)).isEmpty)
    #expect(catalog.run(words).status == 0, "so it was before")
    #expect(catalog.run("tag", "add", "winter", "r1").errors.contains("there is no result r1"))
  }

  @Test func `tag add and remove ask before changing several items`() throws {
    let words = ["tag", "add", "mine", "--where", "kind:book or kind:vinyl"]
    #expect(catalog.run(words).status == 2)
    #expect(catalog.run(words + ["-n"]).output.split(separator: "\n").count == 2)
    #expect(try tags().isEmpty)
    catalog.atTerminal()
    catalog.input = ["n"]
    #expect(catalog.run(words).status == 1)
    catalog.input = ["y"]
    #expect(catalog.run(words).status == 0)
    #expect(try tags() == [Tag("mine", items: 2)])
    catalog.input = ["y"]
    #expect(catalog.run("tag", "remove", "mine", "--where", "kind:book or kind:movie").output.contains("book 2"))
    #expect(try tags() == [Tag("mine", items: 1)])
    // One needs no question.
    catalog.input = []
    #expect(catalog.run("tag", "add", "mine", "--where", "kind:movie").status == 0)
  }

  @Test func `renaming a tag to an existing one asks and merges them, and a dry run changes nothing`() throws {
    catalog.run("tag", "add", "winter", "1", "2")
    catalog.run("tag", "add", "cold", "3")
    #expect(
      catalog.run("tag", "rename", "winter", "COLD", "-n").output
        == "would rename winter → cold, which already exists (2 items)\n")
    #expect(catalog.run("tag", "rename", "winter", "cold").status == 2)
    #expect(catalog.run("tag", "remove", "winter", "1", "-n").output.hasPrefix("would no longer be tagged 'winter'"))
    #expect(catalog.run("tag", "add", "winter", "3", "-n").output.hasPrefix("would be tagged 'winter'"))
    #expect(try tags() == [Tag("cold", items: 1), Tag("winter", items: 2)])
    #expect(catalog.run("tag", "rename", "winter", "cold", "--yes").status == 0)
    #expect(try tags() == [Tag("cold", items: 3)])
    #expect(catalog.run("tag", "rename", "cold", "cold").errors == "catalog: nothing changed\n")
  }

  @Test func `saved queries that ask for a tag or pile hear of its new name, and of its end`() throws {
    for words in ["tag add winter 1", "pile add next 1", "shelf save cold tag:winter pile:next"] {
      catalog.run(words.split(separator: " ").map(String.init))
    }
    #expect(catalog.run("tag", "rename", "winter", "snow").errors.contains("'@cold' now asks for 'snow'"))
    #expect(catalog.run("list", "@cold", "--tsv").status == 0)
    #expect(catalog.run("pile", "remove", "next", "--all", "-y").errors.contains("'@cold' still asks for 'pile:next'"))
    #expect(catalog.run("tag", "remove", "snow", "1").errors.contains("'@cold' still asks for 'tag:snow'"))
  }

  @Test(arguments: [
    BadInput("tag", "add", errors: "missing TAG"), BadInput("tag", "add", "x", errors: "no item was named"),
    BadInput("tag", "add", "x", "1", "--where", "id:1", errors: "not both"),
    BadInput("tag", "add", "", "1", errors: "the name is empty"),
    BadInput(
      "tag", "add", String(repeating: "x", count: 201), "1", errors: "the name has 201 characters; at most 200 fit"),
    BadInput("tag", "add", "x", "99", errors: "there is no item 99", status: 1),
    BadInput("tag", "add", "x", "--where", "year:19x", errors: "invalid year '19x'"),
    BadInput("tag", "add", "x", "--where", "kind:book year:1900", errors: "no item matches", status: 1),
    BadInput("tag", "remove", "winetr", "1", errors: "no tag 'winetr'; did you mean 'winter'?", status: 0),
    BadInput("tag", "remove", "winter", "2", errors: "not tagged 'winter'", status: 0),
    BadInput("tag", "remove", "winter", "2", "--all", errors: "'--all' cannot be combined"),
    BadInput("tag", "rename", "winetr", "x", errors: "did you mean 'winter'?", status: 1),
    BadInput("tag", "rename", "winter", " ", errors: "the name is empty"),
    BadInput("tag", "rename", "winter", errors: "missing NAME"),
  ])
  func `bad input is explained, and nothing is written`(_ bad: BadInput) throws {
    catalog.run("tag", "add", "winter", "1")
    let run = catalog.run(bad.words)
    #expect(run.errors.contains(bad.errors), "\(run.errors)")
    #expect(run.status == bad.status)
    #expect(run.output.isEmpty)
    #expect(try tags() == [Tag("winter", items: 1)])
  }

  @Test func `completion offers tags`() {
    catalog.run("tag", "add", "for winter", "1")
    func offered(_ words: String...) -> String { catalog.run(["completion", "--candidates", "--"] + words).output }
    #expect(offered("tag", "remove", "") == "for winter\n")
    #expect(offered("list", "tag:fo") == "tag:for winter\n")
  }
}
