public import CatalogModel
internal import SQLite

/// An ordered list by hand: what to watch next, what to take along.
public struct Pile: Sendable, Hashable {
  public var name: String
  /// How many items are on it.
  public var items: Int

  public init(_ name: String, items: Int) { (self.name, self.items) = (name, items) }
}

/// A place on a pile.
public enum PilePlace: Sendable, Hashable {
  /// From 1, the first; beyond the end is the last.
  case number(Int)
  case last
}

// Names are one without case, accents and hyphens, and places are 1, 2, 3, … without gaps.
extension Store {
  /// All piles, in alphabetical order.
  public func piles() throws -> [Pile] { try piles("true") }

  /// - Throws: ``CatalogError/noPile(_:)``.
  public func pile(named name: String) throws -> Pile {
    guard let pile = try piles("pile.key = \(Folding.labelKey(name))").first else { throw CatalogError.noPile(name) }
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

  /// What is on a pile, in its order.
  /// - Throws: ``CatalogError/noPile(_:)``.
  public func items(onPile name: String) throws -> [ItemID] {
    _ = try pile(named: name)
    return try db.values(
      """
      SELECT item_id FROM pile_item JOIN pile ON pile.id = pile_id WHERE key = \(Folding.labelKey(name))
      ORDER BY position, item_id
      """, as: Int64.self
    ).map(ItemID.init)
  }

  /// Puts items at the end of a pile, all or none, in their order. A name that nobody knows is a new pile. What is on it
  /// already stays where it is.
  /// - Returns: the pile, and those that are new on it.
  /// - Throws: ``CatalogError/emptyName``, ``CatalogError/noItem(_:)``.
  @discardableResult
  public func addToPile(_ name: String, _ items: [ItemID]) throws -> (pile: Pile, new: [ItemID]) {
    let name = try Self.checkName(name)
    return try write {
      let key = Folding.labelKey(name)
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

  /// Moves what is on a pile to another place there; the others close up.
  /// - Returns: where it stands now, from 1.
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
      // Only what stands between the two places moves.
      let between = min(old, new)...max(old, new)
      for (place, item) in zip(between, items[between]) {
        try db.run(
          """
          UPDATE pile_item SET position = \(place + 1)
          WHERE item_id = \(item.rawValue) AND pile_id = (SELECT id FROM pile WHERE key = \(Folding.labelKey(name)))
          """)
      }
      return new + 1
    }
  }

  /// Takes items from a pile, which stays; the others close up.
  /// - Returns: the pile, and those that were on it until now.
  /// - Throws: ``CatalogError/noPile(_:)``.
  @discardableResult
  public func removeFromPile(_ name: String, _ items: [ItemID]) throws -> (pile: Pile, gone: [ItemID]) {
    try write {
      _ = try pile(named: name)
      let gone = try items.withoutRepeats.filter { item in
        try db.run(
          """
          DELETE FROM pile_item
          WHERE item_id = \(item.rawValue) AND pile_id = (SELECT id FROM pile WHERE key = \(Folding.labelKey(name)))
          """) > 0
      }
      return (try pile(named: name), gone)
    }
  }

  /// Removes a pile; its items stay where else they are.
  /// - Returns: what it was.
  /// - Throws: ``CatalogError/noPile(_:)``.
  @discardableResult
  public func removePile(_ name: String) throws -> Pile {
    try write {
      let pile = try pile(named: name)
      let key = Folding.labelKey(name)
      // From the last place on, so that no other moves up: what is undone and made again goes the same way.
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
