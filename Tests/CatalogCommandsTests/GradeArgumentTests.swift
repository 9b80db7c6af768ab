import CatalogModel
import CommandLineKit
import Testing

@testable import CatalogCommands
@testable import CatalogStore

struct GradeArgumentTests {
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
