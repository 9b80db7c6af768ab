internal import CatalogModel

/// By what a thing is known again, whoever tells of it: its titles, who made it and when, and what sources and shops call it.
///
/// The one rule by which two things are one, or two editions of one work. docs/editions.md explains it.
struct WorkSigns {
  let kind: Kind
  /// What it is called, and in its own language.
  let titles: Titles
  /// What else it is called. A subtitle may be among them, so these alone make nothing one.
  let otherTitles: Titles
  let year: Int?
  let makers: [Name]
  /// The tracks of a record.
  let tracks: [Name]
  var externalIDs: [ExternalID]
  let isbn: String?
  let barcode: String?
  let catalogNumber: String?
  /// The place of a book in a series that is called like the book: nothing else tells the volumes of a manga apart.
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

extension WorkSigns {
  /// What this is to another; nil for a thing of its own.
  func relation(to other: WorkSigns) -> Relation? {
    guard kind == other.kind else { return nil }
    if !Set(externalIDs).isDisjoint(with: other.externalIDs) || isbn != nil && isbn == other.isbn { return .same }
    if isAnotherVolume(than: other) { return nil }
    let isToldApart = isToldApart(from: other)
    // One source has a number for each film, and for each pressing and each edition of a book.
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
    // A search often leaves out who made it. Who types that is asked.
    case 0: return makers == .some || !externalIDs.isEmpty && !other.externalIDs.isEmpty ? .same : .edition
    // It was at a festival the year before it was in the cinemas.
    case 1: return makers == .some ? .edition : nil
    default: return nil
    }
  }

  /// Of books and records of one title: whether they are one work. Its editions come out in any year.
  private func areEditions(_ other: WorkSigns, makers: Agreement) -> Bool {
    // Two albums of a band that are both called like the band have other songs.
    guard makers != .unknown, Name.agreement(tracks, other.tracks) != .none else { return false }
    return true
  }

  /// Whether the two are volumes of something that is called alike in each.
  func isAnotherVolume(than other: WorkSigns) -> Bool {
    if let volume, let otherVolume = other.volume { volume != otherVolume } else { false }
  }

  /// Whether two things of one work are surely not one: they have two codes, or one source has a name for each.
  func isAnotherThing(than other: WorkSigns) -> Bool {
    func differ(_ one: String?, _ other: String?) -> Bool { one != nil && other != nil && one != other }
    return differ(isbn, other.isbn) || differ(barcode, other.barcode) || differ(catalogNumber, other.catalogNumber)
      || isToldApart(from: other)
  }

  /// Whether one source calls the two by two names.
  private func isToldApart(from other: WorkSigns) -> Bool {
    let places = Set(externalIDs.map(\.place))
    return other.externalIDs.contains { places.contains($0.place) }
  }

  /// A code that names an edition.
  struct Code {
    /// Who gives it: `isbn`, `discogs/release`.
    let place: String
    let value: String
    /// Whether it is printed on the thing, and may be on another.
    var isPrinted = false
  }

  /// All of them.
  var codes: [Code] {
    externalIDs.filter { !$0.namesWork }.map { Code(place: $0.place, value: $0.value) }
      + [
        isbn.map { Code(place: "isbn", value: $0) }, barcode.map { Code(place: "barcode", value: $0, isPrinted: true) },
        catalogNumber.map { Code(place: "catalog number", value: $0, isPrinted: true) },
      ].compactMap(\.self)
  }

  private func sharesTitle(with other: WorkSigns) -> Bool {
    titles.isShared(with: other.titles) || titles.isShared(with: other.otherTitles)
      || otherTitles.isShared(with: other.titles)
  }
}

extension ExternalID {
  /// Where a source numbers things: all its films, or its releases apart from its masters.
  fileprivate var place: String {
    // Open Library says at the end what it is that it numbers.
    if source == "openlibrary", let last = value.last { return "\(source)/\(last)" }
    return source + (value.contains("/") ? "/" + value.prefix { $0 != "/" } : "")
  }

  /// Whether it names a work, whichever edition of it somebody has.
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

/// Titles as they are compared: without case, accents, punctuation and a leading article.
struct Titles {
  /// As they stand.
  let whole: Set<String>
  /// Without what stands in brackets at their end, `Kind of Blue (Legacy Edition)`, and of books without the subtitle.
  let bare: Set<String>

  init(_ titles: [String], of kind: Kind) {
    whole = Set(titles.map(Self.key))
    bare = Set(titles.flatMap { Self.bare($0, of: kind) }.map(Self.key))
  }

  /// What may be left out is left out on one side alone: volumes of a series differ by nothing else.
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

  /// A title without what may be left out; empty when there is no such thing.
  static func bare(_ title: String, of kind: Kind) -> [String] {
    let core = withoutBrackets(title)
    let text = core ?? title
    // Sources differ in whether it is part of the title. Of a movie and a record it tells the parts apart.
    let colon = kind == .book ? text.firstIndex(of: ":") : nil
    return [core, colon.map { String(text[..<$0]) }].compactMap(\.self).filter { !$0.isEmpty }
  }

  /// A title without the brackets at its end; nil when there are none, or nothing else.
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

/// Whether two lists name the same.
enum Agreement: Hashable {
  /// They have one in common.
  case some
  /// They have none.
  case none
  /// They are in two scripts, and nobody knows.
  case unreadable
  /// One of them is empty.
  case unknown
}

/// A name as it is compared: its words in any order, `Miles Davis` among `Davis, Miles` and `Miles Davis Quintet`.
struct Name {
  private let folded: String
  let key: String

  init(_ name: String) {
    folded = Folding.fold(name)
    key = Folding.labelKey(folded)
  }

  private static let common: Set<String> = ["the", "and", "a", "an", "of"]

  /// Its words, but for those that many have.
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
    // Who is written in Latin letters here and in Hangul there may be one and the same.
    let isComparable = some.contains { one in others.contains { one.isLatin == $0.isLatin } }
    return isComparable ? .none : .unreadable
  }
}

/// Names in 48 bits, which tell most from each other.
struct NameSigns {
  /// A bit for each word, and of several names for the key of each; the last two say whether one is in Latin letters and whether one
  /// is not.
  private var bits: UInt32 = 0
  /// Of one name alone, and never 0 then.
  private var key: UInt16 = 0

  private static let scripts: UInt32 = 3 << 30

  init(_ names: [Name]) { self.init(of: names.map(NameSigns.init)) }

  private init(_ name: Name) {
    bits = name.words.reduce(0) { $0 | Self.bit(FNV1a($1).value) } | 1 << (name.isLatin ? 30 : 31)
    key = Self.key(of: name)
  }

  /// Of several names, of which each has its own.
  init(of names: [NameSigns]) {
    if let name = names.first, names.count == 1 {
      self = name
    } else {
      bits = names.reduce(0) { $0 | $1.bitsWithKey }
    }
  }

  private static func key(of name: Name) -> UInt16 { UInt16(truncatingIfNeeded: FNV1a(name.key).value % 0xFFFF) + 1 }

  private static func bit(_ hash: UInt64) -> UInt32 { 1 << UInt32(truncatingIfNeeded: hash % 30) }

  /// Whether ``Name/agreement(_:_:)`` says that none of them is one of the others. Often it does so where this does not.
  func areSurelyOthers(than other: NameSigns) -> Bool {
    guard bits & other.bits & Self.scripts != 0 else { return false }
    guard key != 0, other.key != 0 else { return bitsWithKey & other.bitsWithKey & ~Self.scripts == 0 }
    // All words of the one would have to be among those of the other.
    let (words, others) = (bits & ~Self.scripts, other.bits & ~Self.scripts)
    return key != other.key && words & ~others != 0 && others & ~words != 0
  }

  /// Whether ``Name/agreement(_:_:)`` says of two lists that nobody can read the one in the script of the other. Often it does so where
  /// this does not.
  func areSurelyUnreadable(in other: NameSigns) -> Bool {
    bits != 0 && other.bits != 0 && bitsWithKey & other.bitsWithKey == 0
  }

  private var bitsWithKey: UInt32 { key == 0 ? bits : bits | Self.bit(UInt64(key)) }
}
