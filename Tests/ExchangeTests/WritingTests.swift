import CatalogModel
import Testing

@testable import Exchange

struct WritingTests {
  private func table(_ id: String) throws -> OutgoingTable { try #require(OutgoingTable.all.first { $0.id == id }) }
  private func text(_ id: String) throws -> OutgoingText { try #require(OutgoingText.all.first { $0.id == id }) }

  /// The cells of an item by the names of their columns.
  private func rows(_ id: String, of item: Outgoing) throws -> [[String: String]] {
    let table = try table(id)
    return table.rows(of: item).map { Dictionary(zip(table.header, $0)) { _, last in last } }
  }

  private func outgoing(
    _ kind: Kind, _ title: String, rating: String? = nil, _ change: (inout Entry) throws -> Void
  ) throws -> Outgoing {
    var entry = Entry(Record(kind: kind, title: title))
    try change(&entry)
    return Outgoing(ItemID(rawValue: 42), entry, genres: ["Drama"], rating: try rating.map { try Rating($0) })
  }

  private func film(_ change: (inout Entry) throws -> Void = { _ in }) throws -> Outgoing {
    try outgoing(.movie, "기생충, \"Parasite\"", rating: "4.25") { entry in
      entry.record.year = 2019
      entry.record.credits = [Credit(name: "봉준호", role: .director), Credit(name: "송강호", role: .cast)]
      entry.record.externalIDs = [
        ExternalID(source: "tmdb", value: "496243"), ExternalID(source: "imdb", value: "tt6751668"),
      ]
      entry.tags = ["winter", "=1+1"]
      entry.addedOn = PartialDate("2026-11-21")
      try change(&entry)
    }
  }

  @Test func `a Letterboxd export has a row for each viewing and each opinion`() throws {
    let item = try film { entry in
      entry.times = [
        Entry.Time(.done), Entry.Time(.dropped, endedOn: PartialDate("2020-01-01")),
        Entry.Time(
          endedOn: PartialDate("2020-02-03"), opinion: Entry.Opinion(rating: try Rating("4.25"), comment: "a\nb")),
        Entry.Time(endedOn: PartialDate("2021-05")), Entry.Time(.ongoing),
      ]
      entry.opinions = [try #require(Entry.Opinion(rating: try Rating("0")))]
    }
    let rows = try rows("letterboxd", of: item)
    #expect(rows.map { $0["WatchedDate"] } == ["", "2020-02-03", "", ""])
    #expect(rows.map { $0["Rewatch"] } == ["", "true", "true", ""])
    #expect(rows.map { $0["Rating"] } == ["", "4.5", "", "0.5"])
    #expect(rows.map { $0["Review"] } == ["", "a\nb", "", ""])
    #expect(
      rows[0].filter { !$0.value.isEmpty } == [
        "tmdbID": "496243", "imdbID": "tt6751668", "Title": "기생충, \"Parasite\"", "Year": "2019", "Directors": "봉준호",
        "Tags": "winter, =1+1",
      ])
    #expect(try self.rows("letterboxd", of: film()).isEmpty)
    #expect(try self.rows("letterboxd-watchlist", of: film()).isEmpty)
    #expect(try self.rows("letterboxd-watchlist", of: film { $0.wish = Wish.Terms() }).count == 1)
  }

  @Test func `an IMDb export has ratings of 10 and IMDb numbers`() throws {
    let table = try table("imdb")
    let item = try film { entry in
      entry.record.externalIDs = []
      entry.times = [
        Entry.Time(endedOn: PartialDate("2020-02-03"), opinion: Entry.Opinion(rating: try Rating("4.25"))),
        Entry.Time(endedOn: PartialDate("2021-02-03")),
      ]
    }
    #expect(
      table.rows(of: item, behind: 7) == [
        [
          "8", "", "2026-11-21", "", "", "기생충, \"Parasite\"", "기생충, \"Parasite\"", "", "Movie", "", "", "2019", "Drama",
          "", "", "봉준호", "9", "2020-02-03",
        ]
      ])
    #expect(try rows("imdb", of: film())[0]["URL"] == "https://www.imdb.com/title/tt6751668/")
  }

  private func book(_ change: (inout Entry) throws -> Void = { _ in }) throws -> Outgoing {
    try outgoing(.book, "Dune", rating: "4.25") { entry in
      entry.record.credits = [
        Credit(name: "Frank Herbert", role: .author), Credit(name: "한강", role: .author),
        Credit(name: "Ann Other", role: .translator),
      ]
      entry.record.year = -50
      entry.record.book.isbn = try ISBN("0441013597")
      entry.record.book.series = "Dune #1"
      entry.record.book.published = PartialDate("2005-08")
      entry.record.book.pages = 412
      entry.tags = ["winter"]
      entry.piles = [Entry.PilePlace("next", position: 3)]
      entry.addedOn = PartialDate("2026-11-21")
      entry.copies = [
        Entry.CopyOwned(
          Copy.Facts(format: "Paperback", acquiredOn: PartialDate("2019-03"), acquiredFrom: "the market")),
        Entry.CopyOwned(),
      ]
      try change(&entry)
    }
  }

  @Test(
    arguments: [
      ("Frank Herbert", "Herbert, Frank"), ("Martin Luther King, Jr.", "King, Martin Luther, Jr."),
      ("Sammy Davis Jr.", "Davis, Sammy, Jr."), ("Penman, Sharon", "Penman, Sharon"),
      ("Ursula K. Le Guin", "Le Guin, Ursula K."), ("Simon and Schuster", "Simon and Schuster"),
      ("Made-up Books, Ltd.", "Made-up Books, Ltd."), ("Homer", "Homer"), ("한강", "한강"), ("Al Pacino", "Pacino, Al"),
    ])
  func `a name is turned to last name first`(name: String, turned: String) {
    #expect(name.lastNameFirst == turned)
  }

  @Test func `a Goodreads export has its 31 columns`() throws {
    let item = try book { entry in
      entry.times = [
        Entry.Time(startedOn: PartialDate("2020-01-01"), endedOn: PartialDate("2020-02-03"), note: "on the train"),
        Entry.Time(endedOn: PartialDate("2021")),
      ]
      entry.opinions = [try #require(Entry.Opinion(comment: "a <b> & c\nd"))]
    }
    #expect(try table("goodreads").header.count == 31)
    let row = try rows("goodreads", of: item)[0]
    #expect(
      row.filter { !$0.value.isEmpty } == [
        "Title": "Dune (Dune, #1)", "Author": "Frank Herbert", "Author l-f": "Herbert, Frank",
        "Additional Authors": "한강, Ann Other", "ISBN": "=\"0441013597\"", "ISBN13": "=\"9780441013593\"",
        "My Rating": "4", "Binding": "Paperback", "Number of Pages": "412", "Year Published": "2005",
        "Original Publication Year": "-50", "Date Read": "2021", "Date Added": "2026/11/21",
        "Bookshelves": "winter, next", "Bookshelves with positions": "winter, next (#3)", "Exclusive Shelf": "read",
        "My Review": "a &lt;b&gt; &amp; c<br/>d", "Private Notes": "on the train", "Read Count": "2",
        "Owned Copies": "2", "Original Purchase Date": "2019/03", "Original Purchase Location": "the market",
      ])
    #expect(try rows("goodreads", of: outgoing(.book, "x") { _ in })[0]["My Rating"] == "0")
  }

  @Test(
    arguments: [
      ([], "to-read"), ([.dropped], "did-not-finish"), ([.dropped, .done], "read"),
      ([.done, .ongoing], "currently-reading"),
    ] as [([LogEntry.Outcome], String)])
  func `the exported status of a book follows its diary entries`(_ times: [LogEntry.Outcome], _ status: String) throws {
    let item = try book { $0.times = times.map { Entry.Time($0) } }
    #expect(try rows("goodreads", of: item)[0]["Exclusive Shelf"] == status)
    #expect(try rows("storygraph", of: item)[0]["Read Status"] == status)
  }

  @Test func `a StoryGraph export keeps quarter stars and reading dates`() throws {
    let item = try book { entry in
      entry.times = [
        Entry.Time(startedOn: PartialDate("2020-01-01"), endedOn: PartialDate("2020-02-03")),
        Entry.Time(endedOn: PartialDate("2021-03-04")), Entry.Time(),
      ]
    }
    let row = try rows("storygraph", of: item)[0]
    #expect(try table("storygraph").header.count == 23)
    #expect(row["Star Rating"] == "4.25")
    #expect(row["Dates Read"] == "2020/01/01-2020/02/03, 2021/03/04")
    #expect(row["Read Count"] == "3")
    #expect(row["Contributors"] == "Ann Other (Translator)")
    #expect(row["Owned?"] == "Yes")
    #expect(row["Authors"] == "Frank Herbert, 한강")
    #expect(row["Tags"] == "winter, next")
  }

  @Test func `a Discogs export has a row for each copy`() throws {
    let item = try outgoing(.vinyl, "Kind of Blue (7\", EP)", rating: "9/10") { entry in
      entry.record.credits = [Credit(name: "Miles Davis", role: .artist)]
      entry.record.externalIDs = [
        ExternalID(source: "discogs", value: "master/5460"), ExternalID(source: "discogs", value: "1148033"),
      ]
      entry.record.set(labels: ["Columbia", "Legacy"].map { Credit(name: $0, role: .label) })
      entry.record.vinyl.catalogNumber = "CL 1355"
      entry.record.vinyl.format = "Vinyl, LP"
      entry.addedOn = PartialDate("2026-11-21")
      entry.tags = ["Jazz"]
      entry.copies = [
        Entry.CopyOwned(Copy.Facts(media: .excellent, sleeve: .noCover, place: "K2", note: "signed")),
        Entry.CopyOwned(Copy.Facts(format: "LP, 180 g", media: .nearMint)),
      ]
    }
    #expect(
      try table("discogs").rows(of: item) == [
        [
          "CL 1355", "Miles Davis", "Kind of Blue (7\", EP)", "Columbia, Legacy", "Vinyl, LP", "5", "0", "1148033",
          "Jazz",
          "2026-11-21 00:00:00", "Very Good Plus (VG+)", "No Cover", "signed",
        ],
        [
          "CL 1355", "Miles Davis", "Kind of Blue (7\", EP)", "Columbia, Legacy", "LP, 180 g", "5", "0", "1148033",
          "Jazz", "2026-11-21 00:00:00", "Near Mint (NM or M-)", "", "",
        ],
      ])
    #expect(try rows("discogs", of: outgoing(.vinyl, "x") { _ in }).isEmpty)
  }

  @Test(arguments: [
    ("4.25", "4.5", "4.25", 4), ("0", "0.5", "0.25", 1), ("5", "5.0", "5.0", 5), ("7.5/10", "4.0", "3.75", 4),
    ("1%", "0.5", "0.25", 1), ("3.5", "3.5", "3.5", 4),
  ])
  func `a rating is rounded to the nearest step`(
    _ rating: String, _ half: String, _ quarter: String, _ whole: Int
  ) throws {
    let rating = try Rating(rating)
    #expect(rating.stars(in: 2) == half)
    #expect(rating.stars(in: 4) == quarter)
    #expect(rating.step(of: 20) == whole)
  }

  // MARK: Text

  @Test func `BibTeX names keep prefixes and suffixes with the last name`() throws {
    let names = [
      "Martin Luther King, Jr.", "Sammy Davis Jr.", "Ursula K. Le Guin", "Penman, Sharon", "Simon and Schuster",
    ]
    let item = try book { entry in entry.record.credits = names.map { Credit(name: $0, role: .author) } }
    let written = try text("bibtex").text(of: item, clean: { $0 })
    #expect(
      written.contains(
        "author = {King, Jr., Martin Luther and Davis, Jr., Sammy and Le Guin, Ursula K. and Penman, Sharon and {Simon and Schuster}}"
      ))
    #expect(written.hasPrefix("@book{king-"))
  }

  @Test func `BibTeX values are escaped, and citation keys are plain letters`() throws {
    let item = try book { entry in
      entry.record.title = "100% {C#} & $x_y \\ ~^\nZwei"
      entry.record.credits += [Credit(name: "Ernst and Young, Inc.", role: .author)]
      entry.record.year = nil
      entry.record.url = "https://example.com/a_b%20c}"
    }
    #expect(
      try text("bibtex").text(of: item, clean: { $0 }) == ##"""
        @book{herbert-100-c-x-42,
          title = {{100\% \{C\#\} \& \$x\_y \textbackslash{} \textasciitilde{}\textasciicircum{} Zwei}},
          author = {Frank Herbert and 한강 and {Ernst and Young, Inc.}},
          translator = {Ann Other},
          series = {Dune \#1},
          year = {2005},
          isbn = {9780441013593},
          pagetotal = {412},
          url = {https://example.com/a_b%20c},
          keywords = {Drama, winter}
        }


        """##)
    #expect(try outgoing(.book, "소년이 온다") { _ in }.citationKey == "42")
    #expect(
      try outgoing(.book, "Ünder Ärger") { $0.record.credits = [Credit(name: "José", role: .author)] }.citationKey
        == "jose-under-arger-42")
  }

  @Test func `a RIS export has one line per tag`() throws {
    let item = try book { $0.opinions = [Entry.Opinion(comment: "a\nER  - \nb")].compactMap(\.self) }
    #expect(
      try text("ris").text(of: item, clean: { $0 })
        == """
        TY  - BOOK
        ID  - herbert-50-dune-42
        TI  - Dune
        AU  - Herbert, Frank
        AU  - 한강
        A4  - Other, Ann
        PY  - 2005
        T2  - Dune #1
        SN  - 9780441013593
        SP  - 412
        KW  - Drama
        KW  - winter
        N1  - a ER  -  b
        ER  -\u{20}

        """.replacing("\n", with: "\r\n") + "\r\n")
  }

  // MARK: Notes

  @Test(arguments: [
    ("Dune: Part/Two?", "Dune Part Two"), ("..", "movie 42"), ("con", "movie 42"), ("기생충", "기생충"),
    ("a#b^[c]|d", "a b c d"),
    ("../../etc/passwd", "etc passwd"), ("What... ", "What"),
    (String(repeating: "가", count: 90), String(repeating: "가", count: 40)),
  ]) func `a note's file name is valid in every file system`(_ title: String, _ name: String) throws {
    #expect(MarkdownNote.name(of: try outgoing(.movie, title) { _ in }) == name)
  }

  @Test func `front matter and text of a note are escaped`() throws {
    let item = try film { entry in
      entry.record.summary = "---\n# Not a heading\n%% x %%"
      entry.record.otherTitles = ["a\": b\n- c"]
      entry.tags = ["desert planet"]
      entry.times = [
        Entry.Time(
          endedOn: PartialDate("2021"), note: "[[link]]",
          opinion: Entry.Opinion(rating: try Rating("4.25"), comment: "*great*\nyes"))
      ]
      entry.copies = [Entry.CopyOwned(Copy.Facts(media: .veryGood, place: "K2"))]
    }
    let note = MarkdownNote.text(of: item)
    #expect(
      note == ##"""
        ---
        catalog: 42
        kind: "movie"
        title: "기생충, \"Parasite\""
        aliases:
          - "a\": b\n- c"
        director:
          - "봉준호"
        cast:
          - "송강호"
        year: 2019
        genres:
          - "Drama"
        rating: 4.25
        tags:
          - "desert-planet"
        copies: 1
        added: "2026-11-21"
        finished:
          - "2021"
        ids:
          - "tmdb:496243"
          - "imdb:tt6751668"
        ---

        ---  
          \# Not a heading  
          \%\% x \%\%

        ## Diary

        - 2021 · ★★★★¼ \*great\*  
          yes · *\[\[link\]\]*

        ## Copies

        - VG · at K2

        %% catalog: what stands below this line is yours %%

        """##)
    #expect(MarkdownNote.item(of: note) == ItemID(rawValue: 42))
    #expect(MarkdownNote.item(of: "---\ntitle: x\n") == nil)
    #expect(MarkdownNote.item(of: "") == nil)
  }
}
