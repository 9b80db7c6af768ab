public import CatalogModel
internal import SQLite

extension Store {
  /// The vinyl record that represents its owner.
  public func representative() throws -> ItemID? {
    try db.value("SELECT item_id FROM representative", as: Int64.self).map(ItemID.init)
  }

  /// Sets the record that represents its owner; nil removes it.
  /// - Throws: ``CatalogError/noItem(_:)``, ``CatalogError/notRecord(_:)``.
  public func represent(by item: ItemID?) throws {
    try write {
      guard let item else { return _ = try db.run("DELETE FROM representative") }
      guard try exists(item) else { throw CatalogError.noItem(item) }
      guard try db.value("SELECT 1 FROM vinyl WHERE item_id = \(item.rawValue)", as: Int.self) != nil else {
        throw CatalogError.notRecord(item)
      }
      try db.run(
        """
        INSERT INTO representative (only, item_id) VALUES (1, \(item.rawValue))
        ON CONFLICT DO UPDATE SET item_id = excluded.item_id
        """)
    }
  }
}
