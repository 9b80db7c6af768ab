import CatalogModel
import SQLite
import Testing

@testable import CatalogStore

/// Tests the relation of a record to the shelf, one case on each line.
struct LikenessTests {
  let store: Store
  let now = Timestamp(rawValue: "2026-11-21T09:00:00Z")

  init() throws { store = try Store.empty() }

  private static func record(
    _ kind: Kind, _ title: String, by maker: String? = nil, _ year: Int? = nil, id: String? = nil,
    also others: [String] = [], _ change: (inout Record) -> Void = { _ in }
  ) -> Record {
    var record = Record(kind: kind, title: title)
    record.credits = maker.map { [Credit(name: $0, role: Credit.Role(main: kind))] } ?? []
    record.year = year
    record.otherTitles = others
    record.externalIDs =
      id.map { id in
        let parts = id.split(separator: ":", maxSplits: 1).map(String.init)
        return [ExternalID(source: parts[0], value: parts[1])]
      } ?? []
    change(&record)
    return record
  }

  private static func book(_ title: String, by maker: String? = nil, _ year: Int? = nil, isbn: String) -> Record {
    record(.book, title, by: maker, year) { $0.book.isbn = try? ISBN(isbn) }
  }

  private static func lp(
    _ title: String, by maker: String = "Miles Davis", barcode: String? = nil, number: String? = nil, id: String? = nil,
    tracks: [String] = []
  ) -> Record {
    record(.vinyl, title, by: maker, id: id) {
      ($0.vinyl.barcode, $0.vinyl.catalogNumber) = (barcode, number)
      $0.vinyl.tracks = tracks.map { Track(position: "", title: $0) }
    }
  }

  struct Case: CustomTestStringConvertible {
    var name: String
    var one: Record
    var other: Record
    var relation: WorkIdentity.Outcome?
    var testDescription: String { name }
  }

  private static let ids = [
    Case(
      name: "one id of a source", one: record(.movie, "기생충", id: "tmdb:496243"),
      other: record(.movie, "Parasite", id: "tmdb:496243"), relation: .same),
    Case(
      name: "one ISBN", one: book("채식주의자", isbn: "9788936433598"),
      other: book("The Vegetarian", by: "Han Kang", isbn: "9788936433598"), relation: .same),
    Case(
      name: "two kinds", one: record(.movie, "Dune", by: "Frank Herbert", 1965),
      other: record(.book, "Dune", by: "Frank Herbert", 1965), relation: nil),
    Case(
      name: "one barcode and number, however written",
      one: lp("Kind of Blue", barcode: "0889853317714", number: "CL 1355"),
      other: lp("Kind Of Blue", barcode: "889853317714", number: "CL-1355"), relation: .same),
    Case(
      name: "one barcode as UPC and GTIN", one: lp("Kind of Blue", barcode: "00889853317714", number: "CL 1355"),
      other: lp("Kind of Blue", barcode: "889853317714", number: "CL 1355"), relation: .same),
    Case(
      name: "one barcode, two numbers", one: lp("Kind of Blue", barcode: "889853317714", number: "CL 1355"),
      other: lp("Kind of Blue", barcode: "889853317714", number: "CS 8163"), relation: .edition),
    Case(
      name: "one barcode, and a source that tells them apart",
      one: lp("Kind of Blue", barcode: "889853317714", number: "CL 1355", id: "discogs:1"),
      other: lp("Kind of Blue", barcode: "889853317714", number: "CL 1355", id: "discogs:2"), relation: .edition),
  ]

  private static let movies = [
    Case(
      name: "a film at two sources",
      one: record(.movie, "Parasite", by: "Bong Joon Ho", 2019, id: "pack:movie/parasite"),
      other: record(.movie, "기생충", by: "Bong Joon-ho", 2019, id: "tmdb:496243", also: ["Parasite"]), relation: .same),
    Case(
      name: "a search without directors",
      one: record(.movie, "Parasite", by: "Bong Joon Ho", 2019, id: "pack:movie/parasite"),
      other: record(.movie, "Parasite", 2019, id: "tmdb:496243"), relation: .same),
    Case(
      name: "a name in another script", one: record(.movie, "기생충", by: "봉준호", 2019, id: "tmdb:496243"),
      other: record(.movie, "기생충", by: "Bong Joon Ho", 2019, id: "itunes:track/1"), relation: .same),
    Case(
      name: "by hand without a director", one: record(.movie, "Dune", by: "Denis Villeneuve", 2021, id: "tmdb:1"),
      other: record(.movie, "Dune", 2021), relation: .same),
    Case(
      name: "a year later", one: record(.movie, "Whiplash", by: "Damien Chazelle", 2014, id: "tmdb:1"),
      other: record(.movie, "Whiplash", by: "Damien Chazelle", 2013, id: "pack:a"), relation: .edition),
    Case(
      name: "a year later, without a maker", one: record(.movie, "Dune", 2021, id: "tmdb:1"),
      other: record(.movie, "Dune", by: "Denis Villeneuve", 2020, id: "pack:a"), relation: .perhaps),
    Case(
      name: "made again", one: record(.movie, "Dune", by: "David Lynch", 1984),
      other: record(.movie, "Dune", by: "Denis Villeneuve", 2021), relation: nil),
    Case(
      name: "made again by the same", one: record(.movie, "Funny Games", by: "Michael Haneke", 1997),
      other: record(.movie, "Funny Games", by: "Michael Haneke", 2007), relation: nil),
    Case(
      name: "two of one title and year", one: record(.movie, "Pinocchio", by: "Guillermo del Toro", 2022),
      other: record(.movie, "Pinocchio", by: "Robert Zemeckis", 2022), relation: nil),
    Case(
      name: "two at one source", one: record(.movie, "Dune", 2021, id: "tmdb:1"),
      other: record(.movie, "Dune", 2021, id: "tmdb:2"), relation: nil),
    Case(
      name: "a part", one: record(.movie, "Dune", by: "Denis Villeneuve", 2021),
      other: record(.movie, "Dune: Part Two", by: "Denis Villeneuve", 2024), relation: nil),
  ]

  private static let books = [
    Case(
      name: "two editions", one: book("1984", by: "George Orwell", 1949, isbn: "9780451524935"),
      other: book("1984", by: "Orwell, George", 2021, isbn: "9780141036144"), relation: .edition),
    Case(
      name: "a translation that names the original", one: record(.book, "The Vegetarian", by: "Han Kang", 2015),
      other: record(.book, "채식주의자", by: "한강", 2007, also: ["The Vegetarian"]), relation: .edition),
    Case(
      name: "a series in brackets", one: record(.book, "The Hunger Games", by: "Suzanne Collins"),
      other: record(.book, "The Hunger Games (The Hunger Games, #1)", by: "Suzanne Collins", 2008), relation: .edition),
    Case(
      name: "volumes in brackets", one: record(.book, "Saga (Volume 1)", by: "Brian K. Vaughan"),
      other: record(.book, "Saga (Volume 2)", by: "Brian K. Vaughan"), relation: nil),
    Case(
      name: "volumes", one: record(.book, "The Lord of the Rings: The Two Towers", by: "J. R. R. Tolkien"),
      other: record(.book, "The Lord of the Rings: The Return of the King", by: "J.R.R. Tolkien"), relation: nil),
    Case(
      name: "a subtitle", one: record(.book, "Outliers", by: "Malcolm Gladwell", 2008),
      other: record(.book, "Outliers: The Story of Success (Paperback)", by: "Malcolm Gladwell"), relation: .perhaps),
    Case(
      name: "only a subtitle in common", one: record(.book, "Beloved", by: "Toni Morrison", also: ["A Novel"]),
      other: record(.book, "Sula", by: "Toni Morrison", also: ["A Novel"]), relation: nil),
    Case(
      name: "two authors", one: record(.book, "The Gift", by: "Vladimir Nabokov"),
      other: record(.book, "The Gift", by: "Marcel Mauss"), relation: nil),
    Case(
      name: "without a maker", one: record(.book, "The Gift", by: "Vladimir Nabokov"),
      other: record(.book, "The Gift"), relation: .perhaps),
  ]

  private static let records = [
    Case(
      name: "a pressing of later", one: record(.vinyl, "Kind of Blue", by: "Miles Davis", 1959, id: "discogs:1"),
      other: record(.vinyl, "Kind Of Blue (Legacy Edition)", by: "Miles Davis", 1997, id: "discogs:2"),
      relation: .edition),
    Case(
      name: "an article, a quintet, an ampersand", one: lp("The Wall & More", by: "Miles Davis Quintet"),
      other: lp("Wall and More, The", by: "Davis, Miles"), relation: .edition),
    Case(
      name: "two called like the band", one: lp("Weezer", by: "Weezer", tracks: ["My Name Is Jonas", "Buddy Holly"]),
      other: lp("Weezer", by: "Weezer", tracks: ["Hash Pipe", "Island in the Sun"]), relation: nil),
    Case(
      name: "tracks in common", one: lp("Weezer", by: "Weezer", tracks: ["My Name Is Jonas", "Buddy Holly"]),
      other: lp("Weezer", by: "Weezer", tracks: ["Buddy Holly (2004 Remaster)", "Holiday"]), relation: .edition),
    Case(
      name: "two bands", one: lp("Greatest Hits", by: "Queen"), other: lp("Greatest Hits", by: "ABBA"), relation: nil),
  ]

  @Test(arguments: ids + movies + books + records)
  func `two records are the same, editions or unrelated`(_ the: Case) throws {
    let (one, other) = (WorkIdentity(the.one), WorkIdentity(the.other))
    #expect(one.compare(with: other) == other.compare(with: one))
    // And so does the shelf see it, whichever of the two stands there.
    for (shelved, asked) in [(the.one, the.other), (the.other, the.one)] {
      let store = try Store.empty()
      let id = try store.add(shelved, now: now).id
      let wanted: Likeness? =
        switch the.relation {
        case .same: .same(id)
        case .edition: .edition(id)
        case .perhaps: .perhaps(id)
        case .other, nil: nil
        }
      #expect(try store.likeness(of: asked) == wanted)
    }
  }

  @Test func `the same item wins over editions, and the oldest edition over others`() throws {
    let first = try store.add(Self.lp("Kind of Blue", id: "discogs:1"), now: now).id
    let second = try store.add(Self.lp("Kind of Blue", barcode: "889853317714", number: "A", id: "discogs:2"), now: now)
      .id
    #expect(try store.likeness(of: Self.lp("Kind of Blue")) == .edition(first))
    #expect(
      try store.likeness(of: Self.lp("Kind of Blue", barcode: "889853317714", number: "a", id: "musicbrainz:3"))
        == .same(second))
    #expect(try store.likeness(of: Record(kind: .podcast, title: "Kind of Blue")) == nil)
  }

  @Test func `items are found in spite of accents, case and script`() throws {
    let id = try store.add(Self.record(.movie, "Amélie", by: "Jean-Pierre Jeunet", 2001, also: ["아멜리에"]), now: now).id
    for title in ["AMELIE", "amélie", "아멜리에", "Amelie (Le fabuleux destin)"] {
      #expect(try store.likeness(of: Self.record(.movie, title, by: "Jean-Pierre Jeunet", 2001))?.id == id, "\(title)")
    }
  }

  @Test func `an edition is added only when allowed and joined with the others`() throws {
    let id = try store.add(Self.lp("Kind of Blue", id: "discogs:1"), now: now).id
    let second = Self.lp("Kind of Blue", id: "discogs:2")
    #expect(
      try store.add([Store.NewItem(second, mayBeEdition: false)], now: now).map { try $0.get() } == [.hasEdition(id)])
    #expect(try store.shelfCounts().total == 1)
    let added = try store.add(second, now: now).id
    #expect(try store.editions(of: id) == [added])
    #expect(try store.editions(of: added) == [id])
    let third = try store.add(Self.lp("Kind of Blue", id: "discogs:3"), now: now).id
    #expect(try store.editions(of: added) == [id, third])
    // An item added during the question: the write asks the file again.
    #expect(
      try store.add([Store.NewItem(second, mayBeEdition: false)], now: now).map { try $0.get() } == [.exists(added)])
  }

  @Test func `two editions in one batch are recognized`() throws {
    let batch = ["discogs:1", "discogs:2"].map { Store.NewItem(Self.lp("Kind of Blue", id: $0), mayBeEdition: false) }
    let ids = try store.add(batch, now: now).map { try $0.get() }
    #expect(ids == [.added(ItemID(rawValue: 1)), .hasEdition(ItemID(rawValue: 1))])
  }

  @Test func `equal barcodes in other forms and one of several labels are no differences`() {
    var (one, other) = (Record(kind: .vinyl, title: "T"), Record(kind: .vinyl, title: "T"))
    one.set(labels: ["EMI", "Capitol Records"].map { Credit(name: $0, role: .label) })
    other.vinyl.label = "Capitol Records"
    (one.vinyl.barcode, other.vinyl.barcode) = ("727361379704", "0727361379704")
    #expect(one.differences(to: other).isEmpty)
    (other.vinyl.label, other.vinyl.barcode) = ("Harvest", "4006381333931")
    #expect(one.differences(to: other) == ["label: Harvest", "barcode: 4006381333931"])
  }
}
