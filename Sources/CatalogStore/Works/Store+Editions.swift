public import CatalogModel
internal import SQLite

extension Store {
  /// The other editions of an item's work, by their numbers.
  public func editions(of id: ItemID) throws -> [ItemID] {
    let work = try work(of: id).rawValue
    return try db.values(
      """
      SELECT id FROM (SELECT \(work) AS id UNION SELECT item_id FROM edition_of WHERE work_id = \(work))
      WHERE id <> \(id.rawValue) ORDER BY id
      """, as: Int64.self
    ).map(ItemID.init)
  }

  /// Links items as editions of one work, each with all its existing editions. The work is that of the first.
  /// - Returns: the newly linked items, without the first.
  /// - Throws: ``CatalogError/noItem(_:)``, ``CatalogError/sameItem(_:)`` for a repeated item,
  ///   ``CatalogError/otherKind(_:_:)``; then nothing is changed.
  public func joinEditions(_ ids: [ItemID]) throws -> [ItemID] {
    guard let first = ids.first else { return [] }
    return try write {
      for (place, id) in ids.enumerated() {
        try checkPair(first, id)
        if ids[..<place].contains(id) { throw CatalogError.sameItem(id) }
      }
      return try ids.dropFirst().filter { try addEdition($0, to: first) }
    }
  }

  /// Makes each of these items a work of its own. The others remain editions of each other.
  /// - Returns: the items that were editions of another.
  /// - Throws: ``CatalogError/noItem(_:)``; then nothing is changed.
  public func partEditions(_ ids: [ItemID]) throws -> [ItemID] {
    try write {
      for id in ids where try !exists(id) { throw CatalogError.noItem(id) }
      return try ids.filter(part)
    }
  }

  /// Checks that both items exist and are of one kind.
  /// - Throws: ``CatalogError/noItem(_:)``, ``CatalogError/otherKind(_:_:)``.
  func checkPair(_ one: ItemID, _ other: ItemID) throws {
    func kind(_ id: ItemID) throws -> Kind {
      let kind = try db.value("SELECT kind FROM item WHERE id = \(id.rawValue)").flatMap(Kind.init(rawValue:))
      guard let kind else { throw CatalogError.noItem(id) }
      return kind
    }
    if try kind(one) != kind(other) { throw CatalogError.otherKind(one, other) }
  }

  /// Links an item and its editions to the work of another. Call it inside a write.
  /// - Returns: false if they were linked.
  @discardableResult
  func addEdition(_ id: ItemID, to other: ItemID) throws -> Bool {
    let (old, new) = (try work(of: id).rawValue, try work(of: other).rawValue)
    guard old != new else { return false }
    try db.run("UPDATE edition_of SET work_id = \(new) WHERE work_id = \(old)")
    try db.run("INSERT INTO edition_of (item_id, work_id) VALUES (\(old), \(new))")
    return true
  }

  /// Makes an item a work of its own. Call it inside a write.
  /// - Returns: false if it was one.
  @discardableResult
  func part(_ id: ItemID) throws -> Bool {
    let raw = id.rawValue
    if try db.run("DELETE FROM edition_of WHERE item_id = \(raw)") > 0 { return true }
    // The first of its editions becomes the work of the others.
    guard let heir = try db.value("SELECT min(item_id) FROM edition_of WHERE work_id = \(raw)", as: Int64.self) else {
      return false
    }
    try db.run("UPDATE edition_of SET work_id = \(heir) WHERE work_id = \(raw) AND item_id <> \(heir)")
    try db.run("DELETE FROM edition_of WHERE item_id = \(heir)")
    return true
  }

  /// The work of an item: itself or another item.
  private func work(of id: ItemID) throws -> ItemID {
    try db.value("SELECT work_id FROM edition_of WHERE item_id = \(id.rawValue)", as: Int64.self).map(ItemID.init) ?? id
  }
}
