public import CatalogModel
internal import SQLite

/// A list of items in an order that the user chose: what to watch next, what to take along.
public struct Pile: Sendable, Hashable {
  public var name: String
  /// The number of items on the pile.
  public var items: Int

  public init(_ name: String, items: Int) { (self.name, self.items) = (name, items) }
}

public enum PilePlace: Sendable, Hashable {
  /// A number from 1. A number beyond the end means the last place.
  case number(Int)
  case last
}

// Names are equal by ``Folding/nameKey(_:)``. Places are 1, 2, 3, … without gaps.
extension Store {
  /// All piles, in alphabetical order.
  public func piles() throws -> [Pile] { try piles("true") }

  /// - Throws: ``CatalogError/noPile(_:)``.
  public func pile(named name: String) throws -> Pile {
    guard let pile = try piles("pile.key = \(Folding.nameKey(name))").first else { throw CatalogError.noPile(name) }
    return pile
  }

  private func piles(_ condition: SQL) throws -> [Pile] {
    try db.all(
      """
      SELECT name, (SELECT count(*) FROM pile_item WHERE pile_id = pile.id) AS items FROM pile WHERE \(condition)
      ORDER BY key
      """
    ) { Pile(try $0.get("name"), items: try $0.get("items")) }
  }

  /// The items on a pile, in order.
  /// - Throws: ``CatalogError/noPile(_:)``.
  public func items(onPile name: String) throws -> [ItemID] {
    _ = try pile(named: name)
    return try db.values(
      """
      SELECT item_id FROM pile_item JOIN pile ON pile.id = pile_id WHERE key = \(Folding.nameKey(name))
      ORDER BY position, item_id
      """, as: Int64.self
    ).map(ItemID.init)
  }

  /// Appends items to a pile in one transaction. A new name creates a pile. Items already on the pile keep their
  /// places.
  /// - Returns: the pile, and the added items.
  /// - Throws: ``CatalogError/emptyName``, ``CatalogError/noItem(_:)``.
  @discardableResult
  public func addToPile(_ name: String, _ items: [ItemID]) throws -> (pile: Pile, new: [ItemID]) {
    let name = try Self.checkName(name)
    return try write {
      let key = Folding.nameKey(name)
      try db.run("INSERT INTO pile (name, key) VALUES (\(name), \(key)) ON CONFLICT (key) DO NOTHING")
      let new = try items.withoutRepeats.filter { item in
        guard try exists(item) else { throw CatalogError.noItem(item) }
        return try db.run(
          """
          INSERT INTO pile_item (pile_id, item_id, position)
          SELECT id, \(item.rawValue), (SELECT coalesce(max(position), 0) + 1 FROM pile_item WHERE pile_id = pile.id)
          FROM pile WHERE key = \(key) ON CONFLICT DO NOTHING
          """) > 0
      }
      return (try pile(named: name), new)
    }
  }

  /// Moves an item on a pile to another place and closes the gap.
  /// - Returns: the new place, from 1.
  /// - Throws: ``CatalogError/noPile(_:)``, ``CatalogError/notOnPile(_:_:)``.
  @discardableResult
  public func move(_ item: ItemID, onPile name: String, to place: PilePlace) throws -> Int {
    try write {
      let pile = try pile(named: name)
      var items = try items(onPile: name)
      guard let old = items.firstIndex(of: item) else { throw CatalogError.notOnPile(item, pile.name) }
      items.remove(at: old)
      let new =
        switch place {
        case .number(let number): min(max(number, 1) - 1, items.count)
        case .last: items.count
        }
      items.insert(item, at: new)
      // Only the items between the two places move.
      let between = min(old, new)...max(old, new)
      for (place, item) in zip(between, items[between]) {
        try db.run(
          """
          UPDATE pile_item SET position = \(place + 1)
          WHERE item_id = \(item.rawValue) AND pile_id = (SELECT id FROM pile WHERE key = \(Folding.nameKey(name)))
          """)
      }
      return new + 1
    }
  }

  /// Removes items from a pile and closes the gaps. The pile itself stays.
  /// - Returns: the pile, and the removed items.
  /// - Throws: ``CatalogError/noPile(_:)``.
  @discardableResult
  public func removeFromPile(_ name: String, _ items: [ItemID]) throws -> (pile: Pile, gone: [ItemID]) {
    try write {
      _ = try pile(named: name)
      let gone = try items.withoutRepeats.filter { item in
        try db.run(
          """
          DELETE FROM pile_item
          WHERE item_id = \(item.rawValue) AND pile_id = (SELECT id FROM pile WHERE key = \(Folding.nameKey(name)))
          """) > 0
      }
      return (try pile(named: name), gone)
    }
  }

  /// Removes a pile. Its items stay in the catalog.
  /// - Returns: the pile before its removal.
  /// - Throws: ``CatalogError/noPile(_:)``.
  @discardableResult
  public func removePile(_ name: String) throws -> Pile {
    try write {
      let pile = try pile(named: name)
      let key = Folding.nameKey(name)
      // Starting at the last place, so that no other item moves and undo and redo take the same steps.
      let items: [Int64] = try db.values(
        """
        SELECT item_id FROM pile_item WHERE pile_id = (SELECT id FROM pile WHERE key = \(key)) ORDER BY position DESC
        """)
      for item in items {
        try db.run(
          "DELETE FROM pile_item WHERE item_id = \(item) AND pile_id = (SELECT id FROM pile WHERE key = \(key))")
      }
      try db.run("DELETE FROM pile WHERE key = \(key)")
      return pile
    }
  }
}
