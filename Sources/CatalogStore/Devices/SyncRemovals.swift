public import CatalogModel
internal import SQLite

/// The rows that a sync removes from other devices.
public struct SyncRemovals: Sendable, Hashable {
  /// The number of rows by table; `item` counts whole items, whatever belongs to them, and `pile` whole piles.
  public private(set) var counts: [String: Int] = [:]
  /// The titles of these items.
  public private(set) var titles: [String] = []

  public init() {}

  public var isEmpty: Bool { counts.isEmpty }

  /// Adds the rows that a file no longer has.
  public mutating func add(_ file: TreeFile, before: Document) {
    guard !before.isGone else { return }
    if file.document.isGone {
      guard file.document.movedTo == nil else { return }
      if case .pile = file.path { return add(1, "pile") }
      guard case .item = file.path else { return }
      titles.append(before.title ?? "")
      return add(1, "item")
    }
    for table in ThreeWayMerge.ownableTables.map(\.name) {
      func names(_ document: Document) -> Set<String> {
        Set(document.rows(of: table).compactMap { $0[TableSchema.uid]?.text })
      }
      add(names(before).subtracting(names(file.document)).count, table)
    }
  }

  private mutating func add(_ count: Int, _ table: String) { if count > 0 { counts[table, default: 0] += count } }
}

extension Store {
  private static let undone = "undone"
  /// The commands whose operations are the changes of other devices.
  private static let syncs: Set<String> = ["sync", "sync run", "sync init", "sync clone"]

  /// Whether a sync was undone and none was made since.
  public func hasUndoneSync() throws -> Bool { try syncState(Self.undone) != nil }

  public func forgetUndoneSync() throws {
    if try hasUndoneSync() { try recording(nil).write { try setSyncState(Self.undone, to: nil) } }
  }

  /// Records that syncs were undone or redone, since the history forgets it with the next change.
  func recordUndoneSync(_ operations: [Operation], isUndo: Bool) throws {
    guard operations.contains(where: { Self.syncs.contains($0.command) }) else { return }
    if isUndo { return try setSyncState(Self.undone, to: "yes") }
    let commands = try db.values("SELECT command FROM step WHERE undone_at IS NOT NULL", as: String.self)
    if Self.syncs.isDisjoint(with: commands) { try setSyncState(Self.undone, to: nil) }
  }
}
