/// The order of day, month and year in a date of numbers.
public enum DateOrder: String, CaseIterable, Sendable {
  case dmy, mdy, ymd

  /// The order where a person lives; nil where it is not known.
  public init?(language: String?, territory: String?) {
    switch (language, territory) {
    case ("ko"?, _), ("ja"?, _), ("zh"?, _), ("hu"?, _), (_, "CA"?): self = .ymd
    case (_, "US"?): self = .mdy
    case ("en"?, nil), (nil, _): return nil
    default: self = .dmy
    }
  }
}

/// The limits of a written day, beside its own words.
public struct DayContext: Sendable {
  /// The order of a date of numbers; nil if only the text can show it.
  public var order: DateOrder?
  /// Today, from which relative days count.
  public var today: PartialDate?
  /// Whether it may be a day to come: a loan is due, a film is released.
  public var mayBeToCome: Bool
  /// Whether a span without a direction counts from today: `2w`.
  public var countsSpans: Bool

  public init(
    today: PartialDate? = nil, order: DateOrder? = nil, mayBeToCome: Bool = false, countsSpans: Bool = false
  ) {
    (self.today, self.order, self.mayBeToCome, self.countsSpans) = (today, order, mayBeToCome, countsSpans)
  }

  /// The year of two digits: 20yy up to this year, or to 20 years more where days to come may be; else 19yy.
  func year(_ twoDigits: Int) -> Int {
    // Without a clock, as in spreadsheets.
    let last = (today?.year ?? 2029) + (mayBeToCome ? 20 : 0)
    return 2_000 + twoDigits <= last ? 2_000 + twoDigits : 1_900 + twoDigits
  }
}

/// The parts of a written day: up to three numbers and the name of a month. The time of day and the weekday go.
///
/// `2021/04/25`, `2021. 4. 25.`, `24년 5월 3일 (금)`, `令和6年5月3日`, `20210425`, `25.04.2021`, `25 April 2021`,
/// `Nov. 12, 2020`, `12-Nov-20`, `Fri Feb 15 22:45:23 2013`, and less precise ones: `2021-04`, `2021`, `Mai 2021`.
public struct DayText: Sendable {
  private struct Number {
    enum Unit { case year, month, day }
    var value = 0
    var digits = 0
    var unit: Unit?
  }

  private var numbers: [Number] = []
  private var month: Int?
  /// Whether a point follows the first number.
  public private(set) var hasPoints = false
  private var hasUnits = false

  /// Nil for a text with other words, and for a year before Christ.
  public init?(_ text: some StringProtocol) {
    guard text.utf8.count <= 60 else { return nil }
    var rest = Substring(text).unicodeScalars
    while rest.first?.properties.isWhitespace == true { rest.removeFirst() }
    while rest.last?.properties.isWhitespace == true { rest.removeLast() }
    guard let begin = rest.first, let end = rest.last, !Self.isDash(begin), !Self.isDash(end), end != "/" else {
      return nil
    }
    var (isBehindNumber, isBehindTime) = (false, false)
    var era: Int?
    while let scalar = rest.first {
      if Self.digit(scalar) != nil {
        var number = Number()
        while let digit = rest.first.flatMap(Self.digit) {
          guard number.digits < 14 else { return nil }
          (number.value, number.digits) = (number.value * 10 + digit, number.digits + 1)
          rest.removeFirst()
        }
        if let next = rest.first, number.digits <= 2, ":시時h".unicodeScalars.contains(next) {
          isBehindTime = true
          while let next = rest.first, Self.digit(next) != nil || ":.시時h".unicodeScalars.contains(next) {
            rest.removeFirst()
          }
          continue
        }
        if let base = era {
          (number.value, number.digits, era) = (base + number.value, 4, nil)
        }
        guard numbers.count + (month == nil ? 0 : 1) < 3 else {
          // Seconds, and the hours of a time zone.
          if isBehindTime { continue }
          return nil
        }
        numbers.append(number)
        isBehindNumber = true
      } else if !Self.isMark(scalar), scalar.properties.isAlphabetic {
        let word = rest.prefix { $0.properties.isAlphabetic }
        rest = rest.dropFirst(word.count)
        if word.count == 1, "TtZz".unicodeScalars.contains(scalar) { continue }
        switch ValueWords.value(Substring(word), of: .part) {
        case "-", "weekday": break
        case "year": if isBehindNumber { setUnit(.year) } else { return nil }
        // Monday and Sunday, too.
        case "month": if isBehindNumber { setUnit(.month) }
        case "day": if isBehindNumber { setUnit(.day) }
        case let value?:
          if value.hasPrefix(">") {
            era = Int(value.dropFirst())
          } else if value.hasPrefix("="), let year = Int(value.dropFirst()), numbers.isEmpty {
            numbers.append(Number(value: year, digits: 4, unit: .year))
          } else if let number = Int(value), month == nil, numbers.count < 3 {
            month = number
          } else {
            return nil
          }
        case nil:
          // The name of a time zone.
          guard isBehindTime, word.count <= 5 else { return nil }
        }
        isBehindNumber = false
      } else {
        rest.removeFirst()
        if scalar.properties.isWhitespace { continue }
        guard Self.isMark(scalar) || isBehindTime && "+−:".unicodeScalars.contains(scalar) else { return nil }
        if numbers.count == 1, isBehindNumber { hasPoints = scalar == "." || scalar == "．" }
        isBehindNumber = false
      }
    }
    guard !numbers.isEmpty, era == nil else { return nil }
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case ".", ",", "/", "-", "–", "—", "−", "'", "’", "(", ")", "[", "]", "\\": true
    case "（", "）", "．", "／", "－", "、", "・", "·": true
    default: false
    }
  }

  private static func isDash(_ scalar: Unicode.Scalar) -> Bool { scalar == "-" || scalar == "−" || scalar == "–" }

  /// The value of a digit, also of a wide one.
  private static func digit(_ scalar: Unicode.Scalar) -> Int? {
    switch scalar.value {
    case 0x30...0x39: Int(scalar.value) - 0x30
    case 0xFF10...0xFF19: Int(scalar.value) - 0xFF10
    default: nil
    }
  }

  private mutating func setUnit(_ unit: Number.Unit) {
    hasUnits = true
    if let last = numbers.indices.last { numbers[last].unit = unit }
  }

  private func number(of unit: Number.Unit) -> Number? { numbers.first { $0.unit == unit } }

  /// The number at a place from 0; one without digits where there is none.
  private func number(_ place: Int) -> Number { numbers.dropFirst(place).first ?? Number() }
  private var first: Number { number(0) }
  private var second: Number { number(1) }
  private var third: Number { number(2) }
  private var count: Int { numbers.count }

  // MARK: What it says

  /// Whether it is three numbers whose order nothing in it tells.
  public var needsOrder: Bool {
    !hasUnits && month == nil && count == 3 && first.digits <= 2 && second.digits <= 2
      && (third.digits <= 2 || third.digits == 4)
  }

  /// Whether its year has two digits.
  public var hasShortYear: Bool { needsOrder && third.digits <= 2 }

  public func date(in context: DayContext) -> PartialDate? {
    if hasUnits { return dateOfUnits(context) }
    if let month { return date(in: month, context) }
    if first.digits == 4 { return Self.whole(first.value, second.value, third.value) }
    switch count {
    case 1:
      switch first.digits {
      case 8: return Self.whole(first.value / 10_000, first.value / 100 % 100, first.value % 100)
      // With the time.
      case 12, 14:
        let day = first.value / (first.digits == 14 ? 1_000_000 : 10_000)
        return Self.whole(day / 10_000, day / 100 % 100, day % 100)
      default: return nil
      }
    case 2: return first.digits <= 2 && second.digits == 4 ? PartialDate(year: second.value, month: first.value) : nil
    default:
      guard needsOrder else { return nil }
      return context.order.map { date(in: $0, context) } ?? onlyDate(context)
    }
  }

  /// `201705`, as columns have months.
  public var compactMonth: PartialDate? {
    count == 1 && first.digits == 6 && (1_000...2_100).contains(first.value / 100)
      ? PartialDate(year: first.value / 100, month: first.value % 100) : nil
  }

  /// The day of three numbers in an order; nil if there is none.
  public func date(in order: DateOrder, _ context: DayContext) -> PartialDate? {
    let last = third.digits == 4 ? third.value : context.year(third.value)
    switch order {
    case .dmy: return Self.whole(last, second.value, first.value)
    case .mdy: return Self.whole(last, first.value, second.value)
    case .ymd: return third.digits == 4 ? nil : Self.whole(context.year(first.value), second.value, third.value)
    }
  }

  /// The day of three numbers, if only one order makes one of them, or if points stand between them: then the day is
  /// first.
  private func onlyDate(_ context: DayContext) -> PartialDate? {
    var dates: [PartialDate] = []
    for order in DateOrder.allCases {
      guard let date = date(in: order, context), third.digits == 4 || date.year >= 1970 else { continue }
      if order == .dmy, hasPoints, third.digits == 4 { return date }
      if !dates.contains(date) { dates.append(date) }
    }
    return dates.count == 1 ? dates[0] : nil
  }

  /// `24년 5월 3일`, `2024年5月`.
  private func dateOfUnits(_ context: DayContext) -> PartialDate? {
    guard var year = number(of: .year) ?? numbers.first(where: { $0.unit == nil && $0.digits == 4 })
    else { return nil }
    if year.digits == 2 { year = Number(value: context.year(year.value), digits: 4) }
    guard year.digits == 4 else { return nil }
    var others = numbers.filter { $0.unit == nil && (1...2).contains($0.digits) }[...]
    let month = month ?? number(of: .month)?.value ?? others.popFirst()?.value
    let day = number(of: .day) ?? others.popFirst()
    return others.isEmpty ? PartialDate(year: year.value, month: month, day: day?.value) : nil
  }

  /// `15 February 2013`, `February 2013`, `15-Feb-13`.
  private func date(in month: Int, _ context: DayContext) -> PartialDate? {
    if count == 1 { return first.digits == 4 ? PartialDate(year: first.value, month: month) : nil }
    guard count == 2, min(first.digits, second.digits) <= 2 else { return nil }
    let isYearFirst = first.digits == 4 || second.digits <= 2 && (context.order == .ymd || first.value > 31)
    let (day, year) = isYearFirst ? (second, first) : (first, second)
    guard year.digits == 4 || year.digits == 2 else { return nil }
    return Self.whole(year.digits == 4 ? year.value : context.year(year.value), month, day.value)
  }

  /// A date whose unknown parts are zeros.
  private static func whole(_ year: Int, _ month: Int, _ day: Int) -> PartialDate? {
    month == 0
      ? PartialDate(year: year)
      : day == 0 ? PartialDate(year: year, month: month) : PartialDate(year: year, month: month, day: day)
  }
}
