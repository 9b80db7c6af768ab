public import CatalogModel
internal import SQLite

/// The changes of one run of the program.
public struct Operation: Sendable, Hashable, Identifiable {
  public var id: Int64
  /// The names of the command: `card edit`.
  public var command: String
  /// The typed arguments after the name of the program.
  public var line: String
  public var at: Timestamp
  /// The time of the undo; nil if it is not undone.
  public var undoneAt: Timestamp?
}

/// An operation that was undone or redone.
public struct UndoResult: Sendable, Hashable {
  public var operation: Operation
  /// The changes of the undo or redo.
  public var changes: OperationChanges
  /// The conflicts: rows that stayed unchanged.
  public var conflicts: [UndoConflict]
}

extension Store {
  /// All recorded operations, the newest first.
  public func operations() throws -> [Operation] { try operations("true") }

  /// - Throws: ``CatalogError/noOperation(_:)``.
  public func operation(_ id: Int64) throws -> Operation {
    guard let operation = try operations("id = \(id)").first else { throw CatalogError.noOperation(id) }
    return operation
  }

  private func operations(_ condition: SQL) throws -> [Operation] {
    try db.all("SELECT * FROM step WHERE \(condition) ORDER BY id DESC") { row in
      Operation(
        id: try row.get("id"), command: try row.get("command"), line: try row.get("line"),
        at: Timestamp(rawValue: try row.get("at")),
        undoneAt: try row.get("undone_at", as: String?.self).map(Timestamp.init(rawValue:)))
    }
  }

  /// The last operations that are not undone, the newest first, which `undo` reverses.
  /// - Throws: ``CatalogError/tooFewOperations(_:isUndo:)``.
  public func undoable(_ count: Int) throws -> [Operation] {
    let operations = try operations("undone_at IS NULL")
    guard operations.count >= count else { throw CatalogError.tooFewOperations(operations.count, isUndo: true) }
    return Array(operations.prefix(count))
  }

  /// The last undone operations, the oldest first, which `redo` repeats.
  /// - Throws: ``CatalogError/tooFewOperations(_:isUndo:)``.
  public func redoable(_ count: Int) throws -> [Operation] {
    let operations = try operations("undone_at IS NOT NULL")
    guard operations.count >= count else { throw CatalogError.tooFewOperations(operations.count, isUndo: false) }
    return operations.suffix(count).reversed()
  }

  /// Undoes operations in one transaction. Rows that have changed since stay.
  /// - Parameters:
  ///   - operations: the result of ``undoable(_:)``.
  ///   - isPreview: whether to roll back at the end.
  /// - Throws: ``CatalogError/historyWentOn`` if these are no longer the last operations, and errors that prevent the
  ///   undo.
  public func undo(_ operations: [Operation], now: Timestamp, isPreview: Bool = false) throws -> [UndoResult] {
    try reverse(operations, undoneAt: now, isPreview: isPreview) { try undoable(operations.count) }
  }

  /// Redoes operations that were undone, in the same way as ``undo(_:now:isPreview:)``.
  public func redo(_ operations: [Operation], isPreview: Bool = false) throws -> [UndoResult] {
    try reverse(operations, undoneAt: nil, isPreview: isPreview) { try redoable(operations.count) }
  }

  /// Rolls the transaction of a preview back.
  private struct Preview: Error { var results: [UndoResult] }

  private func reverse(
    _ operations: [Operation], undoneAt: Timestamp?, isPreview: Bool, _ current: () throws -> [Operation]
  ) throws -> [UndoResult] {
    // An undo is no operation of its own.
    let store = recording(nil)
    do {
      return try store.write {
        guard try current() == operations else { throw CatalogError.historyWentOn }
        // Rows are restored in the order in which they were removed.
        try db.run("PRAGMA defer_foreign_keys = ON")
        let shapes = try TableShape.all(in: db)
        let results = try operations.map { operation in
          let conflicts = try reverse(operation, shapes)
          try db.run("UPDATE step SET undone_at = \(undoneAt?.rawValue) WHERE id = \(operation.id)")
          var reader = try OperationReader(self)
          return UndoResult(
            operation: operation, changes: try reader.read(operation.id, isUndone: false), conflicts: conflicts)
        }
        if db.hasForeignKeyViolations { throw CatalogError.operationHasForeignKeyViolations }
        try store.recordUndoneSync(operations, isUndo: undoneAt != nil)
        if isPreview { throw Preview(results: results) }
        return results
      }
    } catch let preview as Preview {
      return preview.results
    }
  }

  private func reverse(_ operation: Operation, _ shapes: [String: TableShape]) throws -> [UndoConflict] {
    let recorder = db.record(RecordedTable.all)
    defer { recorder.stop() }
    do {
      var undo = UndoOperation(operation.id, in: db, shapes: shapes, recorder: recorder)
      return try undo.run()
    } catch is UnreadableChanges {
      throw CatalogError.operationUnreadable(operation.id)
    }
  }

  /// Reads the changes of operations, the newest first.
  /// - Parameter item: limits the result to operations that touched this item.
  public func changes(of operations: [Operation], touching item: ItemID? = nil) throws -> [(
    operation: Operation, changes: OperationChanges
  )] {
    var reader = try OperationReader(self)
    return try operations.sorted { $0.id > $1.id }.compactMap { operation in
      let changes = try reader.read(operation.id, isUndone: operation.undoneAt != nil)
      return item.map { changes.items.contains($0) } == false ? nil : (operation, changes)
    }
  }
}
