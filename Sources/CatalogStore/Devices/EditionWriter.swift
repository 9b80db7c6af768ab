internal import CatalogModel
internal import SQLite

/// Writes of which works the incoming items are editions.
///
/// All editions of one work refer to it, and it refers to none. The documents may form chains or rings instead, if each
/// device knew only a part. So they are written last, when all are known.
struct EditionWriter {
  private let db: Connection
  private let uidMap: UIDMap
  /// The incoming removed items, each with the uid of the item that it was merged into; nil for a removed one.
  private let removed: [String: String?]
  /// The work of each edition, from the catalog and the incoming documents.
  private var works: [Int64: Int64] = [:]

  static let table = "edition_of"

  /// An item and the work that its document names, by their uids.
  struct Edition {
    let uid: String
    let work: String

    /// Nil for an item that is no edition.
    init?(_ document: Document) {
      guard let uid = document.uid, let work = document.rows(of: EditionWriter.table).first?["work"]?.text else {
        return nil
      }
      (self.uid, self.work) = (uid, work)
    }
  }

  init(_ db: Connection, removed: [String: String?]) {
    (self.db, self.removed, uidMap) = (db, removed, UIDMap(db))
  }

  /// Takes note of the editions that ``write(_:)`` will write.
  mutating func read(_ editions: [Edition]) throws {
    works = Dictionary(
      try db.all("SELECT item_id, work_id FROM edition_of") {
        (try $0.get(at: 0, as: Int64.self), try $0.get(at: 1, as: Int64.self))
      }
    ) { $1 }
    for edition in editions {
      guard let id = try uidMap.existingItem(withUID: edition.uid) else { continue }
      works[id] = try item(now: edition.work)
    }
  }

  func write(_ edition: Edition) throws {
    guard try isKnown(edition.work) else { throw RowWriter.isNowhere("work", of: Self.table) }
    guard let item = try uidMap.existingItem(withUID: edition.uid) else { return }
    guard let work = try work(of: item) else {
      try db.run("DELETE FROM edition_of WHERE item_id = \(item)")
      return
    }
    try db.run("DELETE FROM edition_of WHERE item_id = \(work)")
    try db.run("UPDATE edition_of SET work_id = \(work) WHERE work_id = \(item)")
    try db.run(
      """
      INSERT INTO edition_of (item_id, work_id) VALUES (\(item), \(work))
      ON CONFLICT (item_id) DO UPDATE SET work_id = excluded.work_id WHERE work_id <> excluded.work_id
      """)
  }

  /// Whether an item ever had this uid. Only the file of an item that was removed before it came here shows that.
  func isKnown(_ uid: String) throws -> Bool {
    if try removed[uid] != nil || uidMap.row(of: uid, in: "item") != nil { return true }
    return try db.value(
      "SELECT 1 FROM synced_file WHERE path = \(TreePath.item(uid).text) AND fingerprint IS NULL", as: Int.self) != nil
  }

  /// The item with a uid, or the one that it was merged into; nil for a removed item.
  private func item(now uid: String) throws -> Int64? {
    var (name, seen) = (uid, Set<String>())
    while seen.insert(name).inserted {
      if let id = try uidMap.row(of: name, in: "item"),
        try db.value("SELECT 1 FROM item WHERE id = \(id)", as: Int.self) != nil
      {
        return id
      }
      guard let next = removed[name] ?? nil else { return nil }
      name = next
    }
    return nil
  }

  /// The end of the chain that begins with an item; in a ring, the item with the smallest uid. Nil for the end itself.
  private func work(of item: Int64) throws -> Int64? {
    var way = [item]
    while let next = works[way[way.count - 1]] {
      if let start = way.firstIndex(of: next) {
        let first = try db.value(
          """
          SELECT row_id FROM identity WHERE table_name = 'item' AND is_alias = 0 AND row_id IN (\(list: way[start...]))
          ORDER BY uid LIMIT 1
          """, as: Int64.self)
        return first == item ? nil : first
      }
      way.append(next)
    }
    return way.last == item ? nil : way.last
  }
}
