internal import CommandLineKit

/// The outcome of all rows of an import, which decides the exit status.
final class ImportSum {
  private var rows = 0
  private var rejected = 0

  /// - Parameters:
  ///   - rows: the number of rows of a file.
  ///   - rejected: the number of those that cannot be read or stored.
  func add(_ rows: Int, rejected: Int) {
    self.rows += rows
    self.rejected += rejected
  }

  func add(_ outcome: ImportOutcome) { add(outcome.tally.rows, rejected: outcome.rejected) }

  /// - Throws: ``Failure`` when nothing was kept, or not all rows.
  func check() throws {
    guard rows > 0 else { throw Failure("nothing was imported: there are no rows") }
    guard rejected < rows else {
      throw Failure(
        Message(
          counting: rows, one: "nothing was imported: the only row was rejected",
          many: "nothing was imported: all \(rows) rows were rejected"))
    }
    guard rejected > 0 else { return }
    var failure = Failure(
      Message(
        counting: rejected, one: "\(rejected) of \(rows) rows was left out",
        many: "\(rejected) of \(rows) rows were left out"))
    failure.status = .rowsLeft
    throw failure
  }
}
