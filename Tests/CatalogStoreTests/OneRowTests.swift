import CatalogModel
import Testing

@testable import CatalogStore

/// Tests which items of one title that two devices added in the same second are one row of one file.
struct OneRowTests {
  private static let now = Timestamp(rawValue: "2024-05-01T00:00:00Z")

  /// One side, as `director year code`, with blanks in names as `_`.
  struct Pair: Sendable, CustomTestStringConvertible {
    var kind: Kind
    var one: String
    var other: String
    var isOne: Bool
    var testDescription: String { "\(kind) \(one) / \(other)" }

    init(_ kind: Kind, _ one: String, _ other: String, _ isOne: Bool) {
      (self.kind, self.one, self.other, self.isOne) = (kind, one, other, isOne)
    }
  }

  private static let pairs = [
    // Films: two of one title, a copied catalog, a festival, a row whose director only one device looked up.
    Pair(.movie, "Dario_Argento 1977 -", "Luca_Guadagnino 2018 -", false),
    Pair(.movie, "Dario_Argento 1977 -", "Luca_Guadagnino 1977 -", false),
    Pair(.movie, "Michael_Haneke 1997 -", "Michael_Haneke 2007 -", false),
    Pair(.movie, "Dario_Argento 1977 -", "Argento,_Dario 1977 -", true),
    Pair(.movie, "Dario_Argento 1977 -", "Dario_Argento 1978 -", true),
    Pair(.movie, "Dario_Argento 1977 -", "Dario_Argento - -", true),
    Pair(.movie, "Dario_Argento 1977 -", "- 1977 -", true), Pair(.movie, "Dario_Argento 1977 -", "- 2018 -", false),
    Pair(.movie, "Dario_Argento 1977 -", "- - -", false), Pair(.movie, "봉준호 2019 -", "Bong_Joon-ho 2019 -", true),
    Pair(.movie, "봉준호 2019 -", "Bong_Joon-ho 2018 -", true),
    Pair(.movie, "홍길동 2019 -", "Hong_Gil-dong 2018 -", false),
    Pair(.movie, "- 1977 -", "- 1977 -", true), Pair(.movie, "- 1977 -", "- 2018 -", false),
    Pair(.movie, "- - -", "- - -", true), Pair(.movie, "Dario_Argento 1977 a", "Dario_Argento 1977 b", false),
    // Books and records.
    Pair(.book, "Jane_Austen - -", "Kaoru_Mori - -", false), Pair(.book, "Jane_Austen - -", "- - -", false),
    Pair(.book, "Frank_Herbert 1965 -", "Herbert,_Frank 1984 -", true),
    Pair(.book, "Frank_Herbert 1965 9780441013593", "Frank_Herbert 1965 9780441172719", false),
    Pair(.book, "- 1965 -", "- 1965 -", true), Pair(.book, "- 1965 -", "- 1984 -", false),
    Pair(.vinyl, "ABBA 1992 -", "Ryan_Adams 1992 -", false), Pair(.vinyl, "Weezer 1994 -", "Weezer 2001 -", false),
    Pair(.vinyl, "The_Beatles 1966 -", "Beatles,_The 1966 -", true),
    Pair(.vinyl, "Weezer 1994 727361379704", "Weezer 1994 727361379705", false),
  ]

  private func record(_ kind: Kind, _ side: String) throws -> Record {
    let words = side.split(separator: " ").map { String($0.replacing("_", with: " ")) }
    var record = Record(kind: kind, title: "Suspiria")
    if words[0] != "-" { record.credits = [Credit(name: words[0], role: Credit.Role(main: kind))] }
    record.year = Int(words[1])
    guard words[2] != "-" else { return record }
    switch kind {
    case .book: record.book.isbn = try ISBN(words[2])
    case .vinyl: record.vinyl.barcode = words[2]
    default: record.externalIDs = [ExternalID(source: "tmdb", value: words[2])]
    }
    return record
  }

  private func document(of record: Record) throws -> Document {
    let store = try Store.empty()
    _ = try store.add(record, now: Self.now)
    var found: Document?
    _ = try store.exportChanges(now: Self.now) { if case .item = $0.path { found = $0.document } }
    return try #require(found)
  }

  @Test(arguments: pairs) func `one title and time of adding make one item only where the rest agrees`(
    _ pair: Pair
  ) throws {
    for (one, other) in [(pair.one, pair.other), (pair.other, pair.one)] {
      let store = try Store.empty()
      _ = try store.add(try record(pair.kind, one), now: Self.now)
      _ = try store.exportChanges(now: Self.now) { _ in }
      let found = try store.findingDuplicates()(document(of: record(pair.kind, other)))
      #expect(found.map(\.isByCode) == (pair.isOne ? [true] : []))
    }
  }

  @Test func `of several items of one title the one that agrees is found`() throws {
    let store = try Store.empty()
    for side in ["Dario_Argento 1977 -", "Luca_Guadagnino 2018 -"] {
      _ = try store.add(try record(.movie, side), now: Self.now)
    }
    _ = try store.exportChanges(now: Self.now) { _ in }
    let uids = try [1, 2].map { try store.uid(of: ItemID(rawValue: $0)) }
    let find = try store.findingDuplicates()
    #expect(try find(document(of: record(.movie, "Luca_Guadagnino 2018 -"))).map(\.uid) == [uids[1]])
    #expect(try find(document(of: record(.movie, "Dario_Argento 1977 -"))).map(\.uid) == [uids[0]])
  }

  @Test func `another second is another item`() throws {
    let store = try Store.empty()
    _ = try store.add(try record(.movie, "Dario_Argento 1977 -"), now: Timestamp(rawValue: "2024-05-01T00:00:01Z"))
    _ = try store.exportChanges(now: Self.now) { _ in }
    #expect(try store.findingDuplicates()(document(of: record(.movie, "Dario_Argento 1977 -"))).isEmpty)
  }
}
