internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Processes

/// `catalog shelf KIND|QUERY`: shows a shelf, or the items of a query, with nine covers on a page.
struct ShelfCommand: Command {
  static let info = CommandInfo<Self>(
    "shelf", summary: "Flip through a shelf, nine covers a page.",
    discussion: """
      A query after the kind, or in its place, selects items of it; @bop is a saved one. The newest addition comes \
      first, unless --sort is given. On a terminal the shelf takes the whole screen: ← and → turn pages, a number or ↓ \
      chooses a cover, Enter turns it over, r chooses one at random, and q quits. Covers are drawn if chafa is \
      installed. With --page, and without a terminal, one page is printed: in a pipe as a list, on a terminal with \
      --covers with its pictures.
      """,
    examples: [
      Example("catalog shelf vinyl", "Your records, the newest first."),
      Example("catalog shelf movie genre:horror --sort year", "Some of them, the oldest first."),
      Example("catalog shelf books --page 2", "Prints the second page."),
    ],
    arguments: [
      .positional(
        "kind", \.words, value: "KIND|QUERY", completion: .dynamic("shelf"),
        help: "The shelf: movie, book or vinyl; then words and field:value terms: see 'catalog help query'."
      ).terms(Query.names),
      OrderOptions.sort.lifted(\.rows),
      .option("page", short: "p", \.page, help: "Print this page, from 1."),
      .flag(
        "covers", short: "c", \.hasCovers,
        help: "Draw the covers of a printed page, and warn where that is not possible."),
    ] + TableOptions.arguments.lifted(\.table))

  var words: [String] = []
  var rows = OrderOptions()
  var page: PageNumber?
  var hasCovers = false
  var table = TableOptions()

  /// The kind, if the first word names one.
  private var kind: Kind? { words.first.flatMap { try? Kind(shelf: $0) } }
  /// The words of the query.
  private var terms: [String] { Array(kind == nil ? words[...] : words.dropFirst()) }

  func validate() throws(UsageError) {
    // A single word is a kind, perhaps mistyped.
    guard kind == nil, let word = words.first, !word.contains(":"), !"@^-(".contains(word.prefix(1)) else { return }
    do {
      _ = try Kind(shelf: word)
    } catch {
      throw UsageError("KIND: \(error.message)", hint: error.hint)
    }
  }

  func run(in context: Context) throws {
    let store = try context.reading()
    var query = try context.query(terms, in: store)
    if let kind { query.require(.kind(kind)) }
    let page = try store.shelfPage(query, number: self.page?.number ?? 1, order: rows.order)
    let format = table.format(on: context.terminal)
    guard !page.items.isEmpty else {
      guard let kind, terms.isEmpty else { throw context.nothingMatches(query, typed: terms, kind?.thing ?? "item") }
      throw Failure(
        "the \(kind.singular) shelf is empty", hint: "look something up: catalog search dune --kind \(kind.rawValue)")
    }
    if format == .fitted, self.page == nil, context.hasScreen {
      try context.withScreen { screen in
        var session = try ShelfSession(
          of: query, order: rows.order, in: store, asksForCovers: hasCovers, on: screen, context)
        try session.run()
      }
      return try Interrupt.check()
    }
    var renderer: CoverRenderer?
    if hasCovers {
      do { renderer = try CoverRenderer(in: context) } catch { context.warn(Failure(error).message) }
    }
    let typed = ([kind?.rawValue].compactMap(\.self) + terms + rows.typed).map(\.shellWord).joined(separator: " ")
    let next = page.number < page.pages ? "catalog shelf \(typed) --page \(page.number + 1)" : nil
    if format == .fitted {
      let items = try page.items.map(store.item)
      let footer = Footnote("page \(page.number)/\(page.pages)" + (next == nil ? "" : " · next"), command: next)
      // Pixels cannot go through a pager.
      guard renderer?.graphics.isPixels != true else { return try show(items, footer, store, renderer, in: context) }
      return try context.paged { try show(items, footer, store, renderer, in: $0) }
    }
    let listing = Listing(
      query: Query(.field(.id, page.items.map { .numbers(Int($0.rawValue)...Int($0.rawValue)) })),
      fields: try Field.selected(
        by: table, or: [.id] + (kind == nil ? [.kind] : []) + [.title, .creator, .year, .rating, .favorite]),
      order: rows.order)
    _ = try listing.write(as: .format(format), from: store, in: context)
    if let next { context.note("next: \(next)") }
  }

  private func show(
    _ items: [Item], _ footer: Footnote, _ store: Store, _ renderer: CoverRenderer?, in context: Context
  ) throws {
    var renderer = renderer
    let width = min(context.terminal.width, 160)
    let across = OpenShelf.across(width)
    let boxWidth = (width - (across - 1)) / across
    // A cell is about twice as high as wide, and a row fits on the screen.
    let artHeight = max(1, min((boxWidth - 4) / 2, 14, context.terminal.height - 8))
    for start in stride(from: 0, to: items.count, by: across) {
      var frames: [Frame] = []
      var pixels: [(column: Int, bytes: [UInt8])] = []
      for (number, item) in items[start..<min(start + across, items.count)].enumerated() {
        var frame = Frame(coverOf: item, width: boxWidth - 4)
        if renderer != nil { frame.art = Frame.Art(lines: [], width: artHeight * 2, height: artHeight, isAbove: true) }
        do {
          switch try context.knownCover(of: .item(item.id), item.record, in: store)?.atHand.flatMap({
            try renderer?.draw($0, width: artHeight * 2, height: artHeight)
          }) {
          case .lines(let lines): frame.art?.lines = lines
          case .pixels(let bytes):
            pixels.append((number * (boxWidth + 1) + 2 + (boxWidth - 4 - artHeight * 2) / 2, bytes))
          case nil: break
          }
        } catch Chafa.Failure.isMissing {
          // All other covers would fail in the same way.
          let failure = Failure(Chafa.Failure.isMissing)
          context.warn("\(failure.message)")
          if let hint = failure.hint { context.hint(hint) }
          (renderer, frame.art) = (nil, nil)
        } catch  where error is Failure || error is Chafa.Failure {
          // A cover that cannot be drawn leaves its place empty.
        }
        frames.append(frame)
      }
      let row = frames.map { $0.drawn(width: boxWidth, on: context.terminal) }
      let height = row.map(\.count).max() ?? 0
      for line in 0..<height { try context.print(verbatim: row.map { $0[line] }.joined(separator: " ")) }
      for (column, bytes) in pixels {
        try CoverRenderer.place(bytes, linesUp: height - 1, column: column, on: context.output)
      }
    }
    try context.print(footer)
  }
}

extension Frame {
  /// A cover on a shelf: number, title on two lines, creator, year, stars and heart; with fewer lines only the most
  /// important.
  /// - Parameter height: the most lines of text in the frame.
  init(coverOf item: Item, width: Int, height: Int = 4) {
    let record = item.record
    let title = record.title.sanitized
    let creator = record.creators.joined(separator: ", ").sanitized
    let year = (record.year ?? record.released?.year).map(String.init) ?? ""
    let marks = [item.rating?.stars, item.favoriteSince == nil ? nil : "♥"].compactMap { $0 }.joined(separator: " ")
    func last(_ text: String, _ style: Style) -> Line {
      Line(text, style: style, right: marks, rightStyle: .yellow)
    }
    let lines: [Line]
    switch height {
    case ...1: lines = [last(title, .bold)]
    case 2: lines = [Line(title, style: .bold), last(creator, .plain)]
    case 3: lines = [Line(title, style: .bold), Line(creator), last(year, .dim)]
    default:
      let titles = title.wrapped(to: width)
      lines = [
        Line(titles.first ?? "", style: .bold), Line(titles.dropFirst().joined(separator: " "), style: .bold),
        Line(creator), last(year, .dim),
      ]
    }
    self.init(heading: "\(item.id)", lines: lines)
  }
}
