import CatalogModel
import Testing

@testable import CatalogStore

/// Tests whether two rows of one file are the same item, two editions, or two items.
struct RowsAboveTests {
  struct Row {
    var record: Record

    init(
      _ kind: Kind, _ title: String, _ year: Int? = nil, by maker: String? = nil, isbn: String? = nil,
      series: String? = nil, number: String? = nil, barcode: String? = nil, ids: String...
    ) {
      record = Record(kind: kind, title: title)
      record.year = year
      record.credits = maker.map { [Credit(name: $0, role: Credit.Role(main: kind))] } ?? []
      record.book.isbn = isbn.flatMap { try? ISBN($0) }
      record.book.series = series
      (record.vinyl.catalogNumber, record.vinyl.barcode) = (number, barcode)
      record.externalIDs = ids.map { id in
        let colon = id.firstIndex(of: ":") ?? id.endIndex
        return ExternalID(source: String(id[..<colon]), value: String(id[colon...].dropFirst()))
      }
    }
  }

  /// Each row as `same 0`, `edition 0`, `perhaps 0` or `new`.
  private func found(_ rows: [Row]) -> [String] {
    let above = RowsAbove()
    return rows.enumerated().map { place, row in
      let keys = RowIdentity(row.record, WorkIdentity(row.record))
      let found = above.find(keys, at: place)
      above.remember(keys, at: place, line: place + 2, claiming: nil)
      // A row that is written once more is told the same.
      #expect(above.find(keys, at: place)?.verdict == found?.verdict)
      return found.map { "\($0.verdict) \($0.place)" } ?? "new"
    }
  }

  @Test(
    arguments: [
      // All that they are called is alike.
      ([Row(.movie, "Heat", 1995), Row(.movie, "HEAT", 1995), Row(.movie, "Heat", 1986)], ["new", "same 0", "new"]),
      ([Row(.book, "Emma"), Row(.book, "Emma")], ["new", "same 0"]),
      // Two authors never are one.
      (
        [Row(.book, "L'ange", 1999, by: "Paul DOHERTY"), Row(.book, "L'ange", 1999, by: "Jack HIGGINS")],
        ["new", "new"]
      ),
      // One code, whatever else is left out.
      (
        [
          Row(.book, "Jonathan Strange: A Novel", 2004, by: "Susanna Clarke", isbn: "9781582344164"),
          Row(.book, "Jonathan Strange", by: "Clarke, Susanna", isbn: "9781582344164"),
        ], ["new", "same 0"]
      ),
      (
        [Row(.movie, "Parasite", 2019, ids: "imdb:tt6751668"), Row(.movie, "기생충", 2019, ids: "imdb:tt6751668")],
        ["new", "same 0"]
      ),
      (
        [
          Row(.movie, "La vita è bella", 1997, ids: "imdb:tt0118799"),
          Row(.movie, "Life Is Beautiful", 1997, ids: "imdb:tt0118799"),
        ], ["new", "same 0"]
      ),
      // One code and plainly another title.
      (
        [
          Row(.book, "An Invented Diary", 2022, by: "Jane Roe", isbn: "9780306406157"),
          Row(.book, "A Quite Different Novel", 2022, by: "Jane Roe", isbn: "9780306406157"),
          Row(.book, "A Third Book By Someone Else", 2022, by: "Joe Bloggs", isbn: "9780306406157"),
        ], ["new", "perhaps 0", "perhaps 0"]
      ),
      (
        [
          Row(.movie, "One Film", 1990, ids: "imdb:tt0000001"),
          Row(.movie, "Another Story", 2004, ids: "imdb:tt0000001"),
        ],
        ["new", "perhaps 0"]
      ),
      // Volumes.
      (
        [
          Row(.book, "A Manga", by: "Jane Roe", series: "A Manga #1"),
          Row(.book, "A Manga", by: "Jane Roe", series: "A Manga #2"),
          Row(.book, "A Manga", by: "Jane Roe", series: "A Manga #1"),
        ], ["new", "new", "same 0"]
      ),
      (
        [
          Row(.book, "A Manga", by: "Jane Roe", isbn: "9780306406157", series: "A Manga #1"),
          Row(.book, "A Manga", by: "Jane Roe", isbn: "9780306406157", series: "A Manga #2"),
        ], ["new", "perhaps 0"]
      ),
      // Two films of one name and year, by what others call them; and no more than one of each.
      (
        [
          Row(.movie, "Enemy", 2013, ids: "letterboxd:5pk8"), Row(.movie, "Enemy", 2013, ids: "letterboxd:yyy8"),
          Row(.movie, "Enemy", 2013, ids: "letterboxd:yyy8"),
        ], ["new", "new", "same 1"]
      ),
      // Editions and pressings.
      (
        [
          Row(.vinyl, "The Moon", 1973, by: "Pink Floyd", number: "SHVL 804", ids: "discogs:1"),
          Row(.vinyl, "The Moon", 2016, by: "Pink Floyd", number: "PFRLP8", ids: "discogs:2"),
          Row(.vinyl, "The Moon", 2016, by: "Pink Floyd", number: "PFRLP8"),
        ], ["new", "edition 0", "same 1"]
      ),
      (
        [
          Row(.book, "Oryx and Crake", 2003, by: "Margaret Atwood", isbn: "9780747562597", ids: "goodreads:1"),
          Row(.book, "Oryx and Crake", 2003, by: "Margaret Atwood", isbn: "9780385721677", ids: "goodreads:2"),
        ], ["new", "edition 0"]
      ),
      (
        [Row(.book, "Emma", 1815, by: "Jane Austen"), Row(.book, "Emma", 2003, by: "Jane Austen")],
        ["new", "edition 0"]
      ),
      // Bands call several of their albums like themselves.
      ([Row(.vinyl, "Weezer", 1994, by: "Weezer"), Row(.vinyl, "Weezer", 2001, by: "Weezer")], ["new", "new"]),
      // A work, whatever its editions are called.
      (
        [
          Row(.book, "The Pilot", 1979, by: "Jane Roe", isbn: "9780151879786", ids: "librarything:9"),
          Row(.book, "Der Pilot", 1990, by: "Jane Roe", isbn: "9780156881500", ids: "librarything:9"),
        ], ["new", "edition 0"]
      ),
      // One barcode, and one catalog number beside it.
      (
        [
          Row(.vinyl, "The Moon", 1973, by: "Pink Floyd", barcode: "727361379704", ids: "discogs:1"),
          Row(.vinyl, "The Moon", 1973, by: "Pink Floyd", barcode: "0727361379704"),
        ], ["new", "same 0"]
      ),
    ] as [([Row], [String])])
  func `rows of a file are matched by codes, works and titles`(rows: [Row], wanted: [String]) {
    #expect(found(rows) == wanted)
  }

  @Test(arguments: [
    ("An Invented Diary", "A Quite Different Novel", true), ("Sapiens", "Sapiens: A Brief History of Humankind", false),
    ("Dune", "Dune Messiah", false), ("기생충", "Parasite", false), ("채식주의자", "흰", true), ("채식주의자", "채식 주의자 (개정판)", false),
    ("Harry Potter and the Sorcerer's Stone", "Harry Potter and the Philosopher's Stone", false),
    ("Harry Potter and the Goblet of Fire", "Harry Potter and the Chamber of Secrets", true), ("1984", "1984", false),
    ("The", "The", false), ("★", "★", false),
  ])
  func `titles differ plainly when their words do`(pair: (String, String, Bool)) {
    #expect(TitleWords.arePlainlyOthers([pair.0], [pair.1]) == pair.2)
    #expect(TitleWords.arePlainlyOthers([pair.1], [pair.0]) == pair.2)
  }
}
