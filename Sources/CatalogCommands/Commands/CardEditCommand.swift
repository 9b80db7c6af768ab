internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// `catalog card edit CARD …`: changes a card; the day on which it was written stays.
struct CardEditCommand: Command {
  static let info = CommandInfo<Self>(
    "edit", summary: "Change a card's rating, date or words.",
    discussion: "'none' clears a rating or date. Without any option the words open in the editor.",
    examples: [
      Example("catalog card edit 7 --stars 5", "Another rating, the same words."),
      Example("catalog card edit 7 --edit", "Changes the words in $EDITOR."),
    ],
    arguments: [.positional("card", \.number, help: "The card's number.")] + CardOptions.arguments.lifted(\.options))

  var number = ""
  var options = CardOptions()

  func validate() throws(UsageError) { try options.validate() }

  func run(in context: Context) throws {
    let before = try context.reading().card(try context.card(number))
    var options = options
    if options.isEmpty { options.edits = true }
    var card = before
    card.rating = try options.rating(insteadOf: before.rating, isEditing: true)
    card.seenOn = try options.seenOn(insteadOf: before.seenOn, isEditing: true)
    card.comment = try options.comment(insteadOf: before.comment, beside: card.rating, in: context)
    guard card != before else { return context.note("catalog: nothing changed") }
    if context.globals.isDryRun {
      return try context.print("would change \(context.safe(try CardFace(card, in: try context.reading()).line))")
    }
    let store = try context.writing()
    try context.print(
      "changed \(context.safe(try CardFace(store.updateCard(card, now: context.timestamp), in: store).line))")
  }
}
