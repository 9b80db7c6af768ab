internal import CommandLineKit

/// What a person is about to write over: changes that came while they were thinking. Nothing was written.
struct Conflict: Error {
  /// What was, what is and what the person wants.
  var lines: [String] = []

  /// - Throws: itself, unless nothing is in it that the person does not know.
  func check(_ agreed: Set<String>) throws {
    if !agreed.isSuperset(of: lines) { throw self }
  }
}

extension Context {
  /// Writes what a person decided some time ago. Where that would undo what others did meanwhile, they are asked first.
  ///
  /// - Parameter write: one transaction, which throws a ``Conflict`` before it ends. It gets the lines of conflicts that
  ///   the person has agreed to.
  /// - Throws: ``Failure`` when it shall not be, or nobody can be asked; then nothing was changed.
  func settling<T>(_ write: (_ agreed: Set<String>) throws -> T) throws -> T {
    var agreed: Set<String> = []
    while true {
      do { return try write(agreed) } catch let conflict as Conflict {
        warn("somebody else changed the same meanwhile:")
        for line in conflict.lines { note("  \(line)") }
        guard globals.saysYes || terminal.isInputTerminal && terminal.isErrorTerminal else {
          throw Failure("nothing was changed", hint: "--yes writes yours over it")
        }
        guard try confirm("Write yours over it?") else { throw Failure("nothing was changed") }
        // Should it change again, it is asked again.
        agreed.formUnion(conflict.lines)
      }
    }
  }
}
