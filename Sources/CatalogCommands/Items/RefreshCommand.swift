internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import FoundationEssentials
internal import Lookup
internal import Processes

/// `catalog refresh REF…`: asks the sources of items again, shows the changes, and writes them after a yes.
struct RefreshCommand: WritingCommand {
  static let info = CommandInfo<Self>(
    "refresh", summary: "Refresh items from their sources.",
    discussion: """
      Asks the sources that know an item, and shows different and additional values field by field before they are \
      written. Values that you typed stay: 'edit 42 year!' unlocks a field. Values that a source does not have stay \
      too. An item of the built-in pack, or one added by hand, is searched for at a source: by its IMDb id, its ISBN \
      or barcode, or by a search that finds the same title, year and creator.

      For many items it shows each and asks when its sources have answered; --yes writes each at once. The rate limits \
      of the sources are respected, however long that takes. Ctrl-C stops between two items, and what was done stays. \
      With --where, items refreshed within the last day are left out, so that the same command continues where it was \
      stopped.

      With --offline the copies of sources on this computer are asked: 'catalog help source build'. They fill empty \
      fields, and change none.
      """,
    examples: [
      Example("catalog refresh 42", "Shows what would change of item 42, and asks."),
      Example("catalog refresh 42 --source tmdb --dry-run", "Only shows TMDB's values."),
      Example("catalog refresh --where \"kind:vinyl cover:none\" --yes", "Records without a cover, without questions."),
      Example(
        "catalog refresh --where year:none --offline", "What the copies on this computer know, without a network."),
    ],
    arguments: SelectionOptions.arguments.lifted(\.selection) + [
      .option("source", short: "s", \.source, help: "Ask only this source."),
      .flag(
        "again", short: "a", \.asksAgain, help: "With --where: also items refreshed within the last day."),
      .flag("no-cover", \.skipsCover, help: "Do not fetch covers."),
    ])

  var selection = SelectionOptions()
  var source: Source?
  var asksAgain = false
  var skipsCover = false
  var result = ResultOptions()
  var isAboutMany: Bool { selection.query != nil }

  func validate() throws(UsageError) {
    try selection.validate("no item to refresh was named", example: "catalog refresh 42")
    if asksAgain, selection.query == nil {
      throw UsageError("--again is only for --where: named items are always asked for")
    }
  }

  func run(in context: Context) throws {
    let globals = context.globals
    if globals.isOffline {
      if source != nil { throw UsageError("--source asks over the network, so it does not work with --offline") }
      guard Kind.shelved.contains(where: { !context.copiedSources(for: $0).isEmpty }) else {
        throw Failure(
          "refresh asks sources, and there is no copy of one on this computer for --offline",
          hint: "build one: catalog source build imdb")
      }
    }
    let store = try context.changing()
    let ids = try items(in: store, context)
    guard !ids.isEmpty else { return }
    if !globals.saysYes, !globals.isDryRun, !(context.terminal.isInputTerminal && context.terminal.isErrorTerminal) {
      throw NeedsAnswer(option: "--yes", question: "Refresh these items?")
    }
    var refresh = Refresh(of: source, skipsCover: skipsCover, to: store, in: context)
    try refresh.run(ids)
    if let status = try refresh.tell() { throw SilentFailure(status: status) }
  }

  private func items(in store: Store, _ context: Context) throws -> [ItemID] {
    let ids = try selection.items(in: store, context)
    guard selection.query != nil, !asksAgain else { return ids }
    let asked = try store.itemsAsked(
      since: Timestamp(context.now().addingTimeInterval(-86_400)), at: source?.id)
    let due = ids.filter { !asked.contains($0) }
    if due.count < ids.count {
      context.warn(
        "\((ids.count - due.count).counted("item", "items")) of \(ids.count) asked for within the last day: --again asks again"
      )
    }
    return due
  }
}
