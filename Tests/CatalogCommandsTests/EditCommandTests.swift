import CatalogModel
import FoundationEssentials
import Testing

@testable import CatalogCommands
@testable import CatalogStore

struct EditCommandTests {
  let catalog: TestCatalog

  init() throws {
    catalog = try TestCatalog()
    try catalog.addThree()
  }

  @Test func `fields are set, cleared, added to and taken from`() throws {
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
    #expect(catalog.run("vinyl").output == "3\tKind of Bleu\tMiles Davis, John Coltrane\t\tModal Jazz\t\n")
    #expect(catalog.run("list", "coltrane", "-c", "id").output == "3\n")
  }

  @Test func `a book's and a movie's fields`() throws {
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
    #expect(catalog.run("edit", "1", "year=2020").output.contains("released: 2019-05-30 → (none)"))
  }

  @Test func `who stays keeps what a source calls them`() throws {
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

  @Test func `what is the same already changes nothing`() throws {
    let nothing = TestCatalog.Run(output: "", errors: "catalog: nothing changed\n", status: 0)
    #expect(catalog.run("edit", "3", "year=1959", "genre+=jazz", "genre-=Pop") == nothing)
    #expect(catalog.run("edit", "--where", "kind:vinyl", "genre=Jazz") == nothing)
    #expect(
      catalog.run("edit", "3", "year=1960", "--dry-run").output.hasSuffix("  year: 1959 → 1960\nwould change 1 item\n"))
    #expect(try catalog.store.item(ItemID(rawValue: 3)).record.year == 1959)
  }

  @Test func `many at once are shown and confirmed`() throws {
    catalog.atTerminal()
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
    BadInput("edit", errors: "what to edit is missing"),
    BadInput("edit", "year=1959", errors: "what to edit is missing"),
    BadInput("edit", "99", "year=1959", errors: "there is no item 99", status: 1),
    BadInput("edit", "3", "yaer=1959", errors: "catalog: there is no field 'yaer'; did you mean 'year'?\n"),
    BadInput("edit", "3", "isbn=9788936434120", errors: "vinyl have no isbn: books do"),
    BadInput("edit", "3", "year=99999", errors: "catalog: '99999' is no year\nhint: years go from -3000 to 2200\n"),
    BadInput("edit", "3", "year=19x9", errors: "'19x9' is no year"),
    BadInput("edit", "3", "year+=1", errors: "year has one value: write year=1"),
    BadInput("edit", "3", "title=", errors: "the title is empty"),
    BadInput("edit", "3", "title=\u{0}\u{1B}", errors: "the title is empty"),
    BadInput("edit", "3", "released=1959-13", errors: "'1959-13' is no date"),
    BadInput("edit", "3", "discs=0", errors: "'0' is no number of discs"),
    BadInput("edit", "3", "barcode=abc", errors: "'abc' is no barcode"),
    BadInput("edit", "2", "isbn=9788936434121", errors: "has a wrong check digit"),
    BadInput("edit", "3", "url=javascript:alert(1)", errors: "is no address: it starts with https://"),
    BadInput("edit", "3", "year=1960", "oops", errors: "'oops' is no change"),
    BadInput("edit", "3", errors: "the editor needs a terminal"),
    BadInput("edit", "--where", "kind:vinyl", errors: "--where needs a change"),
    BadInput("edit", "3", "--where", "kind:vinyl", "year=1", errors: "'3' is no change"),
    BadInput("edit", "--where", "zzz", "year=1960", errors: "no items match 'zzz'", status: 1),
    BadInput(
      "edit", "--where", "id:1..", "year=1960",
      errors: "catalog: Change these 3 items? cannot be asked here\nhint: --yes answers yes\n"),
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

  @Test func `the editor gets a readable text`() throws {
    let item = try catalog.store.item(ItemID(rawValue: 3))
    var draft = Draft(item)
    draft.record.summary = "Modal.\n\nFamous: very."
    let text = draft.text(about: item)
    #expect(
      text == """
        # vinyl 3: Kind of Blue — Miles Davis (1959)
        # An empty value clears a field; several people or genres have '; ' between them.
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
        url: 
        description:
        Modal.

        Famous: very.

        """)
    var again = Draft(item)
    try again.read(text)
    #expect(again == draft)
  }

  @Test func `what the editor changes is written`() throws {
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

  @Test func `an unreadable text is explained and kept`() throws {
    catalog.atTerminal()
    catalog.environment["EDITOR"] = "sed -i s/^year:.*/yaer:1960/"
    catalog.input = ["n"]
    let run = catalog.run("edit", "3")
    #expect(
      run.errors.hasPrefix("catalog: line 8: there is no field 'yaer'; did you mean 'year'?\nhint: there are title,"))
    #expect(
      run.errors.contains(
        "Open it again? [y/N] catalog: nothing was changed\nhint: the text is kept in /tmp/catalog-item-3-"))
    #expect(run.status == 1)
    let path = try #require(run.errors.split(separator: " ").last).trimmingBlanks
    let kept = try #require(FileManager.default.contents(atPath: path))
    #expect(String(decoding: kept, as: UTF8.self).contains("\nyaer:1960\n"))
    try FileManager.default.removeItem(atPath: path)
    #expect(try catalog.store.item(ItemID(rawValue: 3)).record.year == 1959)
  }
}
