import Testing

@testable import CatalogModel

/// The words of statuses, kinds and flags.
struct ValueWordsTests {
  @Test(
    arguments: [
      ("read", .done), ("다 읽음", .done), ("읽음", .done), ("gelesen", .done), ("lu", .done), ("読み終わった", .done),
      ("Want to Read", .planned), ("to-read", .planned), ("읽고 싶어요", .planned), ("積読", .planned), ("想读", .planned),
      ("currently-reading", .ongoing), ("읽는중", .ongoing), ("在读", .ongoing), ("lese gerade", .ongoing),
      ("중단한 책", .dropped), ("DNF", .dropped), ("abandonné", .dropped), ("on hold", .paused), ("소장 중", .owned),
      ("안 읽음", .unread), ("someday", nil), ("", nil),
    ] as [(String, Status?)])
  func `a status is read in any language`(word: String, status: Status?) { #expect(Status(word) == status) }

  @Test(
    arguments: [
      ("movie", .movie), ("Films", .movie), ("영화", .movie), ("película", .movie), ("映画", .movie), ("Buch", .book),
      ("단행본", .book), ("novel", .book), ("LP", .vinyl), ("앨범", .vinyl), ("Schallplatte", .vinyl),
      ("podcasts", .podcast),
      ("드라마", nil), ("series", nil), ("thing", nil),
    ] as [(String, Kind?)])
  func `a kind is read in any language`(word: String, kind: Kind?) { #expect(Kind(value: word) == kind) }

  @Test func `only names of kinds stand before a title`() {
    #expect(Kind(word: "책") == .book && Kind(word: "record") == .vinyl && Kind(word: "lp") == .vinyl)
    for word in ["novel", "album", "video", "comic", "disco"] { #expect(Kind(word: word) == nil, "\(word)") }
    #expect(Kind.isOther("TV Series") && Kind.isOther("드라마") && !Kind.isOther("movie"))
  }

  @Test(
    arguments: [
      ("yes", true), ("TRUE", true), ("1", true), ("예", true), ("네", true), ("ja", true), ("oui", true), ("sí", true),
      ("✓", true), ("no", false), ("0", false), ("아니요", false), ("아니오", false), ("nein", false),
      ("", nil), ("maybe", nil),
    ] as [(String, Bool?)])
  func `yes and no are read in any language`(word: String, flag: Bool?) { #expect(Flag.read(word) == flag) }

  @Test func `a cell without a value is known`() {
    for cell in ["", "-", "n/a", "N/A", "없음", "null", "0", "0000-00-00", "unbekannt", "–"] {
      #expect(Presence.isNothing(cell), "\(cell)")
    }
    for cell in ["1", "None of the above", "2000", "x"] { #expect(!Presence.isNothing(cell), "\(cell)") }
  }
}
