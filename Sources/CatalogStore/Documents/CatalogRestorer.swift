internal import CatalogModel
internal import SQLite

/// Writes documents into an empty catalog.
struct CatalogRestorer {
  private let db: Connection
  private let ofItems: [DocumentTable]
  private let namesOfItems: Set<String>
  private let others: [String: DocumentTable]
  private var statements: [String: PreparedStatement] = [:]
  private var names: NamedRows
  private(set) var restored = Restored()
  private var unknown = Set<String>()

  init(_ db: Connection) throws {
    self.db = db
    names = NamedRows(db, form: .numbered)
    ofItems = try DocumentTable.ofItems(in: db)
    namesOfItems = Set(ofItems.map(\.name))
    let names = Set(TableSchema.recorded.map(\.name)).subtracting(namesOfItems).union(["wish"])
    others = Dictionary(
      uniqueKeysWithValues: try names.compactMap { name in try DocumentTable.named(name, in: db).map { (name, $0) } })
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

  /// - Returns: whether the document was an item.
  mutating func write(_ document: Document) throws -> Bool {
    guard let item = document.rows(of: "item").first else {
      try writeLoose(document)
      return false
    }
    guard let id = try item["id"]?.checked("item.id").integer else { throw DocumentProblem("the item has no number") }
    for member in document.members where !namesOfItems.contains(member.key) { unknown.insert(member.key) }
    for table in ofItems {
      for row in document.rows(of: table.name) {
        try insert(
          row, into: table, along: table.name == "item" || table.name == "loan" ? nil : (DocumentTable.item, id))
      }
    }
    restored.items += 1
    return true
  }

  private mutating func writeLoose(_ document: Document) throws {
    for member in document.members {
      guard let table = others[member.key] else {
        unknown.insert(member.key)
        continue
      }
      // The meaning of a label stands beside it.
      let label =
        try member.key == "genre_label_target"
        ? document.rows(of: "genre_label").first?["id"]?.checked("genre_label.id").integer : nil
      for row in document.rows(of: member.key) { try insert(row, into: table, along: label.map { ("label_id", $0) }) }
    }
  }

  /// - Parameter along: a column that the document omits.
  private mutating func insert(
    _ row: Document, into table: DocumentTable, along: (column: String, value: Int64)?
  ) throws {
    var columns: [String] = []
    var values: [Value] = []
    for member in row.members where !table.keys.contains(member.key) { unknown.insert("\(table.name).\(member.key)") }
    for column in table.columns {
      if column.name == along?.column {
        values.append(.integer(along?.value ?? 0))
      } else if let value = row[column.key], value != .null {
        if let naming = column.naming {
          values.append(.integer(try names.number(of: value, by: naming)))
        } else {
          values.append(try value.value(of: column, in: table, isBytes: column.isBytes))
        }
      } else if column.hasStandard {
        continue
      } else {
        values.append(.null)
      }
      columns.append(column.name)
    }
    try statement(table.name, columns).run(values)
  }

  private mutating func statement(_ table: String, _ columns: [String]) throws -> PreparedStatement {
    let key = table + " " + columns.joined(separator: " ")
    if let known = statements[key] { return known }
    let names = columns.map { "\(identifier: $0)" as SQL }.joined(separator: ", ")
    let marks = columns.map { _ in "?" as SQL }.joined(separator: ", ")
    let statement = try db.prepare("INSERT INTO \(identifier: table) (\(names)) VALUES (\(marks))")
    statements[key] = statement
    return statement
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
