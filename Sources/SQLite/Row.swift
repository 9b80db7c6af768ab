/// A row that was read: a copy that may be kept.
///
/// Columns are read by name, or by position where many rows make the look-up count.
public struct Row: Sendable {
  /// The columns' names, shared by all rows of one query.
  public let columns: [String]
  let values: [Value]

  /// The value of a column, exactly as stored.
  /// - Throws: ``ColumnError`` when there is no such column, it is NULL, or it holds another storage class.
  public func get<T: ValueConvertible>(_ column: String, as type: T.Type = T.self) throws -> T {
    let found = try value(column)
    guard let result = T(value: found) else {
      throw ColumnError(column: column, found: found.className, wanted: "\(T.self)")
    }
    return result
  }

  /// The same for a column that may be NULL.
  public func get<T: ValueConvertible>(_ column: String, as type: T?.Type = T?.self) throws -> T? {
    let found = try value(column)
    if found == .null { return nil }
    guard let result = T(value: found) else {
      throw ColumnError(column: column, found: found.className, wanted: "\(T.self)")
    }
    return result
  }

  /// The value of the column at `index`, from 0.
  public func get<T: ValueConvertible>(at index: Int, as type: T.Type = T.self) throws -> T {
    guard values.indices.contains(index) else {
      throw ColumnError(column: "#\(index)", found: "nothing", wanted: "\(T.self)")
    }
    guard let result = T(value: values[index]) else {
      throw ColumnError(column: columns[index], found: values[index].className, wanted: "\(T.self)")
    }
    return result
  }

  /// All values, in the order of the columns.
  public var all: [Value] { values }

  private func value(_ column: String) throws -> Value {
    guard let index = columns.firstIndex(of: column) else {
      throw ColumnError(column: column, found: "no such column", wanted: "a value")
    }
    return values[index]
  }
}
