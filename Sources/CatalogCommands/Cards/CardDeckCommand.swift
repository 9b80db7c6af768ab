internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Processes

/// `catalog card deck [QUERY]`: flips through the cards on a terminal.
struct CardDeckCommand: Command {
  static let info = CommandInfo<Self>(
    "deck", summary: "Flip through your cards.",
    discussion: """
      ← and → move, the space bar turns a card over, ↑ and ↓ move long words, q or Esc quits. A turned card stays \
      turned when you come back to it. Covers are drawn if chafa is installed. Without a terminal the cards are \
      listed.
      """,
    examples: [
      Example("catalog card deck", "All cards, the newest first."),
      Example("catalog card deck kind:movie rating:4.5..", "The cards of the movies you loved."),
    ],
    arguments: [.query(\.words, help: "Only cards of items that match.")] + RowOptions.arguments.lifted(\.rows)
      + TableOptions.arguments.lifted(\.table))

  var words: [String] = []
  var rows = RowOptions()
  var table = TableOptions()

  func run(in context: Context) throws {
    let store = try context.reading()
    let query = try context.query(words, in: store)
    let cards = try query.isEverything ? store.cards() : store.cards(of: query)
    let all = try cards.map { try CardFace($0, in: store) }
    let faces = try CardTable.of(all, in: context).numbers(orderedBy: rows).map { all[$0] }
    let format = table.format(on: context.terminal)
    if format == .fitted, !faces.isEmpty, context.hasScreen {
      let renderer = try? CoverRenderer(in: context, remembers: true)
      let deck = Deck(faces, on: context.terminal) { item, width, height in
        renderer?.drawAgain("item \(item)", width: width, height: height) { try store.cover(of: item) }
      }
      return try flip(through: deck, in: context)
    }
    if format != .fitted || !faces.isEmpty {
      try CardTable.of(faces, in: context).write(table, to: context.output, terminal: context.terminal)
    }
    guard !faces.isEmpty else {
      guard words.isEmpty else { throw context.nothingMatches(query, typed: words, "card") }
      throw Failure("there is no card yet", hint: "write one: catalog card add 42 --stars 4.5 \"…\"")
    }
  }

  private func flip(through deck: Deck, in context: Context) throws {
    var deck = deck
    try Screen.run(on: context.output, terminal: context.terminal) { screen in
      repeat {
        deck.size = screen.size
        try screen.show(deck.lines, pixels: deck.pixels)
      } while deck.goesOn(after: try screen.next())
    }
    try Interrupt.check()
  }
}

/// A pile of cards, with one of them on top, front or back.
struct Deck {
  private let faces: [CardFace]
  private let terminal: Terminal
  var size: Screen.Size
  /// Draws the cover of an item in this many columns and lines; nil when there is none.
  private let draw: (ItemID, _ width: Int, _ height: Int) -> CoverRenderer.Drawing?
  private var place = 0
  /// The indices of the cards that show their backs.
  private var turned: Set<Int> = []
  /// The number of lines of a long text scrolled off the top.
  private var hidden = 0

  /// - Parameter faces: at least one.
  init(
    _ faces: [CardFace], on terminal: Terminal,
    draw: @escaping (ItemID, _ width: Int, _ height: Int) -> CoverRenderer.Drawing? = { _, _, _ in nil }
  ) {
    (self.faces, self.terminal, self.draw) = (faces, terminal, draw)
    size = Screen.Size(columns: terminal.width, lines: terminal.height)
  }

  private var isTurned: Bool { turned.contains(place) }
  private var width: Int { min(size.columns, 64) }
  /// The number of lines inside the frame.
  private var height: Int { max(3, min(size.lines - 4, 12)) }
  private var text: [Frame.Line] {
    isTurned
      ? faces[place].back(width: width - 4, on: terminal)
      : faces[place].front(width: width - 4 - (art.map { $0.width + 2 } ?? 0))
  }

  /// The cover on the front of the card, if there is space beside the words.
  private var drawing: (art: CoverRenderer.Drawing, width: Int, height: Int)? {
    let face = faces[place]
    // A cell is about twice as high as wide.
    let (width, height) = (height * 2, height)
    guard !isTurned, face.item.hasCover, self.width >= width + 26, size.lines > height + 1 else { return nil }
    return draw(face.item.id, width, height).map { ($0, width, height) }
  }

  private var art: Frame.Art? {
    drawing.map { drawing in
      if case .lines(let lines) = drawing.art {
        return Frame.Art(lines: lines, width: drawing.width, height: drawing.height)
      }
      return Frame.Art(lines: [], width: drawing.width, height: drawing.height)
    }
  }

  /// The pixels that the terminal draws inside the frame.
  var pixels: [Screen.Pixels] {
    guard let drawing, case .pixels(let bytes) = drawing.art else { return [] }
    return [Screen.Pixels(bytes, at: .init(column: 2, line: 1), height: drawing.height)]
  }

  /// Handles an event; returns false to quit.
  mutating func goesOn(after event: ScreenEvent) -> Bool {
    switch event {
    case .key(let key): press(key)
    case .ended: false
    case .resized, .ready, .due: true
    }
  }

  /// Handles a key; returns false to quit.
  mutating func press(_ key: Key) -> Bool {
    switch key.command {
    case .right, .character("l"), .character("n"): move(to: place + 1)
    case .left, .character("h"), .character("p"): move(to: place - 1)
    case .home: move(to: 0)
    case .end: move(to: faces.count - 1)
    case .character(" "), .enter:
      turned.formSymmetricDifference([place])
      hidden = 0
    case .down, .character("j"): hidden = min(hidden + 1, max(0, text.count - height))
    case .up, .character("k"): hidden = max(0, hidden - 1)
    case .character("q"), .escape: return false
    default: break
    }
    return true
  }

  private mutating func move(to place: Int) {
    self.place = min(max(0, place), faces.count - 1)
    hidden = 0
  }

  /// The lines of the screen.
  var lines: [String] {
    var shown = Array(text.dropFirst(hidden).prefix(height))
    if text.count > hidden + height { shown[height - 1] = .init("…", style: .dim) }
    shown += Array(repeating: Frame.Line(), count: height - shown.count)
    let footer = ("\(place + 1)/\(faces.count) · ←/→ move · space turns · q quits" as Message).text(on: terminal)
    return Frame(heading: faces[place].heading.text(on: terminal), lines: shown, art: art).drawn(
      width: width, on: terminal)
      + ["", Style.dim(footer.truncated(to: size.columns), on: terminal)]
  }
}
