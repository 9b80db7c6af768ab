public import CatalogModel
internal import SQLite

extension Store {
  /// Makes the item a favorite. An existing favorite keeps its time and place.
  /// - Returns: whether it is a new favorite.
  /// - Throws: ``CatalogError/noItem(_:)``.
  @discardableResult
  public func favorite(_ id: ItemID, now: Timestamp) throws -> Bool {
    try write {
      guard try exists(id) else { throw CatalogError.noItem(id) }
      // The place is stored with the time, so undo restores both.
      return try db.run(
        """
        INSERT INTO favorite (item_id, added_at, sequence)
        VALUES (\(id.rawValue), \(now.rawValue), (SELECT coalesce(max(sequence), 0) + 1 FROM favorite))
        ON CONFLICT (item_id) DO NOTHING
        """) > 0
    }
  }

  /// Removes items from the favorites in one transaction. Skips those that are no favorites.
  /// - Returns: the items that were favorites.
  @discardableResult
  public func unfavorite(_ ids: [ItemID]) throws -> [ItemID] {
    try write { try ids.filter { try db.run("DELETE FROM favorite WHERE item_id = \($0.rawValue)") > 0 } }
  }

  /// The favorites, newest first, even within one second.
  public func favorites() throws -> [ItemID] {
    try db.values("SELECT item_id FROM favorite ORDER BY added_at DESC, sequence DESC", as: Int64.self).map(ItemID.init)
  }
}
