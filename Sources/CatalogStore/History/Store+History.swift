public import CatalogModel
internal import SQLite

/// The changes of one run of the program.
public struct Step: Sendable, Hashable, Identifiable {
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
public struct TurnedStep: Sendable, Hashable {
  public var step: Step
  /// The changes of the undo or redo.
  public var changes: StepChanges
  /// The conflicts: rows that stayed unchanged.
  public var left: [LeftAlone]
}

extension Store {
  /// All recorded operations, the newest first.
  public func steps() throws -> [Step] { try steps("true") }

  /// - Throws: ``CatalogError/noStep(_:)``.
  public func step(_ id: Int64) throws -> Step {
    guard let step = try steps("id = \(id)").first else { throw CatalogError.noStep(id) }
    return step
  }

  private func steps(_ condition: SQL) throws -> [Step] {
    try db.all("SELECT * FROM step WHERE \(condition) ORDER BY id DESC") { row in
      Step(
        id: try row.get("id"), command: try row.get("command"), line: try row.get("line"),
        at: Timestamp(rawValue: try row.get("at")),
        undoneAt: try row.get("undone_at", as: String?.self).map(Timestamp.init(rawValue:)))
    }
  }

  /// The last operations that are not undone, the newest first, which `undo` reverses.
  /// - Throws: ``CatalogError/tooFewSteps(_:isUndo:)``.
  public func undoable(_ count: Int) throws -> [Step] {
    let steps = try steps("undone_at IS NULL")
    guard steps.count >= count else { throw CatalogError.tooFewSteps(steps.count, isUndo: true) }
    return Array(steps.prefix(count))
  }

  /// The last undone operations, the oldest first, which `redo` repeats.
  /// - Throws: ``CatalogError/tooFewSteps(_:isUndo:)``.
  public func redoable(_ count: Int) throws -> [Step] {
    let steps = try steps("undone_at IS NOT NULL")
    guard steps.count >= count else { throw CatalogError.tooFewSteps(steps.count, isUndo: false) }
    return steps.suffix(count).reversed()
  }

  /// Undoes operations in one transaction. Rows that have changed since stay.
  /// - Parameters:
  ///   - steps: the result of ``undoable(_:)``.
  ///   - isPreview: whether to roll back at the end.
  /// - Throws: ``CatalogError/historyWentOn`` if these are no longer the last operations, and errors that prevent the
  ///   undo.
  public func undo(_ steps: [Step], now: Timestamp, isPreview: Bool = false) throws -> [TurnedStep] {
    try turn(steps, undoneAt: now, isPreview: isPreview) { try undoable(steps.count) }
  }

  /// Redoes operations that were undone, in the same way as ``undo(_:now:isPreview:)``.
  public func redo(_ steps: [Step], isPreview: Bool = false) throws -> [TurnedStep] {
    try turn(steps, undoneAt: nil, isPreview: isPreview) { try redoable(steps.count) }
  }

  /// Rolls the transaction of a preview back.
  private struct Preview: Error { var turned: [TurnedStep] }

  private func turn(
    _ steps: [Step], undoneAt: Timestamp?, isPreview: Bool, _ current: () throws -> [Step]
  ) throws -> [TurnedStep] {
    // An undo is no operation of its own.
    let store = recording(nil)
    do {
      return try store.write {
        guard try current() == steps else { throw CatalogError.historyWentOn }
        // Rows are restored in the order in which they were removed.
        try db.run("PRAGMA defer_foreign_keys = ON")
        let shapes = try TableShape.all(in: db)
        let turned = try steps.map { step in
          let left = try turn(step, shapes)
          try db.run("UPDATE step SET undone_at = \(undoneAt?.rawValue) WHERE id = \(step.id)")
          var reader = try StepReader(db)
          return TurnedStep(step: step, changes: try reader.read(step.id, isUndone: false), left: left)
        }
        if db.hasLooseEnds { throw CatalogError.stepHasLooseEnds }
        try store.noteUndoneSync(steps, isUndo: undoneAt != nil)
        if isPreview { throw Preview(turned: turned) }
        return turned
      }
    } catch let preview as Preview {
      return preview.turned
    }
  }

  private func turn(_ step: Step, _ shapes: [String: TableShape]) throws -> [LeftAlone] {
    let recorder = db.record(RecordedTable.all)
    defer { recorder.stop() }
    do {
      var turn = StepTurn(step.id, in: db, shapes: shapes, recorder: recorder)
      return try turn.run()
    } catch is UnreadableChanges {
      throw CatalogError.stepUnreadable(step.id)
    }
  }

  /// Reads the changes of operations, the newest first.
  /// - Parameter item: limits the result to operations that touched this item.
  public func changes(of steps: [Step], touching item: ItemID? = nil) throws -> [(step: Step, changes: StepChanges)] {
    var reader = try StepReader(db)
    return try steps.sorted { $0.id > $1.id }.compactMap { step in
      let changes = try reader.read(step.id, isUndone: step.undoneAt != nil)
      return item.map { changes.items.contains($0) } == false ? nil : (step, changes)
    }
  }
}
