internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup
internal import Processes

/// Completes imported items from the sources, one after the other, once all rows are written. An interrupt loses
/// nothing. Only empty fields are filled.
struct ImportLookup {
  /// Whether to ask the sources.
  enum Choice: Sendable {
    /// Ask the person first, at a terminal.
    case ask
    /// Only print a hint that sources can be asked.
    case tell
    case yes, no
  }

  private let context: Context
  private let store: Store
  private var query: RefreshQuery
  /// The items that a source can be asked about.
  private let ids: [ItemID]
  /// The estimated time for all of them, in seconds.
  private let seconds: Double

  /// - Parameters:
  ///   - file: the name of the file without its folder.
  ///   - format: the id of its format, by which the catalog remembers its rows.
  init(ofFile file: String, format: String, in store: Store, _ context: Context) throws {
    (self.context, self.store) = (context, store)
    query = RefreshQuery(of: nil, takesKept: true, in: context)
    var (ids, seconds): ([ItemID], Double) = ([], 0)
    // Many items have the same properties.
    var costs: [UnaskedThing: Double?] = [:]
    try store.forEachUnaskedThing(ofFile: file, format: format) { [query] id, thing in
      let cost: Double?
      if let known = costs[thing] {
        cost = known
      } else {
        // Without an id, an item takes two requests: a search and a look-up.
        cost = try query.source(for: thing).map { Self.seconds(at: $0.source) * ($0.isKnown ? 1 : 2) }
        costs[thing] = .some(cost)
      }
      guard let cost else { return }
      ids.append(id)
      seconds += cost
    }
    (self.ids, self.seconds) = (ids, seconds)
  }

  /// The time for one of many requests in seconds, with reading and writing.
  private static func seconds(at source: Source) -> Double {
    max(0.3, source.limit.map { Double($0.interval) / Double($0.requests) } ?? 0)
  }

  /// Asks the sources, if the choice or the person says so.
  /// - Parameter line: the command that asks later, for the hint; nil for none.
  /// - Throws: `Interrupted` after Ctrl-C; ``SilentFailure`` when a source failed.
  mutating func run(_ choice: Choice, line: String?) throws {
    guard !ids.isEmpty, choice != .no, !context.globals.isOffline else { return }
    let (things, time) = (ids.count.counted("item", "items"), Int(clamping: (seconds / 60).rounded(.up)).duration)
    if choice == .ask || choice == .tell {
      guard choice == .ask, !context.globals.saysYes, context.terminal.isInputTerminal, context.terminal.isErrorTerminal
      else {
        guard let line else { return }
        return context.hint("sources can be asked about \(things), which takes about \(time): \(code: line)")
      }
      guard try context.prompt.confirm("Ask sources about \(things)? It takes about \(time)", option: "--lookup") else {
        guard let line else { return }
        return context.hint("later: \(code: line)")
      }
    }
    try ask()
  }

  private mutating func ask() throws {
    let progress = ProgressLine(of: ids.count, in: context)
    defer { progress.clear() }
    var (filled, unknown, givenUp) = (0, 0, 0)
    var failures: [Failure] = []
    for (index, id) in ids.enumerated() {
      try Interrupt.check()
      guard try store.exists(id) else { continue }
      let item = try store.item(id)
      progress.show(index, item.record.title)
      let answer = try query.ask(about: item, in: store)
      if answer.isGivenUp { givenUp += 1 }
      // An unknown item is no failure, and neither is a missing key if another source answered.
      for failure in answer.failures
      where failure.status != .failed && !(failure.status == .keyNeeded && !answer.records.isEmpty)
        && !failures.contains(failure)
      {
        progress.clear()
        context.note(failure)
        failures.append(failure)
      }
      guard !answer.asked.isEmpty else { continue }
      var plan = try RefreshPlan(of: item, records: answer.records, asked: answer.asked, onlyFills: true, in: store)
      if !item.hasCover, !answer.isCopied { plan.cover = try query.cover(of: item, answer.records, in: store) }
      if answer.records.isEmpty { unknown += 1 }
      guard plan.isAnything else {
        try store.noteRefresh(of: id, at: answer.asked, now: context.timestamp)
        continue
      }
      do {
        _ = try store.refresh(plan, now: context.timestamp)
        filled += 1
      } catch CatalogError.noItem {}
    }
    progress.clear()
    try context.print("sources had more details for \(filled.counted("item", "items"))")
    if unknown > 0 {
      context.note("no certain match was found for \(unknown.counted("item", "items"))")
    }
    if givenUp > 0 { context.warn("\(givenUp.counted("item was", "items were")) no longer asked for") }
    if let failure = failures.first { throw SilentFailure(status: failure.status) }
  }
}
