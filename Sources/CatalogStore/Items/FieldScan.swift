internal import SQLite

/// The values of a field for all items, from rows that belong to them. It advances in step with a listing by item
/// number, since SQLite has no merge join: nine subqueries for each item take a third longer.
public final class FieldScan {
  /// The place of the field among the listed fields.
  public let place: Int
  private let fold: Rows.Fold
  private let rows: RowScan
  /// The row fetched last, and the item that it belongs to; `Int64.max` at the end.
  private var row: Cursor?
  private var owner = Int64.min
  /// The current item of the listing.
  var item: Int64 = 0

  init(_ place: Int, _ fold: Rows.Fold, _ rows: RowScan) { (self.place, self.fold, self.rows) = (place, fold, rows) }

  public enum Value {
    case null
    case integer(Int64)
    /// A text, which was appended.
    case text
  }

  /// Returns the value for the current item of the listing.
  /// - Parameter bytes: the bytes to which a text is appended.
  public func value(_ bytes: inout [UInt8]) throws -> Value {
    // The first call fetches the first row.
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
