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
  public var comparison: Comparison
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
  fileprivate let keys: IdentityKeys
  fileprivate let inFile: RowIdentityKeys
  fileprivate let titles: TitleIndex.Query
  /// Nil if the entries were not searched.
  fileprivate let entries: [MatchCandidate]?

  fileprivate init(_ record: Record, _ keys: IdentityKeys, notes: [String] = [], entries: [MatchCandidate]?) {
    (self.keys, self.entries) = (keys, entries)
    inFile = RowIdentityKeys(record, keys, notes: notes)
    titles = TitleIndex.Query(keys)
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
  private let titles: TitleIndex?
  private let finder: ItemFinder
  private let rowsAbove = RowsAbove()

  /// - Parameter entries: the entries of local sources.
  public init(_ store: Store, entries: EntryIndex) throws {
    (self.store, self.entries) = (store, entries)
    finder = ItemFinder(store.db)
    try store.makeRoomForMany(ImportSession.room)
    newest = try store.db.value("SELECT max(id) FROM item", as: Int64.self).map(ItemID.init)
    titles = newest.map { TitleIndex(of: store, upTo: $0) }
  }

  /// The number of candidates shown to the user.
  private static let mostShown = 5

  /// - Parameters:
  ///   - query: the result of ``EntryIndex/search(_:)``, if it was searched before.
  ///   - place: the number of rows before it in the file; nil outside a file.
  ///   - isShown: whether the user sees the candidates of an unsure row. If not, the list may be incomplete.
  public func match(
    _ record: @autoclosure () throws -> Record, _ query: MatchQuery? = nil, at place: Int? = nil, isShown: Bool = true
  ) throws -> Match {
    let row = try query ?? MatchQuery(record())
    let above = place.flatMap { rowsAbove.find(row.inFile, at: $0) }
    if let above, above.verdict == .same { return .certain(MatchCandidate(above)) }
    let (coded, contradicted) = try byCode(record, row)
    if let coded { return coded }
    let onShelf = try onShelf(try record(), row, isShown: isShown)
    if let above, above.verdict == .edition {
      // The item may be of this edition, too, but its title matches no better than the row above.
      if case .edition? = onShelf, let onShelf { return onShelf }
      return .edition(MatchCandidate(above), entry: Self.entry(Self.choose(near(row), for: row.keys)))
    }
    if let onShelf { return Self.doubted(onShelf, because: contradicted) }
    let match = Self.choose(near(row), for: row.keys) ?? .new
    let doubts = contradicted + (above?.verdict == .perhaps ? [above.map(MatchCandidate.init)].compactMap(\.self) : [])
    guard doubts.isEmpty, let place, let entry = Self.entry(match),
      let known = rowsAbove.find(row.inFile, at: place, claiming: entry)
    else { return Self.doubted(match, because: doubts) }
    return switch known.verdict {
    case .same: .certain(MatchCandidate(known))
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
  private func byCode(
    _ record: () throws -> Record, _ query: MatchQuery
  ) throws -> (match: Match?, contradicted: [MatchCandidate]) {
    guard let newest else { return (nil, []) }
    let kind = query.keys.kind
    var (edition, contradicted): (MatchCandidate?, [MatchCandidate]) = (nil, [])
    for (id, code) in try finder.items(sharing: query.keys) where id <= newest {
      guard let thing = try store.thing(id, of: kind, with: code == .work ? .externalIDs : []) else { continue }
      let title = try query.keys.titleAgreement(with: thing.keys) ?? record().howeverCalled(than: thing)
      var comparison = Comparison(query.keys, thing.keys, title: title)
      comparison.code = code
      comparison.isOtherVolume = query.keys.isAnotherVolume(than: thing.keys)
      comparison.isToldApart = query.keys.isAnotherThing(than: thing.keys)
      let found = MatchCandidate(id, thing, comparison)
      switch comparison.verdict(of: kind) {
      case .same: return (.certain(found), [])
      case .edition: edition = edition ?? found
      case .perhaps: contradicted.append(found)
      case .other: break
      }
    }
    return (edition.map { .edition($0, entry: nil) }, contradicted)
  }

  /// Matches a row with items by title; nil without candidates.
  private func onShelf(_ record: @autoclosure () throws -> Record, _ query: MatchQuery, isShown: Bool) throws -> Match?
  {
    guard let newest else { return nil }
    let kind = query.keys.kind
    let items =
      try titles?.items(calledLike: query.titles)
      ?? TitleIndex.Items(mayBeCertain: store.items(calledLike: record(), upTo: newest))
    var (near, things): ([MatchCandidate], [(id: ItemID, thing: KnownThing)]) = ([], [])
    func look(at id: ItemID) throws {
      guard let thing = try store.thing(id, of: kind, with: kind == .movie ? .externalIDs : []),
        !query.keys.isForbidden(thing.keys), let title = query.keys.titleAgreement(with: thing.keys)
      else { return }
      let comparison = Comparison(query.keys, thing.keys, title: title)
      guard comparison.isPossible(query.keys) else { return }
      near.append(MatchCandidate(id, thing, comparison))
      things.append((id, thing))
    }
    for id in items.mayBeCertain { try look(at: id) }
    for id in items.unsure {
      // It stays unsure, with any further candidates.
      if !isShown, case .unsure? = Self.choose(near, for: query.keys) { break }
      try look(at: id)
    }
    let match = Self.choose(near, for: query.keys)
    guard case .certain(let chosen)? = match else { return match }
    let isOther = try zip(near, things).contains { candidate, known in
      guard candidate.comparison == chosen.comparison else { return false }
      var keys = known.thing.keys
      if kind != .movie { keys.externalIDs = try store.externalIDs(of: known.id) }
      return query.keys.isAnotherThing(than: keys)
    }
    return isOther ? .edition(chosen, entry: nil) : match
  }

  /// The only certain candidate, if no other is as good; nil without candidates.
  private static func choose(_ near: [MatchCandidate], for row: IdentityKeys) -> Match? {
    guard !near.isEmpty else { return nil }
    // Rivals have the same title and no contradicting maker.
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

extension MatchCandidate {
  fileprivate init(_ id: ItemID, _ known: KnownThing, _ comparison: Comparison) {
    self.init(
      thing: .item(id), title: known.title, year: known.keys.year, creators: known.makers, comparison: comparison)
  }

  fileprivate init(_ above: RowsAbove.Found) {
    self.init(
      thing: .row(above.place, line: above.line), title: "", year: nil, creators: [], comparison: above.comparison)
  }
}

extension Record {
  /// The difference of titles of which none are equal.
  fileprivate func howeverCalled(than other: KnownThing) -> Comparison.Title {
    let titles = [title, originalTitle].compactMap(\.self) + otherTitles
    guard TitleWords.arePlainlyOthers(titles, other.titles) else { return .near }
    let (own, others) = (titles.map(Spelling.init), other.titles.map(Spelling.init))
    return own.contains { one in others.contains { one.isNear($0) } } ? .near : .other
  }
}

extension MatchQuery {
  /// Creates a row without searching the entries.
  fileprivate convenience init(_ record: Record) { self.init(record, IdentityKeys(record), entries: nil) }
}

extension IdentityKeys {
  /// Whether the two cannot be the same: one source has an id for each, or they are different volumes.
  fileprivate func isForbidden(_ other: IdentityKeys) -> Bool {
    kind != other.kind || isAnotherVolume(than: other)
      || kind == .movie && isAnotherThing(than: other) && relation(to: other) == nil
  }

  /// The agreement of the titles; nil if they differ.
  func titleAgreement(with other: IdentityKeys) -> Comparison.Title? {
    if !titles.whole.isDisjoint(with: other.titles.whole) || !titles.whole.isDisjoint(with: other.otherTitles.whole)
      || !otherTitles.whole.isDisjoint(with: other.titles.whole)
    {
      return .equal
    }
    return titles.isShared(with: other.titles) ? .within : nil
  }
}

/// An index of the entries of local sources.
public final class EntryIndex: Sendable {
  private let records: @Sendable () -> any Sequence<Record>
  private let titles = Mutex<EntryTitles?>(nil)

  /// - Parameter records: called at the first search, on any thread. Records without an id are ignored.
  public init(_ records: @autoclosure @escaping @Sendable () -> any Sequence<Record>) { self.records = records }

  /// Searches the entries for candidates of a row, for ``Matcher/match(_:_:at:isShown:)``.
  public func search(_ entry: Entry) -> MatchQuery {
    let keys = IdentityKeys(entry.record)
    return MatchQuery(entry.record, keys, notes: entry.notes, entries: near(keys))
  }

  fileprivate func near(_ row: IdentityKeys) -> [MatchCandidate] {
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
    var byTitle: [String: [Int]] = [:]
    var byYear: [Int: [(title: Spelling, place: Int)]] = [:]
    var byMaker: [String: [(title: Spelling, place: Int)]] = [:]
  }

  /// The displayed values and identity keys of an entry. The rest of a record is dropped, since there are thousands.
  private struct Entry {
    let id: ExternalID
    let title: String
    let year: Int?
    let creators: [String]
    let keys: IdentityKeys
  }

  private var entries: [Entry] = []
  private var shelves: [Kind: Shelf] = [:]

  init(_ records: any Sequence<Record>) {
    for record in records { add(record) }
  }

  private mutating func add(_ record: Record) {
    guard let id = record.externalIDs.first else { return }
    let (keys, place) = (IdentityKeys(record), entries.count)
    entries.append(Entry(id: id, title: record.title, year: record.year, creators: record.creators, keys: keys))
    for key in keys.allTitles { shelves[record.kind, default: Shelf()].byTitle[key, default: []].append(place) }
    for title in keys.titles.whole.map(Spelling.init) {
      if record.kind == .movie {
        if let year = keys.year { shelves[.movie, default: Shelf()].byYear[year, default: []].append((title, place)) }
      } else {
        for maker in keys.makers {
          shelves[record.kind, default: Shelf()].byMaker[maker.key, default: []].append((title, place))
        }
      }
    }
  }

  func near(_ row: IdentityKeys) -> [MatchCandidate] {
    guard let shelf = shelves[row.kind] else { return [] }
    var titles: [Int: Comparison.Title] = [:]
    for key in row.allTitles {
      for place in shelf.byTitle[key] ?? [] where titles[place] == nil {
        titles[place] = row.titleAgreement(with: entries[place].keys)
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
      let comparison = Comparison(row, entry.keys, title: title)
      guard comparison.isPossible(row) else { return nil }
      return MatchCandidate(
        thing: .entry(entry.id), title: entry.title, year: entry.year, creators: entry.creators, comparison: comparison)
    }
  }
}

extension IdentityKeys {
  /// All titles by which it can be found.
  fileprivate var allTitles: Set<String> { titles.whole.union(titles.bare).union(otherTitles.whole) }
}

/// A title prepared for fuzzy comparison: by letters and, for Korean, also by syllables, which people swap like
/// letters.
private struct Spelling {
  private let letters: Summary
  private let syllables: Summary?

  init(_ title: String) {
    let letters = Folding.letters(title)
    self.letters = Summary(letters)
    syllables = letters.utf8.count == title.utf8.count ? nil : Summary(title)
  }

  func isNear(_ other: Spelling) -> Bool {
    if letters.areNear(other.letters) { return true }
    guard let syllables, let others = other.syllables else { return false }
    return syllables.areNear(others)
  }

  /// A text with a summary that rules out most others before the texts are compared.
  private struct Summary {
    private let text: String
    private let count: Int
    /// The characters in it, several for each bit.
    private let bits: UInt32

    init(_ text: String) {
      self.text = text
      (count, bits) = text.unicodeScalars.reduce((0, 0)) { ($0.0 + 1, $0.1 | 1 << ($1.value & 31)) }
    }

    /// Whether the texts differ by one edit, or by two if they are long.
    func areNear(_ other: Summary) -> Bool {
      guard count >= 4 else { return false }
      let most = count >= 8 ? 2 : 1
      // An edit removes one character and adds one.
      guard abs(count - other.count) <= most, (bits ^ other.bits).nonzeroBitCount <= 2 * most else { return false }
      return text.isWithin(most, editsOf: other.text)
    }
  }
}
