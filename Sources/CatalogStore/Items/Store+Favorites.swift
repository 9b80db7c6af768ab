public import CatalogModel
internal import SQLite

extension Store {
  /// Makes the item a favorite. One that is a favorite already keeps its time and its place.
  /// - Returns: whether it is new among the favorites.
  /// - Throws: ``CatalogError/noItem(_:)``.
  @discardableResult
  public func favorite(_ id: ItemID, now: Timestamp) throws -> Bool {
    try write {
      guard try exists(id) else { throw CatalogError.noItem(id) }
      // Its place with its time: so undo gives both back at once.
      return try db.run(
        """
        INSERT INTO favorite (item_id, added_at, sequence)
        VALUES (\(id.rawValue), \(now.rawValue), (SELECT coalesce(max(sequence), 0) + 1 FROM favorite))
        ON CONFLICT (item_id) DO NOTHING
        """) > 0
    }
  }

  /// Takes these from the favorites, all or none of them. What is none any more by then is passed over.
  /// - Returns: those that were favorites until now.
  @discardableResult
  public func unfavorite(_ ids: [ItemID]) throws -> [ItemID] {
    try write { try ids.filter { try db.run("DELETE FROM favorite WHERE item_id = \($0.rawValue)") > 0 } }
  }

  /// The favorites, newest first: in the order in which they were made, within one second too.
  public func favorites() throws -> [ItemID] {
    try db.values("SELECT item_id FROM favorite ORDER BY added_at DESC, sequence DESC", as: Int64.self).map(ItemID.init)
  }
}
