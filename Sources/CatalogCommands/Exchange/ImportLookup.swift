internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup
internal import Processes

/// What sources know of the things that a file has brought: asked for one after the other when all rows are written, so that
/// whoever stops it loses nothing. What a thing has stays; it gets what it lacks.
struct ImportLookup {
  /// Whether sources are asked.
  enum Choice: Sendable {
    /// A person at a terminal is asked.
    case ask
    /// They are told that sources can be asked.
    case tell
    case yes, no
  }

  private let context: Context
  private let store: Store
  private var inquiry: Inquiry
  /// The things that somebody can be asked about.
  private let ids: [ItemID]
  /// About how long that takes, in seconds.
  private let seconds: Double

  /// - Parameters:
  ///   - file: its name, without the folder.
  ///   - format: by which the catalog remembers its rows.
  init(ofFile file: String, format: String, in store: Store, _ context: Context) throws {
    (self.context, self.store) = (context, store)
    inquiry = Inquiry(of: nil, takesKept: true, in: context)
    var (ids, seconds): ([ItemID], Double) = ([], 0)
    // Things of the same sort are many.
    var costs: [UnaskedThing: Double?] = [:]
    try store.forEachUnaskedThing(ofFile: file, format: format) { [inquiry] id, thing in
      let cost: Double?
      if let known = costs[thing] {
        cost = known
      } else {
        // What is not known by an id is searched for, and then asked for.
        cost = try inquiry.source(for: thing).map { Self.seconds(at: $0.source) * ($0.isKnown ? 1 : 2) }
        costs[thing] = .some(cost)
      }
      guard let cost else { return }
      ids.append(id)
      seconds += cost
    }
    (self.ids, self.seconds) = (ids, seconds)
  }

  /// How long a question takes where many are asked, with what is read and written.
  private static func seconds(at source: Source) -> Double {
    max(0.3, source.limit.map { Double($0.interval) / Double($0.requests) } ?? 0)
  }

  /// Asks, if that is wanted and somebody can be asked.
  /// - Parameter line: the command that asks, to be typed.
  /// - Throws: `Interrupted` when the person has enough; ``SilentFailure`` when sources could not be asked.
  mutating func run(_ choice: Choice, line: String) throws {
    guard !ids.isEmpty, choice != .no, !context.globals.isOffline else { return }
    let (things, time) = (ids.count.counted("item", "items"), Int(clamping: (seconds / 60).rounded(.up)).duration)
    if choice == .ask || choice == .tell {
      guard choice == .ask, !context.globals.saysYes, context.terminal.isInputTerminal, context.terminal.isErrorTerminal
      else {
        return context.hint("sources can be asked about \(things), in about \(time): \(code: line)")
      }
      guard try context.prompt.confirm("Ask sources about \(things)? It takes about \(time)", option: "--lookup") else {
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
      let answer = try inquiry.ask(about: item, in: store)
      if answer.isGivenUp { givenUp += 1 }
      // That nobody knows it is no failure, and who has no key for one source is content with what another says.
      for failure in answer.failures
      where failure.status != .failed && !(failure.status == .keyNeeded && !answer.told.isEmpty)
        && !failures.contains(failure)
      {
        progress.clear()
        context.note(failure)
        failures.append(failure)
      }
      guard !answer.asked.isEmpty else { continue }
      var renewal = try Renewal(of: item, told: answer.told, asked: answer.asked, onlyFills: true, in: store)
      if !item.hasCover { renewal.cover = try inquiry.cover(of: item, answer.told, in: store) }
      if answer.told.isEmpty { unknown += 1 }
      guard renewal.isAnything else {
        try store.noteRefresh(of: id, at: answer.asked, now: context.timestamp)
        continue
      }
      do {
        _ = try store.refresh(renewal, now: context.timestamp)
        filled += 1
      } catch CatalogError.noItem {}
    }
    progress.clear()
    try context.print("sources knew more of \(filled.counted("item", "items"))")
    if unknown > 0 {
      context.note("nothing that is certainly the same was found for \(unknown.counted("item", "items"))")
    }
    if givenUp > 0 { context.warn("\(givenUp.counted("item was", "items were")) not asked for any more") }
    if let failure = failures.first { throw SilentFailure(status: failure.status) }
  }
}
