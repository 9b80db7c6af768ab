public import CatalogModel
internal import SQLite

/// The number of items of each kind.
public struct ShelfCounts: Sendable, Hashable {
  public var movies: Int
  public var books: Int
  public var vinyl: Int
  public var total: Int { movies + books + vinyl }

  public subscript(_ kind: Kind) -> Int {
    switch kind {
    case .movie: movies
    case .book: books
    default: kind == .vinyl ? vinyl : 0
    }
  }
}

public struct ShelfPage: Sendable, Hashable {
  /// The number of items on a page: three rows of three.
  public static let size = 9

  /// The number of the page, from 1.
  public var number: Int
  /// The number of items on the whole shelf.
  public var count: Int
  public var items: [ItemID]

  /// The number of pages, at least 1: an empty shelf has one empty page.
  public var pages: Int { Self.pages(of: count) }

  fileprivate static func pages(of count: Int) -> Int { max(1, (count + size - 1) / size) }
}

extension Store {
  public func shelfCounts() throws -> ShelfCounts {
    ShelfCounts(movies: try shelfCount(.movie), books: try shelfCount(.book), vinyl: try shelfCount(.vinyl))
  }

  /// The numbers of items that were finished in a year according to the diary, each item once. The indexed column `day`
  /// is the end date of an entry that has one.
  public func livedCounts(in year: String) throws -> ShelfCounts {
    var counts = ShelfCounts(movies: 0, books: 0, vinyl: 0)
    try db.forEach(
      """
      SELECT item.kind, count(DISTINCT item.id) FROM event JOIN item ON item.id = event.item_id
      WHERE outcome = 'done' AND ended_on NOT NULL AND day BETWEEN \(year) AND \(year + "~") GROUP BY item.kind
      """
    ) { row in
      switch row.text(0) {
      case "movie": counts.movies = Int(row.integer(1))
      case "book": counts.books = Int(row.integer(1))
      default: counts.vinyl = Int(row.integer(1))
      }
      return true
    }
    return counts
  }

  /// Returns a page of the matching items, newest first unless an order is given.
  /// - Throws: ``CatalogError/noShelfPage(_:of:)`` if the number is not in 1 … pages.
  public func shelfPage(_ query: Query, number: Int, order: [ListingOrder] = []) throws -> ShelfPage {
    try read {
      let count = try count(query, and: onShelf(query))
      let pages = ShelfPage.pages(of: count)
      guard (1...pages).contains(number) else { throw CatalogError.noShelfPage(number, of: pages) }
      return try shelfPage(query, number, count, order)
    }
  }

  /// Returns the page with this number, or the nearest one if it does not exist.
  public func shelfPage(_ query: Query, nearest number: Int, order: [ListingOrder] = []) throws -> ShelfPage {
    try read {
      let count = try count(query, and: onShelf(query))
      return try shelfPage(query, min(max(1, number), ShelfPage.pages(of: count)), count, order)
    }
  }

  private func shelfPage(
    _ query: Query, _ number: Int, _ count: Int, _ order: [ListingOrder]
  ) throws -> ShelfPage {
    let items = try ids(
      query, order: order.isEmpty ? [ListingOrder(.added, isDescending: true)] : order, limit: ShelfPage.size,
      offset: (number - 1) * ShelfPage.size, and: onShelf(query))
    return ShelfPage(number: number, count: count, items: items)
  }

  /// The condition that leaves out mere wishes; nil when the query asks about wishes.
  func onShelf(_ query: Query) -> SQL? { query.asksForWishes ? nil : Self.isNoMereWish }

  private func shelfCount(_ kind: Kind) throws -> Int {
    try db.value("SELECT count(*) FROM item WHERE kind = \(kind.rawValue) AND \(Self.isNoMereWish)") ?? 0
  }
}
