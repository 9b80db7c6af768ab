internal import CatalogModel
internal import SQLite

/// Finds items by ids of sources and by ISBN. Statements are prepared once.
final class ItemFinder {
  private let db: Connection
  private var byID: PreparedStatement?
  private var byISBN: PreparedStatement?

  init(_ db: Connection) { self.db = db }

  /// The item with an id or the ISBN of the record.
  func itemID(of record: Record) throws -> ItemID? {
    try itemID(of: record.externalIDs, isbn: record.book.isbn?.digits13)
  }

  /// The items that share an id or ISBN, each with what that code identifies. Several items may have one ISBN.
  func items(sharing keys: WorkIdentity) throws -> [(id: ItemID, code: WorkIdentity.Comparison.Code)] {
    var found: [(id: ItemID, code: WorkIdentity.Comparison.Code)] = []
    for id in keys.externalIDs {
      if let item = try itemID(of: id) { found.append((item, id.namesWork ? .work : .edition)) }
    }
    if let isbn = keys.isbn, try itemID(ofISBN: isbn) != nil {
      let items = try db.values("SELECT item_id FROM book WHERE isbn13 = \(isbn) ORDER BY item_id", as: Int64.self)
      found += items.map { (ItemID(rawValue: $0), .edition) }
    }
    return found
  }

  private func itemID(of ids: [ExternalID], isbn: String?) throws -> ItemID? {
    for id in ids {
      if let item = try itemID(of: id) { return item }
    }
    return try isbn.flatMap { try itemID(ofISBN: $0) }
  }

  func itemID(of external: ExternalID) throws -> ItemID? {
    let statement = try byID ?? db.prepare("SELECT item_id FROM external_id WHERE source = ? AND value = ?")
    byID = statement
    return try statement.integer([.text(external.source), .text(external.value)]).map(ItemID.init)
  }

  func itemID(of isbn: ISBN) throws -> ItemID? { try itemID(ofISBN: isbn.digits13) }

  private func itemID(ofISBN digits: String) throws -> ItemID? {
    let statement = try byISBN ?? db.prepare("SELECT item_id FROM book WHERE isbn13 = ? ORDER BY item_id")
    byISBN = statement
    return try statement.integer([.text(digits)]).map(ItemID.init)
  }
}
