internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Exchange
internal import Lookup
internal import Processes

/// The planned outcome of each row of a file, before anything is written.
///
/// The plan applies the rules of the import: ``RowDecider`` decides each row. Only the decisions are kept; the import
/// reads the file again.
struct ImportPlan {
  private(set) var decisions: [ImportDecision] = []
  private(set) var tally = ImportTally()

  /// Reads a whole file and decides its rows.
  /// - Parameter review: called with each row, its match and its decision.
  init(
    _ file: some RowSource, _ decider: RowDecider, _ context: Context,
    review: (ImportRow, Match?, ImportDecision) throws -> Void = { _, _, _ in }
  ) throws {
    let progress = ProgressLine(of: nil, in: context)
    defer { progress.clear() }
    let reader = try decider.reader(of: file, lastDay: context.lastDay)
    while let row = try reader.next() {
      try Interrupt.check()
      progress.show(decisions.count, row.row.words)
      let (decision, match) = try decider.decide(row, at: decisions.count)
      try review(row.row, match, decision)
      decisions.append(decision)
      tally.add(decision, row, match, context)
    }
  }
}

extension ImportRow {
  /// `line 3`, `line 3 of ratings.csv`.
  var place: Message { member.map { "line \(line) of \($0)" } ?? "line \(line)" }
}

extension MatchCandidate {
  /// `42 Heat (1995)`, `pack:movie/heat-1995 Heat (1995)`.
  var line: String {
    if case .row = thing { return reference }
    let name =
      title + (year.map { " (\($0))" } ?? "") + (creators.isEmpty ? "" : " — " + creators.joined(separator: ", "))
    return "\(reference) \(name)"
  }

  /// The candidate and its reasons: `42 Heat (1995) (title equal, a year apart, maker unknown)`.
  /// - Parameter item: the item that a row above has become.
  func told(in context: Context, as item: ItemID? = nil) -> String {
    let name: String
    if case .row(_, let line) = thing {
      name = item.map { "\($0)" } ?? context.text("line \(line)")
    } else {
      name = self.line
    }
    return "\(name) (\(why.map(context.text).joined(separator: ", ")))"
  }

  /// The name of the candidate in a review.
  var reference: String {
    switch thing {
    case .item(let id): "\(id)"
    case .entry(let id): "\(id)"
    case .row(_, let line): "line \(line)"
    }
  }

  /// `title equal`, `year equal`, `maker unknown`.
  var why: [Message] {
    if comparison.code != .none {
      let code: Message = comparison.code == .work ? "the same work" : "the same code"
      if comparison.isOtherVolume { return [code, "another volume"] }
      return comparison.title == .none ? [code, "another title"] : [code]
    }
    let title: Message =
      switch comparison.title {
      case .equal, .article, .or: "title equal"
      case .edition, .performed, .bracket, .subtitle: "title with more or less"
      case .near: "title misspelled"
      case .none: "another title"
      }
    let year: Message =
      switch comparison.years {
      case 0?: "year equal"
      case 1?: "a year apart"
      case _?: "another year"
      case nil: "year unknown"
      }
    let makers: Message =
      switch comparison.makers {
      case .some: "maker equal"
      case .none: "maker differs"
      case .near: "maker spelled nearly so"
      case .unknown: "maker unknown"
      case .unreadable: "maker in another script"
      }
    return [title, year, makers]
  }
}
