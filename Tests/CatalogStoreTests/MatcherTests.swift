import CatalogModel
import SQLite
import Testing

@testable import CatalogStore

struct MatcherTests {
  let store: Store

  init() throws { store = try Store.empty() }

  private static func record(_ kind: Kind, _ title: String, _ year: Int?, by maker: String? = nil) -> Record {
    var record = Record(kind: kind, title: title)
    record.year = year
    record.credits = maker.map { [Credit(name: $0, role: Credit.Role(main: kind))] } ?? []
    return record
  }

  private static let entries =
    ([
      ("Heat", 1995, "Michael Mann"), ("Heat", 1986, "Dick Richards"), ("Crash", 1996, "David Cronenberg"),
      ("Crash", 2004, "Paul Haggis"), ("The Insider", 1999, "Michael Mann"), ("Solaris", 1972, "Andrei Tarkovsky"),
      ("Solaris", 1971, "Boris Nirenburg"), ("하녀", 1960, "김기영"),
    ].map { record(.movie, $0.0, $0.1, by: $0.2) } + [
      record(.book, "The Hobbit", 1937, by: "J. R. R. Tolkien"),
      record(.book, "The Lord of the Rings", 1954, by: "J. R. R. Tolkien"),
      record(.vinyl, "Weezer", 1994, by: "Weezer"), record(.vinyl, "Kind of Blue", 1959, by: "Miles Davis"),
    ]).enumerated().map { number, record in
      var record = record
      record.externalIDs = [ExternalID(source: "pack", value: "\(record.kind)/\(number)")]
      return record
    }

  private func match(_ record: Record) throws -> String {
    func name(_ found: MatchCandidate) -> String { "\(found.title) \(found.year ?? 0)" }
    let matcher = try Matcher(store, entries: EntryIndex(Self.entries))
    switch try matcher.match(record) {
    case .certain(let found): return "certain \(name(found))"
    case .edition(let found, _): return "edition \(name(found))"
    case .unsure(let near): return "unsure \(near.map(name).joined(separator: ", "))"
    case .new: return "new"
    }
  }

  @Test(
    arguments: [
      // Title and year identify a film, if no other is close.
      (.movie, "Heat", 1995, nil, "certain Heat 1995"), (.movie, "heat", 1986, nil, "certain Heat 1986"),
      (.movie, "Insider", 1999, nil, "certain The Insider 1999"),
      (.movie, "Solaris", 1972, nil, "unsure Solaris 1972, Solaris 1971"),
      (.movie, "Solaris", 1972, "Andrei Tarkovsky", "certain Solaris 1972"),
      // A year off by one needs who made it.
      (.movie, "Crash", 2005, nil, "unsure Crash 2004"), (.movie, "Crash", 2005, "Paul Haggis", "certain Crash 2004"),
      // Another film of the same name.
      (.movie, "Crash", 1978, nil, "new"), (.movie, "Crash", 2004, "Somebody Else", "unsure Crash 2004"),
      (.movie, "Heat", nil, nil, "unsure Heat 1995, Heat 1986"),
      (.movie, "Heat", nil, "Michael Mann", "certain Heat 1995"),
      // Misspelled titles are never certain.
      (.movie, "The Insdier", 1999, "Michael Mann", "unsure The Insider 1999"),
      (.movie, "Haet", 1995, nil, "unsure Heat 1995"),
      (.movie, "Ronin", 1998, nil, "new"),
      // A Korean letter is a part of a syllable.
      (.movie, "하냐", 1960, nil, "unsure 하녀 1960"), (.movie, "하얀 춤", 1960, nil, "new"),
      (.movie, "아저", 1960, nil, "new"),
      // Books come out again in any year.
      (.book, "The Hobbit", 2012, "Tolkien, J.R.R.", "certain The Hobbit 1937"),
      (.book, "Hobbit, The", nil, "J. R. R. Tolkien", "certain The Hobbit 1937"),
      (.book, "The Hobbit, or There and Back Again", 1937, nil, "unsure The Hobbit 1937"),
      (.book, "The Hobbit", nil, nil, "unsure The Hobbit 1937"),
      (.book, "The Hobbit", 1937, "Another", "new"),
      // A volume is not the whole.
      (.book, "The Lord of the Rings: The Two Towers", 1954, "J. R. R. Tolkien", "unsure The Lord of the Rings 1954"),
      (.vinyl, "Kind of Blue", 1997, "Miles Davis", "certain Kind of Blue 1959"),
      (.vinyl, "Kind of Blue (Legacy Edition)", 2009, "Miles Davis", "unsure Kind of Blue 1959"),
      // Bands call several albums like themselves.
      (.vinyl, "Weezer", 2001, "Weezer", "unsure Weezer 1994"),
      (.vinyl, "Weezer", 1994, "Weezer", "certain Weezer 1994"),
    ] as [(Kind, String, Int?, String?, String)])
  func `a row matches an item only when no other comes near`(row: (Kind, String, Int?, String?, String)) throws {
    let record = Self.record(row.0, row.1, row.2, by: row.3)
    #expect(try match(record) == row.4)
    // The shelf is looked at by the same rule, but for what is misspelled.
    for entry in Self.entries { try store.add(entry, now: Timestamp(rawValue: "2026-01-01T00:00:00Z")) }
    let onShelf = try match(record)
    #expect(onShelf == row.4 || row.4.hasPrefix("unsure"), "\(onShelf)")
  }

  @Test func `a code matches without a title, and two codes are two editions`() throws {
    var mine = Self.record(.book, "The Hobbit", 1937, by: "J. R. R. Tolkien")
    mine.book.isbn = try ISBN("9780261102217")
    let now = Timestamp(rawValue: "2026-01-01T00:00:00Z")
    let id = try store.add(mine, now: now).id
    var other = Self.record(.book, "Der kleine Hobbit", nil)
    other.book.isbn = try ISBN("9780261102217")
    let matcher = try Matcher(store, entries: EntryIndex(Self.entries))
    guard case .certain(let found) = try matcher.match(other),
      case .item(id) = found.thing
    else {
      Issue.record("not found by its ISBN")
      return
    }
    #expect(found.comparison.code == .edition)
    var edition = mine
    edition.book.isbn = try ISBN("9780547928227")
    #expect(try match(edition) == "edition The Hobbit 1937")
  }

  @Test func `an item without year or creator is matched only when enough is known`() throws {
    for record in [
      Self.record(.book, "The Hobbit", nil, by: "J. R. R. Tolkien"), Self.record(.movie, "Heat", nil),
      Self.record(.vinyl, "Weezer", 1994),
    ] { _ = try store.add(record, now: Timestamp(rawValue: "2026-01-01T00:00:00Z")) }
    #expect(try match(Self.record(.book, "The Hobbit", 1937, by: "Tolkien")) == "certain The Hobbit 0")
    #expect(try match(Self.record(.movie, "Heat", 1995)) == "unsure Heat 0")
    #expect(try match(Self.record(.vinyl, "Weezer", 1994, by: "Weezer")) == "unsure Weezer 1994")
  }

  @Test func `name filters rule out a match only when the names differ`() {
    let names = [
      "Miles Davis", "Davis, Miles", "The Miles Davis Quintet", "Weezer", "김기영", "宮崎 駿", "Bach", "J. S. Bach",
      "The Who", "", "Delacruz", "de la Cruz", "!!!", "2814", "2814 밴드", "Band 2814", "&", "And",
    ]
    let lists = names.map { [$0] } + [["Miles Davis", "Bach"], ["Weezer", "de la Cruz"], ["김기영", "The Who"], []]
    var (told, unreadable) = (0, 0)
    for one in lists {
      for other in lists {
        let (some, others) = (one.map(Maker.init), other.map(Maker.init))
        if Maker.Filter(some).areSurelyUnreadable(in: Maker.Filter(others)) {
          #expect(Maker.agreement(some, others) == .unreadable, "\(one), \(other)")
          unreadable += 1
        }
        guard Maker.Filter(some).areSurelyOthers(than: Maker.Filter(others)) else { continue }
        #expect(Maker.agreement(some, others) == .none, "\(one), \(other)")
        told += 1
      }
    }
    #expect(told > lists.count * 4)
    #expect(unreadable > lists.count * 4)
    func areTold(_ one: String, _ other: String) -> Bool {
      Maker.Filter([Maker(one)]).areSurelyOthers(than: Maker.Filter([Maker(other)]))
    }
    #expect(areTold("Henry B. Wilson", "Adam B. Smith"), "an initial in common is not enough")
    #expect(!areTold("Delacruz", "de la Cruz"), "they differ by blanks alone")
    #expect(!Maker.Filter([]).areSurelyOthers(than: Maker.Filter([Maker("Weezer")])), "no maker is not another maker")
  }

  @Test func `matching without display decides the same with fewer candidates`() throws {
    let makers = ["Haruki Murakami", "Murakami, Haruki", "무라카미 하루키", "Ryu Murakami", "김기영", "2814", "2814 밴드", nil]
    let years = [2009, 2010, 2012, nil]
    let shelf = Kind.shelved.flatMap { kind in
      ["1Q84", kind == .book ? "1Q84: Book One" : "1Q84 (One)"].flatMap { title in
        makers.flatMap { maker in years.map { Self.record(kind, title, $0, by: maker) } }
      }
    }
    var decided: [String: Int] = [:]
    // Few on the shelf, so that some rows are certain; which of them comes first must not matter.
    for start in stride(from: 0, to: shelf.count, by: 7) {
      let store = try Store.empty()
      for place in [start, start + 4, start + 13, start + 36] {
        _ = try store.add(shelf[place % shelf.count], now: Timestamp(rawValue: "2026-01-01T00:00:00Z"))
      }
      let matcher = try Matcher(store, entries: EntryIndex([]))
      for row in shelf {
        let (shown, other) = (try matcher.match(row), try matcher.match(row, isShown: false))
        switch (shown, other) {
        case (.certain(let one), .certain(let two)), (.edition(let one, _), .edition(let two, _)):
          #expect(one.thing == two.thing)
          decided["one", default: 0] += 1
        case (.unsure(let all), .unsure(let some)):
          #expect(!some.isEmpty)
          #expect(some.count <= all.count)
          decided[some.count < all.count ? "less" : "unsure", default: 0] += 1
        case (.new, .new): decided["new", default: 0] += 1
        default: Issue.record("\(row.kind) \(row.creators) \(row.year ?? 0): \(shown), \(other)")
        }
      }
    }
    for kind in ["one", "less", "unsure", "new"] { #expect(decided[kind, default: 0] > 100, "\(decided)") }
  }

  @Test(arguments: [
    ("heat", "haet", 1, true), ("heat", "heart", 1, true), ("heat", "hat", 1, true), ("heat", "hot", 1, false),
    ("insider", "insider", 0, true), ("insider", "inside", 0, false), ("whiplash", "wiplahs", 2, true),
    ("기생충", "기생층", 1, true), ("", "ab", 1, false),
  ])
  func `edit distance counts swapped letters as one edit`(pair: (String, String, Int, Bool)) {
    #expect(pair.0.isWithin(pair.2, editsOf: pair.1) == pair.3)
    #expect(pair.1.isWithin(pair.2, editsOf: pair.0) == pair.3)
  }
}
