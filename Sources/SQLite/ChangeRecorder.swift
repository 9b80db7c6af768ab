internal import CSQLite
internal import Glibc

/// A table whose rows are recorded when they change.
public struct RecordedTable: Sendable, Hashable {
  public let name: String
  /// The number of leading columns that form the key: one for rows with an id.
  public let keyCount: Int
  /// The column with the owner of a row.
  public let owner: Int?
  /// The column with the time of the last write, which is not a change by itself.
  public let touched: Int?

  public init(_ name: String, keyCount: Int = 1, owner: Int? = nil, touched: Int? = nil) {
    (self.name, self.keyCount, self.owner, self.touched) = (name, keyCount, owner, touched)
  }
}

/// Records changes to the rows of some tables, including those by triggers and cascades, with the data needed to undo
/// them: the key of an inserted row, all values of a deleted one, and the replaced values of an updated one.
/// <https://sqlite.org/c3ref/preupdate_blobwrite.html>
///
/// ``RowChange/all(in:)`` reads the recorded bytes.
public final class ChangeRecorder {
  /// The number of bytes to pass on at once.
  private static let usualPart = 1 << 18

  /// Whether changes are recorded.
  public private(set) var isOn = false
  /// Receives the recorded bytes in parts, whenever many have accumulated. Called between two statements, never inside
  /// a savepoint.
  public var onFull: ([UInt8]) throws -> Void = { _ in }

  private var notes: ChangeNotes
  private let names: [UnsafeMutablePointer<CChar>?]

  init(_ tables: [RecordedTable]) {
    notes = ChangeNotes(tables)
    names = tables.map { strdup($0.name) }
  }

  deinit { for name in names { free(name) } }

  /// Starts recording. Earlier records are dropped.
  func start() {
    _ = take()
    isOn = true
  }

  /// Notes nothing any more.
  public func stop() {
    isOn = false
    onFull = { _ in }
    _ = take()
  }

  /// Whether there is enough to be passed on.
  public var isFull: Bool { notes.count >= Self.usualPart }

  /// Removes and returns the bytes recorded since the last call; may be empty.
  public func take() -> [UInt8] { notes.take() }

  /// The position to return to if the following changes are rolled back.
  var mark: Int { notes.mark }

  func rewind(to mark: Int) { notes.rewind(to: mark) }

  /// Called by SQLite before a row changes.
  func note(_ db: OpaquePointer?, _ operation: Int32, _ name: UnsafePointer<CChar>) {
    let first = name[0]
    for (index, known) in names.enumerated() {
      guard let known, known[0] == first, strcmp(known, name) == 0 else { continue }
      return notes.add(operation, db, index)
    }
  }
}

/// Changes of rows, as bytes.
private struct ChangeNotes {
  private let tables: [RecordedTable]
  private let shapes: [Shape]
  private var bytes: [UInt8] = []
  /// The number of bytes taken before these.
  private var taken = 0
  /// The number of each table in these bytes, and the position where it was assigned.
  private var numbers: [(number: Int, start: Int)?]

  /// The parts of a table's description that are read for every row; -1 means no column.
  private struct Shape {
    var keyCount: Int32
    var owner: Int32
    var touched: Int32
  }

  init(_ tables: [RecordedTable]) {
    self.tables = tables
    shapes = tables.map { table in
      Shape(
        keyCount: Int32(clamping: table.keyCount), owner: Int32(clamping: table.owner ?? -1),
        touched: Int32(clamping: table.touched ?? -1))
    }
    numbers = Array(repeating: nil, count: tables.count)
  }

  var count: Int { bytes.count }

  mutating func take() -> [UInt8] {
    defer {
      taken += bytes.count
      bytes = []
      for index in numbers.indices { numbers[index] = nil }
    }
    return bytes
  }

  var mark: Int { taken + bytes.count }

  mutating func rewind(to mark: Int) {
    bytes.removeLast(min(bytes.count, max(0, taken + bytes.count - mark)))
    for index in numbers.indices where numbers[index].map({ $0.start >= bytes.count }) == true { numbers[index] = nil }
  }

  /// Adds a change that SQLite is about to make.
  mutating func add(_ operation: Int32, _ db: OpaquePointer?, _ index: Int) {
    let count = sqlite3_preupdate_count(db)
    switch operation {
    case SQLITE_INSERT: addInsert(db, index, count)
    case SQLITE_DELETE: addDelete(db, index, count)
    default:
      let keepsKey = (0..<Int32(clamping: tables[index].keyCount)).allSatisfy {
        Stored.old($0, db) == Stored.new($0, db)
      }
      if keepsKey {
        addUpdate(db, index, count)
      } else {
        addDelete(db, index, count)
        addInsert(db, index, count)
      }
    }
  }

  private mutating func addInsert(_ db: OpaquePointer?, _ index: Int, _ count: Int32) {
    begin(.inserted, index, count)
    let shape = shapes[index]
    var fingerprint = Fingerprint()
    for column in 0..<count {
      let value = Stored.new(column, db)
      if column < shape.keyCount || column == shape.owner { value.append(to: &bytes) }
      if column != shape.touched { value.add(to: &fingerprint) }
    }
    withUnsafeBytes(of: fingerprint.short.littleEndian) { bytes.append(contentsOf: $0) }
  }

  private mutating func addDelete(_ db: OpaquePointer?, _ index: Int, _ count: Int32) {
    begin(.deleted, index, count)
    for column in 0..<count { Stored.old(column, db).append(to: &bytes) }
  }

  private mutating func addUpdate(_ db: OpaquePointer?, _ index: Int, _ count: Int32) {
    let changed = (0..<count).filter { Stored.old($0, db) != Stored.new($0, db) }
    guard !changed.isEmpty else { return }
    begin(.updated, index, count)
    for column in 0..<count where Int(column) < tables[index].keyCount || Int(column) == tables[index].owner {
      Stored.new(column, db).append(to: &bytes)
    }
    bytes.append(varint: UInt64(changed.count))
    for column in changed {
      bytes.append(varint: UInt64(column))
      Stored.old(column, db).append(to: &bytes)
      Stored.new(column, db).append(to: &bytes)
    }
  }

  /// Begins a record with its table and kind of change. A table is described at its first use.
  private mutating func begin(_ form: RowChange.Form, _ index: Int, _ count: Int32) {
    let number: Int
    if let known = numbers[index] {
      number = known.number
    } else {
      let table = tables[index]
      number = numbers.count { $0 != nil }
      numbers[index] = (number, bytes.count)
      bytes.append(varint: 0)
      bytes.append(text: table.name)
      for fact in [Int(count), table.keyCount, table.owner.map { $0 + 1 } ?? 0] { bytes.append(varint: UInt64(fact)) }
    }
    bytes.append(varint: UInt64(1 + 3 * number + form.rawValue))
  }
}

@available(*, unavailable) extension ChangeRecorder: Sendable {}

extension Connection {
  /// Records the changes to the rows of these tables, until ``ChangeRecorder/stop()``. A connection always records the
  /// same tables.
  public func record(_ tables: @autoclosure () -> [RecordedTable]) -> ChangeRecorder {
    let recorder = recorder ?? ChangeRecorder(tables())
    if self.recorder == nil {
      self.recorder = recorder
      sqlite3_preupdate_hook(
        handle,
        { context, db, operation, schema, table, _, _ in
          // Tables of 'temp' are not recorded.
          guard let context, let table, let schema, schema[0] == CChar(bitPattern: UInt8(ascii: "m")) else { return }
          let recorder = Unmanaged<ChangeRecorder>.fromOpaque(context).takeUnretainedValue()
          if recorder.isOn { recorder.note(db, operation, table) }
        }, Unmanaged.passUnretained(recorder).toOpaque())
    }
    recorder.start()
    return recorder
  }

  /// Whether a foreign key leads nowhere that may do so until the commit.
  public var hasForeignKeyViolations: Bool {
    var (current, highest): (Int32, Int32) = (0, 0)
    return sqlite3_db_status(handle, SQLITE_DBSTATUS_DEFERRED_FKS, &current, &highest, 0) == SQLITE_OK && current != 0
  }
}

/// A value of the row that is about to change, where SQLite has it.
private struct Stored: Equatable {
  private let value: OpaquePointer?

  static func old(_ column: Int32, _ db: OpaquePointer?) -> Stored {
    var value: OpaquePointer?
    sqlite3_preupdate_old(db, column, &value)
    return Stored(value: value)
  }

  static func new(_ column: Int32, _ db: OpaquePointer?) -> Stored {
    var value: OpaquePointer?
    sqlite3_preupdate_new(db, column, &value)
    return Stored(value: value)
  }

  private var type: Int32 { value == nil ? SQLITE_NULL : sqlite3_value_type(value) }

  /// The bytes of a text or a blob.
  private func content(_ type: Int32) -> UnsafeRawBufferPointer {
    let start = type == SQLITE_TEXT ? UnsafeRawPointer(sqlite3_value_text(value)) : sqlite3_value_blob(value)
    return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_value_bytes(value)))
  }

  static func == (a: Stored, b: Stored) -> Bool {
    let type = a.type
    guard type == b.type else { return false }
    return switch type {
    case SQLITE_INTEGER: sqlite3_value_int64(a.value) == sqlite3_value_int64(b.value)
    case SQLITE_FLOAT: sqlite3_value_double(a.value) == sqlite3_value_double(b.value)
    case SQLITE_TEXT, SQLITE_BLOB: a.content(type).elementsEqual(b.content(type))
    default: true
    }
  }

  func append(to bytes: inout [UInt8]) {
    let type = type
    switch type {
    case SQLITE_INTEGER: bytes.append(integer: sqlite3_value_int64(value))
    case SQLITE_FLOAT: bytes.append(real: sqlite3_value_double(value))
    case SQLITE_TEXT: bytes.append(content(type), as: .text)
    case SQLITE_BLOB: bytes.append(content(type), as: .blob)
    default: bytes.append(ValueForm.null.rawValue)
    }
  }

  func add(to fingerprint: inout Fingerprint) {
    let type = type
    switch type {
    case SQLITE_INTEGER: fingerprint.add(sqlite3_value_int64(value))
    case SQLITE_FLOAT: fingerprint.add(sqlite3_value_double(value))
    case SQLITE_TEXT, SQLITE_BLOB: fingerprint.add(content(type))
    default: fingerprint.addNull()
    }
  }
}
