public import CatalogModel
internal import SQLite

/// What one run of the program changed in the catalog.
public struct Step: Sendable, Hashable, Identifiable {
  public var id: Int64
  /// The names of the command: `card edit`.
  public var command: String
  /// The whole line, behind the name of the program.
  public var line: String
  public var at: Timestamp
  /// When it was undone; nil while it is done.
  public var undoneAt: Timestamp?
}

/// A step that was undone, or made again.
public struct TurnedStep: Sendable, Hashable {
  public var step: Step
  /// What was done to do so.
  public var changes: StepChanges
  /// What the step would have turned back, and what stays as it is.
  public var left: [LeftAlone]
}

extension Store {
  /// All steps that are kept, the newest first.
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

  /// The last steps that are done, the newest first: what `undo` takes back.
  /// - Throws: ``CatalogError/tooFewSteps(_:isUndo:)``.
  public func undoable(_ count: Int) throws -> [Step] {
    let steps = try steps("undone_at IS NULL")
    guard steps.count >= count else { throw CatalogError.tooFewSteps(steps.count, isUndo: true) }
    return Array(steps.prefix(count))
  }

  /// The steps that were undone last, the oldest first: what `redo` makes again.
  /// - Throws: ``CatalogError/tooFewSteps(_:isUndo:)``.
  public func redoable(_ count: Int) throws -> [Step] {
    let steps = try steps("undone_at IS NOT NULL")
    guard steps.count >= count else { throw CatalogError.tooFewSteps(steps.count, isUndo: false) }
    return steps.suffix(count).reversed()
  }

  /// Takes steps back, all or none of them, in one transaction. A row that changed since is left alone.
  /// - Parameters:
  ///   - steps: what ``undoable(_:)`` said.
  ///   - isPreview: do it and give it up again.
  /// - Throws: ``CatalogError/historyWentOn`` when these are not the last steps any more, and why they cannot be undone.
  public func undo(_ steps: [Step], now: Timestamp, isPreview: Bool = false) throws -> [TurnedStep] {
    try turn(steps, undoneAt: now, isPreview: isPreview) { try undoable(steps.count) }
  }

  /// Makes steps again that were undone, as ``undo(_:now:isPreview:)`` takes them back.
  public func redo(_ steps: [Step], isPreview: Bool = false) throws -> [TurnedStep] {
    try turn(steps, undoneAt: nil, isPreview: isPreview) { try redoable(steps.count) }
  }

  /// It was only to be seen what would happen.
  private struct Preview: Error { var turned: [TurnedStep] }

  private func turn(
    _ steps: [Step], undoneAt: Timestamp?, isPreview: Bool, _ current: () throws -> [Step]
  ) throws -> [TurnedStep] {
    // That something is undone is no step.
    let store = recording(nil)
    do {
      return try store.write {
        guard try current() == steps else { throw CatalogError.historyWentOn }
        // Rows come back in the order in which they went.
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

  /// What steps changed, the newest first.
  /// - Parameter item: only steps that touched it.
  public func changes(of steps: [Step], touching item: ItemID? = nil) throws -> [(step: Step, changes: StepChanges)] {
    var reader = try StepReader(db)
    return try steps.sorted { $0.id > $1.id }.compactMap { step in
      let changes = try reader.read(step.id, isUndone: step.undoneAt != nil)
      return item.map { changes.items.contains($0) } == false ? nil : (step, changes)
    }
  }
}
