import CatalogModel
import CommandLineKit
import Testing

@testable import CatalogCommands
@testable import CatalogStore

struct CopyReferenceTests {
  @Test(arguments: [
    ("c7", CopyReference.copy(CopyID(rawValue: 7))), (" C7 ", .copy(CopyID(rawValue: 7))),
    ("42", .item(.item(ItemID(rawValue: 42)))), ("r3", .item(.result(3))), ("c", .item(.words("c"))),
    ("c7 blues", .item(.words("c7 blues"))),
  ])
  func `a copy is said by its number or by its item`(_ text: String, _ reference: CopyReference) throws {
    #expect(try CopyReference(argument: text) == reference)
  }

  @Test func `there is no copy c0`() {
    #expect(throws: UsageError("'c0' is no copy: copies start at c1", hint: "'catalog copy list' shows them")) {
      try CopyReference(argument: "c0")
    }
  }

  @Test(arguments: [
    ("VG++", "'VG++' is no grade; did you mean 'VG+'?"), ("very godo", "'very godo' is no grade"),
  ])
  func `a grade that is none is said, with the one that may be meant`(_ text: String, _ words: Message) {
    #expect(
      throws: UsageError(
        words, hint: "grades are M, NM, EX, VG+, VG, G+, G, F, P; of sleeves also Generic, Not Graded, No Cover")
    ) { try Grade(argument: text) }
  }
}
