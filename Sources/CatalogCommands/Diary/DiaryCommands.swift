internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// `catalog diary …`: the diary of watching, reading and playing.
enum DiaryCommands {
  static let group = CommandNode<Context>.group(
    CommandGroup(
      "diary", summary: "List what you watched, read and played, or change entries.",
      discussion: """
        The newest entry comes first. Words are a query, as for 'catalog list'; a year, month or day before them \
        selects entries of that time. A card with a date is listed too; a card that belongs to an entry is shown with \
        it.
        """,
      examples: [
        Example("catalog diary 2026 kind:movie", "The movies of a year."),
        Example("catalog diary edit 5 --on 2026-11-20", "Corrects the date of entry 5."),
      ],
      default: AnyCommand(DiaryListCommand.self), takingWords: true,
      [.command(DiaryListCommand.self), .command(DiaryEditCommand.self), .command(DiaryRemoveCommand.self)]))
}

/// `catalog diary [DATE] [QUERY]`: lists the entries, the latest first.
struct DiaryListCommand: Command {
  static let info = CommandInfo<Self>(
    "list", aliases: ["ls"], summary: "List what you watched, read and played, the newest first.",
    discussion: """
      Entries in progress are sorted by their start, and entries without a date come last. The number is that of the \
      entry, for 'diary edit', or, for a card without an entry, that of the card.
      """,
    examples: [
      Example("catalog diary --limit 10", "The last ten entries."),
      Example("catalog diary 2026-11", "A month."),
      Example("catalog diary 2026 --sort -rating --limit 10", "The ten best of a year."),
      Example("catalog diary 2026 kind:book --csv", "A year's reading, for a spreadsheet."),
      Example("catalog diary status:ongoing", "Items in progress, with all their entries."),
    ],
    arguments: [
      .query(\.words, help: "A year, month or day, then words and field:value terms: see 'catalog help query'.")
    ] + RowOptions.arguments.lifted(\.rows) + TableOptions.arguments.lifted(\.table))

  var words: [String] = []
  var rows = RowOptions()
  var table = TableOptions()

  func run(in context: Context) throws {
    let period = words.first.flatMap { Period($0, in: DayContext(today: PartialDate(context.day))) }
    let typed = Array(period == nil ? words[...] : words.dropFirst())
    let store = try context.reading()
    let query = try context.query(typed, in: store)
    let events = try store.diary(query, in: period, limit: rows.order.isEmpty ? rows.limit?.number : nil)
    try context.write(DiaryTable.of(events, in: context), table, rows)
    guard events.isEmpty else { return }
    if !typed.isEmpty { throw context.nothingMatches(query, typed: words, "entry of the diary") }
    throw Failure(
      period.map { "the diary has no entries for \($0.date?.words ?? Message(verbatim: words.first ?? ""))" }
        ?? "the diary is empty",
      hint: "add an entry: catalog log REF")
  }
}
