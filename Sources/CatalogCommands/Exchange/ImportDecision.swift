internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Exchange
internal import Lookup

/// The planned outcome of a row.
enum ImportDecision {
  /// The row is unchanged since its last import.
  case known
  /// The row is unchanged, and was left out then.
  case leftBefore
  /// The row is unchanged, and was rejected then.
  case rejectedBefore
  /// The row matches an item on the shelf.
  case item(ItemID)
  /// The row matches the row above with this index.
  case row(Int)
  /// The row matches an entry of the pack, by its id.
  indirect case entry(ExternalID)
  case new
  /// The row is another edition of an item or of a row above; the pack may have the work, too.
  indirect case edition(MatchCandidate.Thing, entry: ExternalID?)
  /// The row becomes a new item. The best candidate is kept for a person's decision.
  indirect case unsure(MatchCandidate)
  /// The row is left out: its item was removed here, or a person decided so.
  indirect case left(Message)
  case rejected
}

/// Decides the outcome of each row of a file, in order. The plan and the import use the same rules, so the result is as
/// planned.
struct RowDecider {
  /// The entries of the pack.
  let entries: EntryIndex
  private let matcher: Matcher
  private let known: KnownRows
  /// The decisions of a person, by the key of the row.
  private let choices: [String: ReviewFile.Choice]
  private let store: Store
  private let taken = TakenThings()

  init(_ file: some RowSource, choices: [String: ReviewFile.Choice] = [:], in store: Store) throws {
    entries = .pack
    matcher = try Matcher(store, entries: entries)
    known = try KnownRows(of: file.formatID, in: store)
    (self.choices, self.store) = (choices, store)
  }

  /// - Parameters:
  ///   - place: the index of the row.
  ///   - isShown: whether the candidates of an unsure row are shown to a person.
  /// - Returns: the decision, and the match if the row was compared.
  func decide(_ row: PreparedRow, at place: Int, isShown: Bool = true) throws -> (ImportDecision, Match?) {
    var (decision, match) = try decision(for: row, at: place, isShown: isShown)
    if row.row.isItem { taken.settle(&decision, of: row.row, at: place, isMatched: match != nil) }
    switch decision {
    case .leftBefore, .left, .rejected, .rejectedBefore: break
    default:
      if let query = row.query { matcher.remember(query, at: place, line: row.row.line, as: match) }
    }
    return (decision, match)
  }

  private func decision(
    for prepared: PreparedRow, at place: Int, isShown: Bool
  ) throws -> (ImportDecision, Match?) {
    let row = prepared.row
    let choice = choices[row.key]
    let before = try known.row(like: row)
    if let before, before.isSaid(by: row) {
      if before.outcome == .rejected { return (.rejectedBefore, nil) }
      if before.outcome != .skipped { return (.known, nil) }
      if choice == nil { return (.leftBefore, nil) }
    }
    // Most rows are new, and their content is not needed here.
    guard case .success = row.content else { return (.rejected, nil) }
    try choice?.check(for: row, row.content.get(), in: store)
    switch choice {
    case .item(let id): return (.item(id), nil)
    case .entry(let id): return (.entry(id), nil)
    case .new: return (.new, nil)
    case .left: return (.left("left out by hand"), nil)
    case nil: break
    }
    if let before {
      if let item = before.item { return (.item(item), nil) }
      // A row whose item was removed is not imported again.
      if before.outcome == .added || before.outcome == .joined { return (.left("it was removed here"), nil) }
      if before.outcome == .skipped {
        return (.left(before.reason.map { Message(verbatim: $0) } ?? "it was left out before"), nil)
      }
    }
    if let item = try store.item(ofExport: row) { return (.item(item), nil) }
    // A file that numbers works says by itself which rows are editions.
    let match = try matcher.match(
      try row.content.get().record, prepared.query, at: row.work == nil ? place : nil, isShown: isShown,
      isItem: row.isItem)
    switch match {
    case .certain(let found):
      switch found.thing {
      case .item(let id): return (.item(id), match)
      case .entry(let id): return (.entry(id), match)
      case .row(let above, _): return (.row(above), match)
      }
    case .unsure(let near): return (near.first.map { .unsure($0) } ?? .new, match)
    case .edition(let found, let entry): return (.edition(found.thing, entry: entry), match)
    case .new: return (.new, match)
    }
  }
}

/// The items and entries that rows of a file with numbered items have become, each by the first of its rows. Rows that
/// are decided again get the same results.
private final class TakenThings {
  private enum Thing: Hashable {
    case item(ItemID)
    case entry(ExternalID)
    case work(String)
  }

  private var first: [Thing: (place: Int, line: Int)] = [:]

  /// Makes a row an item of its own, and an edition of the first row of its work.
  /// - Parameter isMatched: whether the row was compared, not known from before or from a person.
  func settle(_ decision: inout ImportDecision, of row: ImportRow, at place: Int, isMatched: Bool) {
    func first(_ thing: Thing) -> (place: Int, line: Int)? {
      let known = self.first[thing] ?? (place, row.line)
      self.first[thing] = known
      return known.place < place ? known : nil
    }
    switch decision {
    case .item(let id): if first(.item(id)) != nil, isMatched { decision = .new }
    case .entry(let id): if first(.entry(id)) != nil, isMatched { decision = .new }
    default: break
    }
    guard let work = row.work.flatMap({ first(.work($0)) }) else { return }
    let other = MatchCandidate.Thing.row(work.place, line: work.line)
    switch decision {
    case .new, .unsure: decision = .edition(other, entry: nil)
    case .edition(_, let entry): decision = .edition(other, entry: entry)
    case .entry(let id): decision = .edition(other, entry: id)
    case .known, .leftBefore, .rejectedBefore, .item, .row, .left, .rejected: break
    }
  }
}

extension EntryIndex {
  /// The built-in pack, indexed once.
  static let pack = EntryIndex(StarterPack.candidates.map(\.record))
}

/// The number of rows by their outcome, and the remarks about them.
struct ImportTally {
  enum Heading: CaseIterable, Hashable {
    case known, onShelf, inFile, inPack, new, unsure, left, rejected
  }

  private(set) var rows = 0
  /// The remarks about unsure, rejected and left rows.
  private(set) var remarks = FirstLines()
  /// The remarks about cells that were not imported as they are, with their rows.
  private(set) var told = RowRemarks()
  /// The number of unchanged rows that were rejected before.
  private(set) var rejectedBefore = 0
  /// The number of unsure rows that may be a work of the pack, which no item is yet.
  private(set) var perhapsOfPack = 0
  /// The number of rows under each heading.
  private var counts: [Heading: Int] = [:]

  mutating func add(_ decision: ImportDecision, _ prepared: PreparedRow, _ match: Match?, _ context: Context) {
    rows += 1
    let row = prepared.row
    let heading: Heading =
      switch decision {
      case .known, .leftBefore, .rejectedBefore: .known
      case .item: .onShelf
      case .row: .inFile
      case .entry: .inPack
      case .new, .edition: .new
      case .unsure: .unsure
      case .left: .left
      case .rejected: .rejected
      }
    counts[heading, default: 0] += 1
    if case .rejectedBefore = decision { rejectedBefore += 1 }
    if case .unsure(let found) = decision, case .entry = found.thing { perhapsOfPack += 1 }
    if case .failure(let rejection) = row.content {
      let reason = rejection.message
      remarks.append(context.text("\(row.place): \(row.words): rejected: \(reason)"))
    } else if case .unsure(let near)? = match {
      var best: String { near.first?.told(in: context) ?? "" }
      remarks.append(context.text("\(row.place): \(row.words): perhaps the same as \(best)"))
    } else if case .left(let reason) = decision {
      remarks.append(context.text("\(row.place): \(row.words): left out: \(reason)"))
    }
    guard ![.known, .left, .rejected].contains(heading) else { return }
    told.add(prepared.remarks, of: row)
  }

  func count(_ heading: Heading) -> Int { counts[heading] ?? 0 }

  /// The number of rows that change the catalog.
  var writable: Int { count(.onShelf) + count(.inFile) + count(.inPack) + count(.new) + count(.unsure) }

  /// Whether any row is written, or remembered as left out.
  var brings: Bool { writable + count(.rejected) + count(.left) > 0 }
}
