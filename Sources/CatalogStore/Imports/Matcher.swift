public import CatalogModel
internal import SQLite

/// Something that a row of a file may be.
public struct Candidacy: Sendable {
  public enum Thing: Sendable {
    case item(ItemID)
    /// An entry of a source that needs no network.
    case entry(Record)
  }

  public var thing: Thing
  public var title: String
  public var year: Int?
  public var creators: [String]
  public var comparison: Comparison
}

/// What a row of a file is.
public enum Match: Sendable {
  /// The same, and nothing else comes near.
  case certain(Candidacy)
  /// Another edition of something on the shelf: a thing of its own.
  case edition(Candidacy)
  /// The best first; a person has to say.
  case unsure([Candidacy])
  /// Nothing comes near.
  case new
}

/// Finds what rows of a file are: on the shelf, then among the entries of sources that need no network. docs/import.md has the rule.
public struct Matcher {
  private let store: Store
  /// Made when the first row is not on the shelf.
  private lazy var entries = EntryIndex(records())
  private let records: () -> any Sequence<Record>

  /// - Parameter entries: those of sources that need no network.
  public init(_ store: Store, entries: @autoclosure @escaping () -> any Sequence<Record>) {
    (self.store, records) = (store, entries)
  }

  /// So many that come near are shown.
  private static let mostShown = 5

  public mutating func match(_ record: Record) throws -> Match {
    if let id = try store.itemID(of: record), try store.item(id).record.kind == record.kind {
      return .certain(try candidacy(id, Comparison(isSameCode: true, title: .equal, year: .unknown, makers: .unknown)))
    }
    let row = WorkSigns(record)
    var near: [(candidacy: Candidacy, isOther: Bool)] = []
    for (id, signs) in try store.signsNear(record) where !row.isForbidden(signs) {
      guard let title = row.titleAgreement(with: signs) else { continue }
      let comparison = Comparison(row, signs, title: title)
      guard comparison.isPossible(row) else { continue }
      near.append((try candidacy(id, comparison), row.isAnotherThing(than: signs)))
    }
    if let match = Self.choose(near.map(\.candidacy), for: row) {
      guard case .certain(let chosen) = match,
        near.contains(where: { $0.isOther && $0.candidacy.comparison == chosen.comparison })
      else { return match }
      return .edition(chosen)
    }
    return Self.choose(entries.near(row), for: row) ?? .new
  }

  /// The only certain one, when nothing else comes as near; nil when there is none at all.
  private static func choose(_ near: [Candidacy], for row: WorkSigns) -> Match? {
    guard !near.isEmpty else { return nil }
    // Those of the same title that nobody else made.
    let rivals = near.filter { $0.comparison.title == .equal && $0.comparison.makers != .none }
    let top = rivals.map(\.comparison.score).max()
    let best = rivals.filter { $0.comparison.score == top }
    if let only = best.first, best.count == 1, only.comparison.isCertain(row),
      rivals.count == 1 || only.comparison.makers == .some
    {
      return .certain(only)
    }
    return .unsure(Array(near.sorted { $0.comparison.score > $1.comparison.score }.prefix(mostShown)))
  }

  private func candidacy(_ id: ItemID, _ comparison: Comparison) throws -> Candidacy {
    let record = try store.item(id).record
    return Candidacy(
      thing: .item(id), title: record.title, year: record.year ?? record.released?.year, creators: record.creators,
      comparison: comparison)
  }
}

extension WorkSigns {
  /// Whether one source has two names for the two.
  fileprivate func isForbidden(_ other: WorkSigns) -> Bool {
    kind != other.kind || kind == .movie && relation(to: other) == nil && isAnotherThing(than: other)
  }

  /// How the titles compare; nil when they are others.
  func titleAgreement(with other: WorkSigns) -> Comparison.Title? {
    if !titles.whole.isDisjoint(with: other.titles.whole) || !titles.whole.isDisjoint(with: other.otherTitles.whole)
      || !otherTitles.whole.isDisjoint(with: other.titles.whole)
    {
      return .equal
    }
    return titles.isShared(with: other.titles) ? .within : nil
  }
}

/// Entries by their titles, and by what is left when a title is misspelled: the year of a film, the maker of a book and a record.
private struct EntryIndex {
  private struct Entry {
    var record: Record
    var signs: WorkSigns
  }

  private var entries: [Entry] = []
  private var byTitle: [String: [Int]] = [:]
  private var byYear: [Int: [Int]] = [:]
  private var byMaker: [String: [Int]] = [:]

  init(_ records: any Sequence<Record>) {
    for record in records {
      let signs = WorkSigns(record)
      let place = entries.count
      entries.append(Entry(record: record, signs: signs))
      for key in signs.titles.whole.union(signs.titles.bare) {
        byTitle["\(record.kind) \(key)", default: []].append(place)
      }
      if record.kind == .movie, let year = signs.year { byYear[year, default: []].append(place) }
      if record.kind != .movie {
        for maker in signs.makers { byMaker["\(record.kind) \(maker.key)", default: []].append(place) }
      }
    }
  }

  func near(_ row: WorkSigns) -> [Candidacy] {
    var places = row.titles.whole.union(row.titles.bare).flatMap { byTitle["\(row.kind) \($0)"] ?? [] }
    if row.kind == .movie {
      places += row.year.map { year in (year - 1...year + 1).flatMap { byYear[$0] ?? [] } } ?? []
    } else {
      places += row.makers.flatMap { byMaker["\(row.kind) \($0.key)"] ?? [] }
    }
    return Set(places).sorted().compactMap { place in
      let entry = entries[place]
      guard let title = row.titleAgreement(with: entry.signs) ?? (row.isNear(entry.signs) ? .near : nil) else {
        return nil
      }
      let comparison = Comparison(row, entry.signs, title: title)
      guard comparison.isPossible(row) else { return nil }
      return Candidacy(
        thing: .entry(entry.record), title: entry.record.title, year: entry.record.year,
        creators: entry.record.creators,
        comparison: comparison)
    }
  }
}

extension WorkSigns {
  /// Whether a title differs by a letter, of longer ones by two.
  fileprivate func isNear(_ other: WorkSigns) -> Bool {
    titles.whole.contains { one in
      guard one.utf8.count >= 4 else { return false }
      let most = one.utf8.count >= 8 ? 2 : 1
      return other.titles.whole.contains { one.isWithin(most, editsOf: $0) }
    }
  }
}
