public import CatalogModel
internal import SQLite

/// How many items there are of each kind.
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

/// One page of a shelf.
public struct ShelfPage: Sendable, Hashable {
  /// Items on a page: three rows of three.
  public static let size = 9

  /// From 1.
  public var number: Int
  /// At least 1: an empty shelf has one empty page.
  public var pages: Int
  public var items: [ItemID]
}

extension Store {
  public func shelfCounts() throws -> ShelfCounts {
    func count(_ kind: Kind) throws -> Int {
      try db.value("SELECT count(*) FROM item WHERE kind = \(kind.rawValue)") ?? 0
    }
    return ShelfCounts(movies: try count(.movie), books: try count(.book), vinyl: try count(.vinyl))
  }

  /// A page of a kind's shelf, the newest addition first.
  /// - Throws: ``CatalogError/noShelfPage(_:of:)`` outside 1 … pages.
  public func shelfPage(_ kind: Kind, number: Int) throws -> ShelfPage {
    let count = try db.value("SELECT count(*) FROM item WHERE kind = \(kind.rawValue)", as: Int.self) ?? 0
    let pages = max(1, (count + ShelfPage.size - 1) / ShelfPage.size)
    guard (1...pages).contains(number) else { throw CatalogError.noShelfPage(number, of: pages) }
    let items = try db.values(
      """
      SELECT id FROM item WHERE kind = \(kind.rawValue) ORDER BY id DESC LIMIT \(ShelfPage.size)
      OFFSET \((number - 1) * ShelfPage.size)
      """, as: Int64.self)
    return ShelfPage(number: number, pages: pages, items: items.map(ItemID.init))
  }
}
