import CatalogModel
import FoundationEssentials
import Migrations
import SQLite
import Testing

@testable import CatalogStore

struct DocumentTests {
  private static let now = Timestamp(rawValue: "2026-11-21T09:30:00Z")

  /// All rows of the tables with a person's data.
  private func rows(of store: Store) throws -> [String: [[Value]]] {
    var rows: [String: [[Value]]] = [:]
    for table in RecordedTable.all.map(\.name) {
      rows[table] = try store.db.all("SELECT * FROM \(identifier: table)") { $0.all }
    }
    rows["setting"] = try store.db.all("SELECT * FROM setting") { $0.all }
    return rows
  }

  private func documents(of store: Store, _ query: Query? = nil, withCovers: Bool = true) throws -> [Document] {
    var documents: [Document] = []
    try store.documents(of: query, withCovers: withCovers) {
      documents.append($0)
      return true
    }
    return documents
  }

  @discardableResult
  private func restore(_ documents: [Document], into store: Store) throws -> Restored {
    var rest = documents.enumerated().map { (line: $0.offset + 1, document: $0.element) }[...]
    return try store.restore { rest.popFirst() }
  }

  /// A catalog with rows in every table, which a test verifies.
  func everything() throws -> Store {
    let store = try Store.empty()
    let now = Self.now
    var movie = Record(kind: .movie, title: "기생충 \"Parasite\"")
    (movie.originalTitle, movie.otherTitles, movie.year) = ("기생충", ["Parasite", "Gisaengchung"], 2019)
    (movie.released, movie.summary, movie.url) = (
      PartialDate("2019-05-30"), "A\nB\u{1F}\u{7F}\u{202E}", "https://example.com"
    )
    movie.credits = [
      Credit(name: "봉준호", role: .director, externalID: ExternalID(source: "tmdb", value: "person/21684")),
      Credit(name: "송강호", role: .cast, detail: "김기택"),
    ]
    movie.labels = ["Thriller", "Some Label That Nobody Knows"]
    movie.externalIDs = [ExternalID(source: "tmdb", value: "496243"), ExternalID(source: "imdb", value: "tt6751668")]
    movie.publicRating = PublicRating(value: 85.12345678901234, votes: 17)
    (movie.movie.minutes, movie.movie.countries, movie.movie.language) = (132, ["KR"], "ko")
    let film = try store.add(
      movie, cover: Cover(bytes: [0, 255, 10, 13], mediaType: "image/png", width: 1, height: 2, etag: "e"), now: now
    ).id
    var record = Record(kind: .vinyl, title: "Kind of Blue")
    record.credits = [Credit(name: "Miles Davis", role: .artist)]
    (record.vinyl.label, record.vinyl.catalogNumber) = ("Columbia", "CL 1355")
    record.vinyl.tracks = [
      Track(position: "A1", title: "So What", seconds: 545), Track(position: "A2", title: "Freddie"),
    ]
    let vinyl = try store.add(record, genres: ["Jazz"], now: now).id
    var book = Record(kind: .book, title: "소년이 온다")
    book.credits = [Credit(name: "한강", role: .author)]
    book.book.isbn = try ISBN("9788936434120")
    book.book.price = Price(minorUnits: 12_000, currency: "KRW")
    let first = try store.add(book, genres: ["Literary Fiction"], now: now).id
    book.title = "Human Acts"
    (book.book.isbn, book.book.price) = (nil, nil)
    let second = try store.add(book, isOwned: false, now: now).id
    let gone = try store.add(Record(kind: .movie, title: "Gone"), now: now).id
    try store.remove([gone])

    _ = try store.joinEditions([first, second])
    _ = try store.apply(.rename("Jazz", to: "My Jazz"))
    _ = try store.addCard(to: film, rating: try Rating("4.25"), comment: "=1+1\n\"잊을 수 없다\"", now: now)
    _ = try store.addCard(to: first, rating: try Rating("9/10"), comment: nil, seenOn: PartialDate("2024"), now: now)
    _ = try store.wish(for: .item(film), now: now) { $0.limit = Price(minorUnits: 100, currency: "EUR") }
    _ = try store.log(Occasion(endedOn: PartialDate("2026-01-02"), rating: try Rating("5")), of: film, now: now)
    _ = try store.log(Occasion(.ongoing, page: 12, note: "on the train"), of: second, now: now)
    _ = try store.wish(for: .item(second), now: now) { $0.note = "hardcover" }
    _ = try store.wish(for: .words("a lamp", nil), now: now)
    let copy = try store.addCopy(Copy.Facts(media: .veryGoodPlus, place: "K2/3", note: "n"), of: vinyl, now: now)
    _ = try store.lend(
      copy.id, to: "Anna", on: try #require(PartialDate("2026-11-01")), due: PartialDate("2026-12-01"), note: nil)
    try store.addTag("winter", to: [film, vinyl])
    try store.addToPile("next", [vinyl, first])
    try store.addToPile("empty", [first])
    _ = try store.removeFromPile("empty", [first])
    try store.favorite(vinyl, now: now)
    try store.represent(by: vinyl)
    try store.recordView(of: film, now: now)
    try store.recordView(
      of: Record(kind: .app, title: "An App"), id: ExternalID(source: "itunes", value: "1"), now: now)
    _ = try store.change(first, now: now) { draft in draft.record.year = 2014 }
    try store.noteRefresh(of: film, at: ["tmdb"], now: now)
    var session = ImportSession(format: "letterboxd", file: "a.zip", to: store, now: now) { "\($0)" }
    _ = try session.write(
      [
        (ImportRow(line: 2, key: "x", words: "Heat", content: .success(Entry(book))), .item(first)),
        (ImportRow(line: 3, key: "y", words: "?", content: .failure(.init("no title"))), .new),
      ], isLast: true)
    let date = try #require(now.date)
    try store.save(SavedQuery("bop", ["genre:jazz"]), now: date)
    return store
  }

  @Test func `an exported catalog restores into an empty one, row for row`() throws {
    let store = try everything()
    for table in RecordedTable.all.map(\.name) {
      #expect(try store.db.value("SELECT count(*) FROM \(identifier: table)") ?? 0 > 0, "the test has no \(table)")
    }
    let documents = try documents(of: store)
    let other = try Store.empty()
    #expect(try restore(documents, into: other) == Restored(items: 4))
    let (before, after) = (try rows(of: store), try rows(of: other))
    for (table, rows) in before { #expect(after[table] == rows, "\(table)") }
    #expect(try self.documents(of: other) == documents)
    #expect(try other.examine(now: try #require(Self.now.date)).filter { $0.state == .wrong }.isEmpty)
    #expect(try other.search("parasite") == [ItemID(rawValue: 1)])
    // The number of what was removed is not given again.
    #expect(try other.add(Record(kind: .movie, title: "New"), now: Self.now).id == ItemID(rawValue: 6))
  }

  /// `Databases/numbered.jsonl` was written by 0.1.0, before exports had uids.
  @Test func `an export without uids restores as it always did, and is exported as it was`() throws {
    let path = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Databases/numbered.jsonl")
    let documents = try read(String(contentsOf: path, encoding: .utf8), piece: 1 << 16).sorted { $0.key < $1.key }
      .map(\.value)
    let store = try Store.empty()
    #expect(try restore(documents, into: store) == Restored(items: 4))
    let back = try self.documents(of: store)
    for (old, new) in zip(documents.dropFirst(), back.dropFirst()) { #expect(old == new) }
    #expect(back.count == documents.count)
    for member in ["numbers", "settings"] { #expect(documents.first?[member] == back.first?[member]) }
    #expect(try store.db.value("SELECT count(*) FROM identity", as: Int.self) == 0)
    #expect(try store.examine(now: try #require(Self.now.date)).filter { $0.state == .wrong }.isEmpty)
  }

  @Test func `an export of a synced catalog keeps its uids, so that a restored one meets its other devices`() throws {
    let store = try everything()
    var exported: [TreePath: Document] = [:]
    _ = try store.exportChanges(now: Self.now) { exported[$0.path] = $0.document }
    let documents = try documents(of: store)
    for table in TableSchema.identified {
      let rows = documents.flatMap { $0.rows(of: table.name) }
      #expect(!rows.isEmpty && rows.allSatisfy { $0["id"] != nil && $0["uid"]?.text.map(UUIDv7.isOne) == true })
    }
    let other = try Store.empty()
    #expect(try restore(documents, into: other) == Restored(items: 4))
    #expect(try self.documents(of: other) == documents)
    let uids: (Store) throws -> [[Value]] = { try $0.db.all("SELECT * FROM identity ORDER BY uid") { $0.all } }
    #expect(try uids(other) == uids(store))
    _ = try other.exportChanges(now: Self.now) { #expect($0.document.isSame(as: exported[$0.path])) }
    var bad = documents
    let place = try #require(bad.firstIndex { $0["movie"] != nil })
    let item = try #require(bad[place]["item"]?.object)
    bad[place] = bad[place].with("item", .object(item.with("uid", .text("x"))))
    #expect(throws: DocumentProblem("a 'item' has no uid", line: place + 1)) { try restore(bad, into: Store.empty()) }
  }

  @Test func `one undo reverses a restore`() throws {
    let documents = try documents(of: everything())
    let other = try Store.empty()
    let before = try self.documents(of: other).dropFirst()
    let recorded = other.recording(OperationRecorder(command: "import", line: "import x.jsonl") { Self.now })
    try restore(documents, into: recorded)
    let results = try other.undo(other.undoable(1), now: Self.now)
    #expect(results.flatMap(\.conflicts).isEmpty)
    #expect(try Array(self.documents(of: other).dropFirst()) == Array(before))
  }

  @Test func `an item's document names shared rows by their names`() throws {
    let document = try everything().document(of: ItemID(rawValue: 1))
    #expect(
      document.members.map(\.key) == [
        "item", "movie", "credit", "item_genre", "item_label", "external_id", "cover", "card", "log_entry", "wish",
        "item_tag", "item_refresh",
      ])
    #expect(
      document.rows(of: "credit").first?["person"]
        == .object(
          Document([
            JSON.Member("id", .integer(1)), JSON.Member("name", .text("봉준호")),
            JSON.Member("external_id", .text("tmdb:person/21684")),
          ])))
    #expect(document.rows(of: "item_tag") == [Document([JSON.Member("tag", .text("winter"))])])
    #expect(document.rows(of: "item_genre").first?["genre"] == .text("Thriller"))
    #expect(document.rows(of: "cover").first?["bytes"] == .text("AP8KDQ=="))
    #expect(document.rows(of: "item").first?["public_rating"] == .real(85.12345678901234))
  }

  @Test func `the documents of a selection restore without the rest`() throws {
    let store = try everything()
    let vinyl = try store.query(["kind:vinyl,book"], now: try #require(Self.now.date))
    let documents = try documents(of: store, vinyl, withCovers: false)
    #expect(documents.count == 4)
    #expect(documents[0]["selection"] == .flag(true))
    let other = try Store.empty()
    try restore(documents, into: other)
    #expect(try other.item(ItemID(rawValue: 2)).genres == ["My Jazz"])
    #expect(try other.items(onPile: "next") == [ItemID(rawValue: 2), ItemID(rawValue: 3)])
    #expect(try other.tags().map(\.name) == ["winter"])
    #expect(try other.editions(of: ItemID(rawValue: 4)) == [ItemID(rawValue: 3)])
    // A work that is not there leaves its editions alone.
    let third = try Store.empty()
    try restore(documents.filter { $0.rows(of: "item").first?["id"] != .integer(3) }, into: third)
    #expect(try third.editions(of: ItemID(rawValue: 4)).isEmpty)
    #expect(try third.db.value("SELECT position FROM pile_item", as: Int.self) == 1)
  }

  @Test func `unknown members of a newer version are skipped and reported`() throws {
    var documents = try documents(of: everything())
    let place = try #require(documents.firstIndex { $0["movie"] != nil })
    documents[place].members.append(JSON.Member("holograms", .list([.object(Document())])))
    documents[place].members.append(JSON.Member("track", .list([])))
    guard case .object(var movie) = documents[place]["movie"] else { throw CatalogError.emptyQuery }
    movie.members.append(JSON.Member("smell", .text("popcorn")))
    documents[place].members = documents[place].members.map {
      $0.key == "movie" ? JSON.Member("movie", .object(movie)) : $0
    }
    documents.append(Document([JSON.Member("dream", .object(Document()))]))
    #expect(try restore(documents, into: Store.empty()).unknown == ["dream", "holograms", "movie.smell"])
    documents[0] = Document([JSON.Member("catalog", .integer(2))])
    #expect(throws: DocumentProblem("it was written by a newer version of catalog", line: 1)) {
      try restore(documents, into: Store.empty())
    }
  }

  @Test func `a rejected restore leaves the catalog unchanged`() throws {
    let good = try documents(of: everything())
    let store = try everything()
    #expect(throws: CatalogError.notEmpty) { try restore(good, into: store) }
    let empty = try Store.empty()
    let before = try rows(of: empty)
    func refuses(_ documents: [Document], _ words: Message, line: Int?) {
      #expect(throws: DocumentProblem(words, line: line)) { try restore(documents, into: empty) }
    }
    refuses([], "it does not begin like an export of a catalog", line: 1)
    refuses(Array(good.dropFirst()), "it does not begin like an export of a catalog", line: 1)
    refuses(
      good + [Document([JSON.Member("item", .list([.object(Document())]))])], "the item has no number",
      line: good.count + 1)
    var bad = good
    let place = try #require(bad.firstIndex { $0["movie"] != nil })
    bad.append(bad[place])
    #expect(throws: DocumentProblem.self) { try restore(bad, into: empty) }
    bad = good.filter { $0["vinyl"] == nil }
    refuses(bad, "it has data of an item that is not in it", line: nil)
    var seen = 0
    #expect(throws: Store.Stopped.self) {
      var rest = good.map { (line: 1, document: $0) }[...]
      try empty.restore(progress: {
        seen = $0; return $0 < 2
      }) { rest.popFirst() }
    }
    #expect(seen == 2)
    #expect(try rows(of: empty) == before)
  }

  @Test func `an item read from its document equals the stored item`() throws {
    let store = try everything()
    let room = try ScratchCatalog()
    for id in [1, 2, 3, 4, 1].map({ ItemID(rawValue: $0) }) {
      #expect(try room.entry(of: store.document(of: id)) == store.entry(of: id))
    }
    #expect(throws: DocumentProblem("the item has no number")) {
      try room.entry(of: Document([JSON.Member("item", .object(Document()))]))
    }
  }

  // MARK: Text

  private func read(_ text: String, piece: Int = 7) throws -> [Int: Document] {
    var rest = Array(text.utf8)[...]
    var reader = DocumentReader {
      defer { rest = rest.dropFirst(piece) }
      return Array(rest.prefix(piece))
    }
    var documents: [Int: Document] = [:]
    while let (line, document) = try reader.next() { documents[line] = document }
    return documents
  }

  @Test func `lines are read from pieces of any size`() throws {
    let text = "{\"catalog\":1}\r\n\n  \n{\"a\":[1,-2.5,true,null,{\"b\":\"\\u00e9\\ud83d\\ude00\\n\\\"\"}]}"
    for piece in [1, 2, 5, 1000] {
      #expect(
        try read(text, piece: piece) == [
          1: Document([JSON.Member("catalog", .integer(1))]),
          4: Document([
            JSON.Member(
              "a",
              .list([
                .integer(1), .real(-2.5), .flag(true), .null,
                .object(Document([JSON.Member("b", .text("é😀\n\""))])),
              ]))
          ]),
        ])
    }
    #expect(DocumentReader.recognizes("{ \"catalog\" : 1".utf8))
    #expect(!DocumentReader.recognizes("[{\"catalog\":".utf8))
  }

  @Test(arguments: [
    ("{\"a\":1", "it is cut short"), ("[1]", "it is not a JSON object"),
    ("{\"a\":1}x", "there is something after the object"),
    ("{\"a\":1,\"a\":2}", "'a' appears twice in it"), ("{\"a\":\"\\ud800\"}", "it contains half of a character"),
    ("{\"a\":1e999}", "it is not valid JSON at '1e999}'"), ("{\"a\":tru}", "it is not valid JSON at 'tru}'"),
    ("{\"a\":\"\u{1}\"}", "it is not valid JSON at '\u{1}\"}'"),
  ]) func `an invalid line is rejected with its number`(_ line: String, _ words: Message) throws {
    #expect(throws: DocumentProblem(words, line: 2)) { try read("{}\n" + line) }
    let deep = String(repeating: "{\"a\":", count: 100)
    #expect(throws: DocumentProblem("it is nested too deeply", line: 1)) { try read(deep) }
  }

  @Test func `an endless line is rejected before it is read completely`() throws {
    var given = 0
    var reader = DocumentReader {
      given += 1 << 22
      return [UInt8](repeating: 0x20, count: 1 << 22)
    }
    #expect(throws: DocumentProblem("it is longer than 16 MiB", line: 1)) { try reader.next() }
    #expect(given < 80 << 20)
  }

  // MARK: Entries

  @Test func `an entry has its tags, copies, piles, diary entries and ratings`() throws {
    let store = try everything()
    let film = try store.entry(of: ItemID(rawValue: 1))
    let today = PartialDate("2026-11-21")
    #expect(
      film.times == [
        Entry.Time(
          .done, endedOn: PartialDate("2026-01-02"), opinion: Entry.Opinion(rating: try Rating("5"), day: today))
      ])
    #expect(
      film.opinions
        == [Entry.Opinion(rating: try Rating("4.25"), comment: "=1+1\n\"잊을 수 없다\"", day: today)]
        .compactMap(\.self))
    #expect(film.tags == ["winter"])
    #expect(film.wish == nil)
    #expect(film.copies.isEmpty)
    #expect(!film.isFavorite)
    let vinyl = try store.entry(of: ItemID(rawValue: 2))
    #expect(vinyl.copies.count == 2 && vinyl.copies[1].holder?.person == "Anna" && vinyl.isFavorite)
    #expect(vinyl.piles == [Entry.PilePlace("next", position: 1)])
    #expect(vinyl.addedOn == PartialDate("2026-11-21"))
    let book = try store.entry(of: ItemID(rawValue: 3))
    #expect(book.times.map(\.endedOn) == [PartialDate("2024")])
    #expect(book.opinions.isEmpty)
    let other = try store.entry(of: ItemID(rawValue: 4))
    #expect(other.times.map(\.outcome) == [.ongoing])
    #expect(other.wish?.note == "hardcover")
  }
}
