public import CatalogModel
public import FoundationEssentials

/// What a person asks of their items: words and `field:value` terms, all of which must hold.
///
///     blue kind:vinyl year:1955..1965 -genre:pop rating:4..
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
    /// A field for which one of these holds.
    case field(Field, [Comparison])

    public static func kind(_ kind: Kind) -> Condition { .field(.kind, [.equals(kind.rawValue)]) }
    public static func missing(_ field: Field) -> Condition { .field(field, [.missing]) }
    public static func present(_ field: Field) -> Condition { .field(field, [.present]) }
    public static var isFavorite: Condition { .present(.favorite) }
  }

  /// What a field is held against.
  public enum Comparison: Sendable, Hashable {
    case present, missing
    /// A kind, or a genre with all below it.
    case equals(String)
    /// A part of the text, whatever its case and accents.
    case contains(String)
    /// Whole numbers; a rating is 0 … 100.
    case numbers(ClosedRange<Int>)
    case reals(ClosedRange<Double>)
    /// From the first date or moment, to before the second, as texts. An open end is nil.
    case dates(from: String?, before: String?)
  }

  public var terms: [Term]

  public init(_ terms: [Term] = []) { self.terms = terms }

  /// The words of a query, joined: what a search ranks by.
  public var words: [String] {
    terms.compactMap { term in
      if case .word(let word) = term.condition, !term.isNegated { word } else { nil }
    }
  }

  /// The kind that everything it finds is of, when it names one.
  public var onlyKind: Kind? {
    terms.lazy.compactMap { term in
      guard case .field(.kind, let kinds) = term.condition, !term.isNegated, kinds.count == 1,
        case .equals(let kind)? = kinds.first
      else { return nil }
      return Kind(rawValue: kind)
    }.first
  }

  /// What a query got wrong, in the user's words.
  public struct Problem: Error, Equatable, CustomStringConvertible {
    public let description: String
    /// What stood before a colon and is no field.
    public var unknownField: String?
  }
}

// MARK: - Reading

extension Query {
  /// What may stand before a colon besides the fields.
  private static let tests: Set = ["has", "is"]

  /// All names that may stand before a colon, so that a `-` before one begins no option.
  public static let names = Set(Field.all.flatMap(\.names)).union(tests)

  /// The names of which a person is told.
  public static let fields = Field.all.map(\.word) + ["has"]

  /// Reads the words of a command line. A word with blanks (quoted in the shell) is read as several words; a value may
  /// have blanks (`genre:"Science Fiction"`). What stands in double quotes is taken as it is.
  ///
  /// - Parameter now: what `added:-2w..` counts back from.
  public init(_ arguments: [String], now: Date) throws(Problem) {
    terms = []
    for argument in arguments {
      let negated = argument.count > 1 && (argument.hasPrefix("-") || argument.hasPrefix("^"))
      let text = negated ? argument.dropFirst() : argument[...]
      if let quoted = Self.quoted(text) {
        terms += Self.words(quoted, negated)
      } else if let (name, value) = Self.parts(text) {
        guard !value.isEmpty else { throw Problem(description: "'\(argument)' lacks a value behind the colon") }
        terms.append(try Self.term(name, value, isNegated: negated, now: now))
      } else {
        terms += Self.words(text, negated)
      }
    }
  }

  /// Reads a query that is one text, as `--where` takes it: words and terms with blanks between them, double quotes around
  /// blanks that belong to a value.
  public init(line: String, now: Date) throws(Problem) {
    var words: [String] = []
    var word = ""
    var isQuoted = false
    for character in line + " " {
      if character.isWhitespace && !isQuoted {
        if !word.isEmpty { words.append(word) }
        word = ""
      } else {
        if character == "\"" { isQuoted.toggle() }
        word.append(character)
      }
    }
    guard !isQuoted else { throw Problem(description: "the query '\(line)' lacks a closing quote") }
    guard !words.isEmpty else { throw Problem(description: "the query is empty: 'id:1..' is everything") }
    try self.init(words, now: now)
  }

  private static func words(_ text: Substring, _ isNegated: Bool) -> [Term] {
    text.split(whereSeparator: \.isWhitespace).map { Term(.word(String($0)), isNegated: isNegated) }
  }

  /// The text between double quotes around all of it.
  private static func quoted(_ text: Substring) -> Substring? {
    text.count >= 2 && text.hasPrefix("\"") && text.hasSuffix("\"") ? text.dropFirst().dropLast() : nil
  }

  /// The two halves of a term. A title may have a colon, too: a name is one ASCII word, and the value follows at once, and
  /// is no address.
  private static func parts(_ text: Substring) -> (name: String, value: Substring)? {
    guard let colon = text.firstIndex(of: ":") else { return nil }
    let (name, value) = (text[..<colon].lowercased(), text[colon...].dropFirst())
    let isName = !name.isEmpty && name.utf8.allSatisfy { (97...122).contains($0) || $0 == UInt8(ascii: "_") }
    guard isName else { return nil }
    // `Mission:` of a title is a word; of a field the value is missing.
    guard let first = value.first else { return names.contains(name) ? (name, "") : nil }
    return first.isWhitespace || value.hasPrefix("//") ? nil : (name, value)
  }

  private static func term(
    _ name: String, _ value: Substring, isNegated: Bool, now: Date
  ) throws(Problem) -> Term {
    if tests.contains(name) {
      guard let field = Field.named(String(value)), !field.isAlwaysThere else {
        throw Problem(description: "'\(name):\(value)' is not understood: \(name): stands before a field such as cover")
      }
      return Term(.present(field), isNegated: isNegated)
    }
    guard let field = Field.named(name) else {
      throw Problem(description: "there is no field '\(name)'", unknownField: name)
    }
    var reader = ValueReader(field: field, name: name, now: now)
    var comparisons: [Comparison] = []
    if let quoted = quoted(value) {
      reader.isLiteral = true
      comparisons.append(try reader.comparison(String(quoted)))
    } else {
      for part in parts(of: value, field) { comparisons.append(try reader.comparison(part)) }
    }
    return Term(.field(field, comparisons), isNegated: isNegated)
  }

  /// The values of which one is enough: a comma separates them, but not before a blank (`Earth, Wind & Fire`) and not in
  /// sentences.
  private static func parts(of value: Substring, _ field: Field) -> [String] {
    guard field.type != .prose, value.contains(",") else { return [String(value)] }
    var parts = [""]
    for (character, next) in zip(value, value.dropFirst().map(Optional.some) + [nil]) {
      if character == ",", let next, !next.isWhitespace {
        parts.append("")
      } else {
        parts[parts.count - 1].append(character)
      }
    }
    return parts.map(\.trimmingBlanks).filter { !$0.isEmpty }
  }
}

/// Reads what stands behind the colon of a term, as the field's type has it.
private struct ValueReader {
  let field: Field
  /// The field's name as it was typed.
  let name: String
  let now: Date
  /// Whether it stood in quotes: `none` is then a word.
  var isLiteral = false

  typealias Problem = Query.Problem

  func comparison(_ value: String) throws(Problem) -> Query.Comparison {
    if !field.isAlwaysThere {
      switch value.lowercased() {
      case "none": if !isLiteral { return .missing }
      case "no", "false": if isYesOrNo { return .missing }
      case "yes", "true", "1": if isYesOrNo { return .present }
      default: break
      }
    }
    switch field.type {
    case .text, .prose, .list, .people: return .contains(value)
    case .code: return .contains(code(value))
    case .genres: return .equals(value)
    case .kind:
      guard let kind = Kind(word: value), kind.isShelved else {
        throw Problem(description: "'\(value)' is no kind: there are movie, book and vinyl")
      }
      return .equals(kind.rawValue)
    case .integer(let range):
      return .numbers(try numbers(value, in: range) { Int($0).flatMap { range.contains($0) ? $0 : nil } })
    case .year: return .numbers(try numbers(value, in: ReleaseYear.range, ReleaseYear.parse))
    case .rating: return .numbers(try numbers(value, in: 0...100) { (try? Rating(String($0)))?.value })
    case .real:
      return .reals(
        try range(
          value, in: -.greatestFiniteMagnitude ... .greatestFiniteMagnitude, next: \.nextUp, last: \.nextDown
        ) { Double($0).flatMap { $0.isFinite ? $0 : nil } })
    case .date: return try dates(value)
    case .moment:
      guard isYesOrNo else { return try dates(value) }
      do { return try dates(value) } catch {
        throw Problem(
          description: "'\(name):\(value)' is not understood: write \(name):yes, \(name):no or a date")
      }
    case .flag: throw Problem(description: "'\(name):\(value)' is not understood: write \(name):yes or \(name):no")
    }
  }

  /// A code as the file has it, when it is a whole one: an ISBN of 10 digits has 13 there.
  private func code(_ text: String) -> String {
    var draft = Draft(Record(kind: field.kinds?.first ?? .movie, title: ""))
    try? field.assign([text], to: &draft)
    return (field.value(of: draft).texts.first ?? text).filter { $0 != "-" && $0 != " " }
  }

  /// Whether it is asked mostly whether there is one at all.
  private var isYesOrNo: Bool { field.type == .flag || field == .favorite }

  private func numbers(
    _ text: String, in all: ClosedRange<Int>, _ value: (Substring) -> Int?
  ) throws(Problem) -> ClosedRange<Int> {
    try range(text, in: all, next: { $0 + 1 }, last: { $0 - 1 }, value)
  }

  /// Reads `5`, `4..`, `..4`, `4..5`, `>=4`, `>4`, `<4`, `<=4`.
  private func range<Bound: Comparable>(
    _ text: String, in all: ClosedRange<Bound>, next: (Bound) -> Bound, last: (Bound) -> Bound,
    _ value: (Substring) -> Bound?
  ) throws(Problem) -> ClosedRange<Bound> {
    func read(_ part: Substring) throws(Problem) -> Bound {
      guard let bound = value(part) else {
        throw Problem(
          description: part == text[...] ? "'\(part)' is no \(name)" : "'\(part)' in '\(name):\(text)' is no \(name)")
      }
      return bound
    }
    var (lower, upper) = (all.lowerBound, all.upperBound)
    switch Ends(text) {
    case .one(let part):
      lower = try read(part)
      upper = lower
    case .between(let from, let to):
      if !from.isEmpty { lower = try read(from) }
      if !to.isEmpty { upper = try read(to) }
    case .atLeast(let part): lower = try read(part)
    case .atMost(let part): upper = try read(part)
    case .above(let part): lower = next(try read(part))
    case .below(let part): upper = last(try read(part))
    }
    guard lower <= upper else { throw Problem(description: "'\(name):\(text)' is an empty range") }
    return lower...upper
  }

  /// Reads `2026`, `2026-11`, `2026-11-21`, or `-2w` (days, weeks, calendar months, calendar years ago), and ranges of them.
  private func dates(_ text: String) throws(Problem) -> Query.Comparison {
    func read(_ part: Substring) throws(Problem) -> PartialDate {
      if let date = PartialDate(part) { return date }
      if part.hasPrefix("-"), let unit = part.last, let count = Int(part.dropFirst().dropLast()),
        (0...10_000).contains(count), let day = Self.day(count, unit, before: now)
      {
        return day
      }
      throw Problem(description: "'\(part)' is no date: write 2026, 2026-11, 2026-11-21 or -2w")
    }
    switch Ends(text) {
    case .one(let part):
      let date = try read(part)
      return .dates(from: date.description, before: date.next)
    case .between(let from, let to):
      let (first, last) = (from.isEmpty ? nil : try read(from), to.isEmpty ? nil : try read(to))
      return .dates(from: first?.description, before: last?.next)
    case .atLeast(let part): return .dates(from: try read(part).description, before: nil)
    case .atMost(let part): return .dates(from: nil, before: try read(part).next)
    case .above(let part): return .dates(from: try read(part).next, before: nil)
    case .below(let part): return .dates(from: nil, before: try read(part).description)
    }
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
}

/// How the ends of a range are written.
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
  /// The text of the first date after this year, month or day: `2026-12` for `2026-11`.
  fileprivate var next: String {
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
