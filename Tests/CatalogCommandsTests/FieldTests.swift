import CatalogModel
import CommandLineKit
import SQLite
import Testing

@testable import CatalogCommands
@testable import CatalogStore

/// Tests that each field of the table is offered wherever fields are, or excluded here with a reason.
struct FieldTests {
  let catalog: TestCatalog

  init() throws {
    catalog = try TestCatalog()
    try catalog.addThree()
  }

  // MARK: Excuses

  private static let unedited = [
    "id": "is given once", "item": "is given once", "kind": "is part of what a thing is",
    "labels": "a source's words; genres are edited",
    "list_price": "a shop's word", "sale_price": "a shop's word", "currency": "a shop's word",
    "public_rating": "the public's", "public_votes": "the public's", "rating": "stands on a card",
    "rating_scale": "stands on a card", "cards": "are written by 'card add'",
    "favorite_since": "'favorite' and 'unfavorite'", "added_at": "is kept", "updated_at": "is kept",
    "has_cover": "comes with what is added", "external_ids": "are a source's",
    "cast": "a source's, with characters", "tracks": "a source's, with lengths", "comments": "stand on cards",
    "seen": "is written by 'log' and 'card'", "times": "are counted", "status": "is read off the diary",
    "piles": "'pile add' and 'pile remove'",
    "wished_at": "'wish'", "borrowers": "'lend' and 'return'", "lent_on": "'lend'", "due_on": "'lend'",
    "copies": said, "grades": said, "sleeves": said, "places": said, "prices": said, "acquired": said,
    "acquired_from": said, "copy_formats": said, "copy_notes": said, "imports": "'import'",
  ]

  private static let said = "is said of a copy, by 'copy edit'"

  private static let noFact = [
    "id": "stands in the head", "item": "stands in the head", "kind": "stands in the head", "title": "is the head",
    "original_title": "stands below the head", "creator": "stands below the head", "labels": "the genres are shown",
    "currency": "stands behind the prices", "public_votes": "stand behind the rating",
    "rating_scale": "is how the stars look",
    "cards": "are shown themselves", "comments": "are shown on the cards", "times": "stand beside the last",
    "cast": "is shown with characters", "tracks": "are shown with lengths", "updated_at": "is of no use there",
    "description": "is a text of its own", "copies": shown, "grades": shown, "sleeves": shown, "places": shown,
    "prices": shown, "acquired": shown, "acquired_from": shown, "copy_formats": shown, "copy_notes": shown,
    "imports": "'import list' has them", "borrowers": shown, "lent_on": shown, "due_on": shown,
  ]

  private static let shown = "is shown with its copy"

  private static let noMember = [
    "item": "is written with the editions", "currency": "stands in the prices",
    "cards": "are written themselves, with all that is on them", "comments": "stand on the cards",
    "seen": "is written with the diary", "times": "are written with the diary",
    "status": "is written with the diary", "tracks": "are written with lengths", "copies": shown, "grades": shown,
    "sleeves": shown, "places": shown, "prices": shown, "acquired": shown, "acquired_from": shown, "borrowers": shown,
    "lent_on": shown, "due_on": shown, "copy_formats": shown, "copy_notes": shown,
    "imports": "are numbers of this file alone",
  ]

  /// Fields that an item has and a draft lacks, with a value to type for each.
  private static let ofOthers = [
    "cards": "1", "comments": "good", "seen": "2024-05", "times": "1", "status": "done", "copies": "1", "grades": "VG+",
    "sleeves": "Generic",
    "places": "K2/3", "prices": "12.50USD", "acquired": "2019-03", "acquired_from": "market", "borrowers": "anna",
    "lent_on": "2024-05", "due_on": "2024-05", "copy_formats": "LP", "copy_notes": "signed", "imports": "1",
  ]

  // MARK: What there is to hold

  private static let rich = {
    var movie = Record(kind: .movie, title: "살인의 추억")
    (movie.originalTitle, movie.otherTitles) = ("Salinui chueok", ["Memories of Murder", "Chronik eines Mordes"])
    (movie.year, movie.released) = (2003, PartialDate("2003-05-02"))
    (movie.summary, movie.url) = ("Two\ndetectives.", "https://example.org")
    movie.note = "Anna has seen it, too."
    movie.labels = ["Comedy", "Thriller"]
    movie.credits = [Credit(name: "봉준호", role: .director), Credit(name: "송강호", role: .cast)]
    movie.externalIDs = [ExternalID(source: "tmdb", value: "11423")]
    movie.publicRating = PublicRating(value: 85.5, votes: 17)
    (movie.movie.minutes, movie.movie.countries) = (132, ["KR", "US"])
    (movie.movie.language, movie.movie.tagline) = ("ko", "Rain, and nobody knows.")
    var book = Record(kind: .book, title: "소년이 온다")
    book.credits = [Credit(name: "한강", role: .author), Credit(name: "Deborah Smith", role: .translator)]
    book.book.isbn = try? ISBN("9788936434120")
    (book.book.publisher, book.book.published, book.book.pages) = ("창비", PartialDate("2014-05"), 216)
    (book.book.language, book.book.series) = ("ko", "Novels")
    book.book.price = Price(minorUnits: 12000, currency: "KRW")
    book.book.salePrice = Price(minorUnits: 10800, currency: "KRW")
    var vinyl = Record(kind: .vinyl, title: "Kind of Blue")
    vinyl.vinyl.label = "Columbia"
    (vinyl.vinyl.catalogNumber, vinyl.vinyl.country) = ("CL 1355", "US")
    (vinyl.vinyl.format, vinyl.vinyl.speed, vinyl.vinyl.discs) = ("Vinyl, LP", "33 ⅓ RPM", 1)
    vinyl.vinyl.barcode = "074646493526"
    vinyl.vinyl.tracks = [Track(position: "A1", title: "So What", seconds: 562)]
    return [movie, book, vinyl]
  }()

  /// A catalog in which every field has a value somewhere.
  private func addRich() throws -> [Item] {
    try Self.rich.map { record in
      let id = try catalog.store.add(
        record, genres: ["Drama"], cover: Cover(bytes: [1], mediaType: "image/png"), isOwned: false, now: catalog.clock
      ).id
      _ = try catalog.store.addCard(
        to: id, rating: Rating("4.5"), comment: "good", seenOn: PartialDate("2024-05"), now: catalog.clock)
      let copy = try catalog.store.addCopy(
        Copy.Facts(
          format: "LP", media: .veryGoodPlus, sleeve: .generic, place: "K2/3",
          price: Price(minorUnits: 1250, currency: "USD"),
          acquiredOn: PartialDate("2019-03"), acquiredFrom: "the market", note: "Signed."), of: id, now: catalog.clock
      ).id
      try catalog.store.db.run(
        "INSERT OR IGNORE INTO import_batch VALUES (1, 'letterboxd', 'a.zip', '2026-01-01T00:00:00Z')")
      try catalog.store.db.run(
        """
        INSERT INTO import_row (batch_id, line, key, words, fingerprint, outcome, item_id)
        VALUES (1, 2, 'letterboxd x', 'x', 0, 'added', \(id.rawValue))
        """)
      try catalog.store.favorite(id, now: catalog.clock)
      try catalog.store.wish(for: .item(id), now: catalog.clock)
      try catalog.store.addTag("winter", to: [id])
      try catalog.store.addToPile("next", [id])
      let day = try #require(PartialDate("2024-05-06"))
      try catalog.store.lend(copy, to: "Anna", on: day, due: day)
      return try catalog.store.item(id)
    }
  }

  // MARK: Rules

  @Test func `field names are unique lower-case words`() {
    let names = Field.all.flatMap(\.names)
    #expect(Set(names).count == names.count)
    for name in names { #expect(name.allSatisfy { $0.isASCII && $0.isLowercase || $0 == "_" }, "\(name)") }
    #expect(Field.all.allSatisfy { !$0.heading.isEmpty || [.id, .item].contains($0) })
  }

  @Test func `every field of a record is read back from the file`() throws {
    for (item, record) in zip(try addRich(), Self.rich) {
      #expect(item.record.details == record.details)
      let (kept, given) = (Draft(item), Draft(record, genres: ["Drama"]))
      for field in Field.all where !field.columns.isEmpty && field.isOf(record.kind) {
        #expect(field.value(of: kept) == field.value(of: given), "\(field.key)")
      }
    }
    let items = try catalog.store.ids(catalog.store.query(["id:4.."], now: catalog.now)).map {
      Draft(try catalog.store.item($0))
    }
    for field in Field.all where Self.ofOthers[field.key] == nil {
      #expect(
        items.contains { field.value(of: $0) != .none && field.value(of: $0) != .list([]) }, "\(field.key) is empty")
    }
  }

  @Test func `every column of an item belongs to a field`() throws {
    let others = [
      "item": ["id", "kind", "sort_title", "created_at", "updated_at", "genres_by_hand"], "movie": ["item_id"],
      "book": ["item_id"], "vinyl": ["item_id"],
    ]
    for table in Table.allCases {
      let columns: [String] = try catalog.store.db.values("SELECT name FROM pragma_table_info(\(table.rawValue))")
      #expect(
        Set(columns) == Set(others[table.rawValue] ?? []).union(Column.all(in: table).map(\.name)),
        "\(table.rawValue)")
    }
  }

  @Test func `every editable field can be set from its own text`() throws {
    let items = try addRich()
    #expect(Set(Field.all.filter { !$0.isEditable }.map(\.key)) == Set(Self.unedited.keys))
    for item in items {
      for field in Field.editable(of: item.record.kind) {
        var empty = Draft(Record(kind: item.record.kind, title: "x"))
        try field.assign(field.value(of: Draft(item)).texts, to: &empty)
        #expect(field.text(of: empty) == field.text(of: Draft(item)), "\(field.key)")
      }
    }
  }

  @Test func `every field from a source can be copied from a record`() throws {
    for record in Self.rich {
      let told = Field.refreshableFields(of: record.kind)
      for field in told where field.isPresent(in: record) {
        var empty = Record(kind: record.kind, title: "")
        #expect(!field.isPresent(in: empty), "\(field.key)")
        #expect(!field.isSame(record, empty), "\(field.key)")
        try field.take(from: record, into: &empty)
        #expect(field.isSame(record, empty), "\(field.key)")
      }
      // The others are a person's, or told together with one of these.
      let others = Set(Field.all.filter { $0.isOf(record.kind) && !told.contains($0) }.map(\.key))
      #expect(others.isSubset(of: Self.untold), "\(others.subtracting(Self.untold))")
    }
    for field in Field.all where !Self.untold.contains(field.key) {
      #expect(
        Self.rich.contains { field.isOf($0.kind) && field.isPresent(in: $0) }, "\(field.key) has no value in any record"
      )
    }
  }

  private static let untold: Set = [
    "id", "item", "kind", "genres", "sale_price", "currency", "public_votes", "rating", "rating_scale", "cards",
    "comments",
    "seen", "times", "status", "favorite_since", "added_at", "updated_at", "has_cover", "external_ids", "copies",
    "grades",
    "sleeves", "places", "prices", "acquired", "acquired_from", "copy_formats", "copy_notes", "imports", "tags",
    "piles", "wished_at", "borrowers", "lent_on",
    "due_on",
  ]

  @Test func `list prints every field as JSON, as a column and in a template`() throws {
    for item in try addRich() {
      let draft = Draft(item)
      for field in Field.all where field.isOf(item.record.kind) && Self.ofOthers[field.key] == nil {
        var json = JSONWriter()
        json.object { json in
          json.key(field.name)
          json.value(field.listedValue(of: draft).cell.value)
        }
        let shown = String(decoding: json.take(), as: UTF8.self)
        #expect(catalog.run("list", "id:\(item.id)", "--json=\(field.name)").output == "[\(shown)]\n")
        #expect(catalog.run("list", "id:\(item.id)", "--columns", field.word).status == 0)
        let line = catalog.run("list", "id:\(item.id)", "--template", "$\(field.name)").output
        #expect((line == "\n") == field.value(of: draft).texts.isEmpty, "\(field.key)")
      }
    }
  }

  @Test func `a member of JSON has the name that was typed`() throws {
    try catalog.addThree()
    #expect(
      catalog.run("list", "--json=title,creator,author,creators", "--limit", "1").output
        == #"[{"title":"Kind of Blue","creator":["Miles Davis"],"author":["Miles Davis"],"creators":["Miles Davis"]}]"#
        + "\n")
  }

  @Test func `list sorts by every field except those with several values`() {
    for field in Field.all {
      let run = catalog.run("list", "--sort", "\(field.word)-")
      let isExcused = field.form.isList && !["creator", "label"].contains(field.key)
      #expect(run.status == (isExcused ? 2 : 0), "\(field.key): \(run.errors)")
    }
  }

  @Test func `every field can be queried by value, by presence and by absence`() throws {
    let items = try addRich()
    for field in Field.all {
      // Each has a card with all that there is on one.
      let having = items.filter { Self.ofOthers[field.key] != nil || !field.value(of: Draft($0)).texts.isEmpty }
      if !field.isAlwaysThere {
        let has = Set(try catalog.store.ids(catalog.store.query(["has:\(field.word)", "id:4.."], now: catalog.now)))
        #expect(has == Set(having.map(\.id)), "has:\(field.word)")
        #expect(!has.isEmpty, "has:\(field.word)")
        let none = Set(try catalog.store.ids(catalog.store.query(["\(field.word):none", "id:4.."], now: catalog.now)))
        #expect(none == Set(items.map(\.id)).subtracting(has), "\(field.key):none")
      }
      for item in having {
        let text =
          switch field.type {
          case _ where Self.ofOthers[field.key] != nil: Self.ofOthers[field.key] ?? ""
          case .rating: "4.5"
          case .moment: String(field.value(of: Draft(item)).texts[0].prefix(10))
          default: field.value(of: Draft(item)).texts[0]
          }
        let query = try catalog.store.query(["\(field.word):\"\(text)\""], now: catalog.now)
        #expect(try catalog.store.ids(query).contains(item.id), "\(field.word):\(text)")
      }
    }
  }

  @Test func `show --json has a member for every field`() throws {
    for item in try addRich() {
      let json = catalog.run("show", "\(item.id)", "--json").output
      for field in Field.all where field.isOf(item.record.kind) && Self.noMember[field.key] == nil {
        var member = JSONWriter()
        member.object { json in
          json.key(field.name)
          json.value(field.listedValue(of: Draft(item)).cell.value)
        }
        #expect(json.contains(String(decoding: member.take(), as: UTF8.self).dropFirst().dropLast()), "\(field.key)")
      }
    }
  }

  @Test func `the page of an item has a fact for every field with a value`() throws {
    for item in try addRich() {
      let facts = Detail(item: item, cards: [], showsBack: false).facts.map(\.name)
      for field in Field.all where field.isOf(item.record.kind) && Self.noFact[field.key] == nil {
        guard !field.value(of: Draft(item)).texts.isEmpty else { continue }
        #expect(facts.contains(Detail.name(of: field, item.record.kind)), "\(field.key)")
      }
    }
  }

  @Test func `completion offers every field`() {
    func offered(_ words: String...) -> [Substring] {
      catalog.run(["completion", "--candidates", "--"] + words).output.split(separator: "\n")
        .map { $0.prefix { $0 != "\t" } }
    }
    for field in Field.all {
      #expect(offered("list", "--columns", "id,\(field.name)").contains("id,\(field.name)") == (field != .id))
      #expect(offered("list", "--json=\(field.name)").contains("--json=\(field.name)"))
      #expect(
        offered("list", "-\(field.word)").contains("-\(field.word):")
          || offered("list", field.word).contains("\(field.word):"))
      if field.isEditable { #expect(offered("edit", "3", field.word).contains("\(field.word)=")) }
      if field.isSortable { #expect(offered("list", "--sort", field.word).contains("\(field.word)-")) }
    }
    #expect(offered("list", "kind:") == ["kind:movie", "kind:book", "kind:vinyl"])
    #expect(offered("list", "-kind:") == ["-kind:movie", "-kind:book", "-kind:vinyl"])
    #expect(offered("list", "-kind:movie", "^kind:b") == ["^kind:book"])
    #expect(offered("list", "--lim") == ["--limit"])
    #expect(offered("list", "^genre:Ja") == ["^genre:Jazz"])
    #expect(offered("list", "genre:Drama,th") == ["genre:Drama,Thriller"])
    #expect(offered("list", "(genre:Ja") == ["(genre:Jazz"])
    #expect(offered("list", "genre:=ja") == ["genre:=Jazz"])
    #expect(offered("list", "kind:book", "o") == ["original_title:", "other_titles:", "or"])
    #expect(offered("list", "creator:mil") == ["creator:Miles Davis"])
    #expect(
      offered("list", "favorite:") == [
        "favorite:yes", "favorite:no", "favorite:today", "favorite:yesterday", "favorite:none", "favorite:any",
      ])
    #expect(offered("edit", "3", "creator+=Mil") == ["creator+=Miles Davis"])
    #expect(offered("list", "--sort", "year-,tit") == ["year-,title", "year-,title-"])
    #expect(offered("list", "status:d") == ["status:done", "status:dropped"])
  }
}
