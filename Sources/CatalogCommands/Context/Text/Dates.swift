// Dates in words.
internal import CatalogModel
internal import CommandLineKit

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

extension LocalTime {
  /// The local day of a moment, in words.
  func words(of moment: Timestamp) -> Message {
    let day = day(of: moment)
    return PartialDate(day)?.words ?? Message(verbatim: day)
  }
}

extension Context {
  /// A moment in a table: in UTC for programs, and its local day for people.
  func cell(_ moment: Timestamp?) -> Table.Cell {
    .init(value: moment.map { .text($0.rawValue) } ?? .none, shown: moment.map(localTime.day(of:)))
  }

  /// Words of the program in a table: in English for programs, and in the language of the person.
  func cell(_ words: Message?, style: Style = .plain) -> Table.Cell {
    .init(value: words.map { .text($0.text(in: nil)) } ?? .none, shown: words.map(text), style: style)
  }

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
