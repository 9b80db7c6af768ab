public import CatalogModel

/// The type of a field. It decides how values are typed, listed, searched and sorted.
public enum FieldType: Sendable, Hashable {
  /// A name or a few words.
  case text
  /// A title or sentences. A comma does not separate values.
  case prose
  /// A code such as an ISBN. Hyphens and blanks in it do not matter.
  case code
  /// The grade of a record or of its sleeve.
  case grade
  /// The place of a copy, from the large to the small: `K2/3`.
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
  /// A number of rows; 0 if there are none.
  case count
  /// An amount in the smallest unit of its currency.
  case price
  /// A year of release, possibly before Christ.
  case year
  case real
  /// The user's own rating.
  case rating
  /// A date that may lack the day or the month.
  case date
  /// A moment in UTC.
  case moment
  /// True or false.
  case flag
  /// Several values of a type.
  indirect case many(FieldType)

  /// The type of a single value.
  public var element: FieldType { if case .many(let type) = self { type } else { self } }

  /// Whether its values are a few fixed words, the same in every file.
  var isOneOfWords: Bool {
    switch self {
    case .kind, .choice: true
    default: false
    }
  }

  /// The form of a value in a listing.
  public enum Form: Sendable, Hashable {
    case text, integer, real, flag
    /// Texts with ``separator`` between them.
    case list
    /// The value and the scale of a rating, with a blank between them.
    case rating
    /// An amount and its currency, with a blank between them.
    case money
    /// Amounts with ``separator`` between them.
    case moneys

    public var isList: Bool { self == .list || self == .moneys }
  }

  public var form: Form {
    switch self {
    case .text, .prose, .code, .grade, .place, .kind, .choice, .date, .moment: .text
    case .price: .money
    case .many(.price): .moneys
    case .list, .people, .genres, .many: .list
    case .integer, .count, .year: .integer
    case .real: .real
    case .rating: .rating
    case .flag: .flag
    }
  }

  /// The separator between the texts of a list: U+001F, which no stored text contains.
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
  case money(Price)

  /// The value as texts: none if it is unknown, several for a list.
  public var texts: [String] {
    switch self {
    case .none: []
    case .text(let text): [text]
    case .integer(let number): ["\(number)"]
    case .real(let number): ["\(number)"]
    case .flag(let flag): flag ? ["yes"] : []
    case .list(let texts): texts
    case .money(let price): [price.description]
    }
  }

  init(_ text: String?) { self = text.map(FieldValue.text) ?? .none }
  init(_ number: Int?) { self = number.map(FieldValue.integer) ?? .none }
}

/// The values that fields read and write: a record, its genres and tags, and the item that they come from, if any.
public struct Draft: Sendable, Hashable {
  public var record: Record
  public var genres: [String]
  /// In alphabetical order.
  public var tags: [String]
  /// The item that the draft was made from, without any changes.
  public let item: Item?

  public init(_ item: Item) { self.init(item.record, genres: item.genres, item: item) }

  public init(_ record: Record, genres: [String] = [], item: Item? = nil) {
    (self.record, self.genres, tags, self.item) = (record, genres, item?.tags ?? [], item)
  }
}
