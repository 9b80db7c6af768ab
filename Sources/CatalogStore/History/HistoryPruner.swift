internal import CatalogModel
internal import FoundationEssentials
internal import SQLite

/// Prunes the history: deletes operations that are too old, then the oldest ones while the history takes too much of
/// the file.
struct HistoryPruner {
  /// The number of operations that are always kept.
  static let leastKept = 20
  static let mostDays = 90
  /// The maximum share of the file for the history.
  static let mostShare = 0.1
  /// The number of operations between two checks, so that most operations have no extra cost.
  static let pause: Int64 = 16

  private let db: Connection

  init(_ db: Connection) { self.db = db }

  /// - Parameter newest: the operation that has just begun.
  func run(newest: Int64, now: Timestamp) throws {
    guard newest % Self.pause == 0, let date = now.date else { return }
    let limit = Timestamp(date.addingTimeInterval(-86_400 * Double(Self.mostDays))).rawValue
    try db.run("DELETE FROM step WHERE at < \(limit) AND id < (\(firstKept))")
    try pruneLarge()
  }

  /// The oldest operation that is always kept.
  private var firstKept: SQL { "SELECT id FROM step ORDER BY id DESC LIMIT 1 OFFSET \(Self.leastKept - 1)" }

  private func pruneLarge() throws {
    let pages = try db.value("PRAGMA page_count", as: Int.self) ?? 0
    let room = Double(pages * (try db.value("PRAGMA page_size", as: Int.self) ?? 0)) * Self.mostShare
    var sum = 0.0
    var last: Int64?
    try db.forEach(
      "SELECT step_id, sum(length(changes)) FROM step_change GROUP BY step_id ORDER BY step_id DESC"
    ) { row in
      sum += row.real(1)
      if sum > room { last = row.integer(0) }
      return last == nil
    }
    if let last { try db.run("DELETE FROM step WHERE id <= \(last) AND id < (\(firstKept))") }
  }
}
