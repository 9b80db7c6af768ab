internal import CatalogModel

/// The order of day, month and year in numeric dates, for `--dates`.
public enum DateOrder: String, CaseIterable, Sendable {
  case dmy, mdy, ymd
}

/// Dates as other programs write them.
enum Dates {
  /// The notation of ambiguous days in a column.
  enum Order: Sendable {
    /// The first number: `23/3/2012`, `3/23/2012`, `12/3/23`.
    case day, month, year
    /// Days since 1900, as in spreadsheets: `44147`.
    case serial

    init(_ order: DateOrder) {
      switch order {
      case .dmy: self = .day
      case .mdy: self = .month
      case .ymd: self = .year
      }
    }
  }

  /// Reads `2021/04/25`, `2021. 4. 25.`, `2021년 4월 25일`, `20210425`, `25.04.2021`, `25 April 2021`, `Nov. 12, 2020`,
  /// `12-Nov-20`, `Fri Feb 15 22:45:23 2013`, and less precise dates: `2021-04`, `2021`. Times are skipped; zeros mean
  /// unknown.
  ///
  /// Nil for other texts, for ambiguous dates such as `03/04/2012` without an order, and for years before Christ.
  static func read(_ text: String, order: Order? = nil) -> PartialDate? {
    if let date = PartialDate(text) { return date }
    let text = text.trimmed
    guard text.utf8.count <= 60, !text.isEmpty else { return nil }
    if case .serial? = order, let day = day(ofSerial: text) { return day }
    if text.utf8.count == 8, text.utf8.allSatisfy({ (48...57).contains($0) }), let number = Int(text) {
      return whole(number / 10_000, number / 100 % 100, number % 100)
    }
    return Numerals(text)?.date(order)
  }

  /// Reads the day of something in a person's life, as ``read(_:order:)`` does. Of a moment in UTC it is their local day;
  /// midnight in UTC is a day without a time.
  static func read(_ text: String, order: Order? = nil, at localTime: LocalTime) -> PartialDate? {
    guard text.utf8.count >= 20, text.hasSuffix("Z") || text.hasSuffix("+00:00"), PartialDate(text.prefix(10)) != nil,
      case let time = text.dropFirst(11).prefix(8), time != "00:00:00",
      let day = localTime.date(of: Timestamp(rawValue: "\(text.prefix(10))T\(time)Z"))
    else { return read(text, order: order) }
    return day
  }

  /// The day for a spreadsheet's serial number, possibly with a fraction: 1 is 1 January 1900, and 60 the non-existent
  /// 29 February 1900.
  static func day(ofSerial text: String) -> PartialDate? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, parts.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } }),
      let number = parts.first.flatMap({ Int($0) }), (20_000..<80_000).contains(number)
    else { return nil }
    return PartialDate(dayNumber: number - 25_569)
  }

  static func whole(_ year: Int, _ month: Int, _ day: Int) -> PartialDate? {
    month == 0
      ? PartialDate(year: year)
      : day == 0 ? PartialDate(year: year, month: month) : PartialDate(year: year, month: month, day: day)
  }

  /// The parts of a day's text: numbers, the name of a month, and the marks between them.
  struct Numerals {
    private(set) var numbers: [(value: Int, digits: Int)] = []
    private(set) var month: Int?
    private(set) var marks = ""

    /// Nil for a text with other words, and for a year before Christ.
    init?(_ text: String) {
      guard let first = text.first, !"-−–".contains(first) else { return nil }
      var (place, isBehindTime) = (text.startIndex, false)
      while place < text.endIndex, numbers.count + (month == nil ? 0 : 1) < 3 {
        let character = text[place]
        if character.isASCII, character.isNumber {
          let digits = text[place...].prefix { $0.isASCII && $0.isNumber }
          place = digits.endIndex
          if place < text.endIndex, text[place] == ":" {
            isBehindTime = true
            let isTime = { (character: Character) in character.isASCII && character.isNumber || ":.".contains(character)
            }
            place = text[place...].prefix(while: isTime).endIndex
            continue
          }
          guard digits.count <= 4, let value = Int(digits) else { return nil }
          numbers.append((value, digits.count))
        } else if character.isLetter {
          let word = String(text[place...].prefix(while: \.isLetter))
          place = text.index(place, offsetBy: word.count)
          if isBehindTime || Self.fillers.contains(word) { continue }
          let beginning = String(Folding.fold(word).prefix(3))
          if word.count >= 3, month == nil, let number = Self.months[beginning] {
            month = number
          } else if !Self.weekdays.contains(beginning) {
            return nil
          }
        } else {
          if !character.isWhitespace { marks.append(character) }
          place = text.index(after: place)
        }
      }
      if numbers.isEmpty { return nil }
    }

    /// Whether it consists of three numbers and does not start with a year.
    var isOfThree: Bool { month == nil && numbers.count == 3 && numbers[0].digits <= 2 && numbers[1].digits <= 2 }

    func date(_ order: Order?) -> PartialDate? {
      if let month { return date(in: month, order) }
      guard let first = numbers.first else { return nil }
      if first.digits == 4 {
        // `1999-00-00`, or a year followed by something other than a month.
        return whole(first.value, numbers.dropFirst().first?.value ?? 0, numbers.dropFirst(2).first?.value ?? 0)
      }
      guard isOfThree else { return nil }
      let (left, middle, right) = (first.value, numbers[1].value, numbers[2].value)
      let isShort = numbers[2].digits <= 2
      guard isShort || numbers[2].digits == 4 else { return nil }
      let hasPoints = marks.hasPrefix(".")
      if isShort, left > 31 { return whole(Self.year(left), middle, right) }
      let year = isShort ? Self.year(right) : right
      switch order {
      case .day: return whole(year, middle, left)
      case .month: return whole(year, left, middle)
      case .year: return isShort ? whole(Self.year(left), middle, right) : nil
      case .serial: return nil
      case nil:
        // Only with points, or if no other order is possible.
        if middle > 12 { return whole(year, left, middle) }
        if isShort { return left > 29 ? whole(year, middle, left) : nil }
        return hasPoints || left > 12 || left == middle ? whole(year, middle, left) : nil
      }
    }

    /// `15 February 2013`, `February 2013`, `15-Feb-13`.
    private func date(in month: Int, _ order: Order?) -> PartialDate? {
      if let year = numbers.first(where: { $0.digits == 4 })?.value {
        return whole(year, month, numbers.first { $0.digits <= 2 }?.value ?? 0)
      }
      guard numbers.count == 2, numbers.allSatisfy({ $0.digits <= 2 }) else { return nil }
      let isYearFirst = if case .year? = order { true } else { numbers[0].value > 31 }
      let (day, year) = isYearFirst ? (numbers[1], numbers[0]) : (numbers[0], numbers[1])
      return whole(Self.year(year.value), month, day.value)
    }

    /// A two-digit year, as in spreadsheets: 29 is 2029, and 30 is 1930.
    private static func year(_ number: Int) -> Int { number < 30 ? 2_000 + number : 1_900 + number }

    private static let fillers: Set = ["년", "월", "일", "年", "月", "日", "st", "nd", "rd", "th", "de", "of", "T"]
    private static let weekdays: Set = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

    /// The months by their first three letters, in English, German, French and Spanish.
    private static let months: [String: Int] = [
      "jan": 1, "feb": 2, "mar": 3, "apr": 4, "may": 5, "jun": 6, "jul": 7, "aug": 8, "sep": 9, "oct": 10, "nov": 11,
      "dec": 12, "mai": 5, "okt": 10, "dez": 12, "fev": 2, "avr": 4, "dic": 12, "ene": 1, "abr": 4, "ago": 8,
    ]
  }
}

extension Dates {
  /// The evidence of a column's cells for the order of its days. A single cell may be ambiguous.
  struct Evidence {
    private var votes: [Order: (count: Int, example: String)] = [:]
    /// The first and last numbers of cells with a two-digit year, which may begin with the day or the year.
    private var ends: [(first: Int, last: Int)] = []
    private var endsExample = ""
    /// The numbers of ambiguous and of unambiguous cells.
    private(set) var (undecided, plain) = (0, 0)

    mutating func add(_ text: String) {
      if text.utf8.count <= 12, Dates.day(ofSerial: text) != nil { return vote(.serial, text) }
      guard text.utf8.count <= 60, let parts = Numerals(text), parts.isOfThree else {
        plain += 1
        return
      }
      let (first, middle, last) = (parts.numbers[0].value, parts.numbers[1].value, parts.numbers[2].value)
      let isShort = parts.numbers[2].digits <= 2
      if isShort, first > 31 {
        vote(.year, text)
      } else if middle > 12 {
        vote(.month, text)
      } else if isShort, first > 12 {
        if ends.count < 1_000 { ends.append((first, last)) }
        if endsExample.isEmpty { endsExample = text }
      } else if !isShort && parts.marks.hasPrefix(".") {
        plain += 1
      } else if first > 12 {
        vote(.day, text)
      } else if first != middle || isShort {
        undecided += 1
      }
    }

    private mutating func vote(_ order: Order, _ text: String) {
      votes[order] = ((votes[order]?.count ?? 0) + 1, votes[order]?.example ?? text)
    }

    /// Whether some cells can only be read with the help of others.
    var isGuess: Bool { undecided > 0 || !ends.isEmpty }

    /// The order that most cells show, with an example; nil without evidence or if the cells disagree.
    var order: (order: Order, example: String)? {
      var votes = votes
      if votes[.serial] != nil {
        // Numbers are days only if the column has no other values.
        if plain == 0, undecided == 0, votes.count == 1, ends.isEmpty { return best(votes) }
        votes[.serial] = nil
      }
      if !ends.isEmpty, votes[.month] == nil {
        let isYearFirst = votes[.year] != nil || ends.contains { $0.last > 29 } || Self.varies(ends)
        let order: Order = isYearFirst ? .year : .day
        votes[order] = ((votes[order]?.count ?? 0) + ends.count, votes[order]?.example ?? endsExample)
      }
      return best(votes)
    }

    private func best(_ votes: [Order: (count: Int, example: String)]) -> (order: Order, example: String)? {
      guard let best = votes.max(by: { $0.value.count < $1.value.count }) else { return nil }
      let others = votes.values.reduce(0) { $0 + $1.count } - best.value.count
      return others * 20 <= best.value.count ? (best.key, best.value.example) : nil
    }

    /// Whether the first numbers have less variety than the last: years vary less than days.
    private static func varies(_ ends: [(first: Int, last: Int)]) -> Bool {
      Set(ends.map(\.first)).count * 2 < Set(ends.map(\.last)).count
    }
  }
}
