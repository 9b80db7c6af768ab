internal import CommandLineKit

extension Context {
  /// Shows what is about to happen and asks whether it shall. `--yes` answers; without a terminal it fails and names
  /// that option.
  /// - Throws: ``SilentFailure`` when the answer is no, which is said.
  func ask(_ question: Message, about lines: [String]) throws {
    if !globals.saysYes && terminal.isInputTerminal {
      for line in shortened(lines) { note(verbatim: line) }
    }
    guard try confirm(question) else {
      warn("nothing was changed")
      throw SilentFailure(status: .failed)
    }
  }

  /// Takes things away and says which. With `--dry-run` it says which would go, and none does.
  /// - Parameters:
  ///   - things: what is to go, each with a line that says which one it is.
  ///   - question: asked before; nil where nobody need be asked.
  ///   - change: the change for `--json`.
  ///   - plan: says in a dry run that what a line names would go.
  ///   - outcome: says that it is gone.
  ///   - take: takes them away, and says which went.
  /// - Returns: the ids of those that `take` left where they are.
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
    // What is gone cannot be told of any more.
    var told: [ID: Change] = [:]
    if changes != nil, let change { for thing in things { told[thing.id] = try change(thing.id) } }
    let taken = Set(try take())
    for thing in things where taken.contains(thing.id) {
      if let change = told[thing.id] { changes?.append(change) }
      try print(outcome(safe(thing.line)))
    }
    return Set(things.map(\.id)).subtracting(taken)
  }

  /// The same for what goes only as it was shown: what is not so any more by then is left where it is, which is said.
  /// - Throws: ``SilentFailure`` when one was left.
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

  /// Asks whether things shall be taken away. With `--dry-run` it says which would go.
  /// - Returns: whether they are to go; false in a dry run.
  /// - Throws: ``SilentFailure`` when the answer is no.
  func mayRemove(_ lines: [String], asking question: Message?, plan: (_ line: String) -> Message) throws -> Bool {
    if globals.isDryRun {
      for line in lines { try print(plan(safe(line))) }
      return false
    }
    if let question { try ask(question, about: lines + [text("'catalog undo' brings it back.")]) }
    return true
  }

  /// The first lines of many, and how many more there are.
  /// - Parameter total: how many there are, where not all are at hand.
  func shortened(_ lines: [String], of total: Int? = nil, to most: Int = 40) -> [String] {
    let total = total ?? lines.count
    guard total > most else { return lines }
    return lines.prefix(most - 1) + [text("… and \(total - most + 1) more lines")]
  }
}
