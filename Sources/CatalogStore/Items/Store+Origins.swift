public import CatalogModel
internal import SQLite

public enum Origin: Sendable, Hashable {
  /// The user. No source replaces such a value.
  case hand
  /// A source, by its id.
  case source(String)

  /// The name in the file: `hand`, `tmdb`.
  public var name: String {
    switch self {
    case .hand: "hand"
    case .source(let id): id
    }
  }

  init(name: String) { self = name == Self.hand.name ? .hand : .source(name) }
}

/// The origin of a field's value.
public struct FieldOrigin: Sendable, Hashable {
  public var origin: Origin
  /// The time when the value was set; nil if it is unknown.
  public var since: Timestamp?
  /// Whether sources must not replace it.
  public var isLocked: Bool
}

extension Store {
  /// Returns the origins of all fields that have a value or that the user has emptied.
  ///
  /// A row of `field_value` exists for each value set after the item was added. All other values have the item's own
  /// origin (``origin(of:)``), and are locked if that is the user. The item stores whether its genres are locked.
  public func origins(of item: Item) throws -> [Field: FieldOrigin] {
    var origins: [Field: FieldOrigin] = [:]
    let (first, draft) = (try origin(of: item), Draft(item))
    for field in Field.refreshableFields(of: item.record.kind) + [.genres, .cover]
    where !field.value(of: draft).texts.isEmpty {
      origins[field] = FieldOrigin(origin: first, since: item.createdAt, isLocked: first == .hand)
    }
    // A cover that was fetched for an item is not the user's, and a code in place of a title is no title.
    if first == .hand { origins[.cover]?.isLocked = false }
    if item.record.isTitledByCode { origins[.title]?.isLocked = false }
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
    for (key, origin) in rows { if let field = Field.kept(key), field != .id { origins[field] = origin } }
    if try hasGenresByHand(item.id) {
      let since = item.record.labels.isEmpty && first == .hand ? item.createdAt : nil
      origins[.genres] = FieldOrigin(origin: .hand, since: since, isLocked: true)
    } else {
      origins[.genres]?.isLocked = false
    }
    return origins
  }

  /// The origin of an item: the source of its first id, or the user if it was added without one. Once ids are added
  /// later, its `field_value` row for `id` stores it.
  public func origin(of item: Item) throws -> Origin {
    let noted = try db.value(
      "SELECT source FROM field_value WHERE item_id = \(item.id.rawValue) AND field = \(Field.id.key)", as: String.self)
    if let noted { return Origin(name: noted) }
    return item.record.externalIDs.first { $0.source != ExternalID.imdb }.map { .source($0.source) } ?? .hand
  }

  /// Records the origin of a field's value. A value of the user is locked.
  func note(_ field: Field, of id: ItemID, from origin: Origin, now: Timestamp) throws {
    // The item stores whether the user chose its genres.
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

  /// Records the origin of each field that differs between two states of an item.
  func noteDifferences(_ before: Item, _ after: Item, from origin: Origin, now: Timestamp) throws {
    for field in Field.refreshableFields(of: after.record.kind) where !field.isSame(before.record, after.record) {
      try note(field, of: after.id, from: origin, now: now)
    }
    if before.genres != after.genres { try note(.genres, of: after.id, from: origin, now: now) }
  }

  /// Records the origin of an item before ids are added that would hide it.
  func noteOrigin(of item: Item) throws {
    let origin = try origin(of: item)
    try db.run(
      """
      INSERT INTO field_value (item_id, field, source, set_at, is_locked)
      VALUES (\(item.id.rawValue), \(Field.id.key), \(origin.name), \(item.createdAt.rawValue), \(origin == .hand))
      ON CONFLICT DO NOTHING
      """)
  }

  /// Unlocks fields of an item, so that sources may change them. Genres become those of its labels.
  /// - Returns: the fields that were locked.
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

  /// Sets a cover that the user chose. No source replaces it.
  /// - Throws: ``CatalogError/noItem(_:)``.
  public func setCoverByHand(_ cover: Cover, of id: ItemID, now: Timestamp) throws {
    try write {
      guard try exists(id) else { throw CatalogError.noItem(id) }
      try setCover(cover, of: id)
      try note(.cover, of: id, from: .hand, now: now)
    }
  }

  /// Removes the cover of an item, even if the user chose it.
  /// - Returns: false if it had none.
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
