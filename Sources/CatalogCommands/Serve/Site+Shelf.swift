internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import SQLite
internal import Web

extension Site {
  /// The number of items on one page of a listing.
  static let pageSize = 48

  /// The query and the order in an address of the shelf.
  struct ShelfView {
    /// The query.
    var words: String
    var order: String
    var page: Int
    var isList: Bool

    init(_ request: WebRequest) {
      let asked = request.query
      (words, order) = (asked["q"] ?? "", asked["sort"] ?? "")
      page = min(max(asked["page"].flatMap { Int($0) } ?? 1, 1), 1_000_000)
      isList = (asked["view"] ?? request.cookie(Site.viewCookie)) == "list"
    }

    /// The address of the same shelf.
    func address(page: Int = 1) -> String {
      let place = page > 1 ? "\(page)" : nil
      let parts = (words.isEmpty ? nil : words, order.isEmpty ? nil : order)
      return "/" + Site.query(("q", parts.0), ("sort", parts.1), ("page", place))
    }

    func sorted(by order: String) -> String {
      var other = self
      other.order = order
      return other.address()
    }

    /// The address with one more term, which replaces another of its field; or without the term if it has it.
    func toggling(_ term: String, among chips: [String]) -> (address: String, isThere: Bool) {
      var other = self
      let typed = words.split(separator: " ").map(String.init)
      let field = term.prefix { $0 != ":" }
      let isThere = typed.contains(term)
      let kept = typed.filter { $0 != term && !(chips.contains($0) && $0.hasPrefix("\(field):")) }
      other.words = (kept + (isThere ? [] : [term])).joined(separator: " ")
      return (other.address(), isThere)
    }
  }

  /// The name of the cookie with the way in which the shelf is seen.
  static let viewCookie = "catalog-view"

  private static let orders: [(words: Message, order: String)] = [
    ("Newest first", ""), ("Title", "title"), ("Year", "year-"), ("Best first", "rating-"),
  ]

  /// The parts of a shelf, each with its term of a query.
  private static let chips: [(words: Message, term: String)] =
    [
      ("Movies", "kind:movie"), ("Books", "kind:book"), ("Records", "kind:vinyl"), ("♥ Favorites", "is:favorite"),
      ("Unseen", "seen:none"), ("Lent out", "lent:any"),
    ] + stride(from: 2020, through: 1900, by: -10).map { (Message(verbatim: "\($0)s"), "year:\($0)s") }

  func shelf(_ visit: Visit) throws -> WebAnswer {
    let view = ShelfView(visit.request)
    let page = try shelf(view, visit)
    var response = response(page, at: view.words.isEmpty ? "/" : "", searching: view.words)
    if visit.request.query["view"] != nil {
      response.headers.append(
        .init(
          "Set-Cookie",
          "\(Self.viewCookie)=\(view.isList ? "list" : "wall"); Path=/; Max-Age=31536000; HttpOnly; SameSite=Strict"))
    }
    return .now(response)
  }

  private func shelf(_ view: ShelfView, _ visit: Visit) throws -> HTMLPage {
    let isAll = view.words.allSatisfy(\.isWhitespace)
    var page = page(isAll ? "Everything" : Message(verbatim: view.words), visit)
    page.layout = .own
    let store = try store()
    let query: Query
    do { query = try isAll ? Query() : context.query(line: view.words, in: store) } catch let problem as Query.Problem {
      page.add(PageHead(title: page.title))
      page.add(PageNotice([Message(verbatim: Failure(problem).message.text(in: visit.translation).capitalizedFirst)]))
      return page
    }
    let counts = try counts(query, view.words, in: store)
    guard let whole = counts.first, whole > 0 else { return nothing(isAll, view, page) }
    let kinds = zip([("movie", "movies"), ("book", "books"), ("record", "records")], counts.dropFirst())
      .filter { $1 > 0 }.map { words, count in count.counted(words.0, words.1) }
    let orders = Self.orders.map {
      PageLink($0.words, view.sorted(by: $0.order), isCurrent: $0.order == view.order)
    }
    let other = PageLink(
      view.isList ? "as covers" : "as a list",
      "/" + Self.query(("q", view.words), ("sort", view.order), ("view", view.isList ? "wall" : "list")))
    page.add(PageHead(title: page.title, note: kinds.joined(separator: " · "), links: orders + [other]))
    page.add(PageLinks("Narrow down", chips(view, counts)))
    let tiles = try tiles(
      query, order: ListingOrder(view.order).map { [$0] } ?? [], limit: Self.pageSize,
      offset: (view.page - 1) * Self.pageSize, visit)
    if view.isList { page.add(PageList(tiles.map(PageList.Row.init))) } else { page.add(PageWall(tiles: tiles)) }
    page.add(PageLinks("More pages", Self.pages(of: whole, view)))
    return page
  }

  /// The page of a shelf without items.
  private func nothing(_ isAll: Bool, _ view: ShelfView, _ page: HTMLPage) -> HTMLPage {
    var page = page
    page.add(PageHead(title: page.title))
    guard isAll else {
      page.add(.paragraph("Nothing here matches."))
      page.add(PageLinks(PageLink("Look it up in the sources", "/find" + Self.query(("q", view.words)))))
      return page
    }
    page.add(.lead("There is nothing here yet."))
    page.add(PageLinks(PageLink("Find something to add", "/find"), PageLink("Enter it by hand", "/find#by-hand")))
    return page
  }

  private func chips(_ view: ShelfView, _ counts: [Int]) -> [PageLink] {
    let terms = Self.chips.map(\.term)
    let all = PageLink("All", "/", count: view.words.isEmpty ? counts.first : nil, isCurrent: view.words.isEmpty)
    return [all]
      + zip(Self.chips, counts.dropFirst()).compactMap { chip, count in
        let (address, isThere) = view.toggling(chip.term, among: terms)
        return count > 0 || isThere ? PageLink(chip.words, address, count: count, isCurrent: isThere) : nil
      }
  }

  /// The number of items on the shelf, and those behind each chip. It is counted again when the file has changed.
  private func counts(_ query: Query, _ words: String, in store: Store) throws -> [Int] {
    let version = try store.version()
    if chipCounts.version != version || chipCounts.day != context.day || chipCounts.known.count >= 100 {
      chipCounts = (version, context.day, [:])
    }
    if let known = chipCounts.known[words] { return known }
    let counts = try store.counts(query, with: Self.chips.map { try context.query(line: $0.term, in: store) })
    chipCounts.known[words] = counts
    return counts
  }

  /// The other pages of a listing: the first, those near by and the last.
  private static func pages(of count: Int, _ view: ShelfView) -> [PageLink] {
    let last = (count + pageSize - 1) / pageSize
    guard last > 1 else { return [] }
    var links = (1...last).filter { [1, last].contains($0) || abs($0 - view.page) <= 2 }.map {
      PageLink(Message(verbatim: "\($0)"), view.address(page: $0), isCurrent: $0 == view.page)
    }
    if view.page > 1 { links.insert(PageLink("‹ Back", view.address(page: view.page - 1)), at: 0) }
    if view.page < last { links.append(PageLink("Next ›", view.address(page: view.page + 1))) }
    return links
  }

  /// The query part of an address, with its question mark; without the fields that have no value.
  static func query(_ fields: (String, String?)...) -> String {
    var form = WebForm()
    for (name, value) in fields where value?.isEmpty == false { form.add(name, value) }
    return form.fields.isEmpty ? "" : "?\(form.text)"
  }

  /// The address of the items that a query selects.
  static func address(of query: String) -> String { "/" + Self.query(("q", query)) }

  // MARK: Tiles

  func tiles(
    _ query: Query, order: [ListingOrder] = [], limit: Int? = nil, offset: Int = 0, _ visit: Visit
  ) throws -> [Tile] {
    var tiles: [Tile] = []
    try store().list(query, fields: Tile.fields, order: order, limit: limit, offset: offset) { row in
      func shown(_ place: Int) -> String {
        Tile.fields[place].shown(row, place, in: visit.language, at: context.localTime)
      }
      let id = ItemID(rawValue: row.integer(0))
      let genres = shown(5)
      let face = CoverFace(
        kind: Kind(rawValue: row.text(1)) ?? .movie, title: row.text(2), makers: shown(3),
        genre: String(genres.prefix { $0 != "," }))
      tiles.append(
        Tile(
          item: id, face: face, year: shown(4), stars: shown(6), isFavorite: !shown(7).isEmpty,
          borrower: Tile.fields.count > 8 ? shown(8) : "", genres: genres))
      return true
    }
    let covers = try covers(of: tiles.map(\.item), .small)
    for place in tiles.indices { tiles[place].face.picture = covers[tiles[place].item] }
    return tiles
  }

  /// The tiles of some items, in this order.
  func tiles(of items: [ItemID], _ visit: Visit) throws -> [Tile] {
    guard !items.isEmpty else { return [] }
    let asked = items.prefix(500)
    let query = try context.query(line: "id:" + asked.map { "\($0)" }.joined(separator: ","), in: store())
    let found = try tiles(query, visit)
    return asked.compactMap { id in found.first { $0.item == id } }
  }
}
