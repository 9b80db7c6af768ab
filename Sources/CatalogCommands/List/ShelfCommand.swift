internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// `catalog shelf KIND`: a shelf as a person sees it, nine covers a page.
struct ShelfCommand: Command {
  static let info = CommandInfo<Self>(
    "shelf", summary: "Look at a shelf, nine covers a page.",
    discussion: """
      The newest addition stands first. In a pipe the page is a list. --covers draws the pictures as 'catalog cover' does.
      """,
    examples: [
      Example("catalog shelf vinyl", "The newest nine records."), Example("catalog shelf books --page 2", "The next."),
    ],
    arguments: [
      .positional("kind", \.shelf, help: "Which shelf: movie, book or vinyl."),
      .option("page", short: "p", \.page, help: "Which page, from 1."),
      .flag("covers", short: "c", \.hasCovers, help: "Draw the covers."),
    ] + TableOptions.ofFields.lifted(\.table))

  var shelf = Shelf(.movie)
  var page = PageNumber(1)
  var hasCovers = false
  var table = TableOptions()

  func run(in context: Context) throws {
    let kind = shelf.kind
    let store = try context.reading()
    let page = try store.shelfPage(kind, number: self.page.number)
    let format = table.format(on: context.terminal)
    guard !page.items.isEmpty else {
      throw Failure(
        "the \(kind.rawValue) shelf is empty", hint: "look something up: catalog search dune --kind \(kind.rawValue)")
    }
    var painter: Painter?
    if hasCovers {
      do { painter = try Painter(in: context) } catch { context.warn(Failure(error).message) }
    }
    if format == .fitted {
      let items = try page.items.map(store.item)
      // What the terminal draws by itself does not go through a pager.
      guard painter?.graphics.isPixels != true else { return try show(items, page, store, painter, in: context) }
      return try context.paged { try show(items, page, store, painter, in: $0) }
    }
    let listing = Listing(
      query: Query(.kind(kind)),
      fields: try Field.selected(by: table, or: [.id, .title, .creator, .year, .rating, .favorite]),
      order: [ListingOrder(.id, isDescending: true)], limit: ShelfPage.size, offset: (page.number - 1) * ShelfPage.size)
    _ = try listing.write(as: .format(format), from: store, in: context)
  }

  private func show(
    _ items: [Item], _ page: ShelfPage, _ store: Store, _ painter: Painter?, in context: Context
  ) throws {
    var painter = painter
    let width = min(context.terminal.width, 160)
    // Three in a row, as on the shelf; a narrow terminal shows fewer.
    let across = max(1, min(3, width / 20))
    let boxWidth = (width - (across - 1)) / across
    // A cell is about twice as high as wide, and a row fits on the screen.
    let artHeight = max(1, min((boxWidth - 4) / 2, 14, context.terminal.height - 8))
    for start in stride(from: 0, to: items.count, by: across) {
      var boxes: [Box] = []
      var pixels: [(column: Int, bytes: [UInt8])] = []
      for (number, item) in items[start..<min(start + across, items.count)].enumerated() {
        var box = cover(of: item, width: boxWidth - 4)
        if painter != nil { box.art = Box.Art(lines: [], width: artHeight * 2, height: artHeight, isAbove: true) }
        do {
          switch try store.cover(of: item.id).flatMap({
            try painter?.draw($0, width: artHeight * 2, height: artHeight)
          }) {
          case .lines(let lines): box.art?.lines = lines
          case .pixels(let bytes):
            pixels.append((number * (boxWidth + 1) + 2 + (boxWidth - 4 - artHeight * 2) / 2, bytes))
          case nil: break
          }
        } catch Chafa.Failure.isMissing {
          // The others would say the same.
          let failure = Failure(Chafa.Failure.isMissing)
          context.warn("\(failure.message)")
          if let hint = failure.hint { context.note("hint: \(hint)") }
          (painter, box.art) = (nil, nil)
        } catch  where error is Failure || error is Chafa.Failure {
          // A cover that cannot be drawn leaves its place empty.
        }
        boxes.append(box)
      }
      let row = boxes.map { $0.drawn(width: boxWidth, on: context.terminal) }
      let height = row.map(\.count).max() ?? 0
      for line in 0..<height { try context.print(row.map { $0[line] }.joined(separator: " ")) }
      for (column, bytes) in pixels {
        try Painter.place(bytes, linesUp: height - 1, column: column, on: context.output)
      }
    }
    try context.print(context.styled("page \(page.number)/\(page.pages)", .dim))
  }

  /// Number, title on two lines, creator, year, stars and heart.
  private func cover(of item: Item, width: Int) -> Box {
    let record = item.record
    let titles = record.title.sanitized.wrapped(to: width)
    let second = titles.dropFirst().joined(separator: " ")
    let marks = [item.rating?.stars, item.favoriteSince == nil ? nil : "♥"].compactMap { $0 }.joined(separator: " ")
    return Box(
      heading: "\(item.id)",
      lines: [
        .init(titles.first ?? "", style: .bold), .init(second, style: .bold),
        .init(record.creators.joined(separator: ", ").sanitized),
        .init(
          (record.year ?? record.released?.year).map(String.init) ?? "", style: .dim, right: marks,
          rightStyle: .yellow),
      ])
  }
}
