internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup

/// A change that a command made, or that was not needed: one object in the output of `--json`.
struct Change {
  /// The result of a change.
  enum Outcome {
    case done
    /// The catalog was in that state already.
    case already
    /// `--dry-run` only shows the change.
    case planned
  }

  var outcome: Outcome
  /// The item that it is about.
  var item: ItemID?
  private var members: Members

  /// The members of its object, by their names.
  typealias Members = [(key: String, value: any CellContent)]

  /// Describes a change of an item.
  ///
  /// - Parameter more: further members, such as the number of a card or the name of a tag.
  init(_ outcome: Outcome = .done, of item: Item, _ more: Members = []) {
    self.init(outcome, item.id, item.record, more)
  }

  /// Describes a change of something that is not an item, or not yet.
  init(_ outcome: Outcome = .done, of record: Record, _ more: Members = []) {
    self.init(outcome, nil, record, more)
  }

  /// Describes a change of the target of a reference.
  init(
    _ outcome: Outcome = .done, of target: ResolvedReference, in store: Store,
    _ more: Members = []
  ) throws {
    switch target {
    case .item(let id): self.init(outcome, of: try store.item(id), more)
    case .candidate(let candidate): self.init(outcome, of: candidate.record, more)
    }
  }

  /// Describes a change by these members alone.
  init(_ outcome: Outcome = .done, _ members: Members) {
    (self.outcome, self.members) = (outcome, members)
  }

  private init(_ outcome: Outcome, _ id: ItemID?, _ record: Record, _ more: Members) {
    self.init(
      outcome,
      [
        ("item", id), ("kind", record.kind), ("title", record.title), ("creators", record.creators),
        ("year", record.year ?? record.released?.year),
      ] + more)
    item = id
  }

  fileprivate func write(with more: Members, to json: inout JSONWriter) {
    json.object { json in
      json.member("changed", outcome == .done)
      if outcome == .planned { json.member("would_change", true) }
      for (key, value) in members + more {
        json.key(key)
        json.value(value.cell.value)
      }
    }
  }
}

/// All changes of a command, as one JSON document.
final class Changes {
  private var all: [Change] = []
  /// Further members for every change of an item.
  private var asides: [ItemID: Change.Members] = [:]
  /// Whether a single change is written as a list, too.
  private let isList: Bool

  init(isList: Bool) { self.isList = isList }

  /// Whether there are no changes.
  var isEmpty: Bool { all.isEmpty }

  /// - Parameter outcome: the outcome, if it differs from the one in `change`.
  func append(_ change: Change, _ outcome: Change.Outcome? = nil) {
    var change = change
    if let outcome { change.outcome = outcome }
    all.append(change)
  }

  func note(_ key: String, _ value: any CellContent, of item: ItemID) { asides[item, default: []].append((key, value)) }

  /// Writes one object, or a list of them.
  func write(to json: inout JSONWriter) {
    if !isList, all.count == 1 { return write(all[0], to: &json) }
    json.array { json in for change in all { write(change, to: &json) } }
  }

  private func write(_ change: Change, to json: inout JSONWriter) {
    change.write(with: change.item.flatMap { asides[$0] } ?? [], to: &json)
  }
}

extension Context {
  /// Prints a change, or collects it for `--json`.
  func did(_ words: Message, _ change: @autoclosure () throws -> Change) throws {
    try changes?.append(change())
    try print(words)
  }

  /// Prints that the catalog was in the wanted state already, or collects that for `--json`. This is no failure.
  func already(_ words: Message, _ change: @autoclosure () throws -> Change) rethrows {
    try changes?.append(change(), .already)
    mention(words)
  }

  /// Prints the change that a dry run left out, or collects it for `--json`.
  func would(_ words: Message, _ change: @autoclosure () throws -> Change) throws {
    try changes?.append(change(), .planned)
    try print(words)
  }

  /// Prints a message to standard error; nothing with `--quiet`.
  func mention(_ words: Message) { if !isQuiet { warn(words) } }
}
