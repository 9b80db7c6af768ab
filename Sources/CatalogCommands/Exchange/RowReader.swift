internal import CatalogModel
internal import Processes

/// Reads the rows of a file ahead, on a thread of its own, while others are matched or written.
final class RowReader<Row: Sendable> {
  /// The size of a portion of rows that is handed over: 100 rows, or 256 KiB of text.
  private static var together: (rows: Int, bytes: Int) { (100, 1 << 18) }

  /// Portions of rows; an empty one is the end of the file.
  private let queue: BoundedQueue<Result<[Row], any Error>>
  /// The reading thread, cancelled with this reader.
  private let work: BackgroundWork<Void>
  private var rows: [Row] = []
  /// The number of rows of the portion that were returned.
  private var taken = 0
  private var isAtEnd = false

  /// - Parameters:
  ///   - start: the number of rows to skip at the beginning.
  ///   - prepare: converts each row, on the reading thread.
  /// - Throws: `SystemError` when no thread can be started.
  init(_ file: some RowSource, from start: Int = 0, prepare: @escaping @Sendable (ImportRow) -> Row) throws {
    let queue = BoundedQueue<Result<[Row], any Error>>(capacity: 10)
    self.queue = queue
    work = try BackgroundWork {
      do {
        var (rows, length, left) = ([Row](), 0, start)
        try file.rows { row in
          try Interrupt.check()
          guard left == 0 else {
            left -= 1
            return true
          }
          rows.append(prepare(row))
          length += row.length
          if rows.count == Self.together.rows || length > Self.together.bytes {
            try queue.put(.success(rows))
            (rows, length) = ([], 0)
          }
          return true
        }
        if !rows.isEmpty { try queue.put(.success(rows)) }
        try queue.put(.success([]))
      } catch {
        try queue.put(.failure(error))
      }
    }
  }

  /// The next row; nil after the last one.
  /// - Throws: the errors of the file, and `Interrupted`.
  func next() throws -> Row? {
    while taken == rows.count, !isAtEnd {
      (rows, taken) = (try queue.take().get(), 0)
      isAtEnd = rows.isEmpty
    }
    guard taken < rows.count else { return nil }
    taken += 1
    return rows[taken - 1]
  }
}

extension RowReader<ImportRow> {
  /// Reads the rows without converting them.
  convenience init(_ file: some RowSource, from start: Int = 0) throws { try self.init(file, from: start) { $0 } }
}

extension ImportRow {
  /// The approximate size of the row's text in bytes.
  fileprivate var length: Int {
    guard case .success(let entry) = content else { return 0 }
    let texts =
      [entry.record.summary, entry.record.note, entry.wish?.note]
      + entry.times.flatMap { [$0.note, $0.opinion?.comment] }
      + entry.opinions.map(\.comment) + entry.copies.map(\.facts.note) + entry.notes
    return texts.reduce(0) { $0 + ($1?.utf8.count ?? 0) }
  }
}
