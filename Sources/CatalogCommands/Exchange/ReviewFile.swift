internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Exchange
internal import Lookup

/// The decisions about the rows of a file, as a table for a text editor: one line for each row, with tabs between the
/// cells.
///
///     line  key  row                decision  match                                  score  why
///     17    …    Heat (1986)        ?         pack:movie/heat-1995 Heat (1995) — …   75     title equal, …
enum ReviewFile {
  enum Choice: Hashable {
    case item(ItemID)
    /// An entry of the pack, by its id.
    case entry(ExternalID)
    case new
    case left

    /// Checks that the chosen item or entry exists and is of the row's kind.
    /// - Throws: ``Failure``.
    func check(for row: ImportRow, _ entry: Entry, in store: Store) throws {
      let kind: Kind?
      switch self {
      case .new, .left: return
      case .item(let id): kind = try store.exists(id) ? store.item(id).record.kind : nil
      case .entry(let id): kind = StarterPack.shipped.record(id)?.kind
      }
      let hint: Message = "change the decision in the review"
      guard let kind else { throw Failure("\(row.words): the chosen item does not exist", hint: hint) }
      guard kind == entry.record.kind else {
        throw Failure("\(row.words): a \(entry.record.kind.thing) was matched to a \(kind.thing)", hint: hint)
      }
    }
  }

  static let columns = ["line", "key", "row", "decision", "match", "score", "why"]

  /// The comment below the header of a file.
  static let explanation = """
    # In the column 'decision': the number of an item or the name of an entry, as in 'match'; 'new' for a new item; 'skip' to leave
    # the row out. A row with '?' becomes a new item too, and is listed. Then: catalog import FILE --apply THIS-FILE
    """

  /// A row with its candidates; nil for a row that needs no decision.
  static func line(
    _ row: ImportRow, _ match: Match?, _ decision: ImportDecision, in context: Context
  ) -> String? {
    let near: [MatchCandidate] =
      switch match {
      case .certain(let found), .edition(let found, _): [found]
      case .unsure(let found): found
      case .new, nil: []
      }
    let chosen: String
    switch decision {
    case .known, .leftBefore, .rejected, .rejectedBefore, .row: return nil
    case .item(let id): chosen = "\(id)"
    case .entry(let id): chosen = "\(id)"
    case .new, .edition: chosen = "new"
    case .unsure: chosen = "?"
    case .left: chosen = "skip"
    }
    return [
      "\(row.line)", row.key, row.words, chosen, near.map(\.line).joined(separator: " | "),
      near.map { "\($0.comparison.score)" }.joined(separator: " | "),
      near.map { $0.why.map(context.text).joined(separator: ", ") }.joined(separator: " | "),
    ].map(cell).joined(separator: "\t")
  }

  private static func cell(_ text: String) -> String { String(text.map { $0.isNewline || $0 == "\t" ? " " : $0 }) }

  /// Parses the decisions, by the keys of the rows. Rows without a decision are left out.
  /// - Throws: ``Failure`` with the line that cannot be parsed.
  static func choices(in text: String) throws -> [String: Choice] {
    var choices: [String: Choice] = [:]
    for (number, line) in zip(1..., text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)) {
      guard !line.isEmpty, !line.hasPrefix("#") else { continue }
      let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard cells.count >= 4 else {
        throw Failure(
          "line \(number) of the review has \(cells.count) cells", hint: "it needs \(columns.count), separated by tabs")
      }
      if cells[0] == columns[0] { continue }
      switch cells[3].trimmingBlanks {
      case "", "?": break
      case "new": choices[cells[1]] = .new
      case "skip": choices[cells[1]] = .left
      case let word:
        if let id = Int64(word), id > 0 {
          choices[cells[1]] = .item(ItemID(rawValue: id))
        } else if let colon = word.firstIndex(of: ":"), colon > word.startIndex {
          choices[cells[1]] = .entry(
            ExternalID(source: String(word[..<colon]), value: String(word[word.index(after: colon)...])))
        } else {
          throw Failure(
            "line \(number) of the review: \(word.quoted) is not a decision",
            hint: "give the number of an item, the name of an entry, 'new' or 'skip'")
        }
      }
    }
    return choices
  }
}
