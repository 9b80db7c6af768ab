internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Exchange
internal import Lookup
internal import Processes

/// What is to become of each row of a file, before any of it is written.
///
/// Of a row only its decision is remembered: the file is read again when it is written.
struct ImportPlan {
  enum Decision {
    /// It says what it said when it last came.
    case known
    /// The same of one that was left out then.
    case leftBefore
    /// It is on the shelf.
    case item(ItemID)
    /// It is an entry of the pack, by its id.
    indirect case entry(ExternalID)
    case new
    /// It is another edition of something on the shelf.
    case edition(ItemID)
    /// It is the same as a row above.
    case again
    /// A person has to say.
    case unsure
    /// It was removed here, or a person left it out.
    indirect case left(Message)
    case rejected
  }

  private(set) var decisions: [Decision] = []
  /// What a person should see of the rows that are unsure or rejected.
  private(set) var remarks: [String] = []
  /// How many of the rows come under which heading.
  private(set) var counts: [Heading: Int] = [:]

  enum Heading: CaseIterable, Hashable {
    case known, onShelf, inPack, new, unsure, left, rejected
  }

  /// Whether a row is the same as one above.
  private(set) var hasRepeats = false
  /// How many rows have a text that is cut.
  private(set) var cut = 0

  /// Reads a whole file and finds out what its rows are.
  /// - Parameters:
  ///   - choices: what a person decided, by the key of the row.
  ///   - review: gets each row with what it may be.
  init(
    _ file: some RowSource, choices: [String: ReviewFile.Choice], in store: Store, _ context: Context,
    review: (ImportRow, Match?, Decision) throws -> Void = { _, _, _ in }
  ) throws {
    var matcher = try Matcher(store, entries: StarterPack.candidates.map(\.record))
    let known = try KnownRows(of: file.formatID, in: store)
    // What the rows so far call what is new.
    var names = Set<UInt64>()
    let progress = ProgressLine(of: nil, in: context)
    defer { progress.clear() }
    let reader = try RowReader(file)
    while let row = try reader.next() {
      try Interrupt.check()
      let (decision, match) = try decide(row, choices[row.key], known, &matcher, &names, store)
      try review(row, match, decision)
      add(decision, row, match, context)
      progress.show(decisions.count, row.words)
    }
  }

  private mutating func decide(
    _ row: ImportRow, _ choice: ReviewFile.Choice?, _ known: KnownRows, _ matcher: inout Matcher,
    _ names: inout Set<UInt64>, _ store: Store
  ) throws -> (Decision, Match?) {
    let before = try known.row(like: row)
    if let before, before.isSaid(by: row) {
      if before.outcome != .skipped { return (.known, nil) }
      if choice == nil { return (.leftBefore, nil) }
    }
    guard case .success(let entry) = row.content else { return (.rejected, nil) }
    try choice?.check(for: row, entry, in: store)
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
    let match = try matcher.match(entry.record)
    switch match {
    case .certain(let found):
      switch found.thing {
      case .item(let id): return (.item(id), match)
      case .entry(let record): return (record.externalIDs.first.map { .entry($0) } ?? .new, match)
      }
    case .unsure: return (.unsure, match)
    case .edition(let found):
      guard case .item(let id) = found.thing else { return (.new, match) }
      return (.edition(id), match)
    case .new:
      let hasCode = !entry.record.externalIDs.isEmpty || entry.record.book.isbn != nil
      guard !names.insert(entry.name).inserted, !hasCode else { return (.new, match) }
      hasRepeats = true
      return (.again, match)
    }
  }

  private mutating func add(_ decision: Decision, _ row: ImportRow, _ match: Match?, _ context: Context) {
    decisions.append(decision)
    let heading: Heading =
      switch decision {
      case .known, .leftBefore: .known
      case .item, .again: .onShelf
      case .entry: .inPack
      case .new, .edition: .new
      case .unsure: .unsure
      case .left: .left
      case .rejected: .rejected
      }
    counts[heading, default: 0] += 1
    if case .failure(let rejection) = row.content {
      let reason = Message(rejection.words)
      remarks.append(context.text("line \(row.line): \(row.words): rejected: \(reason)"))
    } else if case .unsure(let near)? = match {
      let best = near.first.map { "\($0.line) (\($0.why.map(context.text).joined(separator: ", ")))" } ?? ""
      remarks.append(context.text("line \(row.line): \(row.words): unsure: \(best)"))
    } else if case .left(let reason) = decision {
      remarks.append(context.text("line \(row.line): \(row.words): left out: \(reason)"))
    }
    guard [.onShelf, .inPack, .new].contains(heading), case .success(let entry) = row.content, !entry.cut.isEmpty else {
      return
    }
    cut += 1
    for name in entry.cut {
      remarks.append(context.text("line \(row.line): \(row.words): \(Message(cut: name))"))
    }
  }

  func count(_ heading: Heading) -> Int { counts[heading] ?? 0 }

  /// How many bring anything.
  var writable: Int { count(.onShelf) + count(.inPack) + count(.new) }
}

extension Message {
  /// That a text of this name lost its end.
  init(cut name: String) {
    self = "the \(Message(words: name)) is longer than 10000 characters, and its end is left out"
  }
}

extension Candidacy {
  /// `42 Heat (1995)`, `pack:movie/heat-1995 Heat (1995)`.
  var line: String {
    let name =
      title + (year.map { " (\($0))" } ?? "") + (creators.isEmpty ? "" : " — " + creators.joined(separator: ", "))
    return "\(reference) \(name)"
  }

  /// By what a review names it.
  var reference: String {
    switch thing {
    case .item(let id): "\(id)"
    case .entry(let record): record.externalIDs.first?.description ?? ""
    }
  }

  /// `title equal`, `year equal`, `maker unknown`.
  var why: [Message] {
    if comparison.isSameCode { return ["the same code"] }
    let title: Message =
      switch comparison.title {
      case .equal: "title equal"
      case .within: "title with more or less"
      case .near: "title misspelled"
      }
    let year: Message =
      switch comparison.year {
      case .equal: "year equal"
      case .near: "a year apart"
      case .other: "another year"
      case .unknown: "year unknown"
      }
    let makers: Message =
      switch comparison.makers {
      case .some: "maker equal"
      case .none: "maker differs"
      case .unknown: "maker unknown"
      case .unreadable: "maker in another script"
      }
    return [title, year, makers]
  }
}
