internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup

/// A change that a command made or found made already: one object of the output of `--json`.
struct Change {
  /// The result of a change.
  enum Outcome {
    case done
    /// The state held before.
    case already
    /// Only shown, by `--dry-run`.
    case planned
  }

  var outcome: Outcome
  /// The item that it is about.
  var item: ItemID?
  private var members: [(key: String, value: Table.Value)]

  /// - Parameter more: what else there is to tell: the number of a card, the name of a tag.
  init(_ outcome: Outcome = .done, of item: Item, _ more: [(key: String, value: Table.Value)] = []) {
    self.init(outcome, item.id, item.record, more)
  }

  /// The same of something that is no item, or not yet.
  init(_ outcome: Outcome = .done, of record: Record, _ more: [(key: String, value: Table.Value)] = []) {
    self.init(outcome, nil, record, more)
  }

  /// The same of what a reference means.
  init(
    _ outcome: Outcome = .done, of target: Target, in store: Store, _ more: [(key: String, value: Table.Value)] = []
  ) throws {
    switch target {
    case .item(let id): self.init(outcome, of: try store.item(id), more)
    case .candidate(let candidate): self.init(outcome, of: candidate.record, more)
    }
  }

  /// The same of nothing but what there is to tell.
  init(_ outcome: Outcome = .done, _ members: [(key: String, value: Table.Value)]) {
    (self.outcome, self.members) = (outcome, members)
  }

  private init(_ outcome: Outcome, _ id: ItemID?, _ record: Record, _ more: [(key: String, value: Table.Value)]) {
    self.init(
      outcome,
      [
        ("item", id.map { .integer($0.rawValue) } ?? .none), ("kind", .text(record.kind.rawValue)),
        ("title", .text(record.title)), ("creator", .list(record.creators)),
        ("year", (record.year ?? record.released?.year).map { .integer(Int64($0)) } ?? .none),
      ] + more)
    item = id
  }

  fileprivate func write(with more: [(key: String, value: Table.Value)], to json: inout JSONWriter) {
    json.object { json in
      json.member("changed", outcome == .done)
      if outcome == .planned { json.member("would_change", true) }
      for (key, value) in members + more {
        json.key(key)
        json.value(value)
      }
    }
  }
}

/// All changes of a command, as one JSON document.
final class Changes {
  private var all: [Change] = []
  /// Further members of every change of an item.
  private var asides: [ItemID: [(key: String, value: Table.Value)]] = [:]
  /// Whether it is a list also where there is a single one.
  private let isList: Bool

  init(isList: Bool) { self.isList = isList }

  /// Whether there is nothing to tell.
  var isEmpty: Bool { all.isEmpty }

  /// - Parameter outcome: the result, where it is not the one of the change.
  func append(_ change: Change, _ outcome: Change.Outcome? = nil) {
    var change = change
    if let outcome { change.outcome = outcome }
    all.append(change)
  }

  func note(_ key: String, _ value: Table.Value, of item: ItemID) { asides[item, default: []].append((key, value)) }

  /// One object, or a list of them.
  func write(to json: inout JSONWriter) {
    if !isList, all.count == 1 { return write(all[0], to: &json) }
    json.array { json in for change in all { write(change, to: &json) } }
  }

  private func write(_ change: Change, to json: inout JSONWriter) {
    change.write(with: change.item.flatMap { asides[$0] } ?? [], to: &json)
  }
}

extension Context {
  /// Says what was done: to a person in words.
  func did(_ words: Message, _ change: @autoclosure () throws -> Change) throws {
    try changes?.append(change())
    try print(words)
  }

  /// Says that something is as it was to be, which is no failure.
  func already(_ words: Message, _ change: @autoclosure () throws -> Change) rethrows {
    try changes?.append(change(), .already)
    mention(words)
  }

  /// Says in a dry run what would be done.
  func would(_ words: Message, _ change: @autoclosure () throws -> Change) throws {
    try changes?.append(change(), .planned)
    try print(words)
  }

  /// Prints a remark that is no failure to standard error; nothing with `--quiet`.
  func mention(_ words: Message) { if !isQuiet { warn(words) } }
}
