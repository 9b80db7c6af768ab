/// A day, week, month, year or decade, as people write it in any language: `2026-11-21`, `2026년 11월`, `5. Mai 2024`,
/// `1990s`, `yesterday`, `지난주`, `-2w`, `2 weeks ago`.
public struct Period: Sendable, Hashable {
  /// The first and last day, month or year.
  public let first, last: PartialDate

  /// The date, if it is a single day, month or year.
  public var date: PartialDate? { first == last ? first : nil }

  private init(_ first: PartialDate, _ last: PartialDate) { (self.first, self.last) = (first, last) }

  public init(_ date: PartialDate) { self.init(date, date) }

  /// Nil for anything else, and outside the years 1 … 9999.
  public init?(_ text: some StringProtocol, in context: DayContext) {
    if let date = PartialDate(text) {
      self.init(date, date)
    } else if let decade = Decade.first(of: text, in: context) {
      guard let first = PartialDate(year: max(decade, 1)), let last = PartialDate(year: decade + 9) else { return nil }
      self.init(first, last)
    } else if let date = DayText(text)?.date(in: context) {
      self.init(date, date)
    } else if let today = context.today, let distance = Distance(text, countsSpans: context.countsSpans) {
      let day = distance.day(from: today).map { Period($0) }
      guard let period = distance.isWhole ? Self.whole(distance, from: today) : day else { return nil }
      self = period
    } else {
      return nil
    }
  }

  /// The week, month or year at a distance from today's; a week begins on Monday.
  private static func whole(_ distance: Distance, from today: PartialDate) -> Period? {
    switch distance.unit {
    case .days: return today.later(days: distance.count).map { Period($0) }
    case .weeks:
      guard let month = today.month, let day = today.day else { return nil }
      // 1 January 1970 was a Thursday.
      let number = PartialDate.dayNumber(year: today.year, month: month, day: day)
      let monday = number - ((number + 3) % 7 + 7) % 7 + distance.count * 7
      guard let first = PartialDate(dayNumber: monday), let last = first.later(days: 6) else { return nil }
      return Period(first, last)
    case .months:
      guard let month = today.month else { return nil }
      let months = today.year * 12 + month - 1 + distance.count
      return PartialDate(year: months / 12, month: months % 12 + 1).map { Period($0) }
    case .years: return PartialDate(year: today.year + distance.count).map { Period($0) }
    }
  }
}

extension PartialDate {
  /// Parses a typed date, which may be relative to today; nil for a week or a decade, and anything else.
  public init?(typed text: some StringProtocol, in context: DayContext = DayContext()) {
    guard let date = Period(text, in: context)?.date else { return nil }
    self = date
  }
}

/// A number of days, weeks, months or years before or after today.
private struct Distance {
  enum Unit: Character { case days = "d", weeks = "w", months = "m", years = "y" }

  var count: Int
  let unit: Unit
  /// Whether it means the whole week, month or year: `last week`.
  var isWhole = false

  /// Reads a value of the file of words: `-1w`.
  private init?(value: String) {
    guard let unit = value.last.flatMap(Unit.init(rawValue:)), let count = Int(value.dropLast()) else { return nil }
    (self.count, self.unit) = (count, unit)
  }

  init?(_ text: some StringProtocol, countsSpans: Bool) {
    let text = text.trimmingBlanks
    guard text.utf8.count <= 60, let first = text.first else { return nil }
    if first == "-" || first == "+" || first == "−" {
      guard text.dropFirst().first?.isNumber ?? false, let span = Self(span: text.dropFirst()) else { return nil }
      (count, unit) = (first == "+" ? span.count : -span.count, span.unit)
      return
    }
    if let word = ValueWords.value(text, of: .day).flatMap(Self.init(value:)) {
      self = word
      isWhole = true
      return
    }
    if let span = Self(span: text[...]) {
      guard countsSpans else { return nil }
      self = span
      return
    }
    // The direction stands before or behind the span.
    for place in text.indices.dropFirst() {
      let (head, tail) = (text[..<place], text[place...])
      if let direction = Self.direction(head), let span = Self(span: tail) {
        (count, unit) = (direction * span.count, span.unit)
        return
      }
      if let direction = Self.direction(tail), let span = Self(span: head) {
        (count, unit) = (direction * span.count, span.unit)
        return
      }
    }
    return nil
  }

  private static func direction(_ word: Substring) -> Int? {
    if ValueWords.value(word, of: .past) != nil { return -1 }
    return ValueWords.value(word, of: .future) == nil ? nil : 1
  }

  /// `2w`, `2 weeks`, `일주일`.
  private init?(span text: Substring) {
    let text = text.trimmingBlanks
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    guard !digits.isEmpty else {
      guard let span = ValueWords.value(text, of: .span).flatMap(Self.init(value:)) else { return nil }
      self = span
      return
    }
    guard digits.utf8.count <= 5, let number = Int(digits), number <= 10_000, digits.endIndex < text.endIndex,
      let unit = ValueWords.value(text[digits.endIndex...], of: .unit).flatMap({ Unit(rawValue: Character($0)) })
    else { return nil }
    (count, self.unit) = (number, unit)
  }

  func day(from today: PartialDate) -> PartialDate? {
    switch unit {
    case .days: today.later(days: count)
    case .weeks: today.later(days: count * 7)
    case .months: today.earlier(months: -count)
    case .years: today.earlier(months: -count * 12)
    }
  }
}

/// Ten years, as people write them.
public enum Decade {
  /// The first year: 1950 for `1950s`, `1950년대`, `50er Jahre`, `années 1950`; −10 for the years 10 to 1 BC.
  public static func first(of text: some StringProtocol, in context: DayContext) -> Int? {
    let text = text.trimmingBlanks
    let number = text.drop { !($0.isASCII && $0.isNumber) && $0 != "-" }
    let before = text[..<number.startIndex]
    let digits = number.prefix { $0.isASCII && $0.isNumber || $0 == "-" }
    let behind = number[digits.endIndex...]
    guard let year = Int(digits), year.isMultiple(of: 10), abs(year) < 9_990,
      before.isEmpty
        ? ValueWords.value(behind, of: .decade) != nil
        : ValueWords.value(before, of: .decade) != nil
          && (behind.isEmpty || ValueWords.value(behind, of: .decade) != nil)
    else { return nil }
    return digits.utf8.count == 2 && year >= 10 ? context.year(year) : year
  }
}
