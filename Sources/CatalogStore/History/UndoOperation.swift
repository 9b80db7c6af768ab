internal import CatalogModel
internal import SQLite

/// A row that an undo or redo did not change, because of a conflict.
public struct UndoConflict: Sendable, Hashable {
  public enum Reason: Sendable, Hashable {
    /// The row has changed since, in this column if it is known.
    case changed(column: String?)
    case gone
    /// Removing the row would remove a newer row of this table.
    case has(table: String)
    /// Another row has its place.
    case taken
    /// A constraint of the file prevents it.
    case rejected
  }

  public var table: String
  /// The number of the row, if it has one.
  public var id: Int64?
  /// The row's item or its owner.
  public var item: NamedItem?
  public var reason: Reason
}

/// Reverses an operation: undoes its changes, the last first, or redoes it by reversing the undo.
///
/// A row that has changed since stays. An added item stays with all its rows if removing it would lose newer data. Run
/// it inside a transaction that defers foreign keys. Triggers are on: they keep the search index up to date and the
/// rules of the file in force, and ignore a row that is restored to its old values.
struct UndoOperation {
  private let db: Connection
  private let operation: Int64
  private let shapes: [String: TableShape]
  private let recorder: ChangeRecorder
  /// The number of the part for the current changes.
  private var part = 0
  /// The items that stay.
  private var staying: [Int64: UndoConflict] = [:]
  /// The labels that stay with their targets, because other items have them.
  private var stayingLabels = Set<Value>()
  private var conflicts: [UndoConflict] = []
  private var conflictRows = Set<Place>()
  /// The changed rows that no longer exist. A row that the operation itself added may be missing.
  private var gone: [Place: RowChange] = [:]
  /// The rows to remove once no other row refers to them.
  private var waiting: [RowChange] = []
  /// The rows that a constraint rejected, to be tried again.
  private var rejected: [RowChange] = []
  private var isLastTry = false

  private struct Place: Hashable {
    var table: String
    var key: [Value]
  }

  /// Restarts the run: an item must stay, but some of its rows may be removed already.
  private struct Retry: Error {}

  init(_ operation: Int64, in db: Connection, shapes: [String: TableShape], recorder: ChangeRecorder) {
    (self.db, self.operation, self.shapes, self.recorder) = (db, operation, shapes, recorder)
  }

  /// - Returns: the conflicts.
  /// - Throws: ``CatalogError/operationUnreadable(_:)``, ``CatalogError/operationIsOfOtherTables(_:)``,
  ///   ``CatalogError/operationIsBlocked(_:_:)``.
  mutating func run() throws -> [UndoConflict] {
    let parts: [Int] = try db.values("SELECT part FROM step_change WHERE step_id = \(operation) ORDER BY part DESC")
    var again = true
    while again {
      again = false
      let count = staying.count + stayingLabels.count
      (conflicts, conflictRows, part) = (staying.values.sorted { ($0.id ?? 0) < ($1.id ?? 0) }, [], parts.first ?? 0)
      (gone, waiting, rejected) = ([:], [], [])
      do {
        try db.transaction {
          for part in parts { try reverse(part) }
          try reverseRejected()
          try removeWaiting()
          for change in gone.values { try recordConflict(change, .gone) }
          if staying.count + stayingLabels.count > count { throw Retry() }
          try keepChanges()
        }
      } catch is Retry {
        again = true
      }
    }
    for part in parts { try db.run("DELETE FROM step_change WHERE step_id = \(operation) AND part = \(part)") }
    return conflicts
  }

  private mutating func reverse(_ part: Int) throws {
    let bytes = try db.value(
      "SELECT changes FROM step_change WHERE step_id = \(operation) AND part = \(part)", as: [UInt8].self)
    for change in try RowChange.all(in: bytes ?? []).reversed() {
      try reverse(change)
      if recorder.isFull { try keepChanges() }
    }
  }

  /// Tries the rejected changes again, now that other rows are reversed. Changes that are still rejected become
  /// conflicts.
  private mutating func reverseRejected() throws {
    var count = rejected.count + 1
    while !rejected.isEmpty, rejected.count < count {
      count = rejected.count
      let changes = rejected
      rejected = []
      for change in changes { try reverse(change) }
    }
    let changes = rejected
    (rejected, isLastTry) = ([], true)
    defer { isLastTry = false }
    for change in changes { try reverse(change) }
  }

  private mutating func keepChanges() throws {
    let changes = recorder.take()
    guard !changes.isEmpty else { return }
    part += 1
    try db.run("INSERT INTO step_change (step_id, part, changes) VALUES (\(operation), \(part), \(changes))")
  }

  private mutating func reverse(_ change: RowChange) throws {
    guard let shape = shapes[change.table], change.columnCount <= shape.columns.count,
      change.key.count == shape.schema.keyCount
    else { throw CatalogError.operationIsOfOtherTables(operation) }
    if case .integer(let item) = change.owner, staying[item] != nil, change.table != "loan" { return }
    if change.table == "genre_label_target", stayingLabels.contains(change.key[0]) { return }
    guard !conflictRows.contains(Place(table: change.table, key: change.key)) else { return }
    let row = try shape.row(change.key, in: db)
    switch change.act {
    case .inserted(let fingerprint): try remove(change, row, fingerprint, shape)
    case .deleted(let values): try restore(change, row, shape.whole(values), shape)
    case .updated(let columns): try reset(change, row, columns, shape)
    }
  }

  // MARK: Reversing changes

  /// Removes an added row.
  private mutating func remove(
    _ change: RowChange, _ row: [Value]?, _ fingerprint: UInt32, _ shape: TableShape
  ) throws {
    // It may have been removed with its owner.
    guard let row else {
      gone[Place(table: change.table, key: change.key)] = nil
      return
    }
    let isShared = shape.schema.role == .shared
    let isSame =
      RowChange.fingerprint(of: Array(row.prefix(change.columnCount)), touched: shape.touched) == fingerprint
    guard isSame || shape.schema.role == .incidental else {
      return isShared ? () : try recordConflict(change, .changed(column: nil))
    }
    if try child(of: change, shape) == nil { try remove(change, shape) } else { waiting.append(change) }
  }

  /// A table with rows that refer to the row and are not removed with it.
  private func child(of change: RowChange, _ shape: TableShape) throws -> String? {
    try shape.children.first { child in
      guard change.table != "item" || shapes[child.table]?.schema.role != .incidental else { return false }
      return try db.value(
        "SELECT 1 FROM \(identifier: child.table) WHERE \(identifier: child.column) = \(change.key[0]) LIMIT 1",
        as: Int.self) != nil
    }?.table
  }

  private func remove(_ change: RowChange, _ shape: TableShape) throws {
    try db.run("DELETE FROM \(identifier: change.table) WHERE \(shape.condition(change.key))")
  }

  /// Removes the rows that wait. Rows to which others still refer stay.
  private mutating func removeWaiting() throws {
    try removeReady()
    for change in waiting {
      guard let shape = shapes[change.table], let child = try child(of: change, shape) else { continue }
      if change.table == "genre_label" { stayingLabels.insert(change.key[0]) }
      if shape.schema.role != .shared { try recordConflict(change, .has(table: child)) }
    }
  }

  /// Removes the waiting rows that nothing refers to any more.
  private mutating func removeReady() throws {
    var count = waiting.count + 1
    while waiting.count < count {
      count = waiting.count
      waiting = try waiting.filter { change in
        guard let shape = shapes[change.table], try child(of: change, shape) == nil else { return true }
        try remove(change, shape)
        return false
      }
    }
  }

  /// Restores a removed row.
  private mutating func restore(
    _ change: RowChange, _ row: [Value]?, _ values: [Value], _ shape: TableShape
  ) throws {
    var row = row
    func isSame() -> Bool { row.map { zip($0, values).allSatisfy { $0.isSame(as: $1) } } == true }
    func isIt(_ other: RowChange) -> Bool { other.table == change.table && other.key == change.key }
    if row != nil, waiting.contains(where: isIt) {
      // Its number was reused within the operation, by a row that waits to be removed.
      try removeReady()
      row = try shape.row(change.key, in: db)
      if isSame() { waiting.removeAll(where: isIt) }
    }
    guard row == nil else { return isSame() ? () : try recordBlocked(change, .taken) }
    let columns = zip(shape.columns, values).map { "\(identifier: $0.0.name)" as SQL }.joined(separator: ", ")
    let insert: SQL = "INSERT OR ABORT INTO \(identifier: change.table) (\(columns)) VALUES (\(list: values))"
    let wishes = try openWishes(answeredBy: change)
    do {
      do { try db.run(insert) } catch let error as SQLiteError where error.isConstraint && !waiting.isEmpty {
        try removeReady()
        try db.run(insert)
      }
    } catch let error as SQLiteError where error.isConstraint {
      // Rows that are reversed later may still be in its way.
      guard isLastTry else { return rejected.append(change) }
      try recordBlocked(change, .rejected)
    }
    for wish in wishes {
      try db.run("UPDATE wish SET fulfilled_at = NULL WHERE id = \(wish) AND fulfilled_at NOT NULL")
    }
  }

  /// The open wishes that a trigger fulfils when this row is inserted. A restored row fulfils none of them. The trigger
  /// compares times in seconds, and both may be of the same second.
  private func openWishes(answeredBy change: RowChange) throws -> [Int64] {
    guard shapes[change.table]?.schema.fulfilsWishes == true, case .integer(let item) = change.owner else { return [] }
    return try db.values("SELECT id FROM wish WHERE item_id = \(item) AND fulfilled_at IS NULL")
  }

  /// Restores the old values of columns.
  private mutating func reset(
    _ change: RowChange, _ row: [Value]?, _ columns: [RowChange.Column], _ shape: TableShape
  ) throws {
    guard let row else {
      gone[Place(table: change.table, key: change.key)] = change
      return
    }
    let old = columns.map { shape.whole($0.old, in: $0.index) }
    guard zip(columns, old).contains(where: { !row[$0.index].isSame(as: $1) }) else { return }
    let strange = zip(columns, old).first { column, old in
      column.index != shape.touched && !row[column.index].isSame(as: old)
        && !row[column.index].isSame(as: shape.whole(column.new, in: column.index))
    }
    if let strange { return try recordConflict(change, .changed(column: shape.columns[strange.0.index].name)) }
    let sets = zip(columns, old).map { "\(identifier: shape.columns[$0.index].name) = \($1)" as SQL }
    do {
      try db.run(
        "UPDATE \(identifier: change.table) SET \(sets.joined(separator: ", ")) WHERE \(shape.condition(change.key))")
    } catch let error as SQLiteError where error.isConstraint {
      guard isLastTry else { return rejected.append(change) }
      try recordConflict(change, .rejected)
    }
  }

  // MARK: Conflicts

  /// Records a conflict for a row that cannot be restored. Throws if others refer to it by number, since they would
  /// refer to another row.
  private mutating func recordBlocked(_ change: RowChange, _ reason: UndoConflict.Reason) throws {
    if shapes[change.table]?.schema.role == .shared {
      throw CatalogError.operationIsBlocked(operation, table: change.table)
    }
    try recordConflict(change, reason)
  }

  private mutating func recordConflict(_ change: RowChange, _ reason: UndoConflict.Reason) throws {
    conflictRows.insert(Place(table: change.table, key: change.key))
    guard shapes[change.table]?.schema.role != .incidental else { return }
    let id: Int64? = if case .integer(let id)? = change.key.first, change.key.count == 1 { id } else { nil }
    var row = UndoConflict(table: change.table, id: id, item: nil, reason: reason)
    let item = try change.item(in: db)
    if let item { row.item = try NamedItem(item, in: db) }
    conflicts.append(row)
    // An added item stays with all rows that were added with it.
    if change.table == "item", let id {
      if case .updated = change.act { return }
      // The first conflict of the item explains more.
      staying[id] = conflicts.first { $0.item?.id.rawValue == id } ?? row
    }
  }
}

extension Value {
  /// Whether the values are equal, texts byte for byte. SQLite may store a whole number in a REAL column as an integer.
  func isSame(as other: Value) -> Bool {
    switch (self, other) {
    case (.integer(let integer), .real(let real)), (.real(let real), .integer(let integer)): Double(integer) == real
    case (.text(let text), .text(let other)): text.utf8.elementsEqual(other.utf8)
    default: self == other
    }
  }
}

/// The schema of a table, as far as undo needs it.
struct TableShape {
  struct Column {
    var name: String
    /// The default for rows written before the column existed.
    var standard: Value?
  }

  let schema: TableSchema
  var columns: [Column]
  /// The place of the column with the time of the last write.
  let touched: Int?
  /// The columns of other tables that refer to this one.
  var children: [(table: String, column: String)] = []

  /// The schemas of all recorded tables.
  static func all(in db: Connection) throws -> [String: TableShape] {
    var shapes: [String: TableShape] = [:]
    for table in TableSchema.recorded {
      let columns = try db.all("PRAGMA table_info(\(identifier: table.name))") { row in
        let standard = try row.get("dflt_value", as: String?.self).flatMap { Int64($0) }
        return Column(
          name: try row.get("name"),
          standard: try row.get("notnull", as: Bool.self) ? standard.map { .integer($0) } : nil)
      }
      shapes[table.name] = TableShape(
        schema: table, columns: columns, touched: table.touched.flatMap(table.place))
    }
    for table in TableSchema.recorded {
      for (parent, column) in try db.all(
        "PRAGMA foreign_key_list(\(identifier: table.name))",
        { (try $0.get("table", as: String.self), try $0.get("from", as: String.self)) })
      {
        shapes[parent]?.children.append((table.name, column))
      }
    }
    return shapes
  }

  /// Returns the value, or the default of a column added after the row was written. SQLite before 3.47 reports NULL for
  /// that.
  func whole(_ value: Value, in column: Int) -> Value { value == .null ? columns[column].standard ?? .null : value }

  /// The values of a removed row. Its key is made anew from its name, as an older version may have made another.
  func whole(_ values: [Value]) -> [Value] {
    var values = values.indices.map { whole(values[$0], in: $0) }
    if let key = schema.place(of: "key"), let name = schema.place(of: "name"), max(key, name) < values.count,
      case .text(let name) = values[name]
    {
      values[key] = .text(Folding.nameKey(name))
    }
    return values
  }

  func condition(_ key: [Value]) -> SQL {
    zip(columns, key).map { "\(identifier: $0.0.name) = \($0.1)" as SQL }.joined(separator: " AND ")
  }

  func row(_ key: [Value], in db: Connection) throws -> [Value]? {
    try db.one("SELECT * FROM \(identifier: schema.name) WHERE \(condition(key))") { $0.all }
  }
}
