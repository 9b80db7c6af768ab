internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// `catalog card edit CARD …`: changes a card; its date of creation stays.
struct CardEditCommand: WritingCommand {
  static let info = CommandInfo<Self>(
    "edit", summary: "Change a card's rating, date or words.",
    discussion: "'none' clears a rating or date. Without any option the words open in the editor.",
    examples: [
      Example("catalog card edit 7 --stars 5", "Another rating, the same words."),
      Example("catalog card edit 7 --edit", "Changes the words in $EDITOR."),
    ],
    arguments: [
      .positional("card", \.number, help: "The card's number."),
      .positional("words", \.options.words, isRequired: false, help: "The comment; '-' reads it from standard input."),
    ] + CardOptions.arguments.lifted(\.options))

  var number = CardID(rawValue: 0)
  var options = CardOptions()
  var result = ResultOptions()

  func validate() throws(UsageError) {
    try CommentWords.check(options.words, behind: "catalog card edit \(number)", isRated: options.stars != nil)
  }

  func run(in context: Context) throws {
    let before = try context.reading().card(number)
    var options = options
    if options.isEmpty { options.edits = true }
    let rating = options.stars.map(\.value) ?? before.rating
    let seenOn = try options.seen.map { try $0.value.map(context.date) } ?? before.seenOn
    let card = try options.withComment(
      insteadOf: before.comment, beside: rating, retry: "catalog card edit \(before.id)", in: context
    ) { comment in
      var wanted = before
      (wanted.rating, wanted.seenOn, wanted.comment) = (rating, seenOn, comment)
      return wanted == before || context.globals.isDryRun ? wanted : try write(wanted, over: before, in: context)
    }
    let face = try CardFace(card, in: try context.reading())
    guard card != before else { return context.already("nothing changed", Change(of: face)) }
    let line = context.safe(context.text(face.line))
    if context.globals.isDryRun { return try context.would("would change \(line)", Change(of: face)) }
    try context.did("changed \(line)", Change(of: face))
  }

  /// Applies the differences to the current card.
  private func write(_ wanted: Card, over before: Card, in context: Context) throws -> Card {
    let store = try context.writing()
    return try context.settling { agreed in
      try store.changeCard(before.id, now: context.timestamp) { card in
        let now = card
        if options.stars != nil { card.rating = wanted.rating }
        if options.seen != nil { card.seenOn = wanted.seenOn }
        let isTyped = !options.words.isEmpty || options.comment != nil
        // The editor was opened with a comment that may have changed meanwhile.
        if !isTyped, ![before.comment, wanted.comment].contains(now.comment), wanted.comment != before.comment {
          let (was, now, yours) = (before.comment ?? "", now.comment ?? "", wanted.comment ?? "")
          try Conflict(lines: [
            "words of card \(card.id): \(Draft.shown(was)) → \(Draft.shown(now)); yours are \(Draft.shown(yours))"
          ]).check(agreed)
        }
        if isTyped || wanted.comment != before.comment { card.comment = wanted.comment }
        try Conflict(context.seen, now: now.shown, wanted: card.shown).check(agreed)
      }
    }
  }
}
