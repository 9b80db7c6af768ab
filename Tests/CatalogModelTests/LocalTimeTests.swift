import CatalogModel
import FoundationEssentials
import Testing

struct LocalTimeTests {
  /// A place whose clocks change at a moment.
  private static func place(_ before: Double, _ change: String, _ after: Double) -> LocalTime {
    let change = Timestamp(rawValue: change).date ?? .distantPast
    return LocalTime { $0 < change ? Int(before * 3600) : Int(after * 3600) }
  }

  struct Day: CustomTestStringConvertible, Sendable {
    var place: String
    var time: LocalTime
    var date: String
    var start: String
    var end: String
    var testDescription: String { "\(date) in \(place)" }
  }

  static let days: [Day] = [
    Day(
      place: "London in winter", time: .utc, date: "2026-01-01", start: "2026-01-01T00:00:00Z",
      end: "2026-01-02T00:00:00Z"),
    Day(
      place: "Seoul", time: LocalTime { _ in 9 * 3600 }, date: "2026-01-01", start: "2025-12-31T15:00:00Z",
      end: "2026-01-01T15:00:00Z"),
    Day(
      place: "Seoul", time: LocalTime { _ in 9 * 3600 }, date: "2026", start: "2025-12-31T15:00:00Z",
      end: "2026-12-31T15:00:00Z"),
    Day(
      place: "Honolulu", time: LocalTime { _ in -10 * 3600 }, date: "2025-12", start: "2025-12-01T10:00:00Z",
      end: "2026-01-01T10:00:00Z"),
    Day(
      place: "Kathmandu", time: LocalTime { _ in 20_700 }, date: "2024-02-29", start: "2024-02-28T18:15:00Z",
      end: "2024-02-29T18:15:00Z"),
    // A day of 25 hours, and one of 23.
    Day(
      place: "New York", time: place(-4, "2026-11-01T06:00:00Z", -5), date: "2026-11-01", start: "2026-11-01T04:00:00Z",
      end: "2026-11-02T05:00:00Z"),
    Day(
      place: "Berlin", time: place(1, "2026-03-29T01:00:00Z", 2), date: "2026-03-29", start: "2026-03-28T23:00:00Z",
      end: "2026-03-29T22:00:00Z"),
    // A day that begins at one, since the clocks go forward at midnight.
    Day(
      place: "Beirut", time: place(2, "2026-03-28T22:00:00Z", 3), date: "2026-03-29", start: "2026-03-28T22:00:00Z",
      end: "2026-03-29T21:00:00Z"),
    // A day that was left out.
    Day(
      place: "Apia", time: place(-10, "2011-12-30T10:00:00Z", 14), date: "2011-12-30", start: "2011-12-30T10:00:00Z",
      end: "2011-12-30T10:00:00Z"),
    Day(
      place: "Auckland", time: LocalTime { _ in 13 * 3600 }, date: "9999", start: "9998-12-31T11:00:00Z",
      end: "9999-12-31T99"),
  ]

  @Test(arguments: days)
  func `a date begins and ends at the midnights of a place`(_ day: Day) throws {
    let date = try #require(PartialDate(day.date))
    #expect(day.time.start(of: date).rawValue == day.start)
    #expect(day.time.end(of: date).rawValue == day.end)
  }

  @Test(arguments: days)
  func `each day of three years holds its first moment and not the one before`(_ day: Day) throws {
    let year = min(9998, try #require(PartialDate(day.date)).year)
    let first = PartialDate.dayNumber(year: year - 1, month: 1, day: 1)
    for number in first..<first + 1_000 {
      let date = try #require(PartialDate(dayNumber: number))
      let (start, end) = (day.time.start(of: date), day.time.end(of: date))
      guard start < end else { continue }
      let moment = try #require(start.date)
      #expect(day.time.date(of: start) == date)
      #expect(try #require(day.time.date(of: Timestamp(moment.addingTimeInterval(-1)))).description < date.description)
      #expect(day.time.date(of: Timestamp(try #require(end.date).addingTimeInterval(-1))) == date)
    }
  }

  @Test func `the first and the last year have no moments outside the calendar`() throws {
    let first = try #require(PartialDate("0001"))
    #expect(LocalTime { _ in 9 * 3600 }.start(of: first).rawValue <= "0001-01-01T00:00:00Z")
    #expect(LocalTime { _ in 50_400 }.day(of: Timestamp(rawValue: "9999-12-31T23:00:00Z")) == "9999-12-31")
  }

  @Test func `a text that is no moment stays as it is`() {
    for text in ["", "2026", "2026-11-21", "yesterday evening, late", "2026-13-01T00:00:00Z"] {
      #expect(LocalTime.utc.date(of: Timestamp(rawValue: text)) == nil)
      #expect(LocalTime.utc.day(of: Timestamp(rawValue: text)) == String(text.prefix(10)))
      #expect(LocalTime.utc.minute(of: Timestamp(rawValue: text)) == text)
    }
  }
}
