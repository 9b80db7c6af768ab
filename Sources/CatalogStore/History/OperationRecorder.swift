public import CatalogModel
internal import SQLite

/// Records the changes of one run of the program as one operation. The first write begins it, and later writes add to
/// it.
public final class OperationRecorder {
  /// The maximum number of characters of a stored command line.
  private static let longestLine = 1_000

  private let command: () -> String
  private let line: () -> String
  private let now: () -> Timestamp
  /// The operation, if it has begun, and its number of parts.
  private(set) var state: (operation: Int64?, parts: Int) = (nil, 0)

  /// The number of the operation that the writes so far are in; nil before the first.
  public var operation: Int64? { state.operation }

  /// - Parameters:
  ///   - command: the names of the command: `card edit`.
  ///   - line: the typed arguments after the name of the program.
  public init(
    command: @autoclosure @escaping () -> String, line: @autoclosure @escaping () -> String,
    now: @escaping () -> Timestamp
  ) {
    (self.command, self.line, self.now) = (command, line, now)
  }

  /// Runs `body` inside a transaction and records its changes.
  func record<T>(in db: Connection, _ body: () throws -> T) throws -> T {
    let before = state
    let recorder = db.record(RecordedTable.all)
    recorder.onFull = { try self.keep($0, in: db) }
    defer { recorder.stop() }
    do {
      let result = try body()
      try keep(recorder.take(), in: db)
      return result
    } catch {
      // The transaction is rolled back.
      state = before
      throw error
    }
  }

  private func keep(_ changes: [UInt8], in db: Connection) throws {
    guard !changes.isEmpty else { return }
    // Another program may have recorded an operation since; an older one cannot be extended.
    let newest = try db.one("SELECT id, undone_at IS NOT NULL FROM step ORDER BY id DESC LIMIT 1") {
      (id: try $0.get(at: 0, as: Int64.self), isUndone: try $0.get(at: 1, as: Bool.self))
    }
    let operation: Int64
    if let known = state.operation, newest?.id == known, newest?.isUndone == false {
      operation = known
    } else {
      operation = try begin(in: db, forgetsUndone: newest?.isUndone == true)
    }
    state = (operation, state.parts + 1)
    try db.run("INSERT INTO step_change (step_id, part, changes) VALUES (\(operation), \(state.parts), \(changes))")
  }

  private func begin(in db: Connection, forgetsUndone: Bool) throws -> Int64 {
    if forgetsUndone { try db.run("DELETE FROM step WHERE undone_at IS NOT NULL") }
    let now = now()
    let command = command().isEmpty ? "catalog" : command()
    var line = line()
    if line.count > Self.longestLine { line = line.prefix(Self.longestLine - 1) + "…" }
    try db.run("INSERT INTO step (command, line, at) VALUES (\(command), \(line), \(now.rawValue))")
    let operation = db.lastInsertedRowID
    try HistoryPruner(db).run(newest: operation, now: now)
    state = (operation, 0)
    return operation
  }
}

@available(*, unavailable) extension OperationRecorder: Sendable {}
