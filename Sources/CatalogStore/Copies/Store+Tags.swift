public import CatalogModel
internal import SQLite

/// A word of a person's own on some of their items.
public struct Tag: Sendable, Hashable {
  public var name: String
  /// How many items have it.
  public var items: Int

  public init(_ name: String, items: Int) { (self.name, self.items) = (name, items) }
}

/// What became of the name of a tag.
public struct TagRenaming: Sendable, Hashable {
  public var before: Tag
  /// The tag that it is now, or that it has joined.
  public var after: Tag
}

// Names are one without case, accents and hyphens. A tag that nothing has any more is none, whoever left its row behind.
extension Store {
  /// All tags, in alphabetical order.
  public func tags() throws -> [Tag] { try tags("true") }

  /// - Throws: ``CatalogError/noTag(_:)``.
  public func tag(named name: String) throws -> Tag {
    guard let tag = try tags("tag.key = \(Folding.labelKey(name))").first else { throw CatalogError.noTag(name) }
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

  /// Puts a tag on items, all or none. A name that nobody knows is a new tag.
  /// - Returns: the tag, and those that have not had it before.
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

  /// Puts a tag on an item that is there. Inside a write.
  /// - Returns: false when it has it.
  func put(_ tag: String, on item: ItemID) throws -> Bool {
    let key = Folding.labelKey(tag)
    try db.run("INSERT INTO tag (name, key) VALUES (\(tag), \(key)) ON CONFLICT (key) DO NOTHING")
    return try db.run(
      """
      INSERT INTO item_tag (item_id, tag_id) SELECT \(item.rawValue), id FROM tag WHERE key = \(key)
      ON CONFLICT DO NOTHING
      """) > 0
  }

  /// Takes a tag from items.
  /// - Returns: its name, and those that had it until now.
  /// - Throws: ``CatalogError/noTag(_:)``.
  @discardableResult
  public func removeTag(_ name: String, from items: [ItemID]) throws -> (name: String, items: [ItemID]) {
    try write {
      let tag = try tag(named: name)
      let key = Folding.labelKey(name)
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

  /// Gives a tag another name. With the name of another it joins that one.
  /// - Parameter joins: whether it may.
  /// - Throws: ``CatalogError/noTag(_:)``, ``CatalogError/emptyName``, ``CatalogError/tagExists(_:)``.
  @discardableResult
  public func renameTag(_ name: String, to other: String, joins: Bool = false) throws -> TagRenaming {
    let other = try Self.checkName(other)
    return try write {
      let before = try tag(named: name)
      let (key, otherKey) = (Folding.labelKey(name), Folding.labelKey(other))
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
      return TagRenaming(before: before, after: try tag(named: other))
    }
  }

  /// Gives an item the tags that are new among these, and takes those from it that are not among them any more.
  /// - Throws: ``CatalogError/emptyName``.
  func changeTags(of item: ItemID, from old: [String], to new: [String]) throws {
    func names(_ names: [String], without others: [String]) -> [String] {
      let keys = Set(others.map(Folding.labelKey))
      return names.filter { !keys.contains(Folding.labelKey($0)) }
    }
    for name in names(new, without: old) { try addTag(name, to: [item]) }
    for name in names(old, without: new) { try removeTag(name, from: [item]) }
  }

  private func forgetUnusedTags() throws {
    try db.run("DELETE FROM tag WHERE NOT EXISTS (SELECT 1 FROM item_tag WHERE item_tag.tag_id = tag.id)")
  }

  /// At most so many characters are a name.
  public static let longestName = 200

  /// The name of a tag, a pile, a saved query or who borrows, as it is kept.
  /// - Throws: ``CatalogError/emptyName``, ``CatalogError/nameTooLong(_:)``.
  public static func checkName(_ name: String) throws -> String {
    guard let name = Text.line(name) else { throw CatalogError.emptyName }
    let length = name.unicodeScalars.count
    guard length <= longestName else { throw CatalogError.nameTooLong(length) }
    return name
  }
}
