internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// `catalog card add REF --stars 4.5 "words"`: adds a card to those of an item.
struct CardAddCommand: WritingCommand {
  static let info = CommandInfo<Self>(
    "add", summary: "Write a card: a rating, words, or both.",
    discussion: """
      An item may have many cards, one for each time; its rating is the newest one. A result that is not on its shelf \
      is added first. All words are the item's title; a comment comes last, in quotes, or is given by --comment.
      """,
    examples: [
      Example("catalog card add 42 --stars 4.5 \"even better the second time\"", "A rating and words."),
      Example("catalog card add \"kind of blue\" --rating 9/10 --seen 2026-11", "By title, with a date."),
      Example("catalog card add r1 --edit", "Writes the comment in $EDITOR."),
    ],
    arguments: [.words(\.typed, value: "REF|\"COMMENT\"", help: WrittenWords.help)]
      + CardOptions.arguments.lifted(\.options))

  static var mayBegin: Bool { true }

  var typed = TypedReferences()
  var options = CardOptions()
  var result = ResultOptions()

  func run(in context: Context) throws {
    var store = try context.changing()
    var options = options
    let (target, tail) = try context.targetWithTail(typed, day: "--seen", in: store)
    options.take(tail)
    let (rating, seen) = (options.stars?.value, try options.seen?.value.map(context.date))
    // Errors in the card come before a result is fetched and added.
    let card = try options.withComment(
      beside: rating, retry: "catalog card add \(context.reference(target).shellWord)", in: context
    ) { comment -> Card? in
      var card: Card?
      guard !context.globals.isDryRun else {
        let parts = [rating?.stars, comment?.excerpt].compactMap(\.self).joined(separator: ", ")
        try context.would(
          "would write a card for \(context.safe(try context.line(of: target, in: store))): \(context.safe(parts))",
          Change(of: target, in: store))
        return nil
      }
      try context.write(to: target, in: &store) { store, id in
        card = try store.addCard(to: id, rating: rating, comment: comment, seenOn: seen, now: context.timestamp)
      }
      return card
    }
    guard let card else { return }
    let face = try CardFace(card, in: store)
    try context.did(Message(verbatim: context.safe(context.text(face.line))), Change(of: face))
  }
}
