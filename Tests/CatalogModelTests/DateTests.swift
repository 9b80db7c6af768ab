import CatalogModel
import Testing

struct DateTests {
  @Test(arguments: ["1959", "1959-08", "1959-08-17", "2024-02-29", "2000-02-29", "0001", "9999-12-31"])
  func `a date prints as precisely as it is known`(_ text: String) throws {
    #expect(try #require(PartialDate(text)).description == text)
    #expect(try #require(PartialDate(lenient: text)).description == text)
  }

  @Test(arguments: [
    "", "0000", "59", "1959-8", "1959-13", "1959-00", "1959-02-29", "1900-02-29", "1959-04-31", "1959-08-17T00:00:00Z",
    "1959-", "-1959", "1959-08-", "1959-08-17-1", "１９５９", "19x9", "+959", "1959-+8", "99999",
  ])
  func `an invalid date is rejected`(_ text: String) { #expect(PartialDate(text) == nil) }

  @Test(arguments: [
    ("1999-00-00", "1999"), ("1999-05-00", "1999-05"), ("1999-13-01", "1999"), ("1999-02-30", "1999-02"),
    ("1999-05-01T12:00:00Z", "1999-05-01"), ("1999-05-01 12:00", "1999-05-01"), ("1999-", "1999"), ("", nil),
    ("0000-00-00", nil), ("unknown", nil), ("99", nil), ("T", nil), ("-", nil),
  ])
  func `a lenient date keeps only its valid parts`(_ text: String, _ expected: String?) {
    #expect(PartialDate(lenient: text)?.description == expected)
  }

  @Test(arguments: [
    ("1959", 1959), ("-50", -50), ("2200", 2200), ("-3000", -3000), ("0", nil), ("2201", nil), ("-3001", nil),
    ("19x9", nil), ("99999", nil), ("", nil), ("99999999999999999999", nil), (" 1959", nil),
  ])
  func `a year is read within its range`(_ text: String, _ year: Int?) { #expect(ReleaseYear.parse(text) == year) }

  @Test func `a day must exist in its month`() {
    #expect(PartialDate(year: 2023, month: 2, day: 28) != nil)
    #expect(PartialDate(year: 2023, month: 2, day: 29) == nil)
    #expect(PartialDate(year: 2023, day: 1) == nil)
    #expect(PartialDate(year: 2023, month: 12, day: 32) == nil)
    #expect(PartialDate(year: 10_000) == nil)
  }
}
