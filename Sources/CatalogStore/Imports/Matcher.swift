public import CatalogModel
internal import SQLite
internal import Synchronization

/// Something that a row of a file may be.
public struct Candidacy: Sendable {
  public enum Thing: Sendable, Equatable {
    case item(ItemID)
    /// An entry of a source that needs no network, by what that calls it.
    case entry(ExternalID)
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

/// A row of a file with what it may be of the entries. No catalog is needed to find that, so another thread may. There is much in it,
/// and it is not copied.
public final class SoughtRow: Sendable {
  fileprivate let signs: WorkSigns
  fileprivate let titles: ShelfTitles.Sought
  /// Nil when they were not asked.
  fileprivate let entries: [Candidacy]?

  fileprivate init(_ signs: WorkSigns, entries: [Candidacy]?) {
    (self.signs, self.entries) = (signs, entries)
    titles = ShelfTitles.Sought(signs)
  }
}

/// Finds what rows of a file are: on the shelf, then among the entries of sources that need no network. docs/import.md has the rule.
public struct Matcher {
  private let store: Store
  private let entries: EntryIndex
  /// The newest item that was there before the file: what came since is of the file itself. Nil where nothing stands, and nothing is
  /// looked for.
  private let newest: ItemID?
  private let titles: ShelfTitles?
  private let finder: ItemFinder

  /// - Parameter entries: those of sources that need no network.
  public init(_ store: Store, entries: EntryIndex) throws {
    (self.store, self.entries) = (store, entries)
    finder = ItemFinder(store.db)
    try store.makeRoomForMany(Importing.room)
    newest = try store.db.value("SELECT max(id) FROM item", as: Int64.self).map(ItemID.init)
    titles = newest.map { ShelfTitles(of: store, upTo: $0) }
  }

  /// So many that come near are shown.
  private static let mostShown = 5

  /// - Parameters:
  ///   - sought: what ``EntryIndex/seek(_:)`` found, where it was asked before.
  ///   - isShown: whether a person sees what an unsure row may be. Otherwise it may be more than is said.
  public func match(
    _ record: @autoclosure () throws -> Record, _ sought: SoughtRow? = nil, isShown: Bool = true
  ) throws -> Match {
    let row = try sought ?? SoughtRow(WorkSigns(record()), entries: nil)
    if let newest, let match = try onShelf(try record(), row, isShown: isShown, upTo: newest) { return match }
    return Self.choose(row.entries ?? entries.near(row.signs), for: row.signs) ?? .new
  }

  /// What of the shelf it is; nil when nothing there comes near.
  private func onShelf(
    _ record: @autoclosure () throws -> Record, _ sought: SoughtRow, isShown: Bool, upTo newest: ItemID
  ) throws -> Match? {
    let kind = sought.signs.kind
    if let id = try finder.itemID(of: sought.signs), id <= newest, let thing = try store.thing(id, of: kind) {
      let comparison = Comparison(isSameCode: true, title: .equal, year: .unknown, makers: .unknown)
      return .certain(Candidacy(id, thing, comparison))
    }
    let items =
      try titles?.items(calledLike: sought.titles)
      ?? ShelfTitles.Items(mayBeCertain: store.items(calledLike: record(), upTo: newest))
    var (near, things): ([Candidacy], [(id: ItemID, thing: KnownThing)]) = ([], [])
    func look(at id: ItemID) throws {
      guard let thing = try store.thing(id, of: kind, with: kind == .movie ? .externalIDs : []),
        !sought.signs.isForbidden(thing.signs), let title = sought.signs.titleAgreement(with: thing.signs)
      else { return }
      let comparison = Comparison(sought.signs, thing.signs, title: title)
      guard comparison.isPossible(sought.signs) else { return }
      near.append(Candidacy(id, thing, comparison))
      things.append((id, thing))
    }
    for id in items.mayBeCertain { try look(at: id) }
    for id in items.unsure {
      // It stays unsure, whatever else there is.
      if !isShown, case .unsure? = Self.choose(near, for: sought.signs) { break }
      try look(at: id)
    }
    let match = Self.choose(near, for: sought.signs)
    guard case .certain(let chosen)? = match else { return match }
    let isOther = try zip(near, things).contains { candidacy, known in
      guard candidacy.comparison == chosen.comparison else { return false }
      var signs = known.thing.signs
      if kind != .movie { signs.externalIDs = try store.externalIDs(of: known.id) }
      return sought.signs.isAnotherThing(than: signs)
    }
    return isOther ? .edition(chosen) : match
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
}

extension Candidacy {
  fileprivate init(_ id: ItemID, _ known: KnownThing, _ comparison: Comparison) {
    self.init(
      thing: .item(id), title: known.title, year: known.signs.year, creators: known.makers, comparison: comparison)
  }
}

extension WorkSigns {
  /// Whether one source has two names for the two.
  fileprivate func isForbidden(_ other: WorkSigns) -> Bool {
    kind != other.kind || kind == .movie && isAnotherThing(than: other) && relation(to: other) == nil
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

/// Entries of sources that need no network, as rows are looked for among them.
public final class EntryIndex: Sendable {
  private let records: @Sendable () -> any Sequence<Record>
  private let titles = Mutex<EntryTitles?>(nil)

  /// - Parameter records: asked when something is looked for, on whichever thread that is. One that no source has a name for is no
  ///   entry.
  public init(_ records: @autoclosure @escaping @Sendable () -> any Sequence<Record>) { self.records = records }

  /// What of them a record may be, for ``Matcher/match(_:_:)``.
  public func seek(_ record: Record) -> SoughtRow {
    let signs = WorkSigns(record)
    return SoughtRow(signs, entries: near(signs))
  }

  fileprivate func near(_ row: WorkSigns) -> [Candidacy] {
    let titles = titles.withLock { titles in
      let known = titles ?? EntryTitles(records())
      titles = known
      return known
    }
    return titles.near(row)
  }
}

/// Entries by their titles, and by what is left when a title is misspelled: the year of a film, the maker of a book and a record.
private struct EntryTitles {
  /// Those of one kind.
  private struct Shelf {
    var byTitle: [String: [Int]] = [:]
    var byYear: [Int: [(title: Spelling, place: Int)]] = [:]
    var byMaker: [String: [(title: Spelling, place: Int)]] = [:]
  }

  /// What is shown of an entry, and by what it is known: of thousands, the rest of their records is not kept.
  private struct Entry {
    let id: ExternalID
    let title: String
    let year: Int?
    let creators: [String]
    let signs: WorkSigns
  }

  private var entries: [Entry] = []
  private var shelves: [Kind: Shelf] = [:]

  init(_ records: any Sequence<Record>) {
    for record in records { add(record) }
  }

  private mutating func add(_ record: Record) {
    guard let id = record.externalIDs.first else { return }
    let (signs, place) = (WorkSigns(record), entries.count)
    entries.append(Entry(id: id, title: record.title, year: record.year, creators: record.creators, signs: signs))
    for key in signs.allTitles { shelves[record.kind, default: Shelf()].byTitle[key, default: []].append(place) }
    for title in signs.titles.whole.map(Spelling.init) {
      if record.kind == .movie {
        if let year = signs.year { shelves[.movie, default: Shelf()].byYear[year, default: []].append((title, place)) }
      } else {
        for maker in signs.makers {
          shelves[record.kind, default: Shelf()].byMaker[maker.key, default: []].append((title, place))
        }
      }
    }
  }

  func near(_ row: WorkSigns) -> [Candidacy] {
    guard let shelf = shelves[row.kind] else { return [] }
    var titles: [Int: Comparison.Title] = [:]
    for key in row.allTitles {
      for place in shelf.byTitle[key] ?? [] where titles[place] == nil {
        titles[place] = row.titleAgreement(with: entries[place].signs)
      }
    }
    let spellings = row.titles.whole.map(Spelling.init)
    func addMisspelled(_ others: [(title: Spelling, place: Int)]) {
      for other in others where titles[other.place] == nil && spellings.contains(where: { $0.isNear(other.title) }) {
        titles[other.place] = .near
      }
    }
    if row.kind == .movie, let year = row.year {
      for year in year - 1...year + 1 { addMisspelled(shelf.byYear[year] ?? []) }
    } else if row.kind != .movie {
      for maker in row.makers { addMisspelled(shelf.byMaker[maker.key] ?? []) }
    }
    return titles.sorted { $0.key < $1.key }.compactMap { place, title in
      let entry = entries[place]
      let comparison = Comparison(row, entry.signs, title: title)
      guard comparison.isPossible(row) else { return nil }
      return Candidacy(
        thing: .entry(entry.id), title: entry.title, year: entry.year, creators: entry.creators, comparison: comparison)
    }
  }
}

extension WorkSigns {
  /// All that it may be looked for by.
  fileprivate var allTitles: Set<String> { titles.whole.union(titles.bare).union(otherTitles.whole) }
}

/// A title as it may be misspelled: by letters, and Korean by syllables as well, which people swap as they do letters.
private struct Spelling {
  private let letters: Signs
  private let syllables: Signs?

  init(_ title: String) {
    let letters = Folding.letters(title)
    self.letters = Signs(letters)
    syllables = letters.utf8.count == title.utf8.count ? nil : Signs(title)
  }

  func isNear(_ other: Spelling) -> Bool {
    if letters.areNear(other.letters) { return true }
    guard let syllables, let others = other.syllables else { return false }
    return syllables.areNear(others)
  }

  /// A text as far as most others are told from it before they are compared sign by sign.
  private struct Signs {
    private let text: String
    private let count: Int
    /// Which are in it, several of them for one bit.
    private let bits: UInt32

    init(_ text: String) {
      self.text = text
      (count, bits) = text.unicodeScalars.reduce((0, 0)) { ($0.0 + 1, $0.1 | 1 << ($1.value & 31)) }
    }

    /// Whether the other differs by a sign, of longer ones by two.
    func areNear(_ other: Signs) -> Bool {
      guard count >= 4 else { return false }
      let most = count >= 8 ? 2 : 1
      // An edit takes one away and brings one in.
      guard abs(count - other.count) <= most, (bits ^ other.bits).nonzeroBitCount <= 2 * most else { return false }
      return text.isWithin(most, editsOf: other.text)
    }
  }
}
