import CatalogModel
import CommandLineKit
import Foundation
import Processes
import SQLite
import TestSupport
import Testing

@testable import CatalogCommands
@testable import CatalogStore

struct EditCommandTests {
  let catalog: TestCatalog

  init() throws {
    catalog = try TestCatalog()
    try catalog.addThree()
  }

  @Test func `edit sets and clears fields and adds and removes list values`() throws {
    #expect(
      catalog.run(
        "edit", "3", "title=Kind of Bleu", "year=1960", "label=Columbia", "genre+=modal jazz", "genre-=JAZZ",
        "creator+=Bill Evans; John Coltrane", "barcode=0 74646 49352 6")
        == .init(
          output: """
            vinyl 3: Kind of Blue — Miles Davis (1959)
              title: Kind of Blue → Kind of Bleu
              creator: Miles Davis → Miles Davis; Bill Evans; John Coltrane
              year: 1959 → 1960
              genre: Jazz → Modal Jazz
              label: (none) → Columbia
              barcode: (none) → 074646493526
            changed 1 item

            """, errors: "", status: 0))
    let item = try catalog.store.item(ItemID(rawValue: 3))
    #expect(item.record.creators == ["Miles Davis", "Bill Evans", "John Coltrane"])
    #expect(item.genres == ["Modal Jazz"])
    #expect(item.favoriteSince != nil)
    #expect(catalog.run("edit", "kind of bleu", "year=", "creator-=bill evans").output.contains("year: 1960 → (none)"))
    #expect(catalog.run("vinyl").output == "3\tKind of Bleu\tMiles Davis; John Coltrane\t\tModal Jazz\t\n")
    #expect(catalog.run("list", "coltrane", "-c", "id").output == "3\n")
  }

  @Test func `edit sets the fields of a book and of a movie`() throws {
    catalog.run(
      "edit", "2", "isbn=978-89-364-3412-0", "publisher=창비", "pages=216", "published=2014-05-19",
      "translator=Deborah Smith",
      "series=Human Acts", "language=ko", "original_title=Human Acts", "url=https://example.org",
      "description=Two\nlines")
    #expect(
      catalog.run("books", "--json=isbn,publisher,pages,published,series,language,original_title,url,description")
        .output
          == """
          [{"isbn":"9788936434120","publisher":"창비","pages":216,"published":"2014-05-19","series":"Human Acts",\
          "language":"ko","original_title":"Human Acts","url":"https://example.org","description":"Two\\nlines"}]

          """)
    catalog.run(
      "edit", "1", "minutes=132", "country=KR; US", "tagline=Act like you own the place", "released=2019-05-30")
    #expect(
      catalog.run("movies", "--json=minutes,countries,released,year").output
        == "[{\"minutes\":132,\"countries\":[\"KR\",\"US\"],\"released\":\"2019-05-30\",\"year\":2019}]\n")
    // Another year than that of the known date wins.
    #expect(catalog.run("edit", "1", "year=2020").output.contains("released: 2019-05-30 → 2020-05-30"))
  }

  @Test func `editing creators keeps the source ids and roles of the remaining people`() throws {
    let id = try catalog.add(.movie, "Heat", by: "Michael Mann") {
      $0.credits[0].externalID = ExternalID(source: "tmdb", value: "638")
      $0.credits.append(Credit(name: "Al Pacino", role: .cast, detail: "Hanna"))
    }
    catalog.run("edit", "\(id)", "creator+=Someone Else")
    let credits = try catalog.store.item(id).record.credits
    #expect(credits.map(\.name) == ["Michael Mann", "Someone Else", "Al Pacino"])
    #expect(credits[0].externalID == ExternalID(source: "tmdb", value: "638"))
    #expect(credits[2].detail == "Hanna")
  }

  @Test func `setting a field to its present value changes nothing`() throws {
    let nothing = TestCatalog.Run(output: "", errors: "catalog: nothing changed\n", status: 0)
    #expect(catalog.run("edit", "3", "year=1959", "genre+=jazz", "genre-=Pop") == nothing)
    #expect(catalog.run("edit", "--where", "kind:vinyl", "genre=Jazz") == nothing)
    #expect(
      catalog.run("edit", "3", "year=1960", "--dry-run").output.hasSuffix("  year: 1959 → 1960\nwould change 1 item\n"))
    #expect(try catalog.store.item(ItemID(rawValue: 3)).record.year == 1959)
  }

  @Test func `edit lists several items and asks before it changes them`() throws {
    catalog.atTerminal()
    catalog.run("genre", "rename", "Korean Fiction", "Korean")
    catalog.input = ["n"]
    let words = ["edit", "--where", "year:2010..", "genre+=Korean"]
    #expect(
      catalog.run(words)
        == .init(
          output: "",
          errors: """
            book 2: 소년이 온다 — 한강 (2014)
              genre: Literary Fiction → Literary Fiction; Korean
            movie 1: 기생충 — 봉준호 (2019)
              genre: Thriller; Drama → Thriller; Drama; Korean
            Change these 2 items? [y/N] catalog: nothing was changed

            """, status: 1))
    #expect(catalog.run(words + ["--dry-run"]).output.hasSuffix("would change 2 items\n"))
    #expect(try catalog.store.genres(of: ItemID(rawValue: 2)) == ["Literary Fiction"])
    catalog.input = ["y"]
    #expect(catalog.run(words).output.hasSuffix("changed 2 items\n"))
    #expect(catalog.run("list", "genre:korean", "-c", "id", "--tsv").output == "2\n1\n")
  }

  @Test(arguments: [
    BadInput("edit", "1", "note=" + String(repeating: "x", count: 10_001), errors: "the text has 10001 characters"),
    BadInput("edit", errors: "no item to edit was named"),
    BadInput("edit", "year=1959", errors: "no item to edit was named"),
    BadInput("edit", "99", "year=1959", errors: "there is no item 99", status: 1),
    BadInput("edit", "3", "yaer=1959", errors: "there is no field 'yaer'; did you mean 'year'?\n"),
    BadInput("edit", "3", "rating=5", errors: "rating is not edited"),
    BadInput("edit", "3", "isbn=9788936434120", errors: "vinyl have no isbn: books do"),
    BadInput("edit", "3", "tag!", errors: "no source has a value for tag"),
    BadInput("edit", "3", "tag=\u{1}", errors: "the name is empty"),
    BadInput("edit", "3", "year=99999", errors: "catalog: invalid year '99999'\nhint: years go from -3000 to 2200\n"),
    BadInput("edit", "3", "year=19x9", errors: "invalid year '19x9'"),
    BadInput("edit", "3", "year+=1", errors: "year has one value: write year=1"),
    BadInput("edit", "3", "title=", errors: "the title is empty"),
    BadInput("edit", "3", "title=\u{0}\u{1B}", errors: "the title is empty"),
    BadInput("edit", "3", "released=1959-13", errors: "invalid date '1959-13'"),
    BadInput("edit", "3", "discs=0", errors: "invalid discs '0': give a whole number above 0"),
    BadInput("edit", "3", "barcode=abc", errors: "'abc' is not a barcode"),
    BadInput("edit", "2", "isbn=9788936434121", errors: "has a wrong check digit"),
    BadInput("edit", "3", "url=javascript:alert(1)", errors: "is not a web address: it must start with https://"),
    BadInput("edit", "3", "year=1960", "oops", errors: "'oops' is not a change"),
    BadInput("edit", "3", errors: "the editor needs a terminal"),
    BadInput("edit", "--where", "kind:vinyl", errors: "--where needs a change"),
    BadInput("edit", "3", "--where", "kind:vinyl", "year=1", errors: "'3' is not a change"),
    BadInput("edit", "--where", "zzz", "year=1960", errors: "no item matches zzz", status: 1),
    BadInput(
      "edit", "--where", "id:1..", "year=1960",
      errors: "catalog: cannot ask without a terminal: Change these 3 items?\nhint: --yes answers yes\n"),
    BadInput("edit", "--where", "id:1..", "label=x", "--yes", errors: "have no label: vinyl do"),
  ])
  func `bad input is explained, and nothing is changed`(_ bad: BadInput) throws {
    let before = catalog.run("list", "--json").output
    let run = catalog.run(bad.words)
    #expect(run.errors.contains(bad.errors))
    #expect(run.status == bad.status)
    #expect(run.output.isEmpty)
    #expect(catalog.run("list", "--json").output == before)
  }

  @Test func `tags are edited like genres, and the edit can be undone`() throws {
    catalog.run("tag", "add", "Für Später", "1")
    #expect(
      catalog.run("edit", "3", "tag+=fur-spater; Winter", "tag+=winter", "year=1960").output == """
        vinyl 3: Kind of Blue — Miles Davis (1959)
          year: 1959 → 1960
          tag: (none) → Für Später; Winter
        changed 1 item

        """)
    let updated = try catalog.store.item(ItemID(rawValue: 3)).updatedAt
    catalog.now += 60
    #expect(
      catalog.run("edit", "3", "tag-=FÜR SPÄTER", "tag+=any").output.contains("tag: Für Später; Winter → any; Winter"))
    #expect(catalog.run("edit", "3", "tags=WINTER; Any").errors == "catalog: nothing changed\n")
    let item = try catalog.store.item(ItemID(rawValue: 3))
    #expect(item.tags == ["any", "Winter"])
    #expect(item.updatedAt == updated)
    // A tag without items is gone, and no tag is a field that a source could change.
    #expect(catalog.run("edit", "3", "tag=").output.contains("tag: any; Winter → (none)"))
    #expect(try catalog.store.tags().map(\.name) == ["Für Später"])
    #expect(!catalog.run("show", "3", "--fields").output.contains("Tags"))
    catalog.run("undo", "2", "--yes")
    #expect(try catalog.store.item(ItemID(rawValue: 3)).tags == ["Für Später", "Winter"])
    #expect(catalog.run("edit", "--where", "tag:any_such or kind:book", "tag+=x", "-n").output.contains("(none) → x"))
    catalog.atTerminal()
    catalog.environment["EDITOR"] = "sed -i s/^tag:.*/tag:b;a/"
    #expect(catalog.run("edit", "3").output.contains("tag: Für Später; Winter → a; b"))
    #expect(catalog.run("completion", "--candidates", "--", "edit", "3", "tag+=f").output.contains("tag+=Für Später"))
  }

  @Test func `the editor gets one line per field with its value`() throws {
    let item = try catalog.store.item(ItemID(rawValue: 3))
    var draft = Draft(item)
    draft.record.summary = "Modal.\n\nFamous: very."
    let text = ItemText(draft).text(about: item)
    #expect(
      text == """
        # vinyl 3: Kind of Blue — Miles Davis (1959)
        # An empty value clears a field; separate several people, genres or tags with '; '.
        # Lines that begin with # and lines that you remove change nothing.
        title: Kind of Blue
        original_title: 
        other_titles: 
        creator: Miles Davis
        year: 1959
        released: 
        genre: Jazz
        label: 
        catalog_number: 
        country: 
        format: 
        speed: 
        discs: 
        barcode: 
        tag: 
        url: 
        note: 
        description:
        Modal.

        Famous: very.

        """)
    #expect(try ItemText(reading: text, of: .vinyl) == ItemText(draft))
  }

  @Test func `edit writes the fields that were changed in the editor`() throws {
    catalog.atTerminal()
    catalog.environment["EDITOR"] = "sed -i -e s/^year:.*/year:1960/ -e s/^description:/description:So_what/"
    #expect(
      catalog.run("edit", "3").output == """
        vinyl 3: Kind of Blue — Miles Davis (1959)
          year: 1959 → 1960
          description: (none) → So_what
        changed 1 item

        """)
    catalog.environment["EDITOR"] = "sed -i /^year/d"
    #expect(catalog.run("edit", "3") == .init(output: "", errors: "catalog: nothing changed\n", status: 0))
    catalog.environment["VISUAL"] = "true"
    #expect(catalog.run("edit", "3").errors == "catalog: nothing changed\n")
    catalog.environment["VISUAL"] = "/nonexistent/editor"
    #expect(catalog.run("edit", "3").errors.hasPrefix("catalog: cannot start '/nonexistent/editor'"))
  }

  @Test func `an unreadable edited text is reported with its line and kept in a file`() throws {
    catalog.atTerminal()
    catalog.environment["EDITOR"] = "sed -i s/^year:.*/yaer:1960/"
    catalog.input = ["n"]
    let run = catalog.run("edit", "3")
    #expect(
      run.errors.hasPrefix(
        "catalog: line 8: there is no field 'yaer'; did you mean 'year'?\nhint: the choices are title,"))
    #expect(run.errors.contains("Open it again? [y/N] catalog: nothing was changed\nhint: your text is kept:\n"))
    #expect(run.status == 1)
    let path = try Self.keptFile(run)
    let kept = try #require(FileManager.default.contents(atPath: path))
    #expect(String(decoding: kept, as: UTF8.self).contains("\nyaer:1960\n"))
    try FileManager.default.removeItem(atPath: path)
    #expect(try catalog.store.item(ItemID(rawValue: 3)).record.year == 1959)
  }

  /// The file named by the last words of a failed run.
  private static func keptFile(_ run: TestCatalog.Run) throws -> String {
    try #require(run.errors.split(whereSeparator: \.isWhitespace).last.map(String.init))
  }
}

/// Tests changes by others while a person decides.
struct ConcurrentEditTests {
  let catalog: TestCatalog
  private let item = ItemID(rawValue: 3)

  init() throws {
    catalog = try TestCatalog()
    try catalog.addThree()
    catalog.atTerminal()
  }

  /// Runs a change by someone else just before the command writes.
  private func meanwhile(_ others: @escaping () throws -> Void) {
    let store = catalog.store
    var others: (() throws -> Void)? = others
    catalog.openStore = { purpose in
      if purpose == .writing, let work = others {
        others = nil
        try work()
      }
      return store
    }
  }

  private func set(_ change: @escaping (inout Record, inout [String]) -> Void) {
    meanwhile { [catalog] in
      _ = try catalog.store.change(item, now: Timestamp(catalog.now)) { change(&$0.record, &$0.genres) }
    }
  }

  @Test func `an edit is applied to the item as it is at the time of writing`() throws {
    set { record, genres in
      record.year = 1960
      record.credits.append(Credit(name: "Bill Evans", role: .artist))
      genres.append("Modal Jazz")
    }
    #expect(
      catalog.run("edit", "3", "label=Columbia", "creator+=John Coltrane", "genre+=Cool Jazz").output == """
        vinyl 3: Kind of Blue — Miles Davis, Bill Evans (1960)
          creator: Miles Davis; Bill Evans → Miles Davis; Bill Evans; John Coltrane
          genre: Jazz; Modal Jazz → Jazz; Modal Jazz; Cool Jazz
          label: (none) → Columbia
        changed 1 item

        """)
    #expect(try catalog.store.item(item).record.year == 1960)
  }

  @Test func `fields changed by another process while the editor was open are kept`() throws {
    set { record, genres in
      (record.year, record.summary) = (1960, "Modal.")
      genres = ["Modal Jazz"]
    }
    catalog.environment["EDITOR"] = "sed -i s/^title:.*/title:Blue_in_Kind/"
    #expect(
      catalog.run("edit", "3").output == """
        vinyl 3: Kind of Blue — Miles Davis (1960)
          title: Kind of Blue → Blue_in_Kind
        changed 1 item

        """)
    let found = try catalog.store.item(item)
    #expect(found.record.year == 1960)
    #expect(found.record.summary == "Modal.")
    #expect(found.genres == ["Modal Jazz"])
  }

  @Test func `a field changed both in the editor and elsewhere is asked about at each attempt`() throws {
    set { record, _ in record.year = 1960 }
    catalog.environment["EDITOR"] = "sed -i -e s/^year:.*/year:1961/ -e s/^label:.*/label:Columbia/"
    catalog.input = ["n"]
    let run = catalog.run("edit", "3")
    #expect(
      run.errors.hasPrefix(
        """
        catalog: these values were changed elsewhere in the meantime:
          vinyl 3: Kind of Blue — Miles Davis (1960)
            year: 1959 → 1960; yours is 1961
        Overwrite it with your change? [y/N] catalog: nothing was changed
        hint: your text is kept:
        catalog edit --resume /
        """))
    #expect(run.status == 1)
    #expect(run.output == "")
    #expect(try catalog.store.item(item).record.year == 1960)
    let file = try #require(run.errors.split(whereSeparator: \.isWhitespace).last.map(String.init))
    defer { try? FileManager.default.removeItem(atPath: file) }
    // Without a terminal no question is asked, and nothing is written.
    let terminal = catalog.terminal
    catalog.terminal = Terminal()
    let refused = catalog.run("edit", "--resume", file)
    #expect(refused.status == 1)
    #expect(refused.errors.hasSuffix("nothing was changed\nhint: --yes overwrites it with your change\n"))
    #expect(try catalog.store.item(item).record.year == 1960)
    catalog.terminal = terminal
    catalog.input = ["y"]
    #expect(
      catalog.run("edit", "--resume", file).output == """
        vinyl 3: Kind of Blue — Miles Davis (1960)
          year: 1960 → 1961
          label: (none) → Columbia
        changed 1 item

        """)
    #expect(catalog.run("edit", "--resume", file).errors == "catalog: nothing changed\n")
  }

  @Test func `the same edit made twice at the same time is no conflict`() throws {
    set { record, _ in record.year = 1961 }
    catalog.environment["EDITOR"] = "sed -i s/^year:.*/year:1961/"
    #expect(catalog.run("edit", "3") == .init(output: "changed no item\n", errors: "", status: 0))
  }

  @Test func `a field changed elsewhere while the question was open is asked about`() throws {
    set { record, _ in record.year = 1960 }
    catalog.input = ["y", "n"]
    let run = catalog.run("edit", "--where", "id:1..", "year=2000")
    #expect(
      run.errors.contains(
        "\n    year: 1959 → 1960; yours is 2000\nOverwrite it with your change? [y/N] catalog: nothing was"))
    #expect(run.status == 1)
    #expect(try catalog.store.db.values("SELECT year FROM item ORDER BY id", as: Int.self) == [2019, 2014, 1960])
    // With += and -= nothing of anybody's is undone.
    set { _, genres in genres.append("Modal Jazz") }
    catalog.input = ["y"]
    #expect(catalog.run("edit", "--where", "id:1..", "genre+=Classics").status == 0)
    #expect(try catalog.store.genres(of: item) == ["Jazz", "Modal Jazz", "Classics"])
  }

  @Test func `text from the editor is kept in a file when writing fails`() throws {
    catalog.environment["EDITOR"] = "sed -i s/^description:/description:Hours_of_work/"
    let store = catalog.store
    for (failure, words) in [
      (CatalogError.locked("/c.db") as any Error, "another program is writing"),
      (CatalogError.diskFull("/c.db"), "disk is full"),
      (Interrupted(), "stopped"),
    ] {
      catalog.openStore = { purpose in
        if purpose == .writing { throw failure }
        return store
      }
      let run = catalog.run("edit", "3")
      #expect(run.status == 1)
      #expect(run.errors.contains(words))
      let file = try #require(run.errors.split(whereSeparator: \.isWhitespace).last.map(String.init))
      catalog.openStore = nil
      // Others go on working on it.
      _ = try store.change(item, now: Timestamp(catalog.now)) { $0.record.summary = nil }
      #expect(catalog.run("edit", "--resume", file).output.contains("description: (none) → Hours_of_work"))
      try FileManager.default.removeItem(atPath: file)
      _ = try store.change(item, now: Timestamp(catalog.now)) { $0.record.summary = nil }
    }
  }

  @Test func `text for an item removed meanwhile is kept and can be applied to another item`() throws {
    catalog.environment["EDITOR"] = "sed -i s/^description:/description:Hours_of_work/"
    meanwhile { [catalog] in try catalog.store.remove([item]) }
    let run = catalog.run("edit", "3")
    #expect(run.status == 1)
    #expect(run.errors.hasPrefix("catalog: there is no item 3\n"))
    let file = try #require(run.errors.split(whereSeparator: \.isWhitespace).last.map(String.init))
    defer { try? FileManager.default.removeItem(atPath: file) }
    #expect(catalog.run("edit", "--resume", file).errors.hasPrefix("catalog: there is no item 3\n"))
    // It may become another's.
    let id = try catalog.add(.vinyl, "Kind of Blue", by: "Miles Davis")
    #expect(catalog.run("edit", "\(id)", "--resume", file).output.contains("description: (none) → Hours_of_work"))
  }

  @Test func `a text without its first line is listed and confirmed before it is applied`() throws {
    let folder = try TemporaryFolder()
    let file = folder.path("my text")
    try "year: 1960\ndescription: Mine\n".write(toFile: file, atomically: true, encoding: .utf8)
    #expect(
      catalog.run("edit", "--resume", file).errors.replacing("\n", with: " ")
        .hasPrefix("catalog: the first line of '\(file)' names no item"))
    catalog.input = ["n"]
    let run = catalog.run("edit", "3", "--resume", file)
    #expect(run.errors.contains("  year: 1959 → 1960\n"))
    #expect(run.errors.contains("Change this item? [y/N] "))
    #expect(try catalog.store.item(item).record.year == 1959)
    catalog.input = ["y"]
    #expect(catalog.run("edit", "3", "--resume", file).output.hasSuffix("changed 1 item\n"))
    #expect(catalog.run("edit", "--resume", "/nonexistent").errors == "catalog: there is no file '/nonexistent'\n")
    #expect(catalog.run("edit", "3", "year=1", "--resume", file).status == 2)
  }

  @Test func `changing only the year in the editor moves the release date`() throws {
    _ = try catalog.store.change(item, now: Timestamp(catalog.now)) { $0.record.released = PartialDate("1959-08-17") }
    catalog.environment["EDITOR"] = "sed -i s/^year:.*/year:1960/"
    #expect(catalog.run("edit", "3").output.contains("  year: 1959 → 1960\n  released: 1959-08-17 → 1960-08-17\n"))
  }

  @Test func `edit writes only the changed columns and keeps invalid values in others`() throws {
    // Another program wrote what this one cannot say.
    try catalog.store.db.run("PRAGMA ignore_check_constraints = ON")
    try catalog.store.db.run("UPDATE item SET released = '1959-13' WHERE id = 3")
    try catalog.store.db.run("UPDATE vinyl SET label = ' two  blanks ' WHERE item_id = 3")
    catalog.run("edit", "3", "format=LP")
    let row = try catalog.store.db.one(
      "SELECT released, label, format FROM item JOIN vinyl ON item_id = id WHERE id = 3"
    ) { row in
      try ["released", "label", "format"].map { name in try row.get(name, as: String.self) }
    }
    #expect(row == ["1959-13", " two  blanks ", "LP"])
    try catalog.store.db.run("DELETE FROM vinyl WHERE item_id = 3")
    catalog.run("edit", "3", "speed=45 rpm")
    #expect(try catalog.store.db.value("SELECT speed FROM vinyl WHERE item_id = 3", as: String.self) == "45 rpm")
  }

  @Test func `changes to a card by two processes are merged when they touch different fields`() throws {
    let card = CardID(rawValue: 1)
    meanwhile { [catalog] in
      _ = try catalog.store.changeCard(card, now: Timestamp(catalog.now)) { $0.comment = "theirs" }
    }
    #expect(catalog.run("card", "edit", "1", "--stars", "5").status == 0)
    let found = try catalog.store.card(card)
    #expect(found.comment == "theirs")
    #expect(found.rating == Rating(value: 100, scale: .half))
  }

  @Test func `words of a card changed both in the editor and elsewhere are asked about and kept`() throws {
    let card = CardID(rawValue: 1)
    catalog.environment["EDITOR"] = "sed -i s/$/mine/"
    meanwhile { [catalog] in
      _ = try catalog.store.changeCard(card, now: Timestamp(catalog.now)) { $0.comment = "theirs" }
    }
    catalog.input = ["n"]
    let run = catalog.run("card", "edit", "1", "--seen", "2020", "--edit")
    #expect(
      run.errors.contains("  words of card 1: 잊을 수 없다 → theirs; yours are 잊을 수 없다mine\nOverwrite it with your change? ")
    )
    #expect(run.status == 1)
    #expect(try catalog.store.card(card).comment == "theirs")
    #expect(try catalog.store.card(card).seenOn == nil)
    let file = try #require(run.errors.split(whereSeparator: \.isWhitespace).last.map(String.init))
    #expect(run.errors.contains("hint: your text is kept:\ncatalog card edit 1 --seen 2020 - < \(file)\n"))
    #expect(FileManager.default.contents(atPath: file) == Data("잊을 수 없다mine".utf8))
    try FileManager.default.removeItem(atPath: file)
  }
}
