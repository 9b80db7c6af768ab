public import FoundationEssentials

/// Which items: words and `field:value` terms, all of which must hold.
///
///     blue kind:vinyl year:1955..1965 -genre:pop rating:>=4
public struct Query: Sendable, Hashable {
  public struct Term: Sendable, Hashable {
    public var condition: Condition
    /// Written with a `-` or `^` before it: the items for which it does not hold.
    public var isNegated: Bool

    public init(_ condition: Condition, isNegated: Bool = false) {
      (self.condition, self.isNegated) = (condition, isNegated)
    }
  }

  public enum Condition: Sendable, Hashable {
    /// A word, or the start of one, in title, names, genres or codes.
    case word(String)
    case kind(Kind)
    /// A canonical genre or one below it.
    case genre(String)
    case year(ClosedRange<Int>)
    /// 0 … 100.
    case rating(ClosedRange<Int>)
    /// Part of a director's, author's or artist's name.
    case creator(String)
    case title(String)
    case isFavorite
    /// When it was added: from the first moment, to before the second. An open end is nil.
    case added(from: String?, before: String?)
    case id(ClosedRange<Int64>)
    /// The field has no value.
    case missing(Field)
    /// The field has a value.
    case present(Field)
  }

  /// A field that can be without a value.
  public enum Field: String, CaseIterable, Sendable {
    case genre, year, rating, creator, cover
  }

  public var terms: [Term]

  public init(_ terms: [Term] = []) { self.terms = terms }

  /// The words of a query, joined: what a search ranks by.
  public var words: [String] {
    terms.compactMap { term in
      if case .word(let word) = term.condition, !term.isNegated { word } else { nil }
    }
  }

  /// What a query got wrong, in the user's words.
  public struct Problem: Error, Equatable, CustomStringConvertible {
    public let description: String
  }

  /// The names that may stand before a colon.
  public static let fields = ["kind", "genre", "year", "rating", "creator", "title", "favorite", "added", "id", "has"]

  /// Reads the words of a command line. A word with blanks (quoted in the shell) is read as several words; a value may
  /// have blanks (`genre:"Science Fiction"`).
  ///
  /// - Parameter now: what `added:-2w..` counts back from.
  public init(_ arguments: [String], now: Date) throws(Problem) {
    terms = []
    for argument in arguments {
      let negated = argument.count > 1 && (argument.hasPrefix("-") || argument.hasPrefix("^"))
      let text = negated ? String(argument.dropFirst()) : argument
      if let colon = text.firstIndex(of: ":"), case let name = text[..<colon].lowercased(), Self.names.contains(name) {
        let value = String(text[text.index(after: colon)...]).trimmingBlanks
        guard !value.isEmpty else { throw Problem(description: "'\(argument)' lacks a value behind the colon") }
        terms.append(try Self.term(field: name, value: value, isNegated: negated, now: now))
      } else {
        terms += text.split(whereSeparator: \.isWhitespace).map { Term(.word(String($0)), isNegated: negated) }
      }
    }
  }

  /// The same and other names that people try.
  public static let names = Set(
    fields + ["artist", "author", "director", "favourite", "is", "type", "genres", "stars"])

  private static func term(field: String, value: String, isNegated: Bool, now: Date) throws(Problem) -> Term {
    if ["none", "no", "false"].contains(value.lowercased()) {
      if field.hasPrefix("favo") { return Term(.isFavorite, isNegated: !isNegated) }
      if let missing = Field(rawValue: field) { return Term(.missing(missing), isNegated: isNegated) }
    }
    return Term(try condition(field: field, value: value, now: now), isNegated: isNegated)
  }

  private static func condition(field: String, value: String, now: Date) throws(Problem) -> Condition {
    switch field {
    case "kind", "type":
      guard let kind = Kind(word: value), kind.isShelved else {
        throw Problem(description: "'\(value)' is no kind: there are movie, book and vinyl")
      }
      return .kind(kind)
    case "genre", "genres": return .genre(value)
    case "creator", "artist", "author", "director": return .creator(value)
    case "title": return .title(value)
    case "favorite", "favourite":
      guard ["yes", "true", "1"].contains(value.lowercased()) else {
        throw Problem(description: "'favorite:\(value)' is not understood: write favorite:yes or favorite:no")
      }
      return .isFavorite
    case "is":
      guard value.lowercased().hasPrefix("favo") else {
        throw Problem(description: "'is:\(value)' is not understood: there is is:favorite")
      }
      return .isFavorite
    case "has":
      guard let field = Field(rawValue: value.lowercased()) else {
        throw Problem(description: "'has:\(value)' is not understood: \(choices(Field.allCases.map(\.rawValue)))")
      }
      return .present(field)
    case "year":
      let range = try range(value, of: "year", least: ReleaseYear.range.lowerBound, most: ReleaseYear.range.upperBound)
      {
        ReleaseYear.parse($0).map { $0...$0 }
      }
      return .year(range)
    case "id":
      let range = try range(value, of: "id", least: 1, most: Int.max) {
        // Below the greatest number, so that there is a next one.
        Int($0).flatMap { $0 > 0 && $0 < Int.max ? $0...$0 : nil }
      }
      return .id(Int64(range.lowerBound)...Int64(range.upperBound))
    case "rating", "stars":
      return .rating(
        try range(value, of: "rating", least: 0, most: 100) { text in
          (try? Rating(String(text))).map { $0.value...$0.value }
        })
    default:
      return try added(value, now: now)
    }
  }

  private static func choices(_ names: [String]) -> String { "there are " + names.joined(separator: ", ") }

  /// Reads `5`, `4..`, `..4`, `4..5`, `>=4`, `>4`, `<4`, `<=4`.
  private static func range(
    _ text: String, of field: String, least: Int, most: Int, _ value: (Substring) -> ClosedRange<Int>?
  ) throws(Problem) -> ClosedRange<Int> {
    func read(_ part: Substring) throws(Problem) -> ClosedRange<Int> {
      guard let range = value(part) else {
        throw Problem(
          description: part == text[...]
            ? "'\(part)' is no \(field)" : "'\(part)' in '\(field):\(text)' is no \(field)")
      }
      return range
    }
    let lower: Int
    let upper: Int
    if let dots = text.firstRange(of: "..") {
      let (from, to) = (text[..<dots.lowerBound], text[dots.upperBound...])
      lower = from.isEmpty ? least : try read(from).lowerBound
      upper = to.isEmpty ? most : try read(to).upperBound
    } else if text.hasPrefix(">=") || text.hasPrefix("≥") {
      (lower, upper) = (try read(text.drop { ">=≥".contains($0) }).lowerBound, most)
    } else if text.hasPrefix("<=") || text.hasPrefix("≤") {
      (lower, upper) = (least, try read(text.drop { "<=≤".contains($0) }).upperBound)
    } else if text.hasPrefix(">") {
      (lower, upper) = (try read(text.dropFirst()).upperBound + 1, most)
    } else if text.hasPrefix("<") {
      (lower, upper) = (least, try read(text.dropFirst()).lowerBound - 1)
    } else {
      return try read(text[...])
    }
    guard lower <= upper else { throw Problem(description: "'\(field):\(text)' is an empty range") }
    return lower...upper
  }

  /// The day so many days, weeks, calendar months or calendar years ago.
  private static func day(_ count: Int, _ unit: Character, before now: Date) -> PartialDate? {
    func day(_ days: Int) -> PartialDate? {
      PartialDate(Timestamp(now.addingTimeInterval(-86_400 * Double(days))).day)
    }
    return switch unit {
    case "d": day(count)
    case "w": day(count * 7)
    case "m": day(0)?.earlier(months: count)
    case "y": day(0)?.earlier(months: count * 12)
    default: nil
    }
  }

  /// Reads `2026`, `2026-11`, `2026-11-21`, two of them with `..` between, or `-2w..` (days, weeks, calendar months,
  /// calendar years ago).
  private static func added(_ text: String, now: Date) throws(Problem) -> Condition {
    func moment(_ part: Substring) throws(Problem) -> (from: String, before: String) {
      if let date = PartialDate(part) { return (date.description, date.next) }
      if part.hasPrefix("-"), let unit = part.last, let count = Int(part.dropFirst().dropLast()),
        (0...10_000).contains(count), let day = day(count, unit, before: now)
      {
        return (day.description, day.next)
      }
      throw Problem(description: "'\(part)' is no date: write 2026, 2026-11, 2026-11-21 or -2w")
    }
    guard let dots = text.firstRange(of: "..") else {
      let (from, before) = try moment(text[...])
      return .added(from: from, before: before)
    }
    let (from, to) = (text[..<dots.lowerBound], text[dots.upperBound...])
    return .added(
      from: from.isEmpty ? nil : try moment(from).from, before: to.isEmpty ? nil : try moment(to).before)
  }
}

extension PartialDate {
  /// The text of the first date after this year, month or day: `2026-12` for `2026-11`.
  var next: String {
    let following: PartialDate? =
      if let month, let day {
        PartialDate(year: year, month: month, day: day + 1) ?? PartialDate(year: year, month: month + 1, day: 1)
          ?? PartialDate(year: year + 1, month: 1, day: 1)
      } else if let month {
        PartialDate(year: year, month: month + 1) ?? PartialDate(year: year + 1, month: 1)
      } else {
        PartialDate(year: year + 1)
      }
    return following?.description ?? "9999-12-31T99"
  }
}
