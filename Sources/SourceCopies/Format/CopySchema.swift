internal import CatalogModel
internal import SQLite

/// The tables of a copy. docs/source-copies.md describes them; a test compares.
enum CopySchema {
  /// `catc`, which marks a file as a copy.
  static let applicationID = 0x6361_7463
  static let version = 1

  static let tables: StaticString = """
    CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE term (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;
    CREATE TABLE name (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;
    CREATE TABLE title (
      id INTEGER PRIMARY KEY, title TEXT NOT NULL, by INTEGER, year INTEGER, kind INTEGER NOT NULL, format INTEGER,
      origin INTEGER, genres INTEGER, label INTEGER, catno TEXT, extra INTEGER, rating INTEGER, source_id ANY NOT NULL
    ) STRICT;
    CREATE TABLE other_title (
      title INTEGER, place INTEGER, text TEXT NOT NULL, language TEXT, PRIMARY KEY (title, place)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE more_by (title INTEGER, place INTEGER, name INTEGER NOT NULL, PRIMARY KEY (title, place))
      STRICT, WITHOUT ROWID;
    CREATE TABLE edition (
      title INTEGER, place INTEGER, year INTEGER, format INTEGER, origin INTEGER, label INTEGER, catno TEXT,
      extra INTEGER, source_id ANY NOT NULL, PRIMARY KEY (title, place)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE key (id INTEGER PRIMARY KEY, entries BLOB NOT NULL) STRICT;
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
    CREATE VIRTUAL TABLE \(identifier: tier.table) USING fts5(
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

  static let bits: UInt64 = 48

  /// A key in the common order of all spaces.
  func key(_ key: UInt64) -> UInt64 { rawValue << Self.bits | key & (1 << Self.bits - 1) }
}

/// A row that a key leads to: a title, or one of its editions.
struct KeyTarget: Hashable, Sendable {
  var rank: Int
  /// The place of the edition; nil for the title itself.
  var place: Int?
}

/// Rows of sorted keys: `(difference to the key before, target)` as variable-length numbers.
///
/// A target is twice its rank; plus one where the place of an edition follows. Numbers are in the form of LEB128: seven
/// bits a byte, the low ones first, the high bit set in all bytes but the last.
enum KeyBlock {
  /// The number of entries after which a new row begins, at the next other key.
  static let size = 256
  /// The most entries with one key. Those of the best known titles are kept.
  static let mostOfOneKey = 200

  static func append(_ number: UInt64, to bytes: inout [UInt8]) {
    var number = number
    while number >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: number) | 0x80)
      number >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: number))
  }

  static func append(_ target: KeyTarget, to bytes: inout [UInt8]) {
    append(UInt64(target.rank) << 1 | (target.place == nil ? 0 : 1), to: &bytes)
    if let place = target.place { append(UInt64(place), to: &bytes) }
  }

  /// The targets of a key in a row that begins with `first`. A damaged row gives none.
  static func targets(of key: UInt64, in entries: UnsafeBufferPointer<UInt8>, from first: UInt64) -> [KeyTarget] {
    var (place, current) = (0, first)
    var targets: [KeyTarget] = []
    func number() -> UInt64? {
      var (number, shift) = (UInt64(0), UInt64(0))
      while place < entries.count, shift < 63 {
        let byte = entries[place]
        place += 1
        number |= UInt64(byte & 0x7F) << shift
        if byte < 0x80 { return number }
        shift += 7
      }
      return nil
    }
    while place < entries.count, targets.count < mostOfOneKey, let step = number(), let target = number() {
      var edition: Int?
      if target & 1 == 1 {
        guard let place = number() else { break }
        edition = Int(place)
      }
      let (next, isOver) = current.addingReportingOverflow(step)
      if isOver || next > key { break }
      current = next
      if current == key { targets.append(KeyTarget(rank: Int(target >> 1), place: edition)) }
    }
    return targets
  }
}

/// The hash under which a title is found exactly: of its folded letters and digits, without the article it begins with
/// and the brackets it ends with.
enum TitleKey {
  private static let bits: UInt64 = 30

  static func of(_ title: String) -> UInt64 {
    var hash = FNV1a()
    for letter in SearchKeys.letters(ofTitle: bare(title)) { hash.add(letter) }
    return hash.value & (1 << bits - 1)
  }

  /// The same for bytes of UTF-8.
  static func of(_ title: Bytes) -> UInt64 {
    guard let plain = plain(title) else { return of(title.text) }
    return plain & (1 << bits - 1)
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

  private static let articleBytes = Articles.usual.map { Array("\($0) ".utf8) }

  /// The hash of plain ASCII without `&` and `+`; nil for other bytes, and for those without a letter or digit.
  private static func plain(_ title: Bytes) -> UInt64? {
    var (start, end) = (0, title.count)
    guard end > 0 else { return nil }
    if title[end - 1] == UInt8(ascii: ")") || title[end - 1] == UInt8(ascii: "]") {
      let sign = title[end - 1] == UInt8(ascii: ")") ? UInt8(ascii: "(") : UInt8(ascii: "[")
      if let open = title.lastIndex(of: sign), open > 0 { end = open }
    }
    for article in articleBytes where end > article.count {
      if article.indices.allSatisfy({ title[$0] | 0x20 == article[$0] }) {
        start = article.count
        break
      }
    }
    var hash = FNV1a()
    var isEmpty = true
    for place in start..<end {
      switch title[place] {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): hash.add(title[place])
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): hash.add(title[place] | 0x20)
      case UInt8(ascii: "&"), UInt8(ascii: "+"), 0x80...: return nil
      default: continue
      }
      isEmpty = false
    }
    return isEmpty ? nil : hash.value
  }
}

/// The hash under which a catalog number is found: of its letters and digits in capitals.
enum CatalogNumberKey {
  private static let bits: UInt64 = 30

  /// Nil for a text without a letter or digit.
  static func of(_ text: Bytes) -> UInt64? {
    var hash = FNV1a()
    var isEmpty = true
    for byte in text {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"): hash.add(byte & 0xDF)
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...: hash.add(byte)
      default: continue
      }
      isEmpty = false
    }
    return isEmpty ? nil : hash.value & (1 << bits - 1)
  }

  static func of(_ text: String) -> UInt64? {
    var text = text
    return text.withUTF8 { of(UnsafeRawBufferPointer($0)) }
  }
}
