public import CatalogModel
internal import SQLite

/// Who gives an item a value.
public enum Origin: Sendable, Hashable {
  /// A person. What they typed is theirs: no source replaces it.
  case hand
  /// A source, by its id.
  case source(String)

  /// As it stands in the file: `hand`, `tmdb`.
  public var name: String {
    switch self {
    case .hand: "hand"
    case .source(let id): id
    }
  }

  init(name: String) { self = name == Self.hand.name ? .hand : .source(name) }
}

/// Where the value of a field is from.
public struct FieldOrigin: Sendable, Hashable {
  public var origin: Origin
  /// When it came; nil where nobody noted that.
  public var since: Timestamp?
  /// Whether no source replaces it.
  public var isLocked: Bool
}

extension Store {
  /// Where the values of an item are from. A field is in it that has a value, or that a person has emptied.
  ///
  /// Rows of `field_value` are of what did not come with the item. The rest came with it, from where
  /// ``origin(of:)`` says, and is a person's own when that is a person. Whether genres are locked stands in the item.
  public func origins(of item: Item) throws -> [Field: FieldOrigin] {
    var origins: [Field: FieldOrigin] = [:]
    let (first, draft) = (try origin(of: item), Draft(item))
    for field in Field.told(of: item.record.kind) + [.genres, .cover] where !field.value(of: draft).texts.isEmpty {
      origins[field] = FieldOrigin(origin: first, since: item.createdAt, isLocked: first == .hand)
    }
    // What was fetched for an item by hand is not typed.
    if first == .hand { origins[.cover]?.isLocked = false }
    let rows = try db.all(
      "SELECT field, source, set_at, is_locked FROM field_value WHERE item_id = \(item.id.rawValue)"
    ) { row in
      (
        try row.get("field", as: String.self),
        FieldOrigin(
          origin: Origin(name: try row.get("source")), since: Timestamp(rawValue: try row.get("set_at")),
          isLocked: try row.get("is_locked"))
      )
    }
    for (key, origin) in rows { if let field = Field.named(key), field != .id { origins[field] = origin } }
    if try hasGenresByHand(item.id) {
      let since = item.record.labels.isEmpty && first == .hand ? item.createdAt : nil
      origins[.genres] = FieldOrigin(origin: .hand, since: since, isLocked: true)
    } else {
      origins[.genres]?.isLocked = false
    }
    return origins
  }

  /// Where an item itself is from: the first source whose id it came with, or a person where it came with none. Once it
  /// has got ids of others, its row of the field `id` says so.
  public func origin(of item: Item) throws -> Origin {
    let noted = try db.value(
      "SELECT source FROM field_value WHERE item_id = \(item.id.rawValue) AND field = \(Field.id.key)", as: String.self)
    if let noted { return Origin(name: noted) }
    return item.record.externalIDs.first { $0.source != ExternalID.imdb }.map { .source($0.source) } ?? .hand
  }

  /// Notes who gave a field its value. A person's is locked.
  func note(_ field: Field, of id: ItemID, from origin: Origin, now: Timestamp) throws {
    // What a person chose of genres is a fact of the item.
    if field == .genres, origin == .hand {
      try db.run("DELETE FROM field_value WHERE item_id = \(id.rawValue) AND field = \(field.key)")
      return
    }
    try db.run(
      """
      INSERT INTO field_value (item_id, field, source, set_at, is_locked)
      VALUES (\(id.rawValue), \(field.key), \(origin.name), \(now.rawValue), \(origin == .hand))
      ON CONFLICT (item_id, field) DO UPDATE
      SET source = excluded.source, set_at = excluded.set_at, is_locked = excluded.is_locked
      """)
  }

  /// Notes who gave each field its value that differs between two states of an item.
  func noteDifferences(_ before: Item, _ after: Item, from origin: Origin, now: Timestamp) throws {
    for field in Field.told(of: after.record.kind) where !field.isSame(before.record, after.record) {
      try note(field, of: after.id, from: origin, now: now)
    }
    if before.genres != after.genres { try note(.genres, of: after.id, from: origin, now: now) }
  }

  /// Notes where an item is from, before ids of others are added to it that hide it.
  func noteOrigin(of item: Item) throws {
    let origin = try origin(of: item)
    try db.run(
      """
      INSERT INTO field_value (item_id, field, source, set_at, is_locked)
      VALUES (\(item.id.rawValue), \(Field.id.key), \(origin.name), \(item.createdAt.rawValue), \(origin == .hand))
      ON CONFLICT DO NOTHING
      """)
  }

  /// Gives fields of an item back to its sources, which may change them from now on. Genres become what its labels stand
  /// for.
  /// - Returns: those that were a person's until now.
  /// - Throws: ``CatalogError/noItem(_:)``.
  @discardableResult
  public func giveBack(_ fields: [Field], of id: ItemID) throws -> [Field] {
    try write {
      let item = try item(id)
      let origins = try origins(of: item)
      return try fields.filter { field in
        guard let origin = origins[field], origin.isLocked else { return false }
        if field == .genres {
          guard try labelledGenres(of: id) != nil else { return false }
          try restoreGenres(of: id)
          return true
        }
        try db.run(
          """
          INSERT INTO field_value (item_id, field, source, set_at, is_locked) VALUES (\(id.rawValue), \(field.key),
            \(origin.origin.name), \((origin.since ?? item.createdAt).rawValue), 0)
          ON CONFLICT (item_id, field) DO UPDATE SET is_locked = 0
          """)
        return true
      }
    }
  }

  // MARK: Covers

  /// Keeps a picture that a person chose. No source replaces it.
  /// - Throws: ``CatalogError/noItem(_:)``.
  public func setCoverByHand(_ cover: Cover, of id: ItemID, now: Timestamp) throws {
    try write {
      guard try exists(id) else { throw CatalogError.noItem(id) }
      try setCover(cover, of: id)
      try note(.cover, of: id, from: .hand, now: now)
    }
  }

  /// Takes an item's cover away, whoever chose it.
  /// - Returns: false when it had none.
  /// - Throws: ``CatalogError/noItem(_:)``.
  @discardableResult
  public func removeCover(of id: ItemID) throws -> Bool {
    try write {
      guard try exists(id) else { throw CatalogError.noItem(id) }
      try db.run("DELETE FROM field_value WHERE item_id = \(id.rawValue) AND field = \(Field.cover.key)")
      return try db.run("DELETE FROM cover WHERE item_id = \(id.rawValue)") > 0
    }
  }
}
