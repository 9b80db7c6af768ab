internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// `catalog card add REF --stars 4.5 "words"`: adds a card to those of an item.
struct CardAddCommand: TellingCommand {
  static let info = CommandInfo<Self>(
    "add", summary: "Write a card: a rating, words, or both.",
    discussion: """
      An item may have many cards, one for each time; its rating is the newest one. A result that is not on its shelf \
      is added first. The first word names the item, the second is the comment: put words with blanks in quotes.
      """,
    examples: [
      Example("catalog card add 42 --stars 4.5 \"even better the second time\"", "A rating and words."),
      Example("catalog card add \"kind of blue\" --rating 9/10 --seen 2026-11", "By title, with a date."),
      Example("catalog card add r1 --edit", "Writes the comment in $EDITOR."),
    ],
    arguments: [.positional("ref", \.reference, completion: .dynamic("items"), help: "Which item or result.")]
      + CardOptions.arguments.lifted(\.options) + ResultOptions.arguments.lifted(\.result))

  var reference = Reference.words("")
  var options = CardOptions()
  var result = ResultOptions()

  func validate() throws(UsageError) {
    guard case .words(let words) = reference else {
      return try options.validate(behind: "catalog card add \(reference)")
    }
    try options.validate(behind: "catalog card add \"\(words)\"", title: true)
  }

  func run(in context: Context) throws {
    var store = try context.changing()
    let target = try context.target(reference, in: store)
    let (rating, seen) = (options.stars?.value, options.seen?.value)
    // Errors in the card come before a result is fetched and added.
    let card = try options.withComment(
      beside: rating, retry: "catalog card add \(reference.description.shellWord)", in: context
    ) { comment -> Card? in
      var card: Card?
      guard !context.globals.isDryRun else { return nil }
      try context.write(to: target, in: &store) { store, id in
        card = try store.addCard(to: id, rating: rating, comment: comment, seenOn: seen, now: context.timestamp)
      }
      return card
    }
    if context.globals.isDryRun {
      return try context.would(
        "would write a card for \(context.safe(try context.line(of: target, in: store)))",
        Change(of: target, in: store))
    }
    guard let card else { return }
    let face = try CardFace(card, in: store)
    try context.did(Message(verbatim: context.safe(context.text(face.line))), Change(of: face))
  }
}
