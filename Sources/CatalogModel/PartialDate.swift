/// A calendar date of which perhaps only the year, or the year and month, is known: `1959`, `1959-08`, `1959-08-17`.
///
/// It is stored and shown exactly as precisely as it is known; it is never padded.
public struct PartialDate: Sendable, Hashable, Codable, CustomStringConvertible {
  /// 1 … 9999.
  public let year: Int
  /// 1 … 12.
  public let month: Int?
  /// 1 … the length of the month.
  public let day: Int?

  /// Nil when the parts are no date (month 13, 30 February, a day without a month, a year outside 1 … 9999).
  public init?(year: Int, month: Int? = nil, day: Int? = nil) {
    guard (1...9999).contains(year) else { return nil }
    if let month {
      guard (1...12).contains(month) else { return nil }
      if let day, !(1...Self.days(in: month, of: year)).contains(day) { return nil }
    } else if day != nil {
      return nil
    }
    (self.year, self.month, self.day) = (year, month, day)
  }

  /// Reads `1959`, `1959-08` or `1959-08-17`, nothing else.
  public init?(_ text: some StringProtocol) {
    let bytes = String(text).utf8
    var (year, month, day) = (0, 0, 0)
    for (place, byte) in bytes.enumerated() {
      let digit = Int(byte) - 0x30
      switch place {
      case 4, 7: guard byte == UInt8(ascii: "-") else { return nil }
      case _ where !(0...9).contains(digit): return nil
      case 0..<4: year = year * 10 + digit
      case 5..<7: month = month * 10 + digit
      case 8..<10: day = day * 10 + digit
      default: return nil
      }
    }
    switch bytes.count {
    case 4: self.init(year: year)
    case 7: self.init(year: year, month: month)
    case 10: self.init(year: year, month: month, day: day)
    default: return nil
    }
  }

  /// Parses dates of web sources: with a time after the date, with zeros for unknown parts (`1999-00-00`), or empty.
  ///
  /// Unknown parts stay unknown: nil for an empty text, only a year for `1999-00-00`.
  public init?(lenient text: some StringProtocol) {
    let date = Substring(String(text).utf8.prefix { $0 != UInt8(ascii: "T") && $0 != UInt8(ascii: " ") })
    if let exact = PartialDate(date) {
      self = exact
      return
    }
    let parts = date.split(separator: "-", omittingEmptySubsequences: false)
    guard let first = parts.first, first.utf8.count == 4, let year = Int(first) else { return nil }
    let month = parts.count > 1 ? Int(parts[1]) : nil
    guard let whole = PartialDate(year: year, month: month) ?? PartialDate(year: year) else { return nil }
    self = whole
  }

  /// `1959`, `1959-08` or `1959-08-17`.
  public var description: String {
    [(year, 4), (month, 2), (day, 2)].compactMap { part, width in
      part.map { number in
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
      }
    }.joined(separator: "-")
  }

  /// The same day `count` calendar months earlier, or the last day of a shorter month: one month before 31 March is 28
  /// or 29 February. Nil when the day is unknown, or the year would be before 1.
  public func earlier(months count: Int) -> PartialDate? {
    guard let month, let day else { return nil }
    let months = year * 12 + month - 1 - count
    guard months >= 12 else { return nil }
    let (year, earlier) = (months / 12, months % 12 + 1)
    return PartialDate(year: year, month: earlier, day: min(day, Self.days(in: earlier, of: year)))
  }

  /// The day `dayNumber` days after 1970-01-01 in the Gregorian calendar; nil outside the years 1 … 9999.
  ///
  /// Years begin in March here, so that the leap day is the last day:
  /// https://howardhinnant.github.io/date_algorithms.html.
  public init?(dayNumber: Int) {
    guard (-719_162...2_932_896).contains(dayNumber) else { return nil }
    // Days since 1 March 1 BC, the era of 400 years, and the day in it.
    let days = dayNumber + 719_468
    let (era, dayOfEra) = (days / 146_097, days % 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let fromMarch = (5 * dayOfYear + 2) / 153
    let month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
    self.init(
      year: era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month: month, day: dayOfYear - (153 * fromMarch + 2) / 5 + 1)
  }

  /// The days from 1970-01-01 to a day of the Gregorian calendar, which is not looked at: 31 February is 3 March.
  public static func dayNumber(year: Int, month: Int, day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// The year, month or day after this one.
  public var next: PartialDate? {
    guard let month else { return PartialDate(year: year + 1) }
    guard let day else { return PartialDate(year: year, month: month + 1) ?? PartialDate(year: year + 1, month: 1) }
    return PartialDate(year: year, month: month, day: day + 1) ?? PartialDate(year: year, month: month + 1, day: 1)
      ?? PartialDate(year: year + 1, month: 1, day: 1)
  }

  private static func days(in month: Int, of year: Int) -> Int {
    switch month {
    case 4, 6, 9, 11: 30
    case 2: year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
    default: 31
    }
  }
}

extension PartialDate {
  /// The date `days` days later. Nil when the day is unknown, and outside the years 1 … 9999.
  public func later(days: Int) -> PartialDate? {
    guard let month, let day else { return nil }
    return PartialDate(dayNumber: Self.dayNumber(year: year, month: month, day: day) + days)
  }
}

/// The range of years in which something can have come out; a catalog file accepts no other (0 is no year; −50 is 50
/// BC).
public enum ReleaseYear {
  /// 3000 BC … 2200.
  public static let range = -3000...2200

  /// Parses a year; nil for anything but a number, for zero, and out of range.
  public static func parse(_ text: some StringProtocol) -> Int? {
    guard let year = Int(text), year != 0, range.contains(year) else { return nil }
    return year
  }

  /// Parses a year as people write it: `1984`, `1984년`.
  public static func read(_ text: some StringProtocol) -> Int? {
    if let year = parse(text) { return year }
    guard let date = PartialDate(typed: text), date.month == nil, range.contains(date.year) else { return nil }
    return date.year
  }

  /// The year that a word behind a title may be: four digits, perhaps in parentheses, or `1984년`.
  public static func typed(_ word: some StringProtocol) -> Int? {
    var digits = word.drop { $0 == "(" }
    while let last = digits.last, ")년".contains(last) { digits = digits.dropLast() }
    guard digits.utf8.count == 4, digits.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    return parse(digits)
  }
}

extension PartialDate {
  /// `2026-11-21`, `2026-11` or `2026`, as far as it is known.
  public var words: Message {
    guard let month else { return Message("\(year, digits: 4)", context: "date") }
    guard let day else { return Message("\(year, digits: 4)-\(month, digits: 2)", context: "date") }
    return Message("\(year, digits: 4)-\(month, digits: 2)-\(day, digits: 2)", context: "date")
  }
}
