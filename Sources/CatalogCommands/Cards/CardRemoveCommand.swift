internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// `catalog card remove CARD…`: asks, then removes cards. Their items stay.
struct CardRemoveCommand: Command {
  static let info = CommandInfo<Self>(
    "remove", aliases: ["rm", "delete"], summary: "Remove cards; their items stay.",
    examples: [Example("catalog card remove 7", "Asks, then removes card 7.")],
    arguments: [.positional("card", \.numbers, help: "The cards' numbers.")])

  var numbers: [CardID] = []

  func run(in context: Context) throws {
    let store = try context.changing()
    let faces = try numbers.map { try CardFace(try store.card($0), in: store) }
    if context.globals.isDryRun {
      for face in faces { try context.print("would remove \(context.safe(context.text(face.line)))") }
      return
    }
    try context.ask(
      faces.count == 1 ? "Remove this card?" : "Remove these \(faces.count) cards?",
      about: faces.map { context.text($0.line) })
    let writable = try context.writable(store)
    try writable.write { for face in faces { try writable.removeCard(face.card.id) } }
    for face in faces { try context.print("removed \(context.safe(context.text(face.line)))") }
  }
}
