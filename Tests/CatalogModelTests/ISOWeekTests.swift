import CatalogModel
import Foundation
import Testing

struct ISOWeekTests {
  @Test(arguments: [
    ("2026-11-16T00:00:00Z", "2026-W47"), ("2026-11-22T23:59:59Z", "2026-W47"), ("2026-11-23T00:00:00Z", "2026-W48"),
    // The year of a week is that of its Thursday.
    ("2027-01-03T12:00:00Z", "2026-W53"), ("2027-01-04T00:00:00Z", "2027-W01"), ("2024-12-30T00:00:00Z", "2025-W01"),
    ("1969-12-31T23:59:59Z", "1970-W01"), ("2000-01-02T00:00:00Z", "1999-W52"),
  ])
  func `a week begins on Monday and belongs to the year of its Thursday`(_ time: String, _ week: String) throws {
    let date = try #require(Timestamp(rawValue: time).date)
    #expect(ISOWeek(date).rawValue == week)
  }

  @Test func `ISO weeks sort by time`() {
    #expect(ISOWeek(rawValue: "2025-W52") < ISOWeek(rawValue: "2026-W01"))
    #expect(ISOWeek(rawValue: "2026-W09") < ISOWeek(rawValue: "2026-W10"))
  }
}
