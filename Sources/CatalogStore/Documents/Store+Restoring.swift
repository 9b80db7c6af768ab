public import CatalogModel
internal import SQLite

/// The result of a restore.
public struct Restored: Sendable, Hashable {
  public var items = 0
  /// The tables and columns that this version does not know, `table` or `table.column`, in alphabetical order.
  public var unknown: [String] = []
}

extension Store {
  /// Whether the catalog has no data of the user: no item, wish, tag, pile or saved query.
  public func isEmpty() throws -> Bool {
    try db.value(
      """
      SELECT NOT EXISTS (SELECT 1 FROM item) AND NOT EXISTS (SELECT 1 FROM wish) AND NOT EXISTS (SELECT 1 FROM tag)
        AND NOT EXISTS (SELECT 1 FROM pile) AND NOT EXISTS (SELECT 1 FROM saved_query)
      """) ?? true
  }

  /// Restores documents from ``documents(of:withCovers:_:)`` into an empty catalog, row for row, in one transaction. A
  /// whole catalog replaces the genres, labels and recents; a selection adds only the rows that its items name.
  ///
  /// - Parameters:
  ///   - next: returns the next document with its line, the head first; nil at the end.
  ///   - progress: receives the number of restored items; returning false cancels the restore.
  /// - Throws: ``CatalogError/notEmpty``; ``DocumentProblem``; ``Stopped`` if it was cancelled.
  @discardableResult
  public func restore(
    progress: (_ items: Int) -> Bool = { _ in true }, _ next: () throws -> (line: Int, document: Document)?
  ) throws -> Restored {
    try write {
      guard try isEmpty() else { throw CatalogError.notEmpty }
      guard let first = try next() else { throw DocumentProblem.noHead }
      try first.document.checkHead(line: first.line)
      // Editions name works that come later.
      try db.run("PRAGMA defer_foreign_keys = ON")
      var restorer = try CatalogRestorer(self)
      let isSelection = first.document["selection"] == .flag(true)
      if !isSelection { try restorer.begin() }
      while let (line, document) = try next() {
        do {
          if try restorer.write(document) != nil, !progress(restorer.restored.items) { throw Stopped() }
        } catch let problem as DocumentProblem {
          throw DocumentProblem(problem.message, line: line)
        } catch let error as SQLiteError where error.isConstraint {
          throw DocumentProblem("the catalog cannot store it: '\(error.message)'", line: line)
        }
        try db.flushChanges()
      }
      if isSelection { try restorer.closeSelection() } else { try restorer.finish(with: first.document) }
      if db.hasForeignKeyViolations { throw DocumentProblem("it has data of an item that is not in it") }
      return restorer.result
    }
  }

  /// The error of a restore that the progress callback cancelled.
  public struct Stopped: Error {}
}
