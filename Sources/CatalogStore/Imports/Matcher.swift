public import CatalogModel
internal import SQLite
internal import Synchronization

/// A candidate match for a row of a file.
public struct MatchCandidate: Sendable {
  public enum Thing: Sendable, Equatable {
    case item(ItemID)
    /// An entry of a local source, by its id.
    case entry(ExternalID)
    /// A row above in the file: the number of rows before it, and its line.
    case row(Int, line: Int)
  }

  public var thing: Thing
  public var title: String
  public var year: Int?
  public var creators: [String]
  public var comparison: WorkIdentity.Comparison
}

/// The match of a row of a file.
public enum Match: Sendable {
  /// The same, without a rival candidate.
  case certain(MatchCandidate)
  /// Another edition of an item or of a row above, so a new item.
  /// - Parameter entry: the work's id in a local source.
  case edition(MatchCandidate, entry: ExternalID?)
  /// Several candidates, the best first. The user has to decide.
  case unsure([MatchCandidate])
  /// No candidate.
  case new
}

/// A row of a file with its candidates among the entries. No catalog is needed to compute it, so another thread can. It
/// is large, so a class avoids copies.
public final class MatchQuery: Sendable {
  fileprivate let keys: WorkIdentity
  fileprivate let inFile: RowIdentity
  /// Nil if the entries were not searched.
  fileprivate let entries: [MatchCandidate]?

  fileprivate init(_ record: Record, _ keys: WorkIdentity, notes: [String] = [], entries: [MatchCandidate]?) {
    (self.keys, self.entries) = (keys, entries)
    inFile = RowIdentity(record, keys, notes: notes)
  }
}

/// Matches rows of a file with rows above, with items, and then with entries of local sources. The rule compares codes
/// of editions, codes of works, then title, maker, year and volume. docs/import.md explains it.
public struct Matcher {
  private let store: Store
  private let entries: EntryIndex
  /// The newest item from before the import: later items come from the file itself. Nil for an empty catalog, which is
  /// not searched.
  private let newest: ItemID?
  private let works: WorkFinder
  private let finder: ItemFinder
  private let rowsAbove = RowsAbove()

  /// - Parameter entries: the entries of local sources.
  public init(_ store: Store, entries: EntryIndex) throws {
    (self.store, self.entries) = (store, entries)
    finder = ItemFinder(store.db)
    try store.makeRoomForMany(ImportSession.room)
    newest = try store.db.value("SELECT max(id) FROM item", as: Int64.self).map(ItemID.init)
    works = WorkFinder(store.db)
    try store.refreshIndex()
  }

  /// The number of candidates shown to the user.
  private static let mostShown = 5

  /// - Parameters:
  ///   - query: the result of ``EntryIndex/search(_:)``, if it was searched before.
  ///   - place: the number of rows before it in the file; nil outside a file.
  ///   - isShown: whether the user sees the candidates of an unsure row. If not, the list may be incomplete.
  ///   - isItem: whether the file says that it is no row above. It may be another edition of one.
  public func match(
    _ record: @autoclosure () throws -> Record, _ query: MatchQuery? = nil, at place: Int? = nil, isShown: Bool = true,
    isItem: Bool = false
  ) throws -> Match {
    let row = try query ?? MatchQuery(record())
    var above = place.flatMap { rowsAbove.find(row.inFile, at: $0) }
    if isItem, above?.verdict != .edition { above = nil }
    if let above, above.verdict == .same { return .certain(MatchCandidate(above)) }
    let (coded, contradicted) = try byCode(row)
    if let coded { return coded }
    let onShelf = try onShelf(row, isShown: isShown)
    if let above, above.verdict == .edition {
      // The item may be of this edition, too, but its title matches no better than the row above.
      if case .edition? = onShelf, let onShelf { return onShelf }
      return .edition(MatchCandidate(above), entry: Self.entry(Self.choose(near(row))))
    }
    if let onShelf { return Self.doubted(onShelf, because: contradicted) }
    let match = Self.choose(near(row)) ?? .new
    let doubts = contradicted + (above?.verdict == .perhaps ? [above.map(MatchCandidate.init)].compactMap(\.self) : [])
    guard doubts.isEmpty, let place, let entry = Self.entry(match),
      let known = rowsAbove.find(row.inFile, at: place, claiming: entry)
    else { return Self.doubted(match, because: doubts) }
    return switch known.verdict {
    case .same: isItem ? .new : .certain(MatchCandidate(known))
    case .edition: .edition(MatchCandidate(known), entry: entry)
    case .perhaps, .other: .new
    }
  }

  /// Remembers a row that becomes an item, for the rows below it.
  /// - Parameter match: its match.
  public func remember(_ row: MatchQuery, at place: Int, line: Int, as match: Match?) {
    rowsAbove.remember(row.inFile, at: place, line: line, claiming: Self.entry(match))
  }

  private func near(_ row: MatchQuery) -> [MatchCandidate] { row.entries ?? entries.near(row.keys) }

  /// The entry that a certain match or an edition refers to.
  private static func entry(_ match: Match?) -> ExternalID? {
    switch match {
    case .certain(let found)?: if case .entry(let id) = found.thing { id } else { nil }
    case .edition(_, let entry)?: entry
    default: nil
    }
  }

  /// Returns the match with the doubts added: the row has a code of items with other titles, so the user has to decide.
  private static func doubted(_ match: Match, because doubts: [MatchCandidate]) -> Match {
    guard !doubts.isEmpty else { return match }
    switch match {
    case .certain(let found): if case .item = found.thing { return match } else { return .unsure(doubts + [found]) }
    case .edition: return match
    case .unsure(let near): return .unsure(doubts + near)
    case .new: return .unsure(doubts)
    }
  }

  /// Matches a row with items by codes. Also returns the items with a shared code whose title contradicts.
  private func byCode(_ query: MatchQuery) throws -> (match: Match?, contradicted: [MatchCandidate]) {
    guard let newest else { return (nil, []) }
    let kind = query.keys.kind
    var (edition, contradicted): (MatchCandidate?, [MatchCandidate]) = (nil, [])
    for (id, _) in try finder.items(sharing: query.keys) where id <= newest {
      guard let thing = try store.thing(id, of: kind, with: .externalIDs) else { continue }
      let found = MatchCandidate(id, thing, query.keys.compare(with: thing.identity))
      switch found.comparison.outcome {
      case .same: return (.certain(found), [])
      case .edition: edition = edition ?? found
      case .perhaps: contradicted.append(found)
      case .other: break
      }
    }
    return (edition.map { .edition($0, entry: nil) }, contradicted)
  }

  /// Matches a row with items by title; nil without candidates.
  private func onShelf(_ query: MatchQuery, isShown: Bool) throws -> Match? {
    guard let newest else { return nil }
    let kind = query.keys.kind
    let items = try works.items(like: query.keys, upTo: newest)
    var (near, things): ([MatchCandidate], [(id: ItemID, thing: KnownThing)]) = ([], [])
    func look(at id: ItemID) throws {
      guard let thing = try store.thing(id, of: kind, with: kind == .movie ? .externalIDs : []),
        case let comparison = query.keys.compare(with: thing.identity), comparison.outcome != .other
      else { return }
      near.append(MatchCandidate(id, thing, comparison))
      things.append((id, thing))
    }
    for id in items.mayBeSame { try look(at: id) }
    for id in items.perhaps {
      // It stays unsure, with any further candidates.
      if !isShown, case .unsure? = Self.choose(near) { break }
      try look(at: id)
    }
    let match = Self.choose(near)
    guard case .certain(let chosen)? = match else { return match }
    let isOther = try zip(near, things).contains { candidate, known in
      guard candidate.comparison == chosen.comparison else { return false }
      var identity = known.thing.identity
      if kind != .movie { identity.externalIDs = try store.externalIDs(of: known.id) }
      return query.keys.isAnotherThing(than: identity)
    }
    return isOther ? .edition(chosen, entry: nil) : match
  }

  /// The only one that is the same, or an edition, if no other candidate is as good; nil without candidates.
  private static func choose(_ near: [MatchCandidate]) -> Match? {
    guard !near.isEmpty else { return nil }
    // Rivals have the same title and no contradicting maker.
    let rivals = near.filter { candidate in
      candidate.comparison.title.isEqual && ![.none, .near].contains(candidate.comparison.makers)
        || candidate.comparison.outcome == .edition
    }
    let top = rivals.map(\.comparison.score).max()
    let best = rivals.filter { $0.comparison.score == top }
    if let only = best.first, best.count == 1, rivals.count == 1 || only.comparison.makers == .some {
      if only.comparison.outcome == .same { return .certain(only) }
      if only.comparison.outcome == .edition, case .item = only.thing { return .edition(only, entry: nil) }
    }
    return .unsure(Array(near.sorted { $0.comparison.score > $1.comparison.score }.prefix(mostShown)))
  }
}

extension WorkIdentity.Comparison {
  /// The score, 0 … 100, which sorts candidate matches.
  public var score: Int {
    if code == .edition { return outcome == .perhaps ? 60 : 100 }
    let title =
      switch title {
      case .equal, .article, .or: 50
      case .edition, .performed, .bracket, .subtitle: 35
      case .near: 25
      case .none: 0
      }
    let year = years.map { $0 == 0 ? 25 : $0 == 1 ? 15 : 0 } ?? 10
    let makers =
      switch makers {
      case .some: 24
      case .unreadable: 12
      case .unknown, .near: 10
      case .none: 0
      }
    return title + year + makers
  }
}

extension MatchCandidate {
  fileprivate init(_ id: ItemID, _ known: KnownThing, _ comparison: WorkIdentity.Comparison) {
    self.init(
      thing: .item(id), title: known.title, year: known.identity.year, creators: known.makers, comparison: comparison)
  }

  fileprivate init(_ above: RowsAbove.Found) {
    self.init(
      thing: .row(above.place, line: above.line), title: "", year: nil, creators: [], comparison: above.comparison)
  }
}

extension MatchQuery {
  /// Creates a row without searching the entries.
  fileprivate convenience init(_ record: Record) { self.init(record, WorkIdentity(record), entries: nil) }
}

/// An index of the entries of local sources.
public final class EntryIndex: Sendable {
  private let records: @Sendable () -> any Sequence<Record>
  private let titles = Mutex<EntryTitles?>(nil)

  /// - Parameter records: called at the first search, on any thread. Records without an id are ignored.
  public init(_ records: @autoclosure @escaping @Sendable () -> any Sequence<Record>) { self.records = records }

  /// Searches the entries for candidates of a row, for ``Matcher/match(_:_:at:isShown:)``.
  public func search(_ entry: Entry) -> MatchQuery {
    let keys = WorkIdentity(entry.record)
    return MatchQuery(entry.record, keys, notes: entry.notes, entries: near(keys))
  }

  fileprivate func near(_ row: WorkIdentity) -> [MatchCandidate] {
    let titles = titles.withLock { titles in
      let known = titles ?? EntryTitles(records())
      titles = known
      return known
    }
    return titles.near(row)
  }
}

/// Entries by title and, for misspelled titles, by the year of a film or the maker of a book or record.
private struct EntryTitles {
  /// The entries of one kind.
  private struct Shelf {
    var byTitle: [Int64: [Int]] = [:]
    var byYear: [Int: [(title: TitleSpelling, place: Int)]] = [:]
    var byMaker: [String: [(title: TitleSpelling, place: Int)]] = [:]
  }

  /// The displayed values and identity keys of an entry. The rest of a record is dropped, since there are thousands.
  private struct Entry {
    let id: ExternalID
    let title: String
    let year: Int?
    let creators: [String]
    let keys: WorkIdentity
  }

  private var entries: [Entry] = []
  private var shelves: [Kind: Shelf] = [:]

  init(_ records: any Sequence<Record>) {
    for record in records { add(record) }
  }

  private mutating func add(_ record: Record) {
    guard let id = record.externalIDs.first else { return }
    let (keys, place) = (WorkIdentity(record), entries.count)
    entries.append(Entry(id: id, title: record.title, year: record.year, creators: record.creators, keys: keys))
    for key in WorkKey.Numbers(keys).own {
      shelves[record.kind, default: Shelf()].byTitle[key, default: []].append(place)
    }
    for title in [record.title, record.originalTitle].compactMap(\.self).map(TitleSpelling.init) {
      if record.kind == .movie {
        if let year = keys.year { shelves[.movie, default: Shelf()].byYear[year, default: []].append((title, place)) }
      } else {
        for maker in keys.makers {
          shelves[record.kind, default: Shelf()].byMaker[maker.key, default: []].append((title, place))
        }
      }
    }
  }

  func near(_ row: WorkIdentity) -> [MatchCandidate] {
    guard let shelf = shelves[row.kind] else { return [] }
    var found: [Int: WorkIdentity.Comparison] = [:]
    for key in WorkKey.Numbers(row).asked {
      for place in shelf.byTitle[key] ?? [] where found[place] == nil {
        found[place] = row.compare(with: entries[place].keys)
      }
    }
    let spellings = row.names.map(TitleSpelling.init)
    func addMisspelled(_ others: [(title: TitleSpelling, place: Int)]) {
      for other in others where spellings.contains(where: { $0.isNear(other.title) }) {
        if let known = found[other.place], known.title != .none { continue }
        found[other.place] = row.compare(with: entries[other.place].keys, title: .near)
      }
    }
    if row.kind == .movie, let year = row.year {
      for year in year - 1...year + 1 { addMisspelled(shelf.byYear[year] ?? []) }
    } else if row.kind != .movie {
      for maker in row.makers { addMisspelled(shelf.byMaker[maker.key] ?? []) }
    }
    return found.sorted { $0.key < $1.key }.compactMap { place, comparison in
      guard comparison.outcome != .other else { return nil }
      let entry = entries[place]
      return MatchCandidate(
        thing: .entry(entry.id), title: entry.title, year: entry.year, creators: entry.creators, comparison: comparison)
    }
  }
}
