internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// `catalog diary edit ENTRY …`: changes an entry and its card.
struct DiaryEditCommand: WritingCommand {
  static let info = CommandInfo<Self>(
    "edit", summary: "Change an entry's dates, page, outcome, stars or words.",
    discussion: """
      'none' clears a date, a page or a note. Stars and words belong to the entry's card, which is written if there is \
      none; 'catalog card edit' opens its words in the editor. An entry in progress ends today, unless '--on' is \
      given.
      """,
    examples: [
      Example("catalog diary edit 5 --on 2026-11-20", "Another date."),
      Example("catalog diary edit 5 --done --on none", "Finished, at an unknown date."),
      Example("catalog diary edit 5 --stars 4", "Another rating, the same words."),
    ],
    arguments: [
      .positional("entry", \.number, help: "The entry's number: 'catalog diary' shows it."),
      .positional("words", \.words, isRequired: false, help: "The comment; '-' reads it from standard input."),
      .option("on", \.endedOn, help: "The end date: yesterday, 2026-11-21, 2026-11, 2026, none."),
      .option("started", \.startedOn, help: "The start date, in the same forms."),
      .flag("done", \.outcome, sets: .done, help: "It was finished."),
      .flag("dropped", \.outcome, sets: .dropped, help: "It was given up."),
      .flag("ongoing", \.outcome, sets: .ongoing, help: "It is in progress."),
      .option("page", short: "p", \.page, help: "The page of a book."),
      .option("stars", short: "s", \.rating, value: "RATING", help: "The rating: 4.5 stars, 9/10 or 87%."),
      .option("rating", \.rating, value: "RATING", help: "The same."),
      .option("note", \.note, help: "A note, such as where or with whom; opinions go on a card."),
    ])

  var number = LogEntryID(rawValue: 0)
  var words: [String] = []
  var endedOn: Clearable<TypedDate>?
  var startedOn: Clearable<TypedDate>?
  var outcome: LogEntry.Outcome?
  var page: Clearable<PageNumber>?
  var rating: Clearable<Rating>?
  var note: Clearable<String>?
  var result = ResultOptions()

  func validate() throws(UsageError) {
    try CommentWords.check(words, behind: "catalog diary edit \(number)", isRated: rating != nil)
    if words.isEmpty, endedOn == nil, startedOn == nil, outcome == nil, page == nil, rating == nil, note == nil {
      throw UsageError("no change was given", hint: "for example: catalog diary edit \(number) --on yesterday")
    }
  }

  func run(in context: Context) throws {
    let comment = try CommentWords.read(words, in: context)
    let (end, start) = (
      try endedOn.map { try $0.value.map(context.date) }, try startedOn.map { try $0.value.map(context.date) }
    )
    let today = PartialDate(context.day)
    func change(_ entry: inout LogEntry, _ card: inout Card) {
      if let outcome, outcome != entry.outcome {
        if outcome == .done { entry.page = nil }
        if entry.outcome == .ongoing { entry.endedOn = today }
        if outcome == .ongoing { entry.endedOn = nil }
        entry.outcome = outcome
      }
      if let end { entry.endedOn = end }
      if let start { entry.startedOn = start }
      if let page { entry.page = page.value?.number }
      if let note { entry.note = note.value }
      if let rating { card.rating = rating.value }
      if let comment { card.comment = comment }
    }
    if context.globals.isDryRun { return try dryRun(change, in: context) }
    let store = try context.writing()
    let logged = try context.settling { agreed in
      try store.changeEntry(number, now: context.timestamp) { entry, card in
        let now = entry.shown(with: card)
        change(&entry, &card)
        try Conflict(context.seen, now: now, wanted: entry.shown(with: card)).check(agreed)
      }
    }
    let face = try EntryFace(logged.entry, in: store)
    let change = Change(logged, of: face.item)
    guard change.outcome == .done else { return context.already("nothing changed", change) }
    try context.did("changed \(context.safe(context.text(face.line)))", change)
    if let card = logged.card {
      try context.print(verbatim: context.safe(context.text(CardFace(card, in: store).line)))
    }
  }

  /// Prints the entry as it would become.
  private func dryRun(_ change: (inout LogEntry, inout Card) -> Void, in context: Context) throws {
    let store = try context.reading()
    var entry = try store.entry(number)
    var card = Card(
      id: CardID(rawValue: 0), item: entry.item, rating: nil, comment: nil, seenOn: nil, createdAt: entry.createdAt,
      updatedAt: entry.createdAt)
    change(&entry, &card)
    entry = try store.checked(entry, now: context.timestamp)
    let face = try EntryFace(entry, in: store)
    try context.would(
      "would change \(context.safe(context.text(face.line)))",
      Change(of: face.item, [("entry", entry.id.rawValue)]))
  }
}
