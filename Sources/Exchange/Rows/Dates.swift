internal import CatalogModel

/// Dates as other programs write them.
enum Dates {
  /// Which number comes first where a date is written with slashes, `3/23/2012`.
  enum Order: Sendable { case day, month }

  /// Reads `2021/04/25`, `2021. 4. 25.`, `2021년 4월 25일`, `20210425`, `25.04.2021`, `25 April 2021`, `Apr 25, 2021`, and what is
  /// less precise: `2021-04`, `2021`. What stands behind a day, a time, is passed over; zeros are unknown.
  ///
  /// Nil for anything else, also for `03/04/2012` where nobody knows what comes first.
  static func read(_ text: String, order: Order? = nil) -> PartialDate? {
    if let date = PartialDate(text) { return date }
    let text = text.trimmed
    guard text.utf8.count <= 40, !text.isEmpty else { return nil }
    let bytes = Array(text.utf8)
    if bytes.count == 8, bytes.allSatisfy({ (48...57).contains($0) }), let number = Int(text) {
      return whole(number / 10_000, number / 100 % 100, number % 100)
    }
    var numbers: [(value: Int, digits: Int)] = []
    var month: Int?
    var marks = ""
    var place = text.startIndex
    scan: while place < text.endIndex, numbers.count < 3 {
      let character = text[place]
      if character.isASCII, character.isNumber {
        let digits = text[place...].prefix { $0.isASCII && $0.isNumber }
        guard digits.count <= 4, let value = Int(digits) else { return nil }
        numbers.append((value, digits.count))
        place = digits.endIndex
        // A time behind the day is passed over.
        if numbers.count + (month == nil ? 0 : 1) == 3 { break scan }
      } else if character.isLetter {
        let word = text[place...].prefix(while: \.isLetter)
        place = word.endIndex
        if ["년", "월", "일", "年", "月", "日"].contains(word) { continue }
        if ["st", "nd", "rd", "th", "de", "T"].contains(word) { continue }
        guard month == nil, let number = months[String(Folding.fold(String(word)).prefix(3))], word.count >= 3 else {
          return nil
        }
        month = number
      } else {
        if !character.isWhitespace { marks.append(character) }
        place = text.index(after: place)
      }
    }
    if marks.first == ":" { return nil }
    if let month {
      guard let year = numbers.first(where: { $0.digits == 4 })?.value else { return nil }
      let day = numbers.first { $0.digits <= 2 }?.value
      return whole(year, month, day ?? 0)
    }
    guard let first = numbers.first else { return nil }
    if first.digits == 4 {
      // `1999-00-00`, and a year with anything behind it that is no month.
      return whole(first.value, numbers.dropFirst().first?.value ?? 0, numbers.dropFirst(2).first?.value ?? 0)
    }
    guard numbers.count == 3, numbers[2].digits == 4, first.digits <= 2, numbers[1].digits <= 2 else { return nil }
    let (left, right) = (first.value, numbers[1].value)
    let isDayFirst: Bool
    switch order {
    case .day: isDayFirst = true
    case .month: isDayFirst = false
    case nil:
      // Only where they use points, or where it can be nothing else.
      guard marks.hasPrefix(".") || left > 12 || right > 12 || left == right else { return nil }
      isDayFirst = marks.hasPrefix(".") || left > 12 || left == right
    }
    return isDayFirst ? whole(numbers[2].value, right, left) : whole(numbers[2].value, left, right)
  }

  private static func whole(_ year: Int, _ month: Int, _ day: Int) -> PartialDate? {
    month == 0
      ? PartialDate(year: year)
      : day == 0 ? PartialDate(year: year, month: month) : PartialDate(year: year, month: month, day: day)
  }

  /// By the first three letters, in English, German, French, Spanish.
  private static let months: [String: Int] = [
    "jan": 1, "feb": 2, "mar": 3, "apr": 4, "may": 5, "jun": 6, "jul": 7, "aug": 8, "sep": 9, "oct": 10, "nov": 11,
    "dec": 12, "mai": 5, "okt": 10, "dez": 12, "fev": 2, "avr": 4, "dic": 12, "ene": 1, "abr": 4, "ago": 8,
  ]
}
