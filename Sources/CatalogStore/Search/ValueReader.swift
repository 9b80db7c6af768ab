internal import CatalogModel
internal import FoundationEssentials

/// Reads a value behind the colon of a term, according to the type of the field.
struct ValueReader {
  let field: Field
  /// The typed name of the field.
  let name: String
  let now: Date
  let localTime: LocalTime
  /// Whether the value is literal: then `none` is a word.
  let isLiteral: Bool
  /// Whether the whole text must match, not only a part of it.
  let isExact: Bool

  /// An error in a value, with the range of its scalars if only a part is wrong.
  struct Problem: Error {
    var message: Message
    var place: Range<Int>?
  }

  func comparison(_ value: String) throws(Problem) -> Query.Comparison {
    if let comparison = presence(value) { return comparison }
    switch field.type.element {
    case .people: return isExact ? .equals(Articles.inFront(value)) : .contains(Articles.inFront(value))
    case .text, .prose, .place, .list, .genres:
      let value = field.kept(value) ?? value
      return isExact ? .equals(value) : .contains(value)
    case .code:
      let code = code(value)
      guard !code.isEmpty else { throw Problem(message: "invalid \(name) '\(value)'") }
      return isExact ? .equals(code) : .contains(code)
    case .kind:
      guard let kind = Kind(value: value), kind.isShelved else {
        throw Problem(message: "there is no kind '\(value)': the kinds are movie, book and vinyl")
      }
      return .equals(kind.rawValue)
    case .choice(let words):
      let word = Status(value)?.kept?.rawValue ?? value.lowercased()
      guard words.contains(word) else {
        let most = words.dropLast().joined(separator: ", ")
        throw Problem(message: "invalid \(name) '\(value)': use \(most) or \(words.last ?? "")")
      }
      return .equals(word)
    case .integer(let range):
      return .numbers(try numbers(value, in: range) { number in Int(number).map { $0...$0 } })
    case .count: return .numbers(try numbers(value, in: 0...Int.max - 1) { number in Int(number).map { $0...$0 } })
    case .year: return .numbers(try years(value))
    case .rating:
      return .numbers(
        try numbers(value, in: 0...100) { rating in (try? Rating(String(rating))).map { $0.value...$0.value } })
    case .grade: return .grades(try grades(value))
    case .price: return try amounts(value)
    case .real:
      return .reals(
        try range(
          value, in: -.greatestFiniteMagnitude ... .greatestFiniteMagnitude, next: \.nextUp, last: \.nextDown
        ) { number in Double(number).flatMap { $0.isFinite ? $0...$0 : nil } })
    case .date: return try dates(value)
    case .moment:
      guard field.isYesOrNo else { return try dates(value) }
      do { return try dates(value) } catch {
        throw Problem(message: "'\(term(value))' is not understood: write '\(term("yes"))', '\(term("no"))' or a date")
      }
    case .flag:
      throw Problem(message: "'\(term(value))' is not understood: write '\(term("yes"))' or '\(term("no"))'")
    // Lists of lists do not exist.
    case .many: return .contains(value)
    }
  }

  /// Reads a test for a value: `any`, `none`, `yes` or `no`.
  private func presence(_ value: String) -> Query.Comparison? {
    guard !field.isAlwaysThere else { return nil }
    if let presence = Presence(value), !isLiteral { return presence == .none ? .missing : .present }
    return field.isYesOrNo ? Flag.read(value).map { $0 ? .present : .missing } : nil
  }

  /// Returns a complete code in its stored form: an ISBN of 10 digits becomes one of 13.
  private func code(_ text: String) -> String {
    var draft = Draft(Record(kind: field.kinds?.first ?? .movie, title: ""))
    try? field.assign([text], to: &draft)
    return (field.value(of: draft).texts.first ?? text).filter { $0 != "-" && $0 != " " }
  }

  // MARK: Numbers

  private func numbers(
    _ text: String, in all: ClosedRange<Int>, _ value: (Substring) -> ClosedRange<Int>?
  ) throws(Problem) -> ClosedRange<Int> {
    try range(text, in: all, next: { $0 + 1 }, last: { $0 - 1 }, value)
  }

  /// Years and decades: `1959`, `1950s`, `1950년대`; there is no year 0.
  private func years(_ text: String) throws(Problem) -> ClosedRange<Int> {
    try range(
      text, in: ReleaseYear.range, next: { $0 == -1 ? 1 : $0 + 1 }, last: { $0 == 1 ? -1 : $0 - 1 }
    ) { part in
      if let year = ReleaseYear.parse(part) { return year...year }
      if let decade = Decade.first(of: part, in: dayContext) {
        guard ReleaseYear.range.contains(decade) else { return nil }
        return max(decade, decade == 0 ? 1 : decade)...min(decade + 9, ReleaseYear.range.upperBound)
      }
      guard let date = PartialDate(typed: part, in: dayContext), date.month == nil else { return nil }
      return date.year...date.year
    }
  }

  /// Days to come may be asked for.
  private var dayContext: DayContext { DayContext(today: localTime.date(of: Timestamp(now)), mayBeToCome: true) }

  /// Reads `5`, `4..`, `..4`, `4..5`, `>=4`, `>4`, `<4`, `<=4`. A value may itself be a range, such as a decade.
  private func range<Bound: Comparable>(
    _ text: String, in all: ClosedRange<Bound>, next: (Bound) -> Bound, last: (Bound) -> Bound,
    _ value: (Substring) -> ClosedRange<Bound>?
  ) throws(Problem) -> ClosedRange<Bound> {
    func read(_ part: Substring) throws(Problem) -> ClosedRange<Bound> {
      guard let bounds = value(part), all.contains(bounds.lowerBound), all.contains(bounds.upperBound) else {
        throw problem(
          part == text[...] ? "invalid \(name) '\(part)'" : "invalid \(name) '\(part)' in '\(term(text))'",
          part, text)
      }
      return bounds
    }
    var (lower, upper) = (all.lowerBound, all.upperBound)
    switch Ends(text) {
    case .one(let part):
      let bounds = try read(part)
      (lower, upper) = (bounds.lowerBound, bounds.upperBound)
    case .between(let from, let to):
      if !from.isEmpty { lower = try read(from).lowerBound }
      if !to.isEmpty { upper = try read(to).upperBound }
    case .atLeast(let part): lower = try read(part).lowerBound
    case .atMost(let part): upper = try read(part).upperBound
    case .above(let part): lower = next(try read(part).upperBound)
    case .below(let part): upper = last(try read(part).lowerBound)
    }
    guard lower <= upper else { throw emptyRange(text) }
    return lower...upper
  }

  private func emptyRange(_ text: String) -> Problem {
    Problem(message: "'\(term(text))' is an empty range")
  }

  /// The field with a value, in typed form.
  private func term(_ value: String) -> String { "\(name):\(value)" }

  /// Creates a problem for a part of a text.
  private func problem(_ message: Message, _ part: Substring, _ text: String) -> Problem {
    let start = text.unicodeScalars.distance(from: text.startIndex, to: part.startIndex)
    return Problem(message: message, place: part.isEmpty ? nil : start..<start + part.unicodeScalars.count)
  }

  // MARK: Grades

  /// Reads `VG+`, `>=VG+`, `VG..NM`. A better grade is greater. Grades for sleeves alone are in no range.
  private func grades(_ text: String) throws(Problem) -> [Grade] {
    if let grade = Grade(typed: text), !grade.isOfMedia { return [grade] }
    let ranks = try range(text, in: 0...Grade.ordered.count - 1, next: { $0 + 1 }, last: { $0 - 1 }) { part in
      Grade(typed: part)?.rank.map { $0...$0 }
    }
    return Array(Grade.ordered[ranks])
  }

  // MARK: Prices

  /// Reads `20000KRW`, `12.50USD`, `..20000 KRW`, `₩34,000`, or an amount without a currency.
  private func amounts(_ text: String) throws(Problem) -> Query.Comparison {
    var currency: String?
    var isMixed = false
    let range = try range(text, in: 0...Int(1e15), next: { $0 + 1 }, last: { $0 - 1 }) { part in
      guard let money = try? MoneyText(String(part)), let amount = money.thousandths else { return nil }
      if let code = money.currency {
        isMixed = isMixed || currency != nil && currency != code
        currency = code
      }
      return amount...amount
    }
    guard !isMixed else { throw Problem(message: "'\(term(text))' is in two currencies") }
    return .amounts(range, currency: currency)
  }

  // MARK: Dates

  /// Reads periods, and ranges of them.
  private func dates(_ text: String) throws(Problem) -> Query.Comparison {
    let context = dayContext
    func read(_ part: Substring) throws(Problem) -> Period {
      guard let period = Period(part, in: context) else {
        throw problem(
          "invalid date '\(part)': write 2026, 2026-11, 2026-11-21, 2020s, today, yesterday or -2w", part, text)
      }
      return period
    }
    var (from, to): (PartialDate?, PartialDate?)
    switch Ends(text) {
    case .one(let part):
      let period = try read(part)
      (from, to) = (period.first, period.last)
    case .between(let first, let last):
      if !first.isEmpty { from = try read(first).first }
      if !last.isEmpty { to = try read(last).last }
    case .atLeast(let part): from = try read(part).first
    case .atMost(let part): to = try read(part).last
    case .above(let part):
      from = try read(part).last.next
      if from == nil { throw emptyRange(text) }
    case .below(let part):
      to = try read(part).first.previous
      if to == nil { throw emptyRange(text) }
    }
    if let from, let to, !(from.description < to.end) { throw emptyRange(text) }
    return .dates(from, to)
  }
}

/// The typed form of a range.
private enum Ends {
  case one(Substring)
  case between(Substring, Substring)
  case atLeast(Substring), atMost(Substring), above(Substring), below(Substring)

  init(_ text: String) {
    func behind(_ signs: String) -> Substring? {
      text.hasPrefix(signs) ? text.dropFirst(signs.count) : nil
    }
    if let dots = text.firstRange(of: "..") {
      self = .between(text[..<dots.lowerBound], text[dots.upperBound...])
    } else if let part = behind(">=") ?? behind("≥") {
      self = .atLeast(part)
    } else if let part = behind("<=") ?? behind("≤") {
      self = .atMost(part)
    } else if let part = behind(">") {
      self = .above(part)
    } else if let part = behind("<") {
      self = .below(part)
    } else {
      self = .one(text[...])
    }
  }
}

extension PartialDate {
  /// The year, month or day before this one.
  fileprivate var previous: PartialDate? {
    guard let month else { return PartialDate(year: year - 1) }
    guard let day else { return PartialDate(year: year, month: month - 1) ?? PartialDate(year: year - 1, month: 12) }
    if day > 1 { return PartialDate(year: year, month: month, day: day - 1) }
    guard let before = PartialDate(year: year, month: month).flatMap(\.previous), let month = before.month else {
      return nil
    }
    return [31, 30, 29, 28].lazy.compactMap { PartialDate(year: before.year, month: month, day: $0) }.first
  }

  /// The exclusive upper bound for the texts of all dates in this year, month or day.
  var end: String { next?.description ?? "9999-12-31T99" }
}
