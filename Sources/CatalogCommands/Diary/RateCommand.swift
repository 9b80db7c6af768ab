internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// `catalog rate REF 4.5`: rates an item without a comment or a date.
struct RateCommand: WritingCommand {
  static let info = CommandInfo<Self>(
    "rate", summary: "Rate an item, without words or a date.",
    discussion: """
      Writes a card with only the rating: earlier cards stay, and the newest rating is the item's. Rating again on the \
      same day changes that card. Nothing is added to the diary: for something that you just watched, read or played \
      use 'catalog log REF --stars 4.5'. A result that is not on its shelf is added first.
      """,
    examples: [
      Example("catalog rate 42 4.5", "Four and a half stars."),
      Example("catalog rate \"kind of blue\" 9/10", "By title, out of ten."),
    ],
    arguments: [
      .words(\.typed, value: "REF|RATING", help: "Which item or result, then the rating: 4.5 stars, 9/10 or 87%.")
    ])

  static var mayBegin: Bool { true }

  var typed = TypedReferences()
  var result = ResultOptions()

  /// The item and its rating, the last word. Words that all are a title have no rating.
  private func subject(in store: Store, _ context: Context) throws -> (ResolvedReference, Rating) {
    let before = TypedReferences(words: typed.words.dropLast())
    let missing = UsageError(
      "missing \(Message(verbatim: "RATING"))", hint: "for example: catalog rate \(typed.together.shellWord) 4.5")
    guard let last = typed.words.last, !before.isEmpty else { throw missing }
    let rating: Rating
    do { rating = try Rating(last) } catch {
      if last.first?.isNumber != true { throw missing }
      if try context.named(typed.words, in: store).isEmpty { throw error }
      throw missing
    }
    if try context.named(before.words, in: store).isEmpty, try !context.named(typed.words, in: store).isEmpty {
      throw missing
    }
    return (try context.target(before, in: store), rating)
  }

  func run(in context: Context) throws {
    var store = try context.changing()
    let (target, rating) = try subject(in: store, context)
    if context.globals.isDryRun {
      return try context.would(
        "would rate \(rating.stars): \(context.safe(try context.line(of: target, in: store)))",
        Change(of: target, in: store))
    }
    var rated: (card: Card, isNew: Bool)?
    var before: Rating?
    try context.write(to: target, in: &store) { store, id in
      before = try store.item(id).rating
      rated = try store.rate(id, rating, now: context.timestamp)
    }
    guard let rated else { return }
    let face = try CardFace(rated.card, in: store)
    let line = context.safe(context.text(face.line))
    if !rated.isNew, before == rating { return context.already("nothing changed", Change(of: face)) }
    try context.did(rated.isNew ? Message(verbatim: line) : "changed \(line)", Change(of: face))
  }
}
