internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup

/// `catalog log REF`: adds a diary entry.
struct LogCommand: WritingCommand {
  static let info = CommandInfo<Self>(
    "log", summary: "Add a diary entry: you watched, read or played something.",
    discussion: """
      Without options you finished it today. An item may have any number of entries. A result that is not on its shelf \
      is added first. Stars and words go on a card, which belongs to the entry. All words are the item's title; a \
      comment comes last, in quotes, or is given by --comment.

      An item has at most one entry in progress. '--page' and '--ongoing' start it or update it; then 'log' finishes \
      it, and '--dropped' gives it up; '--again' adds another entry. Dates may be partial. 'catalog diary' lists the \
      entries with their numbers, 'catalog diary edit' changes them.
      """,
    examples: [
      Example("catalog log 42", "Watched, read or played today."),
      Example("catalog log 42 --on yesterday --stars 4.5 \"even better\"", "Yesterday, with a card."),
      Example("catalog log 42 --page 120", "A book in progress; 'catalog log 42' finishes it."),
      Example("catalog log 42 --dropped --started 2026-10", "Started in October and given up today."),
      Example("catalog log r1 --undated", "A result of the last search, at an unknown date."),
    ],
    arguments: [
      .words(\.typed, value: "REF|\"COMMENT\"", help: WrittenWords.help),
      .option("comment", short: "c", \.comment, value: "WORDS", help: "The comment."),
      .option(
        "on", \.endedOn,
        help: "The date, or the end date: yesterday, 2026-11-21, 2026-11, 2026. Today by default."),
      .option("started", \.startedOn, help: "The start date, in the same forms."),
      .flag("undated", \.isUndated, help: "The date is unknown."),
      .flag("dropped", \.isDropped, help: "You gave it up before the end."),
      .flag("ongoing", \.isOngoing, help: "In progress: started today, unless '--started' is given."),
      .option(
        "page", short: "p", \.page,
        help: "The page of a book that you have reached, or, with '--dropped', where you stopped."),
      .flag("again", \.isAnother, help: "A new entry, beside the one in progress."),
      .option("stars", short: "s", \.rating, value: "RATING", help: "The rating: 4.5 stars, 9/10 or 87%."),
      .option("rating", \.rating, value: "RATING", help: "The same."),
      .option("note", \.note, help: "A note, such as where or with whom; opinions go on a card."),
    ])

  static var mayBegin: Bool { true }

  var typed = TypedReferences()
  var comment: String?
  var endedOn: TypedDate?
  var startedOn: TypedDate?
  var isUndated = false
  var isDropped = false
  var isOngoing = false
  var page: PageNumber?
  var isAnother = false
  var rating: Rating?
  var note: String?
  var result = ResultOptions()

  private var outcome: LogEntry.Outcome {
    isDropped ? .dropped : isOngoing || page != nil ? .ongoing : .done
  }

  func validate() throws(UsageError) {
    if isDropped, isOngoing { throw UsageError("'--ongoing' and '--dropped' cannot be combined") }
    if endedOn != nil, isUndated {
      throw UsageError("'--on' gives a date, and '--undated' says that it is unknown: use only one")
    }
    guard outcome == .ongoing else { return }
    if endedOn != nil {
      throw UsageError(
        "an entry in progress has no end date", hint: "for the start use --started; for giving up use --dropped --on")
    }
    if startedOn != nil, isUndated {
      throw UsageError("'--started' gives a date, and '--undated' says that it is unknown: use only one")
    }
  }

  func run(in context: Context) throws {
    var store = try context.changing()
    let (target, tail) = try context.targetWithTail(typed, day: "--on", in: store)
    // Errors in the options come before a result is fetched and added.
    let occasion = try occasion(tail, in: context)
    try store.check(occasion, now: context.timestamp)
    if case .candidate(let candidate) = target, !candidate.isBare, page != nil, candidate.record.kind != .book {
      throw CatalogError.pageOfNoBook(candidate.record.kind)
    }
    if context.globals.isDryRun {
      return try context.would(
        "would write into the diary: \(context.safe(try context.line(of: target, in: store)))\(occasion.words(in: context))",
        Change(of: target, in: store))
    }
    var logged: Store.Logged?
    do {
      try context.write(to: target, in: &store) { store, id in
        logged = try store.log(occasion, of: id, now: context.timestamp)
      }
    } catch CatalogError.endsBeforeStart(let start, let end) {
      // The given dates fit together, but the entry in progress began later.
      var failure = Failure(CatalogError.endsBeforeStart(start, end))
      failure.hint = "for a new entry beside the one in progress: --again"
      throw failure
    }
    if let logged { try tell(logged, in: store, context) }
  }

  private func occasion(_ tail: TypedTail?, in context: Context) throws -> Occasion {
    var (comment, rating, endedOn) = (comment, rating, endedOn)
    switch tail {
    case .comment, .standardInput:
      if comment != nil { throw UsageError("the comment is given twice") }
      if case .comment(let text) = tail { comment = text } else { comment = try CommentWords.read(["-"], in: context) }
    case .rating(let typed): rating = rating ?? typed
    case .day(let day): endedOn = endedOn ?? day
    case nil: break
    }
    if rating != nil || comment != nil { comment = try Store.checkCard(rating: rating, comment: comment) }
    return Occasion(
      outcome, endedOn: try endedOn.map(context.date), isUndated: isUndated,
      startedOn: try startedOn.map(context.date), page: page?.number, note: note, rating: rating, comment: comment,
      isAnother: isAnother)
  }

  private func tell(_ logged: Store.Logged, in store: Store, _ context: Context) throws {
    let face = try EntryFace(logged.entry, in: store)
    let change = Change(logged, of: face.item)
    guard change.outcome == .done else { return context.already("nothing changed", change) }
    context.changes?.append(change)
    let line = context.safe(context.text(face.line))
    switch (logged.before, logged.entry.outcome) {
    case (_?, .done): try context.print("finished the entry in progress: \(line)")
    case (_?, .dropped): try context.print("gave up the entry in progress: \(line)")
    default: try context.print(verbatim: line)
    }
    if let card = logged.card {
      try context.print(verbatim: context.safe(context.text(CardFace(card, in: store).line)))
    }
    guard !context.isQuiet else { return }
    if logged.entry.outcome == .ongoing, let page = logged.entry.page, page == face.item.record.book.pages {
      context.hint("that is its last page: 'catalog log \(face.item.id)' finishes it")
    }
  }
}

extension Change {
  /// Describes a change of a diary entry and its card.
  init(_ logged: Store.Logged, of item: Item) {
    self.init(
      logged.before == logged.entry && logged.card == nil ? .already : .done, of: item,
      [("entry", logged.entry.id.rawValue), ("outcome", logged.entry.outcome.rawValue)]
        + (logged.card.map { [("card", $0.id.rawValue)] } ?? []))
  }
}
