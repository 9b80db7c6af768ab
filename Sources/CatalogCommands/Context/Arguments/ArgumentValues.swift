public import CatalogModel
public import CatalogStore
public import CommandLineKit
public import Exchange
public import Lookup

// Parses typed words into values, so that commands receive values. The text of a thrown error follows the argument's
// name.

extension Kind: ArgumentValue {
  /// `movie`, `books`, `lp`: any name of a kind, shelved or only looked up.
  public init(argument word: String) throws {
    guard let kind = Kind(value: word.trimmingBlanks) else {
      throw UsageError.unknown("kind", word, among: Kind.allCases.map(\.rawValue))
    }
    self = kind
  }

  public static var valueName: String? { "KIND" }
  public static var completion: CompletionKind { .values(allCases.map(\.rawValue)) }
}

/// One kind, or all of them, in the order in which they are named; results have sections in that order.
struct Kinds: ArgumentValue, Hashable {
  var kinds: [Kind]

  init(argument word: String) throws {
    if word == "all" {
      kinds = Kind.allCases
      return
    }
    guard let kind = Kind(value: word.trimmingBlanks) else {
      let names = Kind.allCases.map(\.rawValue)
      throw UsageError(
        "there is no kind \(word.quoted)" + Suggestion.phrase(for: word, among: names),
        hint: "the choices are \(names.joined(separator: ", ")) and all")
    }
    kinds = [kind]
  }

  /// The kinds in a list separated by commas.
  init(list: String) throws { self = try list.split(separator: ",").map { try Kinds(argument: String($0)) }.joined() }

  fileprivate init(_ kinds: [Kind]) { self.kinds = kinds.withoutRepeats(by: \.self) }

  static var valueName: String? { "KIND" }
  static var completion: CompletionKind { .values(Kind.allCases.map(\.rawValue) + ["all"]) }
}

extension [Kinds] {
  /// The kinds of all elements, without repeats.
  func joined() -> Kinds { Kinds(flatMap(\.kinds)) }
}

/// A kind that can be on the shelf.
struct Shelf: ArgumentValue, Hashable {
  var kind: Kind

  init(_ kind: Kind) { self.kind = kind }

  init(argument word: String) throws { kind = try Kind(shelf: word) }

  static var valueName: String? { "KIND" }
  static var completion: CompletionKind { .values(Kind.shelved.map(\.rawValue)) }
}

extension Rating: ArgumentValue {
  /// `4.5`, `9/10`, `87%`.
  public init(argument word: String) throws { self = try UsageError.reading { try Self(word) } }

  public static var valueName: String? { "RATING" }
}

extension Grade: ArgumentValue {
  /// `VG+`, `near mint`: any spelling of a grade.
  public init(argument word: String) throws {
    guard let grade = Grade(typed: word) else {
      let names = Grade.allCases.map(\.rawValue)
      throw UsageError(
        "\(word.quoted) is not a grade" + Suggestion.phrase(for: word, among: names),
        hint: """
          grades are \(Grade.ordered.reversed().map(\.rawValue).joined(separator: ", ")); of sleeves also \
          \(Grade.allCases.filter { $0.rank == nil }.map(\.rawValue).joined(separator: ", "))
          """)
    }
    self = grade
  }

  public static var valueName: String? { "GRADE" }
  public static var completion: CompletionKind { .values(allCases.map(\.rawValue)) }
}

extension TextEncoding: ArgumentValue {
  /// `windows-1251`, `CP1251`, `latin-2`.
  public init(argument word: String) throws {
    let names = Self.all.map { $0.name.lowercased() }
    guard let encoding = TextEncoding(word) else {
      throw UsageError.unknown(Message("encoding", context: "of a text"), word, among: names)
    }
    self = encoding
  }

  public static var valueName: String? { "NAME" }
  public static var completion: CompletionKind { .values(all.map { $0.name.lowercased() }) }
}

extension DateOrder: ArgumentValue {
  public static var valueName: String? { "ORDER" }
}

/// The year of a release.
struct YearArgument: ArgumentValue, Hashable {
  var year: Int

  init(argument word: String) throws {
    guard let year = ReleaseYear.read(word) else {
      throw UsageError(
        "invalid year \(word.quoted)",
        hint: "years go from \(ReleaseYear.range.lowerBound) to \(ReleaseYear.range.upperBound)")
    }
    self.year = year
  }

  static var valueName: String? { "YEAR" }
}

/// A page number, from 1 to 1,000,000.
struct PageNumber: ArgumentValue, Hashable {
  var number: Int

  init(_ number: Int) { self.number = number }

  init(argument word: String) throws {
    number = try Int(argument: word)
    guard (1...1_000_000).contains(number) else { throw UsageError("invalid page \(word.quoted): pages start at 1") }
  }

  static var valueName: String? { "PAGE" }
}

/// A maximum number of rows: a whole number from 1.
struct Count: ArgumentValue, Hashable {
  var number: Int

  init(_ number: Int) { self.number = number }

  init(argument word: String) throws {
    number = try Int(argument: word)
    guard number >= 1 else { throw UsageError("\(word.quoted) is out of range: it starts at 1") }
  }

  static var valueName: String? { "N" }
}

extension ISBN: ArgumentValue {
  /// 10 or 13 digits, with hyphens or blanks between them.
  public init(argument word: String) throws { self = try UsageError.reading { try Self(word) } }

  public static var valueName: String? { "ISBN" }
}

extension Barcode: ArgumentValue {
  /// 8, 12, 13 or 14 digits.
  public init(argument word: String) throws { self = try UsageError.reading { try Self(word) } }

  public static var valueName: String? { "CODE" }
}

extension ListingOrder: ArgumentValue {
  /// `year`; `year-` or `-year` for descending order.
  public init(argument word: String) throws {
    let word = word.sortWord
    guard let order = ListingOrder(word.lowercased()) else {
      throw UsageError.unknown("order", word.hasSuffix("-") ? String(word.dropLast()) : word, among: Self.names)
    }
    self = order
  }

  public static var valueName: String? { "ORDER" }
  public static var completion: CompletionKind { .dynamic("orders") }
  private static var names: [String] { Field.all.filter(\.isSortable).map(\.word) }
}

extension Reference: ArgumentValue {
  /// A number, `r3`, `@1`, a code, a source's id, or words.
  public init(argument word: String) throws {
    do {
      try self.init(word, sources: Source.offered.map(\.id))
    } catch {
      throw UsageError(error.message, hint: "see 'catalog help references'")
    }
  }

  public static var valueName: String? { "REF" }
}

extension Source: ArgumentValue {
  /// The short name of a source: `itunes`, `pack`.
  public init(argument word: String) throws {
    guard let source = Source.offered(word.lowercased()) else {
      throw UsageError.unknown("source", word, among: Source.offered.map(\.id))
    }
    self = source
  }

  public static var valueName: String? { "SOURCE" }
  public static var completion: CompletionKind { .dynamic("sources") }
}

/// The name of a search category of a source: `actor`, `actorTerm`.
struct AttributeName: ArgumentValue, Hashable {
  var name: String

  init(argument word: String) throws {
    if word.contains(",") {
      throw UsageError("just one attribute can be chosen", hint: "for example: --attribute actor")
    }
    let all = Source.all.flatMap { source in source.kindsWithAttributes.flatMap(source.attributes) }
    guard all.contains(where: { $0.isCalled(word) }) else {
      throw UsageError(
        "there is no attribute \(word.quoted)" + Suggestion.phrase(for: word, among: all.map(\.word)),
        hint: "'catalog help itunes' lists them all")
    }
    name = word
  }

  static var valueName: String? { "NAME" }
  static var completion: CompletionKind { .dynamic("attributes") }
}

extension CardID: ArgumentValue {
  /// The number of a card.
  public init(argument word: String) throws {
    guard let number = Int64(word), number > 0 else {
      throw UsageError("\(word.quoted) is not a card number", hint: "find it with 'catalog card list'")
    }
    self.init(rawValue: number)
  }

  public static var valueName: String? { "CARD" }
}

extension WishID: ArgumentValue {
  /// `w3`, or the number alone.
  public init(argument word: String) throws {
    guard let id = WishID(word) ?? WishID("w" + word) else {
      throw UsageError(
        "\(word.quoted) is not a wish number: they are like w3", hint: "find it with 'catalog wishes'")
    }
    self = id
  }

  public static var valueName: String? { "WISH" }
  public static var completion: CompletionKind { .dynamic("wishes") }
}

extension PilePlace: ArgumentValue {
  /// `3`, `first`, `last`.
  public init(argument word: String) throws {
    switch word.lowercased() {
    case "first", "top": self = .number(1)
    case "last", "end": self = .last
    default:
      guard let number = Int(word), number > 0 else {
        throw UsageError("\(word.quoted) is not a place on a pile", hint: "give a number from 1, first or last")
      }
      self = .number(number)
    }
  }

  public static var valueName: String? { "PLACE" }
  public static var completion: CompletionKind { .values(["first", "last"]) }
}

extension LogEntryID: ArgumentValue {
  /// The number of an entry in the diary.
  public init(argument word: String) throws {
    guard let number = Int64(word), number > 0 else {
      throw UsageError("\(word.quoted) is not the number of a diary entry", hint: "find it with 'catalog diary'")
    }
    self.init(rawValue: number)
  }

  public static var valueName: String? { "ENTRY" }
  public static var completion: CompletionKind { .dynamic("entries") }
}

/// A value, or `none` to clear it.
enum Clearable<Value: ArgumentValue & Hashable>: ArgumentValue, Hashable {
  case none
  case some(Value)

  init(argument word: String) throws {
    self = word.isEmpty || Presence(word) == Presence.none ? .none : .some(try Value(argument: word))
  }

  var value: Value? { if case .some(let value) = self { value } else { nil } }

  static var valueName: String? { Value.valueName }
}

extension Search.Field: ArgumentValue {
  /// The name of a field, or its name for one kind: `author`, `artist`, `label`.
  public init(argument word: String) throws {
    switch word.lowercased() {
    case "author", "artist", "director", "person": self = .creator
    case "label": self = .publisher
    case let name:
      guard let field = Self(rawValue: name) else {
        throw UsageError(
          "there is no search field \(word.quoted)", hint: "the choices are title, creator, publisher, isbn and catno")
      }
      self = field
    }
  }

  public static var valueName: String? { "FIELD" }
  public static var completion: CompletionKind { .values(allCases.map(\.rawValue)) }
}

extension UsageError {
  /// Parses typed text.
  /// - Throws: a parse error as a ``UsageError``.
  static func reading<Value>(_ read: () throws -> Value) throws -> Value {
    do { return try read() } catch let error as any MessageError { throw UsageError(error.message) }
  }
}
