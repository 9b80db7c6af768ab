public import CatalogModel
internal import FoundationEssentials

/// What a person asks of their items. docs/queries.md has its grammar.
///
///     blue kind:vinyl (year:1950s or rating:4..) -genre:pop
///
/// Two that ask for the same are equal, however they were typed.
public struct Query: Sendable, Hashable {
  /// What holds of an item, or does not.
  public indirect enum Condition: Sendable, Hashable {
    /// All of these hold; of none, everything.
    case all([Condition])
    /// One of these holds, or several.
    case any([Condition])
    case not(Condition)
    /// A word, or the start of one, in titles, names, genres and codes, on cards or in tracks.
    case word(String)
    /// A field for which one of these holds.
    case field(Field, [Comparison])
    /// A saved query by its name, and what it stands for.
    case saved(String, Condition)

    public static func kind(_ kind: Kind) -> Condition { .field(.kind, [.equals(kind.rawValue)]) }
    public static func missing(_ field: Field) -> Condition { .field(field, [.missing]) }
    public static func present(_ field: Field) -> Condition { .field(field, [.present]) }
    public static var isFavorite: Condition { .present(.favorite) }
  }

  /// What a field is held against.
  public enum Comparison: Sendable, Hashable {
    case present, missing
    /// A part of the text, whatever its case and accents; of names, cards and tracks, from the start of a word on; of
    /// places, how they begin; of genres, one and all below it.
    case contains(String)
    /// The whole text, whatever its case and accents; a kind; a genre itself.
    case equals(String)
    /// One of these grades, which lie side by side.
    case grades([Grade])
    /// Whole numbers; a rating is 0 … 100.
    case numbers(ClosedRange<Int>)
    case reals(ClosedRange<Double>)
    /// From the start of the first date to the end of the second. An open end is nil.
    case dates(PartialDate?, PartialDate?)
    /// Amounts in thousandths of what a currency counts in, of one currency or of whichever.
    case amounts(ClosedRange<Int>, currency: String?)
  }

  public private(set) var condition: Condition
  /// The words of it with the 'and', 'or' and 'not' between them, as they were typed: what titles are ranked by.
  public private(set) var phrase: String

  public init(_ condition: Condition = .all([])) {
    self.init(condition, phrase: condition.words.joined(separator: " "))
  }

  init(_ condition: Condition, phrase: String) { (self.condition, self.phrase) = (condition, phrase) }

  public static func == (one: Query, other: Query) -> Bool { one.condition == other.condition }
  public func hash(into hasher: inout Hasher) { hasher.combine(condition) }

  /// Whether it is everything.
  public var isEverything: Bool { condition == .all([]) }

  /// Asks for this, too.
  public mutating func require(_ other: Condition) { condition = condition && other }

  /// Whether one of these fields is compared in it.
  func asks(for fields: [Field]) -> Bool {
    var asks = false
    _ = condition.flatMapComparisons { field, comparison in
      if fields.contains(field) { asks = true }
      return [comparison]
    }
    return asks
  }

  /// The words that it looks for.
  public var words: [String] { condition.words }

  /// The kind that everything it finds is of, when it names one.
  public var onlyKind: Kind? { condition.onlyKind }

  /// The same query, with other words in the place of some.
  public func replacing(_ word: (String) -> String) -> Query {
    let words = phrase.split(separator: " ").map { word(String($0)) }
    return Query(condition.replacing(word), phrase: words.joined(separator: " "))
  }

  /// What a query got wrong, in the user's words.
  public struct Problem: WordedError, Equatable {
    public let words: Wording
    /// The query as it was typed, with a blank between its arguments.
    public let typed: String
    /// What of it is wrong, in Unicode scalars from its start.
    public let range: Range<Int>
    /// What stood before a colon and is no field.
    public var unknownField: String?
    /// What stood behind an `@` and is no saved query.
    public var unknownSaved: UnknownName?
    /// The saved query in which it is wrong; ``range`` is then where that is named.
    public var savedQuery: String?
  }

  /// A name that nothing has, and those that there are.
  public struct UnknownName: Sendable, Equatable {
    public let name: String
    public let among: [String]
  }
}

// MARK: - Conditions

extension Query.Condition {
  /// Both hold.
  static func && (one: Self, other: Self) -> Self { all(of: [one, other]) }

  /// All of them hold; those that are made of several are taken apart.
  static func all(of parts: [Self]) -> Self {
    let parts = parts.flatMap { if case .all(let parts) = $0 { parts } else { [$0] } }
    return parts.count == 1 ? parts[0] : .all(parts)
  }

  static func any(of parts: [Self]) -> Self {
    let parts = parts.flatMap { if case .any(let parts) = $0 { parts } else { [$0] } }
    return parts.count == 1 ? parts[0] : .any(parts)
  }

  fileprivate var words: [String] {
    switch self {
    case .all(let parts), .any(let parts): parts.flatMap(\.words)
    case .word(let word): [word]
    case .not, .field, .saved: []
    }
  }

  fileprivate var onlyKind: Kind? {
    switch self {
    case .all(let parts): parts.lazy.compactMap(\.onlyKind).first
    case .field(.kind, let kinds):
      if kinds.count == 1, case .equals(let kind)? = kinds.first { Kind(rawValue: kind) } else { nil }
    case .saved(_, let part): part.onlyKind
    case .any, .not, .word, .field: nil
    }
  }

  fileprivate func replacing(_ other: (String) -> String) -> Self {
    switch self {
    case .all(let parts): .all(parts.map { $0.replacing(other) })
    case .any(let parts): .any(parts.map { $0.replacing(other) })
    case .word(let word): .word(other(word))
    case .not, .field, .saved: self
    }
  }

  /// The same, with those comparisons in the place of each that `change` has for it: one of them is enough.
  func flatMapComparisons(_ change: (Field, Query.Comparison) throws -> [Query.Comparison]) rethrows -> Self {
    switch self {
    case .all(let parts): .all(try parts.map { try $0.flatMapComparisons(change) })
    case .any(let parts): .any(try parts.map { try $0.flatMapComparisons(change) })
    case .not(let part): .not(try part.flatMapComparisons(change))
    case .saved(let name, let part): .saved(name, try part.flatMapComparisons(change))
    case .word: self
    case .field(let field, let comparisons): .field(field, try comparisons.flatMap { try change(field, $0) })
    }
  }
}

// MARK: - Reading

extension Query {
  /// What may stand before a colon besides the fields.
  static let tests = ["has", "is"]

  /// All names that may stand before a colon, so that a `-` before one begins no option.
  public static let names = Field.all.flatMap(\.names) + tests + KoreanWords.fields.keys.sorted()

  /// The names of which a person is told.
  public static let fields = Field.all.map(\.word) + ["has"]

  /// The most words and values in a query, and how deep its parentheses may go.
  static let (mostTerms, mostNested) = (1_000, 50)

  /// Reads the words of a command line. What stands in one of them belongs together: `title:pride and prejudice` is a title,
  /// though `genre:jazz or genre:blues` is two terms.
  ///
  /// - Parameters:
  ///   - now: what `added:-2w..` counts back from.
  ///   - saved: what `@name` stands for. Commands ask ``Store/query(_:now:)``, which knows it.
  init(_ arguments: [String], now: Date, saved: SavedQueries = SavedQueries()) throws(Problem) {
    try self.init(QueryLexer.read(arguments), now: now, saved: saved)
  }

  /// Reads a query that is one text, as `--where` takes it: a blank ends a value that is not in double quotes.
  init(line: String, now: Date, saved: SavedQueries = SavedQueries()) throws(Problem) {
    try self.init(QueryLexer.read(line: line), now: now, saved: saved)
  }

  /// - Parameter own: the saved query that this is, in which it must not stand.
  init(_ lexer: QueryLexer, now: Date, saved: SavedQueries, of own: SavedQuery? = nil) throws(Problem) {
    var parser = QueryParser(lexer, now: now, saved: saved, within: own.map { [$0] } ?? [])
    self = try parser.query()
  }
}
