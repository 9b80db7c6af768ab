import CatalogModel
import Testing

struct DayNumberTests {
  @Test(arguments: [
    ("1970-01-01", 0), ("1969-12-31", -1), ("2000-02-29", 11_016), ("2000-03-01", 11_017), ("2026-11-21", 20_778),
    ("0001-01-01", -719_162), ("9999-12-31", 2_932_896),
  ])
  func `a date converts to its day number and back`(text: String, number: Int) throws {
    let date = try #require(PartialDate(text))
    #expect(PartialDate(dayNumber: number) == date)
    #expect(PartialDate.dayNumber(year: date.year, month: date.month ?? 0, day: date.day ?? 0) == number)
  }

  @Test func `every date of 400 years converts to its day number and back`() throws {
    for number in stride(from: -60_000, through: 90_000, by: 1) {
      let date = try #require(PartialDate(dayNumber: number))
      #expect(PartialDate.dayNumber(year: date.year, month: date.month ?? 0, day: date.day ?? 0) == number)
    }
  }

  @Test func `a day number outside the years has no date`() {
    #expect(PartialDate(dayNumber: -719_163) == nil)
    #expect(PartialDate(dayNumber: 2_932_897) == nil)
    #expect(PartialDate(dayNumber: .max) == nil)
  }
}
