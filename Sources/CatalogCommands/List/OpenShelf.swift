internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// A shelf that a person pages through: the open page, the chosen cover, and whether its back is shown. Keys go in, and
/// ``Effect``s come out.
struct OpenShelf {
  /// A page and its items.
  struct Page {
    /// The number of the page, from 1.
    var number: Int
    /// The number of pages; at least 1.
    var count: Int
    /// At most nine items.
    var items: [Item]
  }

  /// An action that needs the catalog.
  enum Effect: Hashable {
    /// Open this page, or the nearest one, and choose the cover at this place.
    case turn(to: Int, choosing: Int?)
    /// Open a random page and choose a random cover.
    case pick
    case quit
  }

  let terminal: Terminal
  var size: Screen.Size
  /// Whether covers can be drawn.
  var drawsCovers = false
  private(set) var page: Page
  /// The index of the chosen cover on the page, from 0.
  private(set) var chosen: Int?
  private(set) var isTurned = false
  /// The lines of the shown back; they are cut to the screen.
  var back: [String] = []
  /// The number of lines of the back scrolled off the top.
  private var hidden = 0
  /// The message shown until the next key.
  private(set) var message: String?
  /// The covers of the page that have been drawn.
  private(set) var drawings: [Picture: CoverRenderer.Drawing] = [:]

  init(_ page: Page, on terminal: Terminal) {
    (self.page, self.terminal) = (page, terminal)
    size = Screen.Size(columns: terminal.width, lines: terminal.height)
  }

  private var items: [Item] { page.items }
  private var chosenItem: Item? { chosen.flatMap { items.indices.contains($0) ? items[$0] : nil } }
  /// The item whose back is shown.
  var turned: ItemID? { isTurned ? chosenItem?.id : nil }
  /// The number of lines above the footer.
  var height: Int { max(0, size.lines - 1) }
  /// The visible lines of the back.
  var visibleBack: ArraySlice<String> { back.dropFirst(min(hidden, mostHidden)).prefix(height) }
  /// The most lines of the back that can be scrolled off the top.
  var mostHidden: Int { max(0, back.count - height) }
  /// The index of the chosen cover on the whole shelf, from 0.
  var chosenOfAll: Int? { chosen.map { (page.number - 1) * ShelfPage.size + $0 } }

  // MARK: What was read

  /// Opens a page and chooses the cover at a place, or the nearest one.
  mutating func open(_ page: Page, choosing place: Int?) {
    self.page = page
    drawings = [:]
    choose(place)
  }

  private mutating func choose(_ place: Int?) {
    chosen = items.isEmpty ? nil : place.map { min(max(0, $0), items.count - 1) }
    hidden = 0
    if chosen == nil { isTurned = false }
  }

  /// Shows the front again.
  mutating func turnBack() { isTurned = false }

  /// Shows a message until the next key.
  mutating func say(_ words: String) { message = words }

  /// Stores the drawing of a cover.
  mutating func keep(_ drawing: CoverRenderer.Drawing, of picture: Picture) { drawings[picture] = drawing }

  // MARK: Keys

  /// Handles a key.
  ///
  /// - Returns: the action for the caller; nil for none.
  mutating func press(_ key: Key) -> Effect? {
    message = nil
    switch key.command {
    case .character("q"): return .quit
    case .character("r"): return .pick
    case let key: return isTurned ? pressOnBack(key) : pressOnFront(key)
    }
  }

  private mutating func pressOnFront(_ key: Key) -> Effect? {
    switch key {
    case .character(let digit) where ("1"..."9").contains(digit):
      if let place = digit.wholeNumberValue.map({ $0 - 1 }), items.indices.contains(place) { choose(place) }
    case .left, .character("h"): return chosen == nil ? turn(by: -1) : move(by: -1)
    case .right, .character("l"): return chosen == nil ? turn(by: 1) : move(by: 1)
    case .up, .character("k"): return move(by: -Self.across(size.columns))
    case .down, .character("j"): return move(by: Self.across(size.columns))
    case .tab: return move(by: 1)
    case .backTab: return move(by: -1)
    case .pageDown, .character("n"): return turn(by: 1)
    case .character(" ") where chosen == nil: return turn(by: 1)
    case .pageUp, .character("p"): return turn(by: -1)
    case .home, .character("g"): return turn(by: 1 - page.number)
    case .end, .character("G"): return turn(by: page.count - page.number)
    case .enter where chosen == nil: choose(0)
    case .enter, .character(" "): (isTurned, hidden, back) = (true, 0, [])
    case .escape where chosen == nil: return .quit
    case .escape: chosen = nil
    default: break
    }
    return nil
  }

  private mutating func pressOnBack(_ key: Key) -> Effect? {
    switch key {
    case .enter, .escape, .backspace, .character(" "): isTurned = false
    case .up, .character("k"): scroll(by: -1)
    case .down, .character("j"): scroll(by: 1)
    case .pageUp: scroll(by: 1 - height)
    case .pageDown: scroll(by: height - 1)
    case .home, .character("g"): scroll(by: -back.count)
    case .end, .character("G"): scroll(by: back.count)
    case .left, .character("h"): return move(by: -1)
    case .right, .character("l"): return move(by: 1)
    default: break
    }
    return nil
  }

  private mutating func scroll(by lines: Int) {
    // A larger window may have less to scroll.
    hidden = min(max(0, min(hidden, mostHidden) + lines), mostHidden)
  }

  /// Turns pages; the chosen place stays.
  private func turn(by pages: Int) -> Effect? {
    let number = page.number + pages
    return pages != 0 && (1...page.count).contains(number) ? .turn(to: number, choosing: chosen) : nil
  }

  /// Moves the choice by this number of places, also to the next or previous page.
  private mutating func move(by places: Int) -> Effect? {
    guard let chosen else {
      choose(places > 0 ? 0 : items.count - 1)
      return nil
    }
    let place = chosen + places
    if items.indices.contains(place) {
      choose(place)
    } else if place < 0, page.number > 1 {
      return .turn(to: page.number - 1, choosing: place + ShelfPage.size)
    } else if place >= 0, page.number < page.count {
      return .turn(to: page.number + 1, choosing: place - ShelfPage.size)
    }
    return nil
  }

  /// The number of covers in a row: three, or fewer on a narrow screen.
  static func across(_ width: Int) -> Int { max(1, min(3, width / 20)) }
}
