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
  func `a copy reference is a copy number or an item reference`(_ text: String, _ reference: CopyReference) throws {
    #expect(try CopyReference(argument: text) == reference)
  }

  @Test func `c0 is rejected as a copy number`() {
    #expect(throws: UsageError("'c0' is not a copy number: copies start at c1", hint: "'catalog copy list' shows them"))
    {
      try CopyReference(argument: "c0")
    }
  }

  @Test(arguments: [
    ("VG++", "'VG++' is not a grade; did you mean 'VG+'?"), ("very godo", "'very godo' is not a grade"),
  ])
  func `an unknown grade is rejected, with the nearest grade as a suggestion`(_ text: String, _ words: Message) {
    #expect(
      throws: UsageError(
        words, hint: "grades are M, NM, EX, VG+, VG, G+, G, F, P; of sleeves also Generic, Not Graded, No Cover")
    ) { try Grade(argument: text) }
  }
}
