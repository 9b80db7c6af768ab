internal import CatalogModel
internal import FoundationEssentials
internal import SQLite

/// Keeps the history small: steps that are too old go, and then the oldest while all of them take too much of the file.
struct StepFolding {
  /// So many are never folded away.
  static let leastKept = 20
  static let mostDays = 90
  /// The part of the file that steps may take.
  static let mostShare = 0.1
  /// Both are looked at with every so many steps: a single step pays nothing for it.
  static let pause: Int64 = 16

  private let db: Connection

  init(_ db: Connection) { self.db = db }

  /// - Parameter newest: the step that has just begun.
  func run(newest: Int64, now: Timestamp) throws {
    guard newest % Self.pause == 0, let date = now.date else { return }
    let limit = Timestamp(date.addingTimeInterval(-86_400 * Double(Self.mostDays))).rawValue
    try db.run("DELETE FROM step WHERE at < \(limit) AND id < (\(firstKept))")
    try foldLarge()
  }

  /// The oldest of those that are never folded away.
  private var firstKept: SQL { "SELECT id FROM step ORDER BY id DESC LIMIT 1 OFFSET \(Self.leastKept - 1)" }

  private func foldLarge() throws {
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
