internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Processes

/// The event loop of an ``OpenShelf`` on a screen: reads keys, and reads the catalog page by page.
struct ShelfSession {
  private let query: Query
  private let order: [ListingOrder]
  private let store: Store
  private let screen: Screen
  private let context: Context
  private let renderer: CoverRenderer?
  private var shelf: OpenShelf
  /// The details on the shown back.
  private var back: (id: ItemID, detail: Detail)?

  /// - Parameter asksForCovers: whether to show why covers cannot be drawn.
  init(
    of query: Query, order: [ListingOrder], in store: Store, asksForCovers: Bool, on screen: Screen, _ context: Context
  ) throws {
    (self.query, self.order, self.store, self.screen, self.context) = (query, order, store, screen, context)
    shelf = OpenShelf(try Self.page(nearest: 1, of: query, order, in: store), on: context.terminal)
    do {
      renderer = try Self.renderer(in: context)
      shelf.drawsCovers = true
    } catch {
      renderer = nil
      if asksForCovers { shelf.say(context.text(Failure(error).message)) }
    }
  }

  /// - Throws: ``Failure``, or ``Chafa/Failure/isMissing`` when nothing can be drawn.
  private static func renderer(in context: Context) throws -> CoverRenderer {
    let renderer = try CoverRenderer(in: context, remembers: true)
    guard (try? Executable.path(of: "chafa", along: context.environment["PATH"])) != nil else {
      throw Chafa.Failure.isMissing
    }
    return renderer
  }

  /// Runs until the person quits.
  mutating func run() throws { try context.deferredWarnings.holding { try loop() } }

  private mutating func loop() throws {
    while true {
      shelf.size = screen.size
      layBack()
      for notice in context.deferredWarnings.taken() { shelf.say(context.text(notice.message)) }
      try screen.show(shelf.lines, pixels: shelf.pixels)
      // Keys come first: covers are drawn while no key is waiting.
      switch try screen.next(until: shelf.missing.map { _ in context.uptime() }) {
      case .key(let key): if let effect = shelf.press(key), !perform(effect) { return }
      case .due: draw()
      case .ended: return
      case .resized, .ready: break
      }
    }
  }

  private mutating func draw() {
    guard let picture = shelf.missing else { return }
    let drawing = renderer?.drawAgain("item \(picture.item)", width: picture.width, height: picture.height) {
      try store.cover(of: picture.item)
    }
    // A cover that cannot be drawn leaves its place empty.
    shelf.keep(drawing ?? .lines([]), of: picture)
  }

  /// Performs an action of the shelf; returns false to quit.
  private mutating func perform(_ effect: OpenShelf.Effect) -> Bool {
    switch effect {
    case .quit: return false
    case .turn(let number, let place): turn(to: number, choosing: place)
    case .pick: pick()
    }
    return true
  }

  // MARK: Reading

  private mutating func turn(to number: Int, choosing place: Int?) {
    do {
      shelf.open(try Self.page(nearest: number, of: query, order, in: store), choosing: place)
    } catch {
      shelf.say(context.text(Failure(error).message))
    }
  }

  /// Opens a random cover of the whole shelf except the chosen one.
  private mutating func pick() {
    do {
      let count = try store.shelfPage(query, nearest: 1).count
      var place = 0
      if count > 1 {
        let current = shelf.chosenOfAll.flatMap { $0 < count ? $0 : nil }
        place = context.random(current == nil ? count : count - 1)
        if let current, place >= current { place += 1 }
      }
      let (page, rest) = place.quotientAndRemainder(dividingBy: ShelfPage.size)
      shelf.turnBack()
      shelf.open(try Self.page(nearest: page + 1, of: query, order, in: store), choosing: rest)
    } catch {
      shelf.say(context.text(Failure(error).message))
    }
  }

  private static func page(
    nearest number: Int, of query: Query, _ order: [ListingOrder], in store: Store
  ) throws -> OpenShelf.Page {
    try store.read {
      let page = try store.shelfPage(query, nearest: number, order: order)
      return OpenShelf.Page(number: page.number, count: page.pages, items: try page.items.map(store.item))
    }
  }

  /// Reads the details for the shown back, records the view, and makes the lines for this screen.
  private mutating func layBack() {
    guard let id = shelf.turned else { return back = nil }
    do {
      if back?.id != id {
        var display = try ItemDisplay(of: .item(id), in: store)
        display.detail.showsBack = true
        let told = ToldNotices()
        display.keep(in: store, context.telling(told))
        if let words = context.spoken(told.notices) { shelf.say(words) }
        back = (id, display.detail)
      }
      var terminal = context.terminal
      terminal.width = shelf.size.columns
      shelf.back = back?.detail.page(on: terminal).all ?? []
    } catch {
      // Another process has removed the item.
      shelf.turnBack()
      turn(to: shelf.page.number, choosing: shelf.chosen)
      shelf.say(context.text(Failure(error).message))
      back = nil
    }
  }
}
