public import CatalogModel
internal import SQLite

extension Store {
  /// Makes the item a favorite; when it is one, only its time changes.
  /// - Returns: whether it is new among the favorites.
  /// - Throws: ``CatalogError/noItem(_:)``.
  @discardableResult
  public func favorite(_ id: ItemID, now: Timestamp) throws -> Bool {
    try write {
      guard try exists(id) else { throw CatalogError.noItem(id) }
      let isNew = try db.value("SELECT 1 FROM favorite WHERE item_id = \(id.rawValue)", as: Int.self) == nil
      try db.run(
        """
        INSERT INTO favorite (item_id, added_at) VALUES (\(id.rawValue), \(now.rawValue))
        ON CONFLICT (item_id) DO UPDATE SET added_at = excluded.added_at
        """)
      return isNew
    }
  }

  /// - Returns: whether it was a favorite.
  /// - Throws: ``CatalogError/noItem(_:)``.
  @discardableResult
  public func unfavorite(_ id: ItemID) throws -> Bool {
    try write {
      guard try exists(id) else { throw CatalogError.noItem(id) }
      return try db.run("DELETE FROM favorite WHERE item_id = \(id.rawValue)") > 0
    }
  }

  /// The favorites, newest first.
  public func favorites() throws -> [ItemID] {
    try db.values("SELECT item_id FROM favorite ORDER BY added_at DESC, item_id DESC", as: Int64.self).map(ItemID.init)
  }
}
