internal import CatalogModel
internal import SQLite

/// The tables of a copy. docs/source-copies.md describes them; a test compares.
enum CopySchema {
  /// `catc`, which marks a file as a copy.
  static let applicationID = 0x6361_7463
  static let version = 2

  static let tables: StaticString = """
    PRAGMA copy.journal_mode = OFF; PRAGMA copy.synchronous = OFF; PRAGMA copy.cache_size = -32768;
    PRAGMA copy.application_id = 1667331171; PRAGMA copy.user_version = 2;
    CREATE TABLE copy.about (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE copy.term (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;
    CREATE TABLE copy.name (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;
    CREATE TABLE copy.title (
      id INTEGER PRIMARY KEY, title TEXT NOT NULL, by INTEGER, year INTEGER, kind INTEGER NOT NULL, format INTEGER,
      origin INTEGER, genres INTEGER, label INTEGER, catno TEXT, extra INTEGER, rating INTEGER, source_id ANY NOT NULL
    ) STRICT;
    CREATE TABLE copy.other_title (
      title INTEGER, place INTEGER, text TEXT NOT NULL, language TEXT, PRIMARY KEY (title, place)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE copy.more_by (title INTEGER, place INTEGER, name INTEGER NOT NULL, PRIMARY KEY (title, place))
      STRICT, WITHOUT ROWID;
    CREATE TABLE copy.edition (
      title INTEGER, number INTEGER, kind INTEGER NOT NULL, year INTEGER, format INTEGER, origin INTEGER,
      label INTEGER, catno TEXT, extra INTEGER, uuid BLOB, PRIMARY KEY (title, number)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE copy.key (key INTEGER, title INTEGER, edition INTEGER, PRIMARY KEY (key, title, edition))
      STRICT, WITHOUT ROWID;
    """

  /// A table of words, for the titles of some ranks.
  struct Tier: Sendable {
    let table: String
    /// The last rank in it.
    let last: Int
  }

  /// The tables of words, the best known titles first. A word of which there are enough in one is looked for in no
  /// other.
  static let tiers = [20_000, 200_000, 1_000_000, 2_000_000, 4_000_000, 8_000_000, 16_000_000, 32_000_000, .max]
    .enumerated().map { Tier(table: "words\($0.offset)", last: $0.element) }

  /// The number of tiers that are always looked into while a person types. In the others words are looked for only
  /// while nothing was found, because frequent words have long lists there.
  static let wellKnown = 4

  /// Makes a table of words.
  static func make(_ tier: Tier) -> SQL {
    """
    CREATE VIRTUAL TABLE copy.\(identifier: tier.table) USING fts5(
      words, content='', detail=none, columnsize=0, tokenize='unicode61 remove_diacritics 2')
    """
  }

  /// The word by which titles of a kind are found in a copy that has several kinds.
  static func word(for kinds: CopiedKinds) -> String { "kindmarker\(kinds.rawValue)" }
}

/// The spaces of keys by which rows of a copy are found exactly.
enum KeySpace: UInt64, Sendable {
  /// ISBNs and barcodes: ``CodeKey``.
  case code = 0
  /// The source's ids: ``Dump/IDs``.
  case id = 1
  /// Titles: ``TitleKey``.
  case title = 2
  /// Catalog numbers: ``CatalogNumberKey``.
  case catalogNumber = 3

  /// The most rows with one key that are looked at, those of the best known titles.
  static let mostOfOneKey = 200

  /// A key in the common series of all spaces.
  func key(_ key: UInt64) -> Int { Int(truncatingIfNeeded: key << 2 | rawValue) }
}

/// A row that a key leads to: a title, or one of its editions.
struct KeyTarget: Hashable, Sendable {
  var rank: Int
  /// The number of the edition; 0 for the title itself.
  var edition = 0
}

/// The hash under which a title is found exactly: of its folded letters and digits, without the article it begins with
/// and the brackets it ends with.
enum TitleKey {
  private static let bits: UInt64 = 29

  static func of(_ title: String) -> UInt64 {
    var hash = FNV1a()
    for letter in SearchKeys.letters(ofTitle: bare(title)) { hash.add(letter) }
    return hash.value & (1 << bits - 1)
  }

  private static func bare(_ title: String) -> String {
    var rest = title[...]
    // `Dune (Deluxe Edition)`, but not `(500) Days of Summer`.
    if let last = rest.last, last == ")" || last == "]",
      let open = rest.lastIndex(of: last == ")" ? "(" : "["), open > rest.startIndex
    {
      rest = rest[..<open]
    }
    return String(Articles.dropped(from: String(rest)))
  }
}

/// The hash under which a catalog number is found: of its letters and digits in capitals.
enum CatalogNumberKey {
  private static let bits: UInt64 = 29

  /// Nil for a text without a letter or digit.
  static func of(_ text: String) -> UInt64? {
    var hash = FNV1a()
    var isEmpty = true
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"): hash.add(byte & 0xDF)
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...: hash.add(byte)
      default: continue
      }
      isEmpty = false
    }
    return isEmpty ? nil : hash.value & (1 << bits - 1)
  }
}
