internal import CatalogModel
internal import Processes
internal import Synchronization

/// Reads the rows of a file ahead, on a thread of its own: while one is looked for or written, the next are taken out of the file.
final class RowReader<Row: Sendable> {
  /// Rows are handed over together, so many, or so many bytes of text.
  private static var together: (rows: Int, bytes: Int) { (100, 1 << 18) }

  private enum Portion: Sendable {
    case rows([Row])
    /// The file is at its end.
    case end
    case failure(any Error)
  }

  private let queue: BoundedQueue<Portion>
  /// Rows that were taken. The thread that made them gives their memory back: another would stand in its way.
  private let spent = SpentRows<Row>()
  /// It is cancelled with this reader.
  private let work: BackgroundWork<Void>
  private var rows: [Row] = []
  /// So many of them were taken.
  private var taken = 0
  private var isAtEnd = false

  /// - Parameters:
  ///   - start: so many rows at the beginning are passed over.
  ///   - prepare: what of each row is done on that thread.
  /// - Throws: `SystemError` when there is no thread to be had.
  init(_ file: some RowSource, from start: Int = 0, prepare: @escaping @Sendable (ImportRow) -> Row) throws {
    let queue = BoundedQueue<Portion>(capacity: 3)
    self.queue = queue
    work = try BackgroundWork { [spent] in
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
            try queue.put(.rows(rows))
            spent.forget()
            (rows, length) = ([], 0)
          }
          return true
        }
        try queue.put(.rows(rows))
        try queue.put(.end)
      } catch {
        try queue.put(.failure(error))
      }
    }
  }

  /// The next row; nil behind the last one.
  /// - Throws: what the file throws, and `Interrupted`.
  func next() throws -> Row? {
    while taken == rows.count, !isAtEnd {
      spent.add(rows)
      (rows, taken) = ([], 0)
      switch try queue.take() {
      case .rows(let next): rows = next
      case .end: isAtEnd = true
      case .failure(let error): throw error
      }
    }
    guard taken < rows.count else { return nil }
    taken += 1
    return rows[taken - 1]
  }
}

private final class SpentRows<Row: Sendable>: Sendable {
  private let rows = Mutex<[[Row]]>([])

  func add(_ portion: [Row]) { rows.withLock { $0.append(portion) } }

  func forget() {
    _ = rows.withLock { rows in
      defer { rows = [] }
      return rows
    }
  }
}

extension RowReader<ImportRow> {
  /// Hands the rows over as they are.
  convenience init(_ file: some RowSource, from start: Int = 0) throws { try self.init(file, from: start) { $0 } }
}

extension ImportRow {
  /// About how many bytes of text it has.
  fileprivate var length: Int {
    guard case .success(let entry) = content else { return 0 }
    let texts =
      [entry.record.summary, entry.record.note, entry.wish?.note]
      + entry.times.flatMap { [$0.note, $0.opinion?.comment] }
      + entry.opinions.map(\.comment) + entry.copies.map(\.facts.note) + entry.notes
    return texts.reduce(0) { $0 + ($1?.utf8.count ?? 0) }
  }
}
