import CatalogModel
import FoundationEssentials
import SQLite
import Testing

@testable import CatalogStore

struct StoreTests {
  let store: Store
  let now = Timestamp(rawValue: "2026-11-21T09:00:00Z")

  init() throws { store = try Store.empty() }

  private func vinyl(_ title: String, id: String? = nil) -> Record {
    var record = Record(kind: .vinyl, title: title)
    record.credits = [Credit(name: "Miles Davis", role: .artist)]
    record.labels = ["Jazz", "Modal Jazz"]
    if let id { record.externalIDs = [ExternalID(source: "discogs", value: id)] }
    return record
  }

  @Test(arguments: 0...4) func `items behind a stop are not begun, and have no outcome`(count: Int) throws {
    let items = ["A", "", "B", "C"].map { Store.NewItem(vinyl($0)) }
    var asked = 0
    let outcomes = try store.add(items, now: now) {
      asked += 1
      return asked > count
    }
    #expect(outcomes.count == count)
    #expect(try store.count(Query()) == [0, 1, 1, 2, 3][count])
  }

  @Test func `an item is read as it was added`() throws {
    var record = Record(kind: .book, title: "소년이 온다")
    record.originalTitle = "Human Acts"
    record.otherTitles = ["Actes humains", "그 소년"]
    record.released = PartialDate("2014-05")
    record.year = 2014
    record.credits = [Credit(name: "한강", role: .author)]
    record.labels = ["Literary Fiction"]
    record.externalIDs = [ExternalID(source: "kakao", value: "1")]
    var book = Book()
    book.isbn = try ISBN("978-89-364-3412-0")
    book.price = Price(minorUnits: 15000, currency: "KRW")
    record.details = .book(book)
    let id = try store.add(record, now: now).id
    let item = try store.item(id)
    #expect(item.record == record)
    #expect(item.genres == ["Literary Fiction"])
    #expect(item.createdAt == now)
  }

  @Test func `adding an item twice changes nothing and returns the existing one`() throws {
    let first = try store.add(vinyl("Kind of Blue", id: "1"), now: now)
    #expect(try store.add(vinyl("Other", id: "1"), now: now) == .exists(first.id))
    #expect(try store.shelfCounts().total == 1)
  }

  @Test func `the newest card wins, also within a second and after a small clock change`() throws {
    let id = try store.add(vinyl("Kind of Blue"), now: now).id
    _ = try store.add(vinyl("Blue Train"), now: now)
    let times = ["2026-11-21T09:00:00Z", "2026-11-21T09:00:00Z", "2026-11-21T08:59:30Z"]
    for (time, stars) in zip(times, [5, 4, 3]) {
      _ = try store.addCard(to: id, rating: Rating("\(stars)"), comment: nil, now: Timestamp(rawValue: time))
    }
    #expect(try store.cards(of: id).map(\.id.rawValue) == [3, 2, 1])
    #expect(try store.cards().map(\.id.rawValue) == [3, 2, 1])
    #expect(try store.rating(of: id)?.value == 60)
    #expect(try store.item(id).rating?.value == 60)
    #expect(try store.ids(Query(["rating:3"], now: Date())) == [id])
    #expect(try store.ids(Query(["rating:5"], now: Date())) == [])
    var listed: [String] = []
    _ = try store.list(Query(), fields: [.rating], order: []) {
      listed.append($0.text(0))
      return true
    }
    #expect(listed == ["", "60 half"])
    #expect(try store.db.values("SELECT id FROM cards", as: Int.self) == [3, 2, 1])
    #expect(try store.db.values("SELECT card_id FROM item_rating", as: Int.self) == [3])
    #expect(try store.db.values("SELECT rating FROM shelf WHERE rating IS NOT NULL", as: Int.self) == [60])
    // A removed card's number is never given again.
    try store.removeCards([store.card(CardID(rawValue: 3))])
    #expect(try store.addCard(to: id, rating: nil, comment: "again", now: now).id.rawValue == 4)
    #expect(try store.rating(of: id)?.value == 80)
    // One of an earlier day is older, whenever it is written.
    _ = try store.addCard(
      to: id, rating: Rating("1"), comment: nil, now: Timestamp(rawValue: "2020-01-01T00:00:00Z"))
    #expect(try store.rating(of: id)?.value == 80)
    #expect(try store.cards(of: id).last?.id.rawValue == 5)
  }

  @Test(arguments: ["해리", "ㅎㄹㅍㅌ", "해리포터", "포터", "ㅍㅌ", "harry", "HARRY po", "롤링"])
  func `Korean is found by syllables and initial consonants`(_ words: String) throws {
    var record = Record(kind: .book, title: "해리 포터와 마법사의 돌")
    record.originalTitle = "Harry Potter and the Philosopher's Stone"
    record.credits = [Credit(name: "J. K. 롤링", role: .author)]
    let id = try store.add(record, now: now).id
    _ = try store.add(vinyl("Blue Train"), now: now)
    #expect(try store.search(words) == [id])
  }

  @Test(arguments: ["parasite", "gisaeng", "기생", "ㄱㅅㅊ", "black and white", "title:parasite", "title:gisaengchung"])
  func `an item is found by all of its titles`(_ words: String) throws {
    var record = Record(kind: .movie, title: "Parasit")
    record.originalTitle = "기생충"
    record.otherTitles = ["Parasite", "", " Gisaengchung\u{0}", "Parasite:\nBlack and White Edition"]
    let id = try store.add(record, now: now).id
    #expect(try store.item(id).record.otherTitles == ["Parasite", "Gisaengchung", "Parasite: Black and White Edition"])
    _ = try store.add(vinyl("Blue Train"), now: now)
    if words.hasPrefix("title:") {
      #expect(try store.ids(Query([words], now: Date())) == [id])
    } else {
      #expect(try store.search(words) == [id])
    }
    var less = try store.item(id).record
    (less.originalTitle, less.otherTitles) = (nil, [])
    try store.change(id, now: now) { $0.record = less }
    #expect(try store.search("gisaengchung").isEmpty)
    #expect(try store.item(id).record == less)
  }

  @Test func `another title ranks like the main title`() throws {
    let newer = { (title: String, others: [String]) throws -> ItemID in
      var record = Record(kind: .movie, title: title)
      record.otherTitles = others
      return try store.add(record, now: now).id
    }
    let meant = try newer("기생충", ["Parasite"])
    let longer = try newer("괴물", ["The Parasite Within"])
    let longest = try newer("나방", ["Hyperparasite", "Parasitewise"])
    #expect(try store.search("parasite") == [meant, longest, longer])
  }

  @Test func `accents are optional in a search, and title matches come first`() throws {
    let debut = try store.add(vinyl("Björk's Debut"), now: now).id
    #expect(try store.search("bjork") == [debut])
    var blue = vinyl("Blue")
    blue.credits = [Credit(name: "Joni Mitchell", role: .artist)]
    let exact = try store.add(blue, now: now).id
    var other = vinyl("Hits")
    other.credits = [Credit(name: "Blue Band", role: .artist)]
    let name = try store.add(other, now: now).id
    let start = try store.add(vinyl("Blue Train"), now: now).id
    let word = try store.add(vinyl("Kind of Blue"), now: now).id
    #expect(try store.search("blue") == [exact, start, word, name])
  }

  @Test func `a word followed by another must match whole unless nothing is found`() throws {
    let sea = try store.add(vinyl("Song of the Sea Wolf"), now: now).id
    let season = try store.add(vinyl("The Season of the Wolfhound"), now: now).id
    #expect(try store.search("sea wo") == [sea])
    #expect(try store.search("seas wo") == [season])
    #expect(try store.search("wo sea") == [season, sea])
  }

  @Test func `items written by another program are found by the search`() throws {
    try store.db.run(
      """
      INSERT INTO item (kind, title, created_at, updated_at)
      VALUES ('book', 'Dune', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z')
      """)
    #expect(try store.hasPendingText())
    try store.refreshIndex()
    #expect(try store.search("dune").count == 1)
    try store.db.run("UPDATE item SET title = 'Emma'")
    try store.refreshIndex()
    #expect(try store.search("dune").isEmpty)
    try store.db.run("DELETE FROM item")
    try store.refreshIndex()
    #expect(try store.search("emma").isEmpty)
    try store.db.run("INSERT INTO item_search (item_search) VALUES ('integrity-check')")
  }

  @Test func `the list of recent items holds ten, the latest first`() throws {
    let ids = try (1...11).map { try store.add(vinyl("Record \($0)"), now: now).id }
    for id in ids { try store.recordView(of: id, now: now) }
    #expect(try store.recents().map(\.item) == ids.dropFirst().reversed())
    try store.recordView(of: ids[5], now: now)
    #expect(try store.recents().first?.item == ids[5])
    #expect(try store.recents().count == 10)
  }

  @Test func `page 4 of 502 records starts with the 475th`() throws {
    let records = (1...502).map { (record: vinyl("Record \($0)"), genres: [String]?.none) }
    #expect(try store.addAll(records, now: now) == 502)
    let page = try store.shelfPage(Query(.kind(.vinyl)), number: 4)
    #expect(page.pages == 56)
    #expect(page.items[1] == ItemID(rawValue: 474))
    #expect(throws: CatalogError.noShelfPage(0, of: 56)) { try store.shelfPage(Query(.kind(.vinyl)), number: 0) }
    #expect(throws: CatalogError.noShelfPage(57, of: 56)) { try store.shelfPage(Query(.kind(.vinyl)), number: 57) }
  }

  @Test func `queries list the matching items`() throws {
    let kind = try store.add(vinyl("Kind of Blue"), genres: ["Modal Jazz"], now: now).id
    var dune = Record(kind: .book, title: "Dune")
    dune.year = 1965
    dune.credits = [Credit(name: "Frank Herbert", role: .author)]
    let book = try store.add(dune, genres: ["Science Fiction"], now: now).id
    _ = try store.addCard(to: book, rating: Rating("4.5"), comment: nil, now: now)
    try store.favorite(book, now: now)
    let cases: [(String, [ItemID])] = [
      ("kind:book", [book]), ("^kind:book", [kind]), ("genre:jazz", [kind]), ("genre:fiction", [book]),
      ("genre:none", []), ("year:1960..1969", [book]), ("year:none", [kind]), ("rating:>=4", [book]),
      ("rating:none", [kind]), ("creator:herbert", [book]), ("favorite:yes", [book]), ("favorite:no", [kind]),
      ("added:2026-11", [book, kind]), ("added:2026-12..", []), ("blue", [kind]), ("title:DUNE", [book]),
    ]
    for (text, expected) in cases {
      let query = try Query([text], now: .init(timeIntervalSince1970: 1_800_000_000))
      #expect(try store.ids(query) == expected, "\(text)")
      #expect(try store.count(query) == expected.count, "\(text)")
    }
  }
}
