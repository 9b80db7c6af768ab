internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup

/// `catalog cover …`: draws pictures, and sets or removes the cover of an item.
enum CoverCommands {
  static let group = CommandNode<Context>.group(
    CommandGroup(
      "cover", of: CoverCommand.self,
      [.command(CoverCommand.self), .command(CoverSetCommand.self), .command(CoverRemoveCommand.self)]))
}

/// `catalog cover REF`: a cover or another picture, drawn in the terminal.
struct CoverCommand: Command {
  static let info = CommandInfo<Self>(
    "show", summary: "Draw the cover of an item or result, or another of its pictures.",
    discussion: """
      The program chafa draws it: as pixels where the terminal is known to show them (kitty, iTerm2, sixels), \
      elsewhere with coloured half blocks; 'catalog config set graphics' or --as chooses another way. Into a pipe \
      nothing is drawn: the command says so and ends with status 1. If an item has no cover yet, it is fetched and \
      stored.

      'cover set' sets a picture of your own, 'cover remove' removes the cover.

      The numbers of pictures, portraits and screenshots are those that 'catalog show' prints; an address that it \
      prints works too.
      """,
    examples: [
      Example("catalog cover 42", "Draws the cover of item 42."),
      Example("catalog cover r1 --save dune.jpg", "Saves the picture to a file."),
      Example("catalog cover 42 --print", "Only prints its address."),
      Example("catalog cover tmdb:496243 --picture 3", "The third picture of the movie's gallery."),
      Example("catalog cover r1 --screenshot 2", "The second screenshot of an app."),
    ],
    arguments: [
      .words(\.typed, help: "Which one: see 'catalog help references'; or the address of a picture.")
    ] + GalleryOptions.pictures.lifted(\.gallery) + [
      .option(
        "save", short: "s", \.file, value: "FILE", completion: .files,
        help: "Write the picture to this file; - is standard output."),
      .flag("print", short: "p", \.prints, help: "Print the address instead of drawing."),
      .option("width", short: "w", \.width, value: "COLUMNS", help: "The greatest width: 1 to 500 columns."),
      .option("as", \.graphics, help: "How it is drawn: kitty, iterm, sixels or blocks."),
    ])

  var typed = TypedReferences()
  var gallery = GalleryOptions()
  var file: String?
  var prints = false
  var width: Int?
  var graphics: Graphics?

  func validate() throws(UsageError) {
    if let width, !(1...500).contains(width) { throw UsageError("a cover is 1 to 500 columns wide, not \(width)") }
    if file != nil, prints { throw UsageError("--save and --print do not go together") }
    try typed.check(gallery)
  }

  func run(in context: Context) throws {
    let store = try context.reading()
    if let address = typed.address { return try show(in: context) { try context.picture(at: address, in: store) } }
    let target = try context.target(typed, for: .reading, in: store)
    if let galleryEntry = try gallery.galleryEntry() {
      try show(in: context) { try context.picture(galleryEntry, of: target, in: store) }
    } else {
      try show(coverOf: target, in: context) { try context.cover(of: target, in: store) }
    }
  }

  private func show(
    coverOf target: ResolvedReference? = nil, in context: Context, _ find: () throws -> PictureRequest
  ) throws {
    // A terminal that shows no pictures is an error before any request.
    let renderer = prints || file != nil ? nil : try CoverRenderer(graphics, in: context)
    let question = try find()
    if prints {
      guard let url = question.url else {
        throw Failure(
          "the cover is kept in the catalog, and where it came from is not known", hint: "--save FILE keeps it")
      }
      return try context.print(verbatim: context.safe(url))
    }
    let cover = try question.answer()
    context.keep(cover, asked: question, of: target)
    if let file {
      return try context.save(
        cover.bytes, to: file, usualName: cover.mediaType == "image/png" ? "cover.png" : "cover.jpg",
        command: "catalog cover \(typed.together.shellWord) --save")
    }
    let terminal = context.terminal
    switch try renderer?.draw(cover, width: width ?? min(terminal.width, 80), height: max(1, terminal.height - 2)) {
    case .lines(let lines): for line in lines { try context.print(verbatim: line) }
    case .pixels(let bytes):
      try context.output.append(bytes: bytes)
      if bytes.last != UInt8(ascii: "\n") { try context.output.append("\n") }
    case nil: break
    }
  }
}
