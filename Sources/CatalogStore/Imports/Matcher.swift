public import CatalogModel
internal import SQLite
internal import Synchronization

/// Something that a row of a file may be.
public struct Candidacy: Sendable {
  public enum Thing: Sendable, Equatable {
    case item(ItemID)
    /// An entry of a source that needs no network, by what that calls it.
    case entry(ExternalID)
    /// A row above in the file: how many rows stand before that, and where it stands.
    case row(Int, line: Int)
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
  /// Another edition of something on the shelf, or of a row above: a thing of its own.
  /// - Parameter entry: what sources that need no network know of the work.
  case edition(Candidacy, entry: ExternalID?)
  /// The best first; a person has to say.
  case unsure([Candidacy])
  /// Nothing comes near.
  case new
}

/// A row of a file with what it may be of the entries. No catalog is needed to find that, so another thread may. There is much in it,
/// and it is not copied.
public final class SoughtRow: Sendable {
  fileprivate let signs: WorkSigns
  fileprivate let inFile: RowSigns
  fileprivate let titles: ShelfTitles.Sought
  /// Nil when they were not asked.
  fileprivate let entries: [Candidacy]?

  fileprivate init(_ record: Record, _ signs: WorkSigns, notes: [String] = [], entries: [Candidacy]?) {
    (self.signs, self.entries) = (signs, entries)
    inFile = RowSigns(record, signs, notes: notes)
    titles = ShelfTitles.Sought(signs)
  }
}

/// Finds what rows of a file are: among the rows above, on the shelf, then among the entries of sources that need no network. It is one
/// rule: codes that name an edition, codes that name a work, and then title, maker, year and volume. docs/import.md explains it.
public struct Matcher {
  private let store: Store
  private let entries: EntryIndex
  /// The newest item that was there before the file: what came since is of the file itself. Nil where nothing stands, and nothing is
  /// looked for.
  private let newest: ItemID?
  private let titles: ShelfTitles?
  private let finder: ItemFinder
  private let rowsAbove = RowsAbove()

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
  ///   - place: how many rows of its file stand before it; nil for what stands in no file.
  ///   - isShown: whether a person sees what an unsure row may be. Otherwise it may be more than is said.
  public func match(
    _ record: @autoclosure () throws -> Record, _ sought: SoughtRow? = nil, at place: Int? = nil, isShown: Bool = true
  ) throws -> Match {
    let row = try sought ?? SoughtRow(record())
    let above = place.flatMap { rowsAbove.find(row.inFile, at: $0) }
    if let above, above.verdict == .same { return .certain(Candidacy(above)) }
    let (coded, contradicted) = try byCode(record, row)
    if let coded { return coded }
    let onShelf = try onShelf(try record(), row, isShown: isShown)
    if let above, above.verdict == .edition {
      // The shelf may have this edition, too, but not by its title: that the row above has.
      if case .edition? = onShelf, let onShelf { return onShelf }
      return .edition(Candidacy(above), entry: Self.entry(Self.choose(near(row), for: row.signs)))
    }
    if let onShelf { return Self.doubted(onShelf, because: contradicted) }
    let match = Self.choose(near(row), for: row.signs) ?? .new
    let doubts = contradicted + (above?.verdict == .perhaps ? [above.map(Candidacy.init)].compactMap(\.self) : [])
    guard doubts.isEmpty, let place, let entry = Self.entry(match),
      let known = rowsAbove.find(row.inFile, at: place, claiming: entry)
    else { return Self.doubted(match, because: doubts) }
    return switch known.verdict {
    case .same: .certain(Candidacy(known))
    case .edition: .edition(Candidacy(known), entry: entry)
    case .perhaps, .other: .new
    }
  }

  /// Remembers a row that becomes something on the shelf, for those below it.
  /// - Parameter match: what it was found to be.
  public func remember(_ row: SoughtRow, at place: Int, line: Int, as match: Match?) {
    rowsAbove.remember(row.inFile, at: place, line: line, claiming: Self.entry(match))
  }

  private func near(_ row: SoughtRow) -> [Candidacy] { row.entries ?? entries.near(row.signs) }

  /// The entry that something certainly is, or is an edition of.
  private static func entry(_ match: Match?) -> ExternalID? {
    switch match {
    case .certain(let found)?: if case .entry(let id) = found.thing { id } else { nil }
    case .edition(_, let entry)?: entry
    default: nil
    }
  }

  /// The same, but for what has a code of something else, of which a person has to say if that is wrong.
  private static func doubted(_ match: Match, because doubts: [Candidacy]) -> Match {
    guard !doubts.isEmpty else { return match }
    switch match {
    case .certain(let found): if case .item = found.thing { return match } else { return .unsure(doubts + [found]) }
    case .edition: return match
    case .unsure(let near): return .unsure(doubts + near)
    case .new: return .unsure(doubts)
    }
  }

  /// What of the shelf it is by its codes; and what it has a code of, and is plainly called otherwise.
  private func byCode(
    _ record: () throws -> Record, _ sought: SoughtRow
  ) throws -> (match: Match?, contradicted: [Candidacy]) {
    guard let newest else { return (nil, []) }
    let kind = sought.signs.kind
    var (edition, contradicted): (Candidacy?, [Candidacy]) = (nil, [])
    for (id, code) in try finder.items(sharing: sought.signs) where id <= newest {
      guard let thing = try store.thing(id, of: kind, with: code == .work ? .externalIDs : []) else { continue }
      let title = try sought.signs.titleAgreement(with: thing.signs) ?? record().howeverCalled(than: thing)
      var comparison = Comparison(sought.signs, thing.signs, title: title)
      comparison.code = code
      comparison.isOtherVolume = sought.signs.isAnotherVolume(than: thing.signs)
      comparison.isToldApart = sought.signs.isAnotherThing(than: thing.signs)
      let found = Candidacy(id, thing, comparison)
      switch comparison.verdict(of: kind) {
      case .same: return (.certain(found), [])
      case .edition: edition = edition ?? found
      case .perhaps: contradicted.append(found)
      case .other: break
      }
    }
    return (edition.map { .edition($0, entry: nil) }, contradicted)
  }

  /// What of the shelf it is by what it is called; nil when nothing there comes near.
  private func onShelf(_ record: @autoclosure () throws -> Record, _ sought: SoughtRow, isShown: Bool) throws -> Match?
  {
    guard let newest else { return nil }
    let kind = sought.signs.kind
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
    return isOther ? .edition(chosen, entry: nil) : match
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

  fileprivate init(_ above: RowsAbove.Found) {
    self.init(
      thing: .row(above.place, line: above.line), title: "", year: nil, creators: [], comparison: above.comparison)
  }
}

extension Record {
  /// How far titles differ of which none is equal.
  fileprivate func howeverCalled(than other: KnownThing) -> Comparison.Title {
    let titles = [title, originalTitle].compactMap(\.self) + otherTitles
    guard TitleWords.arePlainlyOthers(titles, other.titles) else { return .near }
    let (mine, others) = (titles.map(Spelling.init), other.titles.map(Spelling.init))
    return mine.contains { one in others.contains { one.isNear($0) } } ? .near : .other
  }
}

extension SoughtRow {
  /// A row of which no entries were looked for.
  fileprivate convenience init(_ record: Record) { self.init(record, WorkSigns(record), entries: nil) }
}

extension WorkSigns {
  /// Whether one source has two names for the two, or they are two volumes.
  fileprivate func isForbidden(_ other: WorkSigns) -> Bool {
    kind != other.kind || isAnotherVolume(than: other)
      || kind == .movie && isAnotherThing(than: other) && relation(to: other) == nil
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

  /// What of them a row may be, for ``Matcher/match(_:_:at:isShown:)``.
  public func seek(_ entry: Entry) -> SoughtRow {
    let signs = WorkSigns(entry.record)
    return SoughtRow(entry.record, signs, notes: entry.notes, entries: near(signs))
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
