internal import CatalogModel
internal import SQLite

/// Writes documents into an empty catalog.
struct CatalogRestorer {
  private let db: Connection
  private let ofItems: [DocumentTable]
  private let others: [String: DocumentTable]
  private var rows: RowWriter
  private(set) var restored = Restored()
  private var unknown = Set<String>()

  init(_ store: Store) throws {
    db = store.db
    rows = RowWriter(store)
    ofItems = try DocumentTable.ofItems(in: db)
    let names = Set(ofItems.map(\.name))
    let others = try TableSchema.recorded.filter { !names.contains($0.name) || $0.place == .ownFile }.compactMap {
      try DocumentTable.named($0.name, in: store.db)
    }
    self.others = Dictionary(uniqueKeysWithValues: others.map { ($0.name, $0) })
  }

  var result: Restored {
    var result = restored
    result.unknown = unknown.sorted()
    return result
  }

  /// Deletes the rows of a new catalog that the file replaces.
  func begin() throws {
    for table in ["recently_viewed", "genre_label_target", "genre_label", "genre", "person"] {
      try db.run("DELETE FROM \(identifier: table)")
    }
  }

  /// - Returns: the number of the item; nil for another document.
  mutating func write(_ document: Document) throws -> ItemID? {
    guard let item = document.rows(of: "item").first else {
      // The meaning of a label stands beside it.
      let label = try document.rows(of: "genre_label").first?["id"]?.checked("genre_label.id").integer
      for member in document.members {
        let given = member.key == "genre_label_target" ? label.map { ("label_id", Value.integer($0)) } : nil
        try insert(member, into: others[member.key], given)
      }
      return nil
    }
    guard let id = try item["id"]?.checked("item.id").integer else { throw DocumentProblem("the item has no number") }
    var members = document.members
    for table in ofItems {
      guard let place = members.firstIndex(where: { $0.key == table.name }) else { continue }
      let isOfItem = table.schema.owner == TableSchema.item
      try insert(members.remove(at: place), into: table, isOfItem ? (TableSchema.item, .integer(id)) : nil)
    }
    unknown.formUnion(members.map(\.key))
    restored.items += 1
    return ItemID(rawValue: id)
  }

  /// Inserts the rows of a member.
  /// - Parameter table: its table; nil if this version does not know it.
  private mutating func insert(
    _ member: JSON.Member, into table: DocumentTable?, _ given: (column: String, value: Value)?
  ) throws {
    guard let table else {
      unknown.insert(member.key)
      return
    }
    for row in Document([member]).rows(of: table.name) {
      for key in row.members.map(\.key) where !table.keys.contains(key) { unknown.insert("\(table.name).\(key)") }
      try rows.insert(row, of: table, given.map { [$0] } ?? [])
    }
  }

  // MARK: The end

  /// Restores the highest row numbers, so new numbers continue from there, and the settings.
  func finish(with head: Document) throws {
    let tables = Set(TableSchema.recorded.map(\.name))
    for row in head.rows(of: "numbers") {
      for member in row.members where tables.contains(member.key) {
        guard let number = try member.value.checked("numbers.\(member.key)").integer else { continue }
        try db.run("DELETE FROM sqlite_sequence WHERE name = \(member.key)")
        try db.run("INSERT INTO sqlite_sequence (name, seq) VALUES (\(member.key), \(max(0, number)))")
      }
    }
    try db.run("DELETE FROM setting")
    for row in head.rows(of: "settings") {
      for member in row.members {
        try db.run("INSERT INTO setting (name, value) VALUES (\(member.key), \(member.value.text ?? ""))")
      }
    }
  }

  /// Deletes the links of editions to works outside the selection, and closes the gaps in piles.
  func closeSelection() throws {
    try db.run("DELETE FROM edition_of WHERE work_id NOT IN (SELECT id FROM item)")
    try db.run(
      """
      UPDATE pile_item SET position = place.number FROM (
        SELECT pile_id, item_id, row_number() OVER (PARTITION BY pile_id ORDER BY position, item_id) AS number FROM pile_item
      ) AS place WHERE place.pile_id = pile_item.pile_id AND place.item_id = pile_item.item_id AND position <> place.number
      """)
  }
}
