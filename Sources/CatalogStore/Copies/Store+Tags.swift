public import CatalogModel
internal import SQLite

/// A word that the user has put on items.
public struct Tag: Sendable, Hashable {
  public var name: String
  /// The number of items with the tag.
  public var items: Int

  public init(_ name: String, items: Int) { (self.name, self.items) = (name, items) }
}

/// The result of renaming a tag.
public struct TagRenaming: Sendable, Hashable {
  public var before: Tag
  /// The renamed tag, or the tag with which it was merged.
  public var after: Tag
  /// The saved queries that asked for the old name, and now ask for the new one.
  public var queries: [SavedQuery]
}

// Names are equal by ``Folding/nameKey(_:)``. A tag without items does not exist, even if its row is left.
extension Store {
  /// All tags, in alphabetical order.
  public func tags() throws -> [Tag] { try tags("true") }

  /// - Throws: ``CatalogError/noTag(_:)``.
  public func tag(named name: String) throws -> Tag {
    guard let tag = try tags("tag.key = \(Folding.nameKey(name))").first else { throw CatalogError.noTag(name) }
    return tag
  }

  private func tags(_ condition: SQL) throws -> [Tag] {
    try db.all(
      """
      SELECT tag.name, count(*) AS items FROM tag JOIN item_tag ON item_tag.tag_id = tag.id WHERE \(condition)
      GROUP BY tag.id ORDER BY tag.key
      """
    ) { Tag(try $0.get("name"), items: try $0.get("items")) }
  }

  /// Adds a tag to items in one transaction. A new name creates a tag.
  /// - Returns: the tag, and the items that did not have it.
  /// - Throws: ``CatalogError/emptyName``, ``CatalogError/noItem(_:)``.
  @discardableResult
  public func addTag(_ name: String, to items: [ItemID]) throws -> (tag: Tag, new: [ItemID]) {
    let name = try Self.checkName(name)
    return try write {
      let new = try items.withoutRepeats.filter { item in
        guard try exists(item) else { throw CatalogError.noItem(item) }
        return try put(name, on: item)
      }
      return (try tag(named: name), new)
    }
  }

  /// Adds a tag to an existing item. Call it inside a write.
  /// - Returns: false if the item has it already.
  func put(_ tag: String, on item: ItemID) throws -> Bool {
    let key = Folding.nameKey(tag)
    try db.run("INSERT INTO tag (name, key) VALUES (\(tag), \(key)) ON CONFLICT (key) DO NOTHING")
    return try db.run(
      """
      INSERT INTO item_tag (item_id, tag_id) SELECT \(item.rawValue), id FROM tag WHERE key = \(key)
      ON CONFLICT DO NOTHING
      """) > 0
  }

  /// Removes a tag from items.
  /// - Returns: its name, and the items that had it.
  /// - Throws: ``CatalogError/noTag(_:)``.
  @discardableResult
  public func removeTag(_ name: String, from items: [ItemID]) throws -> (name: String, items: [ItemID]) {
    try write {
      let tag = try tag(named: name)
      let key = Folding.nameKey(name)
      let taken = try items.withoutRepeats.filter { item in
        try db.run(
          """
          DELETE FROM item_tag WHERE item_id = \(item.rawValue) AND tag_id = (SELECT id FROM tag WHERE key = \(key))
          """) > 0
      }
      try forgetUnusedTags()
      return (tag.name, taken)
    }
  }

  /// Renames a tag. If the new name is that of another tag, the two are merged.
  /// - Parameter joins: whether merging is allowed.
  /// - Throws: ``CatalogError/noTag(_:)``, ``CatalogError/emptyName``, ``CatalogError/tagExists(_:)``.
  @discardableResult
  public func renameTag(_ name: String, to other: String, joins: Bool = false) throws -> TagRenaming {
    let other = try Self.checkName(other)
    return try write {
      let before = try tag(named: name)
      let (key, otherKey) = (Folding.nameKey(name), Folding.nameKey(other))
      try forgetUnusedTags()
      if key == otherKey {
        try db.run("UPDATE tag SET name = \(other) WHERE key = \(key)")
      } else if let known = try? tag(named: other) {
        guard joins else { throw CatalogError.tagExists(known.name) }
        try db.run(
          """
          INSERT INTO item_tag (item_id, tag_id)
          SELECT item_id, (SELECT id FROM tag WHERE key = \(otherKey)) FROM item_tag
          WHERE tag_id = (SELECT id FROM tag WHERE key = \(key)) ON CONFLICT DO NOTHING
          """)
        try db.run("DELETE FROM item_tag WHERE tag_id = (SELECT id FROM tag WHERE key = \(key))")
        try forgetUnusedTags()
      } else {
        try db.run("UPDATE tag SET name = \(other), key = \(otherKey) WHERE key = \(key)")
      }
      let queries = key == otherKey ? [] : try renameInQueries(.tags, name, to: other)
      return TagRenaming(before: before, after: try tag(named: other), queries: queries)
    }
  }

  /// Adds the new tags to an item, and removes those that are no longer listed.
  /// - Throws: ``CatalogError/emptyName``.
  func changeTags(of item: ItemID, from old: [String], to new: [String]) throws {
    func names(_ names: [String], without others: [String]) -> [String] {
      let keys = Set(others.map(Folding.nameKey))
      return names.filter { !keys.contains(Folding.nameKey($0)) }
    }
    for name in names(new, without: old) { try addTag(name, to: [item]) }
    for name in names(old, without: new) { try removeTag(name, from: [item]) }
  }

  // No trigger does this: it would interfere with an undo, which restores rows one by one.
  private func forgetUnusedTags() throws {
    try db.run("DELETE FROM tag WHERE NOT EXISTS (SELECT 1 FROM item_tag WHERE item_tag.tag_id = tag.id)")
  }

  /// The maximum number of characters in a name.
  public static let longestName = 200

  /// Returns the name of a tag, pile, saved query or borrower in its stored form.
  /// - Throws: ``CatalogError/emptyName``, ``CatalogError/nameTooLong(_:)``.
  public static func checkName(_ name: String) throws -> String {
    guard let name = Text.line(name) else { throw CatalogError.emptyName }
    let length = name.unicodeScalars.count
    guard length <= longestName else { throw CatalogError.nameTooLong(length) }
    return name
  }
}
