internal import CatalogStore
internal import Processes
internal import SQLite

/// A row of a listing: the current one of a cursor, or a copy.
protocol ListedRow {
  func isNull(_ index: Int) -> Bool
  func integer(_ index: Int) -> Int64
  func real(_ index: Int) -> Double
  /// Calls `body` with the bytes of a text; NULL has none.
  func withText<T>(_ index: Int, _ body: (UnsafeBufferPointer<UInt8>) throws -> T) rethrows -> T
}

extension Cursor: ListedRow {}

/// Rows that were copied from a cursor, to be written in another thread.
struct CopiedRows: Sendable {
  fileprivate enum Cell {
    case null
    case integer(Int64)
    case real(Double)
    /// The range of the text in `bytes`.
    case text(Range<Int>)
  }

  private let forms: [FieldType.Form]
  private var cells: [Cell] = []
  private var bytes: [UInt8] = []
  private(set) var count = 0

  /// - Parameter forms: the forms of the columns.
  init(of forms: [FieldType.Form]) { self.forms = forms }

  /// - Parameter scans: the sources of the values that do not come from the row.
  mutating func append(_ row: Cursor, _ scans: [FieldScan]) throws {
    let first = cells.count
    count += 1
    for (index, form) in forms.enumerated() {
      if row.isNull(index) {
        cells.append(.null)
        continue
      }
      switch form {
      case .integer, .flag: cells.append(.integer(row.integer(index)))
      case .real: cells.append(.real(row.real(index)))
      case .text, .list, .rating, .money, .moneys:
        let start = bytes.count
        row.withText(index) { bytes.append(contentsOf: $0) }
        cells.append(.text(start..<bytes.count))
      }
    }
    for scan in scans {
      let start = bytes.count
      cells[first + scan.place] =
        switch try scan.value(&bytes) {
        case .null: .null
        case .integer(let value): .integer(value)
        case .text: .text(start..<bytes.count)
        }
    }
  }

  func forEach(_ body: (Row) -> Void) {
    cells.withUnsafeBufferPointer { cells in
      bytes.withUnsafeBufferPointer { bytes in
        for start in stride(from: 0, to: cells.count, by: forms.count) {
          body(Row(cells: UnsafeBufferPointer(rebasing: cells[start..<start + forms.count]), bytes: bytes))
        }
      }
    }
  }

  /// A row, valid only during ``forEach(_:)``.
  struct Row: ListedRow {
    fileprivate let cells: UnsafeBufferPointer<Cell>
    fileprivate let bytes: UnsafeBufferPointer<UInt8>

    func isNull(_ index: Int) -> Bool { if case .null = cells[index] { true } else { false } }
    func integer(_ index: Int) -> Int64 { if case .integer(let value) = cells[index] { value } else { 0 } }
    func real(_ index: Int) -> Double { if case .real(let value) = cells[index] { value } else { 0 } }

    func withText<T>(_ index: Int, _ body: (UnsafeBufferPointer<UInt8>) throws -> T) rethrows -> T {
      guard case .text(let range) = cells[index] else { return try body(UnsafeBufferPointer(start: nil, count: 0)) }
      return try body(UnsafeBufferPointer(rebasing: bytes[range]))
    }
  }
}

/// Writes rows in a thread of its own, while the next ones are read.
final class RowsWriter {
  private let rows = BoundedQueue<CopiedRows?>(capacity: 2)
  private let written = BoundedQueue<[UInt8]>(capacity: 2)
  /// The writing thread, cancelled with this writer.
  private let work: BackgroundWork<Void>
  private var underWay = 0

  /// - Parameter makeWriter: makes the function that writes rows, and at nil the end of the output. It is called in the
  ///   writing thread.
  /// - Throws: `SystemError` when no thread can be started.
  init(_ makeWriter: @escaping @Sendable () -> ((CopiedRows?) -> [UInt8])) throws {
    work = try BackgroundWork { [rows, written] in
      let write = makeWriter()
      while let next = try rows.take() { try written.put(write(next)) }
      try written.put(write(nil))
    }
  }

  /// Hands over rows; nil marks the end.
  /// - Returns: the output for earlier rows; nil while it is not needed yet.
  /// - Throws: `Interrupted`.
  func put(_ next: CopiedRows?) throws -> [UInt8]? {
    try rows.put(next)
    underWay += 1
    return underWay > 2 ? try take() : nil
  }

  /// Waits for the output of the oldest pending rows; nil when none are pending.
  /// - Throws: `Interrupted`.
  func take() throws -> [UInt8]? {
    guard underWay > 0 else { return nil }
    underWay -= 1
    return try written.take()
  }
}
