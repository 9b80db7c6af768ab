internal import CommandLineKit

extension Context {
  /// Shows what is about to happen and asks for permission. `--yes` answers; without a terminal it fails and names that
  /// option.
  /// - Throws: ``SilentFailure`` when the answer is no, which is printed.
  func ask(_ question: Message, about lines: [String]) throws {
    if !globals.saysYes && terminal.isInputTerminal {
      for line in shortened(lines) { note(verbatim: line) }
    }
    guard try confirm(question) else {
      warn("nothing was changed")
      throw SilentFailure(status: .failed)
    }
  }

  /// Asks, removes the rows and prints which were removed. With `--dry-run` it only prints which would be.
  /// - Parameters:
  ///   - things: the rows to remove, each with a line that describes it.
  ///   - question: the question asked first; nil for none.
  ///   - change: the change for `--json`.
  ///   - plan: the message of a dry run for a line.
  ///   - outcome: the message after the removal of a line.
  ///   - take: removes the rows and returns the ids of those removed.
  /// - Returns: the ids that `take` did not remove.
  @discardableResult
  func remove<ID: Hashable>(
    _ things: [(id: ID, line: String)], asking question: Message?, as change: ((ID) throws -> Change)? = nil,
    plan: (_ line: String) -> Message = { "would remove \($0)" },
    outcome: (_ line: String) -> Message = { "removed \($0)" }, _ take: () throws -> [ID]
  ) throws -> Set<ID> {
    if globals.isDryRun {
      for thing in things {
        if let change = try change?(thing.id) { changes?.append(change, .planned) }
        try print(plan(safe(thing.line)))
      }
      return []
    }
    if let question { try ask(question, about: things.map(\.line) + [text("'catalog undo' brings it back.")]) }
    // Rows that are removed cannot be described any more.
    var told: [ID: Change] = [:]
    if changes != nil, let change { for thing in things { told[thing.id] = try change(thing.id) } }
    let taken = Set(try take())
    for thing in things where taken.contains(thing.id) {
      if let change = told[thing.id] { changes?.append(change) }
      try print(outcome(safe(thing.line)))
    }
    return Set(things.map(\.id)).subtracting(taken)
  }

  /// Removes rows that are still as they were shown. A row that was changed meanwhile stays, which is printed.
  /// - Throws: ``SilentFailure`` when a row stayed.
  func removeUnchanged<ID: Hashable>(
    _ things: [(id: ID, line: String)], asking question: Message?, as change: ((ID) throws -> Change)? = nil,
    plan: (_ line: String) -> Message = { "would remove \($0)" },
    outcome: (_ line: String) -> Message = { "removed \($0)" }, _ take: () throws -> [ID]
  ) throws {
    let left = try remove(things, asking: question, as: change, plan: plan, outcome: outcome, take)
    for thing in things where left.contains(thing.id) {
      warn("not removed, since it was changed meanwhile: \(thing.line)")
    }
    if !left.isEmpty { throw SilentFailure(status: .failed) }
  }

  /// Asks whether to remove rows. With `--dry-run` it prints which would be removed.
  /// - Returns: whether to remove them; false in a dry run.
  /// - Throws: ``SilentFailure`` when the answer is no.
  func mayRemove(_ lines: [String], asking question: Message?, plan: (_ line: String) -> Message) throws -> Bool {
    if globals.isDryRun {
      for line in lines { try print(plan(safe(line))) }
      return false
    }
    if let question { try ask(question, about: lines + [text("'catalog undo' brings it back.")]) }
    return true
  }

  /// The first of many lines, and the number of further ones.
  /// - Parameter total: the number of lines, if `lines` has not all of them.
  func shortened(_ lines: [String], of total: Int? = nil, to most: Int = 40) -> [String] {
    let total = total ?? lines.count
    guard total > most else { return lines }
    return lines.prefix(most - 1) + [text("… and \(total - most + 1) more lines")]
  }
}
