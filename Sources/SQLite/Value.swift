/// One of SQLite's five storage classes. <https://sqlite.org/datatype3.html>
public enum Value: Sendable, Hashable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])

  /// The storage class, for messages.
  var className: String {
    switch self {
    case .null: "NULL"
    case .integer: "INTEGER"
    case .real: "REAL"
    case .text: "TEXT"
    case .blob: "BLOB"
    }
  }
}

/// A Swift type that is stored in, and read from, one column.
public protocol ValueConvertible {
  var value: Value { get }
  /// Nil when `value` is of another storage class: nothing is coerced.
  init?(value: Value)
}

extension Value: ValueConvertible {
  public var value: Value { self }
  public init?(value: Value) { self = value }
}

extension Int64: ValueConvertible {
  public var value: Value { .integer(self) }
  public init?(value: Value) {
    guard case .integer(let integer) = value else { return nil }
    self = integer
  }
}

extension Int: ValueConvertible {
  public var value: Value { .integer(Int64(self)) }
  public init?(value: Value) {
    guard case .integer(let integer) = value else { return nil }
    self.init(exactly: integer)
  }
}

extension Bool: ValueConvertible {
  public var value: Value { .integer(self ? 1 : 0) }
  public init?(value: Value) {
    guard case .integer(let integer) = value, integer == 0 || integer == 1 else { return nil }
    self = integer == 1
  }
}

extension Double: ValueConvertible {
  public var value: Value { .real(self) }
  public init?(value: Value) {
    guard case .real(let real) = value else { return nil }
    self = real
  }
}

extension String: ValueConvertible {
  public var value: Value { .text(self) }
  public init?(value: Value) {
    guard case .text(let text) = value else { return nil }
    self = text
  }
}

extension [UInt8]: ValueConvertible {
  public var value: Value { .blob(self) }
  public init?(value: Value) {
    guard case .blob(let blob) = value else { return nil }
    self = blob
  }
}

extension ValueConvertible where Self: RawRepresentable, RawValue: ValueConvertible {
  public var value: Value { rawValue.value }
  public init?(value: Value) {
    guard let raw = RawValue(value: value) else { return nil }
    self.init(rawValue: raw)
  }
}
