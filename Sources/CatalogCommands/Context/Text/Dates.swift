// Dates in words.
internal import CatalogModel
internal import CommandLineKit

extension PartialDate {
  /// `2026-11-21`, `2026-11` or `2026`, as far as it is known.
  var words: Message {
    guard let month else { return Message("\(year, digits: 4)", context: "date") }
    guard let day else { return Message("\(year, digits: 4)-\(month, digits: 2)", context: "date") }
    return Message("\(year, digits: 4)-\(month, digits: 2)-\(day, digits: 2)", context: "date")
  }
}

extension PartialDate {
  /// `February 2025`, or the year alone.
  var monthAndYear: Message {
    guard let month, Self.monthNames.indices.contains(month - 1) else { return words }
    return Message("\(Self.monthNames[month - 1]) \(year, digits: 4)", context: "month and year")
  }

  private static let monthNames: [Message] = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
  ]
}

extension Timestamp {
  /// The day, in UTC.
  var dayWords: Message { PartialDate(day)?.words ?? Message(verbatim: day) }
}

extension Context {
  /// The current local day.
  func today() throws -> PartialDate {
    guard let day = PartialDate(day) else { throw Failure("the system clock has no valid date") }
    return day
  }

  /// - Throws: ``Failure`` for a date without a day.
  func day(_ date: PartialDate, typed: String) throws -> PartialDate {
    guard date.day != nil else {
      throw Failure("invalid date \(typed.quoted)", hint: "give one: 2026-11-21, today, -3d", status: .misused)
    }
    return date
  }
}
