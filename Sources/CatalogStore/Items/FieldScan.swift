internal import SQLite

/// What a field is of each item, made of rows that hang on it, while somebody walks through the items in their order.
public final class FieldScan {
  /// That of the field among those that are listed.
  public let place: Int
  private let fold: Rows.Fold
  private let rows: RowScan
  /// The row that was fetched last, and the item that it hangs on: one behind all others at the end.
  private var row: Cursor?
  private var owner = Int64.min
  /// The item that is wanted.
  var item: Int64 = 0

  init(_ place: Int, _ fold: Rows.Fold, _ rows: RowScan) { (self.place, self.fold, self.rows) = (place, fold, rows) }

  public enum Value {
    case null
    case integer(Int64)
    /// What was appended.
    case text
  }

  /// What it is of the item that the listing stands on.
  /// - Parameter bytes: to which a text is appended.
  public func value(_ bytes: inout [UInt8]) throws -> Value {
    // The first time this fetches the first row.
    let start = bytes.count
    var count: Int64 = 0
    while owner <= item {
      if owner == item {
        count += 1
        switch fold {
        case .list:
          if count > 1 { bytes.append(FieldType.separator) }
          row?.withText(1) { bytes.append(contentsOf: $0) }
        case .last:
          bytes.removeSubrange(start...)
          row?.withText(1) { bytes.append(contentsOf: $0) }
        case .count, .any: break
        }
      }
      row = try rows.next()
      owner = row?.integer(0) ?? Int64.max
    }
    return switch fold {
    case .list, .last: count == 0 ? .null : .text
    case .count: .integer(count)
    case .any: .integer(min(count, 1))
    }
  }
}

@available(*, unavailable) extension FieldScan: Sendable {}
