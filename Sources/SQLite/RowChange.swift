/// A change to a row, as recorded by a ``ChangeRecorder``.
public struct RowChange: Sendable, Hashable {
  public enum Act: Sendable, Hashable {
    /// The row was inserted. Of its contents, only the fingerprint is known.
    case inserted(fingerprint: UInt32)
    /// The row was deleted, with these values.
    case deleted([Value])
    case updated([Column])
  }

  /// A replaced value.
  public struct Column: Sendable, Hashable {
    /// The column, from 0.
    public var index: Int
    public var old: Value
    public var new: Value
  }

  public var table: String
  /// The number of the table's columns at that time.
  public var columnCount: Int
  /// The values of the key columns.
  public var key: [Value]
  /// The owner of the row; NULL if the table has no owner column.
  public var owner: Value
  public var act: Act

  /// Reads the recorded changes in their order.
  /// - Throws: ``UnreadableChanges``.
  public static func all(in bytes: [UInt8]) throws -> [RowChange] {
    var reader = ChangeReader(bytes: bytes)
    var changes: [RowChange] = []
    while let change = try reader.next() { changes.append(change) }
    return changes
  }

  /// A hash of a row's contents.
  /// - Parameter touched: a column to leave out.
  public static func fingerprint(of values: [Value], touched: Int?) -> UInt32 {
    var fingerprint = Fingerprint()
    for (column, value) in values.enumerated() where column != touched {
      switch value {
      case .null: fingerprint.addNull()
      case .integer(let integer): fingerprint.add(integer)
      case .real(let real): fingerprint.add(real)
      case .text(var text): text.withUTF8 { fingerprint.add(UnsafeRawBufferPointer($0)) }
      case .blob(let blob): blob.withUnsafeBytes { fingerprint.add($0) }
      }
    }
    return fingerprint.short
  }

  enum Form: Int { case inserted, deleted, updated }
}

/// The notes are damaged, or of a form that this version does not know.
public struct UnreadableChanges: Error, Sendable, Hashable {}

/// 64 bits mixed of a row's values; 32 are kept.
struct Fingerprint {
  private var state: UInt64 = 0xCBF2_9CE4_8422_2325

  var short: UInt32 { UInt32(truncatingIfNeeded: state ^ state >> 32) }

  private mutating func mix(_ word: UInt64) {
    state = (state ^ word) &* 0x9E37_79B9_7F4A_7C15
    state ^= state >> 29
  }

  mutating func addNull() { mix(1) }

  mutating func add(_ integer: Int64) { mix(UInt64(bitPattern: integer) &* 2) }

  /// SQLite may keep a whole number of a REAL column as an integer.
  mutating func add(_ real: Double) {
    if let whole = Int64(exactly: real) { add(whole) } else { mix(real.bitPattern) }
  }

  mutating func add(_ content: UnsafeRawBufferPointer) {
    mix(UInt64(content.count) &* 2 &+ 1)
    var offset = 0
    while offset + 8 <= content.count {
      mix(content.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      offset += 8
    }
    for byte in content[offset...] { mix(UInt64(byte)) }
  }
}

// MARK: - Bytes

enum ValueForm: UInt8 { case null, integer, real, text, blob }

extension [UInt8] {
  /// Seven bits a byte, the lowest first.
  mutating func append(varint number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(truncatingIfNeeded: rest))
  }

  mutating func append(integer: Int64) {
    append(ValueForm.integer.rawValue)
    append(varint: UInt64(bitPattern: integer << 1 ^ integer >> 63))
  }

  mutating func append(real: Double) {
    append(ValueForm.real.rawValue)
    Swift.withUnsafeBytes(of: real.bitPattern.littleEndian) { append(contentsOf: $0) }
  }

  mutating func append(_ content: UnsafeRawBufferPointer, as form: ValueForm) {
    append(form.rawValue)
    append(varint: UInt64(content.count))
    append(contentsOf: content)
  }

  mutating func append(text: String) {
    append(varint: UInt64(text.utf8.count))
    append(contentsOf: text.utf8)
  }
}

/// Reads recorded changes one after the other. The bytes may be damaged.
private struct ChangeReader {
  let bytes: [UInt8]
  private var position = 0
  private var tables: [(name: String, columns: Int, keys: Int, owner: Int?)] = []

  init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func next() throws -> RowChange? {
    guard position < bytes.count else { return nil }
    var code = try number()
    if code == 0 {
      let name = String(decoding: try slice(try number()), as: UTF8.self)
      let (columns, keys, owner) = (try number(), try number(), try number())
      guard columns <= 2_000, keys >= 1, keys <= columns, owner <= columns else { throw UnreadableChanges() }
      tables.append((name, columns, keys, owner == 0 ? nil : owner - 1))
      code = try number()
    }
    guard code > 0, tables.indices.contains((code - 1) / 3), let form = RowChange.Form(rawValue: (code - 1) % 3) else {
      throw UnreadableChanges()
    }
    let table = tables[(code - 1) / 3]
    if form == .deleted {
      let values = try (0..<table.columns).map { _ in try value() }
      return RowChange(
        table: table.name, columnCount: table.columns, key: Array(values.prefix(table.keys)),
        owner: table.owner.map { values[$0] } ?? .null, act: .deleted(values))
    }
    let key = try (0..<table.keys).map { _ in try value() }
    let owner = try table.owner.map { $0 < key.count ? key[$0] : try value() } ?? .null
    let act: RowChange.Act
    if form == .inserted {
      let mark = try slice(4)
      act = .inserted(fingerprint: mark.reversed().reduce(0) { $0 << 8 | UInt32(truncatingIfNeeded: $1) })
    } else {
      let count = try number()
      guard count <= table.columns else { throw UnreadableChanges() }
      act = .updated(
        try (0..<count).map { _ in
          let index = try number()
          guard index < table.columns else { throw UnreadableChanges() }
          return RowChange.Column(index: index, old: try value(), new: try value())
        })
    }
    return RowChange(table: table.name, columnCount: table.columns, key: key, owner: owner, act: act)
  }

  private mutating func varint() throws -> UInt64 {
    var (result, shift): (UInt64, UInt64) = (0, 0)
    while position < bytes.count, shift < 64 {
      let byte = bytes[position]
      position += 1
      result |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return result }
      shift += 7
    }
    throw UnreadableChanges()
  }

  private mutating func number() throws -> Int {
    guard let number = Int(exactly: try varint()) else { throw UnreadableChanges() }
    return number
  }

  private mutating func slice(_ count: Int) throws -> ArraySlice<UInt8> {
    guard count <= bytes.count - position else { throw UnreadableChanges() }
    defer { position += count }
    return bytes[position..<position + count]
  }

  private mutating func value() throws -> Value {
    guard let form = try slice(1).first.flatMap(ValueForm.init) else { throw UnreadableChanges() }
    switch form {
    case .null: return .null
    case .integer:
      let raw = try varint()
      return .integer(Int64(bitPattern: raw >> 1) ^ -Int64(raw & 1))
    case .real: return .real(Double(bitPattern: try slice(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }))
    case .text: return .text(String(decoding: try slice(try number()), as: UTF8.self))
    case .blob: return .blob(Array(try slice(try number())))
    }
  }
}
