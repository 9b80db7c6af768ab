internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup

/// `catalog cover REF`: a cover, drawn in the terminal.
struct CoverCommand: Command {
  static let info = CommandInfo<Self>(
    "cover", summary: "Draw the cover of an item or result in the terminal.",
    discussion: """
      The program chafa draws it: as pixels where the terminal is known to show them (kitty, iTerm2, sixels), elsewhere \
      with coloured half blocks; 'catalog config set graphics' or --as says otherwise. Into a pipe nothing is drawn: it \
      says so and ends with status 1. The cover of an item that has none is fetched and kept.
      """,
    examples: [
      Example("catalog cover 42", "Draws the cover of item 42."),
      Example("catalog cover r1 --save dune.jpg", "Keeps the picture in a file."),
      Example("catalog cover 42 --print", "Only prints its address."),
    ],
    arguments: [
      .phrase("ref", \.reference, completion: .dynamic("items"), help: "Which one: see 'catalog help references'."),
      .option(
        "save", short: "s", \.file, value: "FILE", completion: .files,
        help: "Write the picture to this file; - is standard output."),
      .flag("print", short: "p", \.prints, help: "Print the address instead of drawing."),
      .option("width", short: "w", \.width, value: "COLUMNS", help: "How wide it is at most: 1 to 500 columns."),
      .option("as", \.graphics, help: "How it is drawn: kitty, iterm, sixels or blocks."),
    ])

  var reference = Reference.words("")
  var file: String?
  var prints = false
  var width: Int?
  var graphics: Graphics?

  func validate() throws(UsageError) {
    if let width, !(1...500).contains(width) { throw UsageError("a cover is 1 to 500 columns wide, not \(width)") }
    if file != nil, prints { throw UsageError("--save and --print do not go together") }
  }

  func run(in context: Context) throws {
    let store = try context.reading()
    let target = try context.target(reference, in: store)
    if prints { return try context.print(verbatim: context.safe(try context.coverURL(of: target, in: store))) }
    if let file {
      let cover = try context.cover(of: target, in: store)
      return try context.save(
        cover.bytes, to: file, usualName: cover.mediaType == "image/png" ? "cover.png" : "cover.jpg",
        command: "catalog cover \(reference.description.shellWord) --save")
    }
    // What cannot be drawn need not be fetched.
    let painter = try Painter(graphics, in: context)
    let cover = try context.cover(of: target, in: store)
    let terminal = context.terminal
    switch try painter.draw(cover, width: width ?? min(terminal.width, 80), height: max(1, terminal.height - 2)) {
    case .lines(let lines): for line in lines { try context.print(verbatim: line) }
    case .pixels(let bytes):
      try context.output.append(bytes: bytes)
      if bytes.last != UInt8(ascii: "\n") { try context.output.append("\n") }
    }
  }
}
