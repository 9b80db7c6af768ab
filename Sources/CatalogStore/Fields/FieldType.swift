public import CatalogModel

/// What a field holds. It says how a value is typed, listed, looked for and sorted.
public enum FieldType: Sendable, Hashable {
  /// A name or a few words.
  case text
  /// A title or sentences: a comma in it is a comma.
  case prose
  /// A number that is written with hyphens or blanks, or without.
  case code
  /// How good a record is, or its sleeve.
  case grade
  /// Where something stands, from the large to the small: `K2/3`.
  case place
  /// Several texts.
  case list
  /// Names of people in a role; nil is the role whose names stand beside the title.
  case people(Credit.Role?)
  case genres
  case kind
  /// One of these words.
  case choice([String])
  /// A whole number in a range.
  case integer(ClosedRange<Int>)
  /// How many there are. None is 0.
  case count
  /// An amount in the smallest unit of the currency that stands beside it.
  case price
  /// The year that something came out, which may be before Christ.
  case year
  case real
  /// A person's own rating.
  case rating
  /// A date of which perhaps only the year is known.
  case date
  /// A moment in UTC.
  case moment
  /// True or false.
  case flag
  /// Several of them.
  indirect case many(FieldType)

  /// What each of several is.
  public var element: FieldType { if case .many(let type) = self { type } else { self } }

  /// Whether it is one of a few words, which are the same in every file.
  var isOneOfWords: Bool {
    switch self {
    case .kind, .choice: true
    default: false
    }
  }

  /// How a listing hands a value over.
  public enum Form: Sendable, Hashable {
    case text, integer, real, flag
    /// Texts with ``separator`` between them.
    case list
    /// A rating's value and scale, with a blank between them.
    case rating
  }

  public var form: Form {
    switch self {
    case .text, .prose, .code, .grade, .place, .kind, .choice, .date, .moment: .text
    case .list, .people, .genres, .many: .list
    case .integer, .count, .price, .year: .integer
    case .real: .real
    case .rating: .rating
    case .flag: .flag
    }
  }

  /// Stands between the texts of a list: U+001F, which no stored text contains.
  public static let separator: UInt8 = 0x1F
}

/// The value of a field, as programs get it.
public enum FieldValue: Sendable, Hashable {
  case none
  case text(String)
  case integer(Int)
  case real(Double)
  case flag(Bool)
  case list([String])

  /// The value as texts: none for what is unknown, several for a list.
  public var texts: [String] {
    switch self {
    case .none: []
    case .text(let text): [text]
    case .integer(let number): ["\(number)"]
    case .real(let number): ["\(number)"]
    case .flag(let flag): flag ? ["yes"] : []
    case .list(let texts): texts
    }
  }

  init(_ text: String?) { self = text.map(FieldValue.text) ?? .none }
  init(_ number: Int?) { self = number.map(FieldValue.integer) ?? .none }
}

/// What fields are read from and written to: a record, its genres and tags, and what only an item has, when it is one.
public struct Draft: Sendable, Hashable {
  public var record: Record
  public var genres: [String]
  /// In alphabetical order.
  public var tags: [String]
  /// The item that it was made of. Its record, genres and tags are those before any change.
  public let item: Item?

  public init(_ item: Item) { self.init(item.record, genres: item.genres, item: item) }

  public init(_ record: Record, genres: [String] = [], item: Item? = nil) {
    (self.record, self.genres, tags, self.item) = (record, genres, item?.tags ?? [], item)
  }
}
