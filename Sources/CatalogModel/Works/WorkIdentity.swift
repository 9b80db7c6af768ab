/// The facts that identify the work and edition of a record or item: titles, makers, year, ids and codes.
///
/// ``compare(with:)`` is the only rule that decides whether two are the same. docs/editions.md explains it.
public struct WorkIdentity: Sendable {
  public let kind: Kind
  /// All titles as they are written.
  public let names: [String]
  /// The title and the original title.
  let titles: [WorkTitle]
  /// The alternative titles. They may include a subtitle, so they do not identify a work among themselves.
  let otherTitles: [WorkTitle]
  public let year: Int?
  public let makers: [Maker]
  private let tracks: [Maker]
  public var externalIDs: [ExternalID]
  public let isbn: String?
  private let barcode: String?
  private let catalogNumber: String?
  /// The number of a book in a series with the same title: only the number distinguishes volumes of a manga.
  private let volume: String?
  /// Whether several works of a maker may be called so: by the name of the band, *Greatest Hits*, *Poems*.
  public let isSelfTitled: Bool

  public init(
    kind: Kind, titles: [String], otherTitles: [String] = [], year: Int? = nil, makers: [String] = [],
    tracks: [String] = [], externalIDs: [ExternalID] = [], isbn: String? = nil, barcode: String? = nil,
    catalogNumber: String? = nil, series: String? = nil, language: String? = nil
  ) {
    (self.kind, self.year, self.externalIDs, self.isbn) = (kind, year, externalIDs, isbn)
    names = titles + otherTitles
    self.titles = titles.map { WorkTitle($0, of: kind, in: language) }
    self.otherTitles = otherTitles.map { WorkTitle($0, of: kind) }
    (self.makers, self.tracks) = (makers.map(Maker.init), tracks.map(Maker.init))
    self.barcode = barcode.map(Barcode.canonical).flatMap { $0.isEmpty ? nil : $0 }
    self.catalogNumber = catalogNumber.map(Folding.nameKey)
    volume = series.map(SeriesName.init).flatMap { [names = self.titles] series in
      let name = WorkTitle(series.name, of: kind)
      return names.contains { $0.relation(to: name).isEqual } ? series.number : nil
    }
    let bands = kind == .vinyl ? makers.map { WorkTitle($0, of: kind) } : []
    isSelfTitled =
      kind != .movie
      && (bands + Self.generic).contains { [names = self.titles] name in
        names.contains { $0.relation(to: name).isEqual }
      }
  }

  private static let generic = [
    "Greatest Hits", "Best Of", "The Best", "Live", "Poems", "Selected Poems", "Collected Poems", "Short Stories",
    "Essays",
  ].map { WorkTitle($0, of: .book) }

  public init(_ record: Record) {
    self.init(
      kind: record.kind, titles: [record.title, record.originalTitle].compactMap(\.self),
      otherTitles: record.otherTitles, year: record.year ?? record.released?.year, makers: record.creators,
      tracks: record.vinyl.tracks.map(\.title), externalIDs: record.externalIDs,
      isbn: record.book.isbn?.digits13, barcode: record.vinyl.barcode, catalogNumber: record.vinyl.catalogNumber,
      series: record.book.series,
      language: record.originalTitle != nil ? nil : record.kind == .book ? record.book.language : record.movie.language)
  }

  /// One for all spellings of its title.
  public var titleKey: UInt32 { titles.first?.key ?? 0 }
  public var keys: Set<UInt32> { Set((titles + otherTitles).flatMap(\.keys)) }
  public var partKeys: Set<UInt32> { Set((titles + otherTitles).flatMap(\.partKeys)) }
}

// MARK: - The rule

extension WorkIdentity {
  /// The relation of two records or items.
  public enum Outcome: Sendable, Hashable {
    /// One work in one edition, as far as is known.
    case same
    /// Two editions of one work.
    case edition
    /// Perhaps one work: only the person can tell.
    case perhaps
    case other
  }

  public struct Comparison: Sendable, Hashable {
    public enum Code: Sendable, Hashable {
      case none
      /// A code of a work, which may have several editions.
      case work
      /// A code of one edition: an ISBN, a release, a film.
      case edition
    }

    public var outcome: Outcome
    /// The code that they share.
    public var code = Code.none
    public var title: WorkTitle.Relation
    /// The number of years between them; nil if a year is unknown.
    public var years: Int?
    public var makers: Maker.Agreement
    /// Whether a code or an id of one source differs.
    public var isToldApart = false
    /// Whether they are different volumes with the same title.
    public var isOtherVolume = false

    public init(
      outcome: Outcome, code: Code = .none, title: WorkTitle.Relation, years: Int?, makers: Maker.Agreement,
      isToldApart: Bool = false, isOtherVolume: Bool = false
    ) {
      (self.outcome, self.code, self.title, self.years, self.makers) = (outcome, code, title, years, makers)
      (self.isToldApart, self.isOtherVolume) = (isToldApart, isOtherVolume)
    }
  }

  /// The relation to another.
  /// - Parameter title: that of the titles, if it is known.
  public func compare(with other: WorkIdentity, title: WorkTitle.Relation? = nil) -> Comparison {
    let years = year.flatMap { year in other.year.map { abs(year - $0) } }
    let makers = Maker.agreement(self.makers, other.makers)
    var found = Comparison(
      outcome: .other, title: title ?? titleRelation(to: other), years: years, makers: makers,
      isToldApart: isAnotherThing(than: other), isOtherVolume: isAnotherVolume(than: other))
    guard kind == other.kind else { return found }
    let ids = Set(externalIDs).intersection(other.externalIDs)
    if let isbn, isbn == other.isbn { found.code = .edition }
    if let barcode, barcode == other.barcode, !found.isToldApart, years ?? 0 == 0,
      found.title != .none || makers == .some && years == 0
    {
      found.code = .edition
    }
    if !ids.isEmpty, found.code == .none { found.code = ids.allSatisfy(\.namesWork) ? .work : .edition }
    found.outcome = outcome(found, of: other)
    return found
  }

  private func outcome(_ found: Comparison, of other: WorkIdentity) -> Outcome {
    if found.code == .edition { return found.isOtherVolume || isContradicted(found, by: other) ? .perhaps : .same }
    if found.isOtherVolume { return .other }
    // A source has one id for each film.
    if kind == .movie, isToldApart(from: other) { return .other }
    if found.code == .work {
      return found.isToldApart || found.title == .none || found.years ?? 0 > 0 ? .edition : .same
    }
    if let barcode, barcode == other.barcode {
      return found.title == .none && found.makers != .some ? .perhaps : .edition
    }
    guard found.title != .none else { return .other }
    return kind == .movie ? filmOutcome(found) : editionOutcome(found, of: other)
  }

  /// Whether the titles contradict a shared code. Publishers reuse ISBNs, and people mistype them. A film has other
  /// titles in other countries, so maker or year may confirm the code.
  private func isContradicted(_ found: Comparison, by other: WorkIdentity) -> Bool {
    guard found.title == .none, TitleWords.arePlainlyOthers(names, other.names), !isSpelled(like: other) else {
      return false
    }
    let agrees = found.makers == .some || (found.years ?? 9) <= 1 && found.makers != .none
    // The number of a record is not mistyped as that of a book is.
    return kind == .book || !agrees
  }

  private func isSpelled(like other: WorkIdentity) -> Bool {
    let spellings = other.names.map(TitleSpelling.init)
    return names.map(TitleSpelling.init).contains { one in spellings.contains { one.isNear($0) } }
  }

  /// The outcome for films whose titles agree.
  private func filmOutcome(_ found: Comparison) -> Outcome {
    if found.title == .edition, found.makers == .some { return .edition }
    let years = found.years ?? 0
    if years > 2 || years == 2 && found.makers != .some { return .other }
    switch found.makers {
    case .none: return years == 0 && found.years != nil && found.title.isEqual ? .perhaps : .other
    case .some:
      guard found.title.isEqual else { return years == 0 ? .perhaps : .other }
      return years < 2 ? .same : .perhaps
    case .unknown, .near, .unreadable:
      guard found.title.isEqual else { return found.years == 0 ? .perhaps : .other }
      return found.years == 0 && found.title != .or ? .same : .perhaps
    }
  }

  /// The outcome for books and records whose titles agree.
  private func editionOutcome(_ found: Comparison, of other: WorkIdentity) -> Outcome {
    let tracks = Maker.agreement(self.tracks, other.tracks)
    if found.makers == .none || tracks == .none { return .other }
    switch found.makers {
    case .unknown where tracks == .some && found.title.isEqual: break
    case .unknown:
      let isOneKnown = makers.contains(where: \.isKnown) != other.makers.contains(where: \.isKnown)
      return ![.subtitle, .near].contains(found.title) && (found.years == 0 || isOneKnown) ? .perhaps : .other
    case .near: return .perhaps
    case .unreadable: return found.years == 0 && found.title.isEqual ? .same : .perhaps
    case .some, .none: break
    }
    let isPart = [.subtitle, .bracket, .performed, .near].contains(found.title)
    // With other people on each, as with two recordings of a piece.
    let isPartly =
      kind == .vinyl && makers.contains { one in !other.makers.contains { $0.agrees(with: one) } }
      && other.makers.contains { one in !makers.contains { $0.agrees(with: one) } }
    if isPart || isPartly || (isSelfTitled || other.isSelfTitled) && found.years != 0 && tracks != .some {
      return .perhaps
    }
    return found.title == .edition || found.isToldApart ? .edition : .same
  }

  private func titleRelation(to other: WorkIdentity) -> WorkTitle.Relation {
    var best = WorkTitle.Relation.none
    func look(_ some: [WorkTitle], _ others: [WorkTitle]) {
      for one in some {
        for other in others where best != .equal { best = min(best, one.relation(to: other)) }
      }
    }
    look(Array(titles.prefix(1)), other.titles)
    look(titles, Array(other.titles.prefix(1)))
    if best == .none, titles.count > 1, other.titles.count > 1 {
      let originals = titles[1].relation(to: other.titles[1])
      // Two translations of one book.
      if originals.isEqual { best = kind == .movie ? originals : .edition }
    }
    look(titles, other.otherTitles)
    look(otherTitles, other.titles)
    // An article of another language may be a word.
    if best == .article, Maker.agreement(makers, other.makers) != .some { return .none }
    return best
  }

  /// Whether the two are different volumes with the same title.
  func isAnotherVolume(than other: WorkIdentity) -> Bool {
    if let volume, let otherVolume = other.volume { volume != otherVolume } else { false }
  }

  /// Whether two items of one work certainly differ: by a code, or by ids of one source.
  public func isAnotherThing(than other: WorkIdentity) -> Bool {
    func differ(_ one: String?, _ other: String?) -> Bool { one != nil && other != nil && one != other }
    return differ(isbn, other.isbn) || differ(barcode, other.barcode) || differ(catalogNumber, other.catalogNumber)
      || isToldApart(from: other)
  }

  /// Whether one source has different ids for the two.
  private func isToldApart(from other: WorkIdentity) -> Bool {
    let places = Set(externalIDs.map(\.place))
    return other.externalIDs.contains { places.contains($0.place) && !externalIDs.contains($0) }
  }

  /// A code that identifies an edition.
  public struct EditionCode {
    /// The type of the code: `isbn`, `discogs/release`.
    public let place: String
    public let value: String
    /// Whether it is printed on the copy, so that publishers may reuse it.
    public var isPrinted = false
  }

  public var codes: [EditionCode] {
    externalIDs.filter { !$0.namesWork }.map { EditionCode(place: $0.place, value: $0.value) }
      + [
        isbn.map { EditionCode(place: "isbn", value: $0) },
        barcode.map { EditionCode(place: "barcode", value: $0, isPrinted: true) },
        catalogNumber.map { EditionCode(place: "catalog number", value: $0, isPrinted: true) },
      ].compactMap(\.self)
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
  public var namesWork: Bool {
    switch source {
    case "librarything": true
    case "discogs": value.hasPrefix("master/")
    case "musicbrainz": value.hasPrefix("release-group/")
    case "openlibrary": value.hasSuffix("W")
    default: false
    }
  }
}
