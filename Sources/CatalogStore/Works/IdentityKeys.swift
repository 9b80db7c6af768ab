internal import CatalogModel

/// The identity keys of a record or an item: titles, makers, year, ids and codes.
///
/// They decide whether two records are the same work or editions of it. docs/editions.md explains the rule.
struct IdentityKeys {
  let kind: Kind
  /// The title and the original title.
  let titles: Titles
  /// The alternative titles. They may include a subtitle, so they do not identify a work on their own.
  let otherTitles: Titles
  let year: Int?
  let makers: [Name]
  /// The tracks of a record.
  let tracks: [Name]
  var externalIDs: [ExternalID]
  let isbn: String?
  let barcode: String?
  let catalogNumber: String?
  /// The number of a book in a series with the same title: only the number distinguishes volumes of a manga.
  let volume: String?

  init(
    kind: Kind, titles: [String], otherTitles: [String] = [], year: Int? = nil, makers: [String] = [],
    tracks: [String] = [], externalIDs: [ExternalID] = [], isbn: String? = nil, barcode: String? = nil,
    catalogNumber: String? = nil, series: String? = nil
  ) {
    (self.kind, self.year, self.externalIDs, self.isbn) = (kind, year, externalIDs, isbn)
    (self.titles, self.otherTitles) = (Titles(titles, of: kind), Titles(otherTitles, of: kind))
    (self.makers, self.tracks) = (makers.map(Name.init), tracks.map(Name.init))
    self.barcode = barcode.map(Barcode.canonical).flatMap { $0.isEmpty ? nil : $0 }
    self.catalogNumber = catalogNumber.map(Folding.labelKey)
    volume = series.map(SeriesName.init).flatMap { series in
      let name = Titles.key(series.name)
      return titles.contains { Titles.key($0) == name } ? series.number : nil
    }
  }

  init(_ record: Record) {
    self.init(
      kind: record.kind, titles: [record.title, record.originalTitle].compactMap(\.self),
      otherTitles: record.otherTitles, year: record.year ?? record.released?.year, makers: record.creators,
      tracks: record.vinyl.tracks.map(\.title), externalIDs: record.externalIDs,
      isbn: record.book.isbn?.digits13, barcode: record.vinyl.barcode, catalogNumber: record.vinyl.catalogNumber,
      series: record.book.series)
  }
}

// MARK: - The rule

extension IdentityKeys {
  /// The relation to another; nil for different works.
  func relation(to other: IdentityKeys) -> Relation? {
    guard kind == other.kind else { return nil }
    if !Set(externalIDs).isDisjoint(with: other.externalIDs) || isbn != nil && isbn == other.isbn { return .same }
    if isAnotherVolume(than: other) { return nil }
    let isToldApart = isToldApart(from: other)
    // A source has one id for each film, pressing, or edition of a book.
    if kind == .movie, isToldApart { return nil }
    if let barcode, barcode == other.barcode {
      return catalogNumber != nil && catalogNumber == other.catalogNumber && !isToldApart ? .same : .edition
    }
    guard sharesTitle(with: other) else { return nil }
    let makers = Name.agreement(makers, other.makers)
    if makers == .none { return nil }
    guard kind == .movie else { return areEditions(other, makers: makers) ? .edition : nil }
    guard let year, let otherYear = other.year else { return makers == .some ? .edition : nil }
    switch abs(year - otherYear) {
    // Search results often lack the makers. For typed records, the user decides.
    case 0: return makers == .some || !externalIDs.isEmpty && !other.externalIDs.isEmpty ? .same : .edition
    // A festival may show a film the year before its release.
    case 1: return makers == .some ? .edition : nil
    default: return nil
    }
  }

  /// Whether books or records with one title are editions of one work. The years may differ.
  private func areEditions(_ other: IdentityKeys, makers: Agreement) -> Bool {
    // Two self-titled albums of a band have different tracks.
    guard makers != .unknown, Name.agreement(tracks, other.tracks) != .none else { return false }
    return true
  }

  /// Whether the two are different volumes with the same title.
  func isAnotherVolume(than other: IdentityKeys) -> Bool {
    if let volume, let otherVolume = other.volume { volume != otherVolume } else { false }
  }

  /// Whether two items of one work certainly differ: by a code, or by ids of one source.
  func isAnotherThing(than other: IdentityKeys) -> Bool {
    func differ(_ one: String?, _ other: String?) -> Bool { one != nil && other != nil && one != other }
    return differ(isbn, other.isbn) || differ(barcode, other.barcode) || differ(catalogNumber, other.catalogNumber)
      || isToldApart(from: other)
  }

  /// Whether one source has different ids for the two.
  private func isToldApart(from other: IdentityKeys) -> Bool {
    let places = Set(externalIDs.map(\.place))
    return other.externalIDs.contains { places.contains($0.place) }
  }

  /// A code that identifies an edition.
  struct Code {
    /// The type of the code: `isbn`, `discogs/release`.
    let place: String
    let value: String
    /// Whether it is printed on the copy, so that publishers may reuse it.
    var isPrinted = false
  }

  /// All codes of editions.
  var codes: [Code] {
    externalIDs.filter { !$0.namesWork }.map { Code(place: $0.place, value: $0.value) }
      + [
        isbn.map { Code(place: "isbn", value: $0) }, barcode.map { Code(place: "barcode", value: $0, isPrinted: true) },
        catalogNumber.map { Code(place: "catalog number", value: $0, isPrinted: true) },
      ].compactMap(\.self)
  }

  private func sharesTitle(with other: IdentityKeys) -> Bool {
    titles.isShared(with: other.titles) || titles.isShared(with: other.otherTitles)
      || otherTitles.isShared(with: other.titles)
  }
}

extension ExternalID {
  /// The number space of the id: all films of a source, or its releases as opposed to its masters.
  fileprivate var place: String {
    // In Open Library, the last letter is the type of the id.
    if source == "openlibrary", let last = value.last { return "\(source)/\(last)" }
    return source + (value.contains("/") ? "/" + value.prefix { $0 != "/" } : "")
  }

  /// Whether it identifies a work, regardless of the edition.
  var namesWork: Bool {
    switch source {
    case "librarything": true
    case "discogs": value.hasPrefix("master/")
    case "musicbrainz": value.hasPrefix("release-group/")
    case "openlibrary": value.hasSuffix("W")
    default: false
    }
  }
}

// MARK: - Titles

/// Titles in the form in which they are compared: without case, accents, punctuation and a leading article.
struct Titles {
  /// The full titles.
  let whole: Set<String>
  /// The titles without a final part in brackets, `Kind of Blue (Legacy Edition)`, and for books without the subtitle.
  let bare: Set<String>

  init(_ titles: [String], of kind: Kind) {
    whole = Set(titles.map(Self.key))
    bare = Set(titles.flatMap { Self.bare($0, of: kind) }.map(Self.key))
  }

  /// Whether the titles match. Optional parts may be missing on one side only, because volumes of a series differ in
  /// nothing else.
  func isShared(with other: Titles) -> Bool {
    !whole.isDisjoint(with: other.whole) || !whole.isDisjoint(with: other.bare) || !bare.isDisjoint(with: other.whole)
  }

  static func key(_ title: String) -> String {
    let folded = Folding.fold(title)
    let bytes = folded.utf8
    let article = ["the ", "a ", "an "].first { bytes.starts(with: $0.utf8) } ?? ""
    let end = [", the", ", a", ", an"].first { bytes.suffix($0.utf8.count).elementsEqual($0.utf8) } ?? ""
    if article.isEmpty, end.isEmpty { return Folding.labelKey(folded) }
    let core = bytes.dropFirst(article.utf8.count).dropLast(end.utf8.count)
    return Folding.labelKey(core.isEmpty ? folded : String(Substring(core)))
  }

  /// Returns a title without its optional parts; empty if it has none.
  static func bare(_ title: String, of kind: Kind) -> [String] {
    let core = withoutBrackets(title)
    let text = core ?? title
    // Sources differ on subtitles of books. For movies and records, a subtitle distinguishes the parts.
    let colon = kind == .book ? text.firstIndex(of: ":") : nil
    return [core, colon.map { String(text[..<$0]) }].compactMap(\.self).filter { !$0.isEmpty }
  }

  /// Returns a title without the final brackets; nil if it has none, or nothing else.
  private static func withoutBrackets(_ title: String) -> String? {
    let open: Character
    switch title.last {
    case ")": open = "("
    case "]": open = "["
    default: return nil
    }
    guard let start = title.lastIndex(of: open), start > title.startIndex else { return nil }
    let rest = title[..<start].trimmingBlanks
    return rest.isEmpty ? nil : rest
  }
}

// MARK: - Names

/// The agreement of two lists of names.
enum Agreement: Hashable {
  /// At least one name is in both.
  case some
  /// No name is in both.
  case none
  /// The names are in different scripts, so they cannot be compared.
  case unreadable
  /// One of them is empty.
  case unknown
}

/// A name in the form in which it is compared: its words in any order. `Miles Davis` agrees with `Davis, Miles` and
/// `Miles Davis Quintet`.
struct Name {
  private let folded: String
  let key: String

  init(_ name: String) {
    folded = Folding.fold(name)
    key = Folding.labelKey(folded)
  }

  private static let common: Set<String> = ["the", "and", "a", "an", "of"]

  /// Its words, without common ones.
  fileprivate var words: Set<String> {
    let words = Set(folded.unicodeScalars.split { !$0.isLetterOrDigit }.map { String($0) })
    let core = words.subtracting(Self.common)
    return core.isEmpty ? words : core
  }

  fileprivate var isLatin: Bool { folded.utf8.contains { (0x61...0x7A).contains($0) } }

  private func agrees(with other: Name) -> Bool {
    if key == other.key { return true }
    let (words, others) = (words, other.words)
    return !words.isEmpty && words.isSubset(of: others) || !others.isEmpty && others.isSubset(of: words)
  }

  static func agreement(_ some: [Name], _ others: [Name]) -> Agreement {
    guard !some.isEmpty, !others.isEmpty else { return .unknown }
    if some.contains(where: { one in others.contains { one.agrees(with: $0) } }) { return .some }
    // A name in Latin letters may equal one in Hangul.
    let isComparable = some.contains { one in others.contains { one.isLatin == $0.isLatin } }
    return isComparable ? .none : .unreadable
  }
}

/// A 48-bit summary of names that distinguishes most of them.
struct NameFilter {
  /// A bit for each word and, for several names, for the key of each. The last two bits are set if a name is in Latin
  /// letters, and if one is not.
  private var bits: UInt32 = 0
  /// The key of a single name, never 0; 0 for several names.
  private var key: UInt16 = 0

  private static let scripts: UInt32 = 3 << 30

  init(_ names: [Name]) { self.init(of: names.map(NameFilter.init)) }

  private init(_ name: Name) {
    bits = name.words.reduce(0) { $0 | Self.bit(FNV1a($1).value) } | 1 << (name.isLatin ? 30 : 31)
    key = Self.key(of: name)
  }

  /// Combines the summaries of several names.
  init(of names: [NameFilter]) {
    if let name = names.first, names.count == 1 {
      self = name
    } else {
      bits = names.reduce(0) { $0 | $1.bitsWithKey }
    }
  }

  private static func key(of name: Name) -> UInt16 { UInt16(truncatingIfNeeded: FNV1a(name.key).value % 0xFFFF) + 1 }

  private static func bit(_ hash: UInt64) -> UInt32 { 1 << UInt32(truncatingIfNeeded: hash % 30) }

  /// Whether ``Name/agreement(_:_:)`` is certainly `none`. It may be `none` if this is false.
  func areSurelyOthers(than other: NameFilter) -> Bool {
    guard bits & other.bits & Self.scripts != 0 else { return false }
    guard key != 0, other.key != 0 else { return bitsWithKey & other.bitsWithKey & ~Self.scripts == 0 }
    // All words of one name would have to occur in the other.
    let (words, others) = (bits & ~Self.scripts, other.bits & ~Self.scripts)
    return key != other.key && words & ~others != 0 && others & ~words != 0
  }

  /// Whether ``Name/agreement(_:_:)`` is certainly `unreadable`. It may be `unreadable` if this is false.
  func areSurelyUnreadable(in other: NameFilter) -> Bool {
    bits != 0 && other.bits != 0 && bitsWithKey & other.bitsWithKey == 0
  }

  private var bitsWithKey: UInt32 { key == 0 ? bits : bits | Self.bit(UInt64(key)) }
}
