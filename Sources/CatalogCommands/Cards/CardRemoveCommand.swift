internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// `catalog card remove CARD…`: asks, then removes cards. Their items stay.
struct CardRemoveCommand: Command {
  static let info = CommandInfo<Self>(
    "remove", aliases: ["rm", "delete"], summary: "Remove cards; their items stay.",
    examples: [Example("catalog card remove 7", "Asks, then removes card 7.")],
    arguments: [.positional("card", \.numbers, help: "The cards' numbers.")])

  var numbers: [String] = []

  func run(in context: Context) throws {
    let reading = try context.reading()
    let faces = try numbers.map { try CardFace(try reading.card(try context.card($0)), in: reading) }
    if context.globals.isDryRun {
      for face in faces { try context.print("would remove \(context.safe(face.line))") }
      return
    }
    try context.ask(
      "Remove \(faces.count == 1 ? "this card" : "these \(faces.count) cards")?", about: faces.map(\.line))
    let store = try context.writing()
    try store.write { for face in faces { try store.removeCard(face.card.id) } }
    for face in faces { try context.print("removed \(context.safe(face.line))") }
  }
}
