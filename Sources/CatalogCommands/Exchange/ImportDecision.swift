internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Exchange
internal import Lookup

/// What is to become of a row of a file.
enum ImportDecision {
  /// It says what it said when it last came.
  case known
  /// The same of one that was left out then.
  case leftBefore
  /// It is on the shelf.
  case item(ItemID)
  /// It is the same as a row above, before which so many stand.
  case row(Int)
  /// It is an entry of the pack, by its id.
  indirect case entry(ExternalID)
  case new
  /// It is another edition of something on the shelf, or of a row above; and the pack may know the work.
  indirect case edition(Candidacy.Thing, entry: ExternalID?)
  /// It becomes a new item, and a person may say that it is this.
  indirect case unsure(Candidacy)
  /// It was removed here, or a person left it out.
  indirect case left(Message)
  case rejected
}

/// Finds out what is to become of each row of a file, one after the other. A plan and an import ask it alike, so that what is planned is
/// what comes.
struct RowDecider {
  /// The entries of the pack.
  let entries: EntryIndex
  private let matcher: Matcher
  private let known: KnownRows
  /// What a person decided, by the key of the row.
  private let choices: [String: ReviewFile.Choice]
  private let store: Store

  init(_ file: some RowSource, choices: [String: ReviewFile.Choice] = [:], in store: Store) throws {
    entries = EntryIndex(StarterPack.candidates.map(\.record))
    matcher = try Matcher(store, entries: entries)
    known = try KnownRows(of: file.formatID, in: store)
    (self.choices, self.store) = (choices, store)
  }

  /// - Parameters:
  ///   - place: how many rows stand before it.
  ///   - isShown: whether a person sees what an unsure row may be.
  /// - Returns: the match, too, where the row was looked for.
  func decide(_ row: PreparedRow, at place: Int, isShown: Bool = true) throws -> (ImportDecision, Match?) {
    let (decision, match) = try decision(for: row, at: place, isShown: isShown)
    switch decision {
    case .leftBefore, .left, .rejected: break
    default:
      if let sought = row.sought { matcher.remember(sought, at: place, line: row.row.line, as: match) }
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
      if before.outcome != .skipped { return (.known, nil) }
      if choice == nil { return (.leftBefore, nil) }
    }
    // Most rows are new, and none of what they say is looked at here.
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
      // Whoever removed it does not want it back.
      if before.outcome == .added || before.outcome == .joined { return (.left("it was removed here"), nil) }
      if before.outcome == .skipped {
        return (.left(before.reason.map { Message(verbatim: $0) } ?? "it was left out before"), nil)
      }
    }
    let match = try matcher.match(try row.content.get().record, prepared.sought, at: place, isShown: isShown)
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

/// What became of the rows so far, counted, and what a person should see of them.
struct ImportTally {
  enum Heading: CaseIterable, Hashable {
    case known, onShelf, inFile, inPack, new, unsure, left, rejected
  }

  private(set) var rows = 0
  /// What a person should see of the rows that are unsure or rejected.
  private(set) var remarks = FirstLines()
  /// The cells that were not taken as the file has them, with their rows.
  private(set) var told = RowRemarks()
  /// How many of the rows come under which heading.
  private var counts: [Heading: Int] = [:]

  mutating func add(_ decision: ImportDecision, _ prepared: PreparedRow, _ match: Match?, _ context: Context) {
    rows += 1
    let row = prepared.row
    let heading: Heading =
      switch decision {
      case .known, .leftBefore: .known
      case .item: .onShelf
      case .row: .inFile
      case .entry: .inPack
      case .new, .edition: .new
      case .unsure: .unsure
      case .left: .left
      case .rejected: .rejected
      }
    counts[heading, default: 0] += 1
    if case .failure(let rejection) = row.content {
      let reason = Message(rejection.words)
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

  /// How many bring something to a shelf.
  var writable: Int { count(.onShelf) + count(.inFile) + count(.inPack) + count(.new) + count(.unsure) }

  /// Whether any of them is to be written, or remembered as left out.
  var brings: Bool { writable + count(.rejected) + count(.left) > 0 }
}
