internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup
internal import Processes

/// Refreshes items for `refresh`: each is looked up, shown and written by itself.
struct Refresh {
  private let context: Context
  private let skipsCover: Bool
  private var query: RefreshQuery
  /// The catalog as opened; the writable one after the first write.
  private var store: Store
  /// Whether the person has answered yes for all following items.
  private var saysYes: Bool

  private var changed = 0
  private var failures: [Failure] = []
  /// The number of items that no copy has, with --offline.
  private var uncopied = 0
  /// The number of items that were skipped because their sources failed repeatedly.
  private var givenUp = 0

  /// - Parameter store: the catalog from ``Context/changing()``.
  init(of source: Source?, skipsCover: Bool, to store: Store, in context: Context) {
    (self.store, self.skipsCover, self.context) = (store, skipsCover, context)
    query = RefreshQuery(of: source, in: context)
    saysYes = context.globals.saysYes
  }

  /// Refreshes items until all are done or the person cancels.
  mutating func run(_ ids: [ItemID]) throws {
    let progress = ProgressLine(of: ids.count, in: context)
    defer { progress.clear() }
    for (index, id) in ids.enumerated() {
      try Interrupt.check()
      let item: Item
      do { item = try store.item(id) } catch CatalogError.noItem {
        // Another process has removed it meanwhile.
        continue
      }
      progress.show(index, item.record.title)
      guard try refresh(item, clearing: progress) else { break }
    }
  }

  /// Prints the totals.
  /// - Returns: the exit status of the first failure; nil without one.
  func tell() throws -> ExitStatus? {
    if givenUp > 0 { context.warn("\(givenUp.counted("item was", "items were")) no longer asked for") }
    if uncopied > 0 {
      context.note("no copy on this computer has a certain match for \(uncopied.counted("item", "items"))")
    }
    let count: Message = changed == 0 ? "no item" : changed.counted("item", "items")
    try context.print(context.globals.isDryRun ? "would refresh \(count)" : "refreshed \(count)")
    if let hint = failures.first?.hint { context.hint(hint) }
    return failures.first?.status
  }

  // MARK: One item

  /// - Returns: false when the person cancels.
  private mutating func refresh(_ item: Item, clearing progress: ProgressLine) throws -> Bool {
    let answer = try query.ask(about: item, in: store)
    progress.clear()
    for failure in answer.failures {
      context.warn("\(item.line): \(failure.message)")
      // A missing key is no failure if another source answered.
      if failure.status != .keyNeeded || answer.records.isEmpty { failures.append(failure) }
    }
    if answer.isGivenUp { givenUp += 1 }
    guard !answer.records.isEmpty else {
      if context.globals.isOffline { uncopied += 1 }
      if !answer.asked.isEmpty, !context.globals.isDryRun {
        try write { try $0.noteRefresh(of: item.id, at: answer.asked, now: $1) }
      }
      return true
    }
    var plan = try RefreshPlan(
      of: item, records: answer.records, asked: answer.asked, onlyFills: answer.isCopied, in: store)
    if !skipsCover, !context.globals.isOffline { plan.cover = try query.cover(of: item, answer.records, in: store) }
    let lines = lines(of: plan)
    guard plan.isAnything else {
      context.changes?.append(Change(.already, of: item))
      try context.print("nothing new: \(context.safe(item.line))")
      for line in lines { try context.print(verbatim: context.safe("  " + line)) }
      if !context.globals.isDryRun { try write { try $0.noteRefresh(of: item.id, at: answer.asked, now: $1) } }
      return true
    }
    if context.globals.isDryRun || saysYes {
      try context.print(verbatim: context.safe(item.line))
      for line in lines { try context.print(verbatim: context.safe("  " + line)) }
    } else {
      let shown = [context.text(item.line)] + lines.map { "  " + $0 }
      for line in context.shortened(shown) { context.note(verbatim: line) }
      context.output.flushIgnoringErrors()
      switch try context.prompt.confirmEach("Refresh this item?") {
      case .yes: break
      case .all: saysYes = true
      case .no:
        try write { try $0.noteRefresh(of: item.id, at: answer.asked, now: $1) }
        return true
      case .quit: return false
      }
    }
    changed += 1
    let fields: Change.Members = [("fields", plan.changes.filter { !$0.isLocked }.map(\.field.name))]
    guard !context.globals.isDryRun else {
      context.changes?.append(Change(.planned, of: item, fields))
      return true
    }
    let outcome = try write { try $0.refresh(plan, now: $1) }
    context.changes?.append(Change(of: outcome.after, fields))
    if !context.globals.saysYes { try context.print("refreshed \(context.safe(outcome.after.line))") }
    for field in outcome.left {
      context.warn("\(item.line): \(field.noun) was changed in the meantime, and stays")
    }
    return true
  }

  private mutating func write<T>(_ body: (Store, Timestamp) throws -> T) throws -> T {
    store = try context.writable(store)
    return try body(store, context.timestamp)
  }

  // MARK: Showing

  /// The changes, one line for each field.
  private func lines(of plan: RefreshPlan) -> [String] {
    let old = Draft(plan.seen)
    var lines = plan.changes.map { change -> String in
      let before = text(of: change.field, in: old)
      var after = text(of: change.field, in: Draft(change.answer.record))
      // Tracks and people have details that are not shown here.
      if after == before { after = "\(after), with other details" }
      guard change.isLocked else { return context.text("\(change.field.noun): \(before) → \(after)") }
      let name = Source.offered(change.answer.source)?.name ?? change.answer.source
      return context.text("\(change.field.noun): \(before), kept, typed by hand (\(name): \(after))")
    }
    if plan.cover != nil {
      lines.append(context.text(plan.seen.hasCover ? "cover: another picture" : "cover: a picture"))
    }
    if !plan.newIDs.isEmpty {
      lines.append(context.text("known as: \(plan.newIDs.map(\.description).joined(separator: ", "))"))
    }
    return lines
  }

  private func text(of field: Field, in draft: Draft) -> Message {
    switch field.key {
    case "list_price": Draft.shown(draft.record.book.price?.text(in: context.moneyLanguage) ?? "")
    case "tracks":
      draft.record.tracks.isEmpty ? Draft.shown("") : draft.record.tracks.count.counted("track", "tracks")
    default: draft.shown(field, in: context)
    }
  }
}
