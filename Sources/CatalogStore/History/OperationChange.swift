public import CatalogModel
internal import SQLite

/// An item by name, which may no longer exist.
public struct NamedItem: Sendable, Hashable {
  public var id: ItemID
  public var kind: String
  public var title: String

  init(id: ItemID, kind: String, title: String) { (self.id, self.kind, self.title) = (id, kind, title) }

  init?(_ id: Int64, in db: Connection) throws {
    let found = try db.one("SELECT kind, title FROM item WHERE id = \(id)") {
      (try $0.get("kind", as: String.self), try $0.get("title", as: String.self))
    }
    guard let found else { return nil }
    self.init(id: ItemID(rawValue: id), kind: found.0, title: found.1)
  }
}

/// A change of one row in an operation.
public struct OperationChange: Sendable, Hashable {
  public enum Act: String, Sendable { case added, removed, changed }

  /// A changed column.
  public struct Field: Sendable, Hashable {
    public var name: String
    public var old: String?
    public var new: String?
  }

  public var act: Act
  /// The table in the file.
  public var table: String
  /// The number of the row, if it has one.
  public var id: Int64?
  /// The row's item or its owner.
  public var item: NamedItem?
  /// The name of a row without an item, such as a genre or a tag.
  public var name: String?
  public var fields: [Field] = []

  public init(act: Act, table: String, id: Int64?, item: NamedItem? = nil) {
    (self.act, self.table, self.id, self.item) = (act, table, id, item)
  }
}

public struct OperationChanges: Sendable, Hashable {
  /// The changes of single rows, up to a limit.
  public var changes: [OperationChange] = []
  /// The numbers of items that were added and removed, including those not in ``changes``.
  public var added = 0
  public var removed = 0
  /// The added and removed items. Changes to their rows are not counted on their own.
  public var whole: Set<ItemID> = []
  /// The numbers of other rows that were added or removed, neither in ``changes`` nor owned by ``whole``.
  public var others: [Sort: Int] = [:]
  /// Whether ``changes`` is incomplete.
  public var isCut = false

  /// A type of change: the action and the table.
  public struct Sort: Sendable, Hashable {
    public var act: OperationChange.Act
    public var table: String

    public init(act: OperationChange.Act, table: String) { (self.act, self.table) = (act, table) }
  }

  public var isEmpty: Bool { changes.isEmpty && added == 0 && removed == 0 }

  /// The items that were touched.
  public var items: Set<ItemID> = []
}

extension RowChange {
  fileprivate var isUpdate: Bool { if case .updated = act { true } else { false } }

  /// The row's item or its owner.
  func item(in db: Connection) throws -> Int64? {
    guard case .integer(let owner) = owner else { return nil }
    guard table == "loan" else { return owner }
    return try db.value("SELECT item_id FROM copy WHERE id = \(owner)")
  }
}

/// Reads the recorded changes of an operation: the net change of each row.
struct OperationReader {
  /// The maximum number of rows that are reported one by one.
  private static let mostRows = 1_000
  /// The columns that mean nothing to the user.
  private static let silent: Set<String> = [
    "updated_at", "created_at", "genres_by_hand", "sort_title", "position", "sequence", "scale", "key", "by_hand",
    "is_known",
  ]

  private let db: Connection
  private let localTime: LocalTime
  private let shapes: [String: TableShape]
  /// The names of removed items, from the operations that removed them.
  private var names: [Int64: NamedItem] = [:]

  init(_ store: Store) throws {
    (db, localTime) = (store.db, store.localTime)
    shapes = try TableShape.all(in: db)
  }

  fileprivate struct Row {
    var change: RowChange
    var act: OperationChange.Act?
    var columns: [Int: (old: Value, new: Value)] = [:]
  }

  /// Reads the changes of an operation. Read operations from the newest to the oldest: names of removed items come from
  /// newer ones.
  mutating func read(_ operation: Int64, isUndone: Bool) throws -> OperationChanges {
    var result = OperationChanges()
    var rows: [[Value]: Row] = [:]
    var order: [[Value]] = []
    for part in try db.values("SELECT part FROM step_change WHERE step_id = \(operation) ORDER BY part", as: Int.self) {
      let bytes = try db.value(
        "SELECT changes FROM step_change WHERE step_id = \(operation) AND part = \(part)", as: [UInt8].self)
      let changes: [RowChange]
      do { changes = try RowChange.all(in: bytes ?? []) } catch { throw CatalogError.operationUnreadable(operation) }
      for change in changes {
        remember(change)
        if let item = try change.item(in: db) { result.items.insert(ItemID(rawValue: item)) }
        if change.table == "item" {
          switch change.act {
          case .inserted: result.added += 1
          case .deleted: result.removed += 1
          case .updated: break
          }
          if case .integer(let id)? = change.key.first, !change.isUpdate { result.whole.insert(ItemID(rawValue: id)) }
        }
        let key = [.text(change.table)] + change.key
        if rows[key] == nil {
          guard rows.count < Self.mostRows else {
            result.isCut = true
            continue
          }
          order.append(key)
        }
        rows[key, default: Row(change: change)].add(change)
      }
    }
    if result.isCut { try count(operation, besides: rows, into: &result) }
    result.changes = try order.compactMap { try rows[$0].flatMap { try fact($0) } }
    // The stored changes of an undone operation are those of the undo.
    return isUndone ? result.reversed : result
  }

  /// Counts the rows that are not reported one by one.
  private func count(_ operation: Int64, besides rows: [[Value]: Row], into result: inout OperationChanges) throws {
    for part in try db.values("SELECT part FROM step_change WHERE step_id = \(operation) ORDER BY part", as: Int.self) {
      let bytes = try db.value(
        "SELECT changes FROM step_change WHERE step_id = \(operation) AND part = \(part)", as: [UInt8].self)
      for change in try RowChange.all(in: bytes ?? [])
      where change.table != "item" && !change.isUpdate && rows[[.text(change.table)] + change.key] == nil {
        let item = try change.item(in: db).map(ItemID.init)
        if item.map(result.whole.contains) ?? !result.whole.isEmpty { continue }
        let act: OperationChange.Act = if case .inserted = change.act { .added } else { .removed }
        result.others[OperationChanges.Sort(act: act, table: change.table), default: 0] += 1
      }
    }
  }

  private mutating func remember(_ change: RowChange) {
    guard change.table == "item", case .deleted(let values) = change.act, values.count > 2,
      case (.integer(let id), .text(let kind), .text(let title)) = (values[0], values[1], values[2])
    else { return }
    names[id] = NamedItem(id: ItemID(rawValue: id), kind: kind, title: title)
  }

  private func fact(_ row: Row) throws -> OperationChange? {
    guard let act = row.act, let shape = shapes[row.change.table] else { return nil }
    let change = row.change
    let id: Int64? = if case .integer(let id)? = change.key.first, change.key.count == 1 { id } else { nil }
    var fact = OperationChange(act: act, table: change.table, id: id)
    if let item = try change.item(in: db) { fact.item = try NamedItem(item, in: db) ?? names[item] }
    fact.name = try name(of: change, shape)
    fact.fields = try fields(of: row, shape)
    // A row with changes only in hidden columns is left out.
    if act == .changed, fact.fields.isEmpty, row.change.columnsAreKnown { return nil }
    return fact
  }

  /// Returns the changed columns in readable form: amounts with their currency, times as days. References to other rows
  /// are left out.
  private func fields(of row: Row, _ shape: TableShape) throws -> [OperationChange.Field] {
    let changed = row.columns.sorted { $0.key < $1.key }.compactMap { place, values in
      shape.columns.indices.contains(place) ? (name: shape.columns[place].name, old: values.old, new: values.new) : nil
    }
    let amounts: Set = ["price", "sale_price", "price_limit"]
    let hasAmount = changed.contains { amounts.contains($0.name) }
    var currency = changed.first { $0.name == "currency" }.map { ($0.old, $0.new) }
    if hasAmount, currency == nil, let place = shape.columns.firstIndex(where: { $0.name == "currency" }),
      let kept = try shape.row(row.change.key, in: db)?[place]
    {
      currency = (kept, kept)
    }
    return changed.compactMap { name, old, new in
      if Self.silent.contains(name) || name.hasSuffix("_id") || hasAmount && name == "currency" { return nil }
      if row.change.table == "card", name == "rating" { return .init(name: name, old: old.stars, new: new.stars) }
      guard amounts.contains(name), let currency else {
        return .init(name: name, old: old.shown(localTime), new: new.shown(localTime))
      }
      return .init(
        name: name, old: old.shown(inUnitsOf: currency.0, localTime), new: new.shown(inUnitsOf: currency.1, localTime))
    }
  }

  private func name(of change: RowChange, _ shape: TableShape) throws -> String? {
    guard let column = shape.columns.firstIndex(where: { ["name", "label", "words"].contains($0.name) }) else {
      return nil
    }
    if case .deleted(let values) = change.act, values.indices.contains(column) {
      return values[column].shown(localTime)
    }
    return try shape.row(change.key, in: db)?[column].shown(localTime)
  }
}

extension OperationReader.Row {
  fileprivate mutating func add(_ change: RowChange) {
    switch (act, change.act) {
    case (nil, .inserted): act = .added
    case (nil, .deleted): act = .removed
    case (nil, .updated): act = .changed
    // The row was added and removed.
    case (.added, .deleted): act = nil
    case (.removed, .inserted): act = .changed
    case (.changed, .deleted): act = .removed
    default: break
    }
    if case .deleted = change.act { self.change = change }
    guard case .updated(let columns) = change.act, act == .changed else { return }
    for column in columns {
      let old = self.columns[column.index]?.old ?? column.old
      self.columns[column.index] = old == column.new ? nil : (old, column.new)
    }
  }
}

extension RowChange {
  /// Whether the change lists its columns.
  fileprivate var columnsAreKnown: Bool { if case .updated = act { true } else { false } }
}

extension OperationChanges {
  fileprivate var reversed: OperationChanges {
    var result = self
    (result.added, result.removed) = (removed, added)
    result.others = Dictionary(
      uniqueKeysWithValues: others.map { sort, count in
        (Sort(act: sort.act == .added ? .removed : .added, table: sort.table), count)
      })
    result.changes = changes.reversed().map { change in
      var change = change
      switch change.act {
      case .added: change.act = .removed
      case .removed: change.act = .added
      case .changed: change.fields = change.fields.map { .init(name: $0.name, old: $0.new, new: $0.old) }
      }
      return change
    }
    return result
  }
}

extension Value {
  /// The value as text, of a moment the local day; nil for NULL and bytes.
  fileprivate func shown(_ localTime: LocalTime) -> String? {
    switch self {
    case .null, .blob: nil
    case .integer(let integer): String(integer)
    case .real(let real): String(real)
    case .text(let text): text.isMoment ? localTime.day(of: Timestamp(rawValue: text)) : text
    }
  }

  /// A rating of 0 to 100 as stars.
  fileprivate var stars: String? {
    guard case .integer(let value) = self else { return nil }
    return (Rating(value: Int(value), scale: .quarter) ?? Rating(value: Int(value), scale: .percent))?.stars
  }

  /// An amount in the smallest unit of a currency, as text.
  fileprivate func shown(inUnitsOf currency: Value, _ localTime: LocalTime) -> String? {
    guard case .integer(let units) = self, case .text(let code) = currency else { return shown(localTime) }
    return Price(minorUnits: Int(units), currency: code).description
  }
}

extension String {
  /// Whether the text is a time in the format of the file: `2026-11-26T11:34:59Z`.
  fileprivate var isMoment: Bool { utf8.count == 20 && hasSuffix("Z") && PartialDate(prefix(10)) != nil }
}
