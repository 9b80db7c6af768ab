import CatalogModel
import Testing

struct GradeTests {
  @Test(arguments: [
    ("M", Grade.mint), ("mint", .mint), ("Mint (M)", .mint), ("NM", .nearMint), ("nm", .nearMint), ("M-", .nearMint),
    ("Near Mint", .nearMint), ("near-mint", .nearMint), ("Near Mint (NM or M-)", .nearMint), ("NM or M-", .nearMint),
    ("NM/M-", .nearMint), ("Mint minus", .nearMint), ("EX", .excellent), ("excellent", .excellent),
    ("VG+", .veryGoodPlus), ("vg+", .veryGoodPlus), ("VG +", .veryGoodPlus), ("vg plus", .veryGoodPlus),
    ("Very Good Plus", .veryGoodPlus), ("very good +", .veryGoodPlus), ("Very Good Plus (VG+)", .veryGoodPlus),
    ("VG", .veryGood), ("V.G.", .veryGood), ("Very Good (VG)", .veryGood), ("Good Plus (G+)", .goodPlus),
    ("g+", .goodPlus), ("Good (G)", .good), ("g", .good), ("Fair (F)", .fair), ("f", .fair), ("Poor (P)", .poor),
    (" p ", .poor), ("Generic", .generic), ("generic sleeve", .generic), ("Not Graded", .notGraded),
    ("not-graded", .notGraded), ("No Cover", .noCover), ("no cover", .noCover),
  ])
  func `a grade is read in its usual spellings`(_ text: String, _ grade: Grade) {
    #expect(Grade(typed: text) == grade)
  }

  @Test(arguments: [
    "", " ", "VG++", "VG-", "vgx", "EX+", "A", "8/10", "good (VG)", "(VG) (VG) (VG)", "()", "+", "-", "none", "최상",
  ])
  func `other text is no grade`(_ text: String) { #expect(Grade(typed: text) == nil) }

  @Test func `every grade is read as it is printed, and media grades are ordered`() {
    for grade in Grade.allCases { #expect(Grade(typed: grade.rawValue) == grade) }
    #expect(Grade.ordered.map(\.rawValue) == ["P", "F", "G", "G+", "VG", "VG+", "EX", "NM", "M"])
    #expect(Grade.allCases.filter { !$0.isOfMedia } == [.generic, .notGraded, .noCover])
  }
}

struct CopyTests {
  @Test func `a copy number is read and printed with its letter`() {
    #expect(CopyID("c7") == CopyID(rawValue: 7))
    #expect(CopyID("C12")?.description == "c12")
    for text in ["", "c", "7", "c-1", "c7x", "cc7", "c٣", "c9999999999999999", "r7"] { #expect(CopyID(text) == nil) }
  }

  @Test func `media and sleeve grades are printed together`() {
    #expect(Copy.Facts(media: .veryGoodPlus, sleeve: .veryGood).grades == "VG+/VG")
    #expect(Copy.Facts(media: .mint).grades == "M")
    #expect(Copy.Facts(sleeve: .generic).grades == "–/Generic")
    #expect(Copy.Facts().grades == nil)
  }
}
