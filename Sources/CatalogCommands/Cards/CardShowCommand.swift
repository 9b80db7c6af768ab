internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// `catalog card show CARD`: shows one side of a card.
struct CardShowCommand: Command {
  static let info = CommandInfo<Self>(
    "show", summary: "Show the front of a card, or its back: the words.",
    examples: [
      Example("catalog card show 7", "Title, creator, year and stars."),
      Example("catalog card show 7 --back", "The words."),
    ],
    arguments: [
      .positional("card", \.number, help: "The card's number."),
      .flag("back", short: "b", \.showsBack, help: "Show the back of the card."),
    ] + ResultOptions.arguments.lifted(\.result))

  var number = CardID(rawValue: 0)
  var showsBack = false
  var result = ResultOptions()

  func run(in context: Context) throws {
    let store = try context.reading()
    let face = try CardFace(try store.card(number), in: store)
    if let fields = result.fields {
      try context.printJSON(fields, face.card, CardTable.ofCard)
    } else if context.terminal.isOutputTerminal {
      let width = min(context.terminal.width, 64)
      let lines = showsBack ? face.back(width: width - 4, on: context.terminal) : face.front(width: width - 4)
      for line in Frame(heading: context.text(face.heading), lines: lines).drawn(
        width: width, on: context.terminal)
      {
        try context.print(verbatim: line)
      }
    } else if showsBack {
      try context.print(verbatim: face.card.comment ?? "")
    } else {
      try CardTable.of([face], in: context).write(as: .tsv, to: context.output, terminal: context.terminal)
    }
  }
}
