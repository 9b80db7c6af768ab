import CatalogModel
import CommandLineKit
import Testing

@testable import CatalogCommands
@testable import CatalogStore

struct GenreCommandTests {
  let catalog: TestCatalog

  init() throws { catalog = try TestCatalog() }

  /// Adds two vinyl records of a source, and one with genres chosen by a person.
  private func addRecords() throws {
    for (number, labels) in [["Hip Hop", "Boom Bap"], ["Hip Hop", "Weird Pop"]].enumerated() {
      var record = Record(kind: .vinyl, title: "Record \(number)")
      record.labels = labels
      record.externalIDs = [ExternalID(source: "discogs", value: "\(number)")]
      _ = try catalog.store.add(record, now: catalog.clock)
    }
    try catalog.add(.book, "Can't Stop Won't Stop", genres: ["Hip-Hop", "History"])
  }

  @Test func `genre list prints a tree with counts`() throws {
    try addRecords()
    catalog.atTerminal(width: 60)
    #expect(
      catalog.run("genre")
        == .init(
          output: """
            Genre         Items  Own
            Music             3
              Hip-Hop         3    3
                Boom Bap      1    1
            Nonfiction        1
              History         1    1
            Weird Pop         1    1
            \(try catalog.store.genreNames().count - 6) more that no item has: catalog genre list --all

            """, errors: "", status: 0))
    catalog.terminal = Terminal()
    #expect(catalog.run("genre", "list", "--all", "--json=genre").output.contains("{\"genre\":\"Doom Metal\"}"))
    #expect(
      catalog.run("genre", "list", "doom", "--json").output == """
        [{"genre":"Music","ancestors":[],"items":3,"own_items":0,"aliases":[]},\
        {"genre":"Rock","ancestors":["Music"],"items":0,"own_items":0,"aliases":[]},\
        {"genre":"Metal","ancestors":["Music","Rock"],"items":0,"own_items":0,"aliases":[]},\
        {"genre":"Doom Metal","ancestors":["Music","Rock","Metal"],"items":0,"own_items":0,"aliases":[]}]

        """)
  }

  @Test func `an empty catalog lists its genres only with --all`() throws {
    #expect(
      catalog.run("genre")
        == .init(
          output: "",
          errors: """
            catalog: no item has a genre yet
            hint: see all \(try catalog.store.genreNames().count): catalog genre list --all

            """, status: 1))
    #expect(
      catalog.run("genre", "list", "jaz z", "funkk").errors
        == """
        catalog: no genre is called 'jaz z funkk'; did you mean 'Jazz-Funk'?
        hint: see them all: catalog genre list --all

        """)
  }

  @Test func `genre rename shows the labels, asks, and changes nothing the second time`() throws {
    try addRecords()
    let shown = """
      Hip-Hop → Rap
        labels: Hip Hop (discogs)

      """
    #expect(
      catalog.run("genre", "rename", "hip hop", "Rap", "--dry-run")
        == .init(output: shown + "would change 3 items\n", errors: "", status: 0))
    #expect(
      catalog.run("genre", "rename", "hip hop", "Rap")
        == .init(
          output: "",
          errors: "catalog: cannot ask without a terminal: Rename hip hop to Rap?\nhint: --yes answers yes\n", status: 2
        ))
    catalog.atTerminal()
    catalog.input = ["n"]
    #expect(
      catalog.run("genre", "rename", "hip hop", "Rap")
        == .init(
          output: "",
          errors: shown + "  3 items would change\nRename hip hop to Rap? [y/N] catalog: nothing was changed\n",
          status: 1))
    catalog.input = ["y"]
    #expect(catalog.run("genre", "rename", "hip hop", "Rap").output == shown + "changed 3 items\n")
    #expect(
      catalog.run("genre", "rename", "hip hop", "Rap")
        == .init(output: "", errors: "catalog: nothing to change\n", status: 0))
    #expect(try catalog.store.genres(of: ItemID(rawValue: 3)) == ["Rap", "History"])
    #expect(catalog.run("list", "genre:hip-hop", "--tsv", "-c", "id").output == "3\n2\n1\n")
    #expect(
      catalog.run("edit", "2", "genre+=hip hop").errors == "'hip hop' taken for Rap\ncatalog: nothing changed\n")
  }

  @Test func `genre merge and genre alias list the moved labels and the unchanged items`() throws {
    try addRecords()
    #expect(
      catalog.run("genre", "merge", "Weird Pop", "hip-hop", "experimental", "--yes").output == """
        Weird Pop → Experimental
        Hip-Hop → Experimental
          with what is below: Boom Bap, Conscious Hip-Hop, Drill, East Coast Hip-Hop, Gangsta Rap, Grime, Hardcore \
        Hip-Hop, … and 6 more
          labels: Hip Hop (discogs), Weird Pop (discogs)
        changed 3 items

        """)
    #expect(try catalog.store.genres(of: ItemID(rawValue: 2)) == ["Experimental"])
    try catalog.store.apply(.alias("x", source: "discogs", genres: []))
    try catalog.add(.book, "Kept", genres: ["Pop"]) {
      $0.labels = ["Petrels"]
      $0.externalIDs = [ExternalID(source: "openlibrary", value: "1")]
    }
    #expect(
      catalog.run("genre", "alias", "petrels", "fantasy", "epic fantasy").output == """
        Petrels (openlibrary): (nothing) → Fantasy, Epic Fantasy
        petrels: (nothing) → Fantasy, Epic Fantasy
          1 item keeps the genres that you gave it
        changed no item

        """)
    #expect(
      catalog.run("genre", "alias", "PETRELS", "fantasy", "epic fantasy").errors == "catalog: nothing to change\n")
    #expect(
      catalog.run("genre", "alias", "petrels", "--noise").output.hasPrefix(
        "petrels: Fantasy, Epic Fantasy → (noise)\nPetrels (openlibrary): Fantasy, Epic Fantasy → (noise)\n"))
    #expect(
      catalog.run("genre", "alias", "Weird Pop", "Pop", "--source", "discogs").output
        == "Weird Pop (discogs): Experimental → Pop\nchanged 1 item\n")
    #expect(
      catalog.run("genre", "parent", "boom bap", "pop").output
        == "Music › Experimental › Boom Bap → Music › Pop › Boom Bap\nchanged 1 item\n")
    #expect(catalog.run("genre", "parent", "boom bap", "--root").output.contains(" → Boom Bap\n"))
    #expect(catalog.run("genre", "parent", "boom bap", "--root").errors == "catalog: nothing to change\n")
    #expect(try catalog.store.examine(now: catalog.now).allSatisfy { $0.state != .wrong })
  }

  @Test func `genre labels lists labels with their genres, and --unknown those without`() throws {
    try addRecords()
    try catalog.store.apply(.alias("Read in 2019", source: nil, genres: []))
    try catalog.store.apply(.alias("Beats", source: nil, genres: ["Hip-Hop"]))
    #expect(
      catalog.run("genre", "labels").output == """
        Hip Hop\tdiscogs\tHip-Hop\t2
        Boom Bap\tdiscogs\tBoom Bap\t1
        Weird Pop\tdiscogs\tWeird Pop\t1
        Beats\tany\tHip-Hop\t0
        Read in 2019\tany\t\t0

        """)
    #expect(
      catalog.run("genre", "labels", "--unknown", "--json").output == """
        [{"source_genre":"Weird Pop","source":"discogs","genres":["Weird Pop"],"items":1,"decision":"unknown","kind":"vinyl"}]

        """)
    #expect(catalog.run("genre", "labels", "--noise").output == "Read in 2019\tany\t\t0\n")
    #expect(catalog.run("genre", "labels", "--source", "any", "hop").output == "Beats\tany\tHip-Hop\t0\n")
    let shipped = catalog.run("genre", "labels", "--all", "--noise", "-s", "openlibrary").output
    #expect(shipped.contains("Accessible book\topenlibrary\t\t0\n"))
    #expect(shipped.contains("nyt:*\topenlibrary\t\t0\n"))
    #expect(catalog.run("genre", "labels", "zzz").errors.hasPrefix("catalog: no such label\nhint: --all"))
    catalog.atTerminal(width: 72)
    #expect(catalog.run("genre", "labels", "weird").output.contains("Weird Pop (unknown)"))
  }

  @Test(arguments: [
    BadInput("genre", "parent", "Jazz", "Jazz", errors: "Jazz cannot be below itself"),
    BadInput("genre", "rename", "Jaz", "X", errors: "there is no genre 'Jaz'; did you mean 'Jazz'?", status: 1),
    BadInput(
      "genre", "rename", "Jazz", "rock", errors: "there is a genre 'Rock' already\nhint: to merge them", status: 1),
    BadInput(
      "genre", "rename", "Jazz", "Sci Fi",
      errors: "'Sci Fi' is another word for Science Fiction\nhint: give it another meaning first: "
        + "catalog genre alias 'Sci Fi' Jazz", status: 1),
    BadInput(
      "genre", "rename", "Jazz", "a;b", errors: "'a;b' cannot be the name of a genre\nhint: one line of at most 100"),
    BadInput("genre", "rename", "Jazz", "a\u{1B}[31m", errors: "cannot be the name of a genre"),
    BadInput("genre", "rename", "Jazz", errors: "missing NAME"),
    BadInput("genre", "merge", "Jazz", errors: "the genre to merge 'Jazz' into is missing"),
    BadInput("genre", "merge", "Rock", "doom metal", errors: "Doom Metal is below Rock, so Rock cannot go", status: 1),
    BadInput("genre", "merge", "Rock", "zzz", errors: "there is no genre 'zzz'\nhint: see them all", status: 1),
    BadInput("genre", "parent", "Rock", "Metal", errors: "Metal is below Rock", status: 1),
    BadInput("genre", "parent", "Rock", errors: "the parent is missing"),
    BadInput("genre", "parent", "Rock", "Jazz", "--root", errors: "not both"),
    BadInput("genre", "alias", "x", errors: "the genre is missing"),
    BadInput("genre", "alias", "x", "Jazz", "--noise", errors: "not both"),
    BadInput(
      "genre", "alias", "jazz", "Pop", errors: "'Jazz' is a genre, not only a label\nhint: to make it", status: 1),
    BadInput("genre", "alias", "x", "Jazz", "--source", "discgos", errors: "did you mean 'discogs'?"),
    BadInput("genre", "lsit", errors: "did you mean 'genre list'?"),
  ])
  func `invalid genre commands are explained and change nothing`(_ bad: BadInput) throws {
    let before = try catalog.store.genreList()
    let run = catalog.run(bad.words + ["--yes"])
    #expect(run.errors.contains(bad.errors))
    #expect(run.status == bad.status)
    #expect(run.output.isEmpty)
    #expect(try catalog.store.genreList() == before)
  }

  @Test func `bidirectional control characters in genre names are not printed`() throws {
    try catalog.add(.vinyl, "X", genres: ["Evil \u{202E}genre"])
    catalog.atTerminal()
    let output =
      catalog.run("genre", "list").output + catalog.run("genre", "rename", "Evil \u{202E}genre", "Good").output
    #expect(!output.unicodeScalars.contains("\u{202E}"))
    #expect(output.contains("Good"))
  }
}
