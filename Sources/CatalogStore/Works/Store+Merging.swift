public import CatalogModel
internal import SQLite

extension Store {
  /// Returns the plan of ``merge(_:into:seen:now:)``.
  /// - Throws: ``CatalogError/noItem(_:)``, ``CatalogError/sameItem(_:)``, ``CatalogError/otherKind(_:_:)``.
  public func merging(_ id: ItemID, into other: ItemID) throws -> Merging {
    if id == other { throw CatalogError.sameItem(id) }
    try checkPair(other, id)
    let (kept, gone) = (try item(other), try item(id))
    let filled = try filled(kept, from: gone)
    let fields = Field.all.compactMap { field -> Merging.Filled? in
      let value = field.value(of: filled)
      return value == field.value(of: Draft(kept)) ? nil : Merging.Filled(field: field, value: value)
    }
    let moves = try Merging.Thing.allCases.compactMap { thing -> Merging.Move? in
      let count = try count(of: thing, on: id, movingTo: other)
      return count == 0 ? nil : Merging.Move(thing: thing, count: count)
    }
    return Merging(kept: kept, gone: gone, fields: fields, moves: moves)
  }

  /// Merges two items: the second stays and gets the rows of the first. Its own values stay; empty fields are filled
  /// unless they are locked. The number of the first is never reused.
  ///
  /// - Parameter seen: the plan that the user confirmed; nil without confirmation.
  /// - Throws: the errors of ``merging(_:into:)``, and ``CatalogError/changedMeanwhile`` if the plan has changed; then
  ///   nothing is changed.
  @discardableResult
  public func merge(_ id: ItemID, into other: ItemID, seen: Merging? = nil, now: Timestamp) throws -> Merging {
    try write {
      let merging = try merging(id, into: other)
      if let seen, seen != merging { throw CatalogError.changedMeanwhile }
      try fill(merging, now: now)
      try moveRows(from: id.rawValue, to: other.rawValue)
      try moveRecents(from: id, to: merging.kept)
      let edition = try newEditions(of: other, from: id).first
      try part(id)
      if let edition { try addEdition(edition, to: other) }
      _ = try ItemWriter(db).remove(id)
      return merging
    }
  }

  // MARK: Filling fields

  /// The keys of fields that the user has set.
  func lockedFields(of id: ItemID) throws -> Set<String> {
    try Set(db.values("SELECT field FROM field_value WHERE item_id = \(id.rawValue) AND is_locked", as: String.self))
  }

  /// Returns the kept item with its empty fields filled from the other.
  private func filled(_ kept: Item, from gone: Item) throws -> Draft {
    let locked = try lockedFields(of: kept.id)
    var draft = Draft(kept)
    draft.record = kept.record.filled(from: gone.record, except: locked)
    if kept.genres.isEmpty, !locked.contains("genres") { draft.genres = gone.genres }
    return draft
  }

  /// Writes the filled fields with their origins.
  private func fill(_ merging: Merging, now: Timestamp) throws {
    let (kept, gone) = (merging.kept, merging.gone)
    let (id, other) = (gone.id.rawValue, kept.id.rawValue)
    let draft = try filled(kept, from: gone)
    if !merging.fields.isEmpty { try ItemWriter(db).update(kept.id, from: kept.record, to: draft.record, now: now) }
    let keys = merging.fields.map(\.field.key)
    if keys.contains("genres") {
      try db.run("UPDATE item_genre SET item_id = \(other) WHERE item_id = \(id)")
      // If the item keeps its own labels, these genres count as chosen, because its labels do not mean them.
      let areChosen = keys.contains("labels") ? try hasGenresByHand(gone.id) : true
      try db.run("UPDATE item SET genres_by_hand = \(areChosen) WHERE id = \(other)")
    }
    if keys.contains("labels") { try db.run("UPDATE item_label SET item_id = \(other) WHERE item_id = \(id)") }
    try db.run(
      """
      INSERT INTO field_value (item_id, field, source, set_at, is_locked)
      SELECT \(other), field, source, set_at, is_locked FROM field_value
      WHERE item_id = \(id) AND field IN (\(list: keys)) ON CONFLICT DO NOTHING
      """)
    try db.run(
      """
      INSERT INTO item_refresh (item_id, source, asked_at)
      SELECT \(other), source, asked_at FROM item_refresh WHERE item_id = \(id)
      ON CONFLICT DO UPDATE SET asked_at = max(asked_at, excluded.asked_at)
      """)
  }

  // MARK: Moving rows

  /// The number of rows of a type that move to the kept item.
  private func count(of thing: Merging.Thing, on gone: ItemID, movingTo kept: ItemID) throws -> Int {
    let (id, other) = (gone.rawValue, kept.rawValue)
    let count: SQL =
      switch thing {
      case .cards: "SELECT count(*) FROM card WHERE item_id = \(id)"
      case .copies: "SELECT count(*) FROM copy WHERE item_id = \(id)"
      case .log: "SELECT count(*) FROM log_entry WHERE item_id = \(id)"
      case .wishes: "SELECT count(*) FROM wish WHERE item_id = \(id)"
      case .tags:
        """
        SELECT count(*) FROM item_tag WHERE item_id = \(id)
          AND tag_id NOT IN (SELECT tag_id FROM item_tag WHERE item_id = \(other))
        """
      case .piles:
        """
        SELECT count(*) FROM pile_item WHERE item_id = \(id)
          AND pile_id NOT IN (SELECT pile_id FROM pile_item WHERE item_id = \(other))
        """
      case .favorite:
        """
        SELECT count(*) FROM favorite WHERE item_id = \(id) AND NOT EXISTS (SELECT 1 FROM favorite WHERE item_id = \(other))
        """
      case .cover:
        "SELECT count(*) FROM cover WHERE item_id = \(id) AND NOT EXISTS (SELECT 1 FROM cover WHERE item_id = \(other))"
      case .representative: "SELECT count(*) FROM representative WHERE item_id = \(id)"
      case .editions: try "SELECT \(newEditions(of: kept, from: gone).count)"
      }
    return try db.value(count) ?? 0
  }

  /// The editions that the kept item gains.
  private func newEditions(of kept: ItemID, from gone: ItemID) throws -> [ItemID] {
    let editions = try editions(of: gone)
    return editions.contains(kept) ? [] : editions
  }

  private func moveRows(from id: Int64, to other: Int64) throws {
    try mergeWishes(of: id, into: other)
    // The earlier of two favorite marks stays, with its place.
    try db.run(
      """
      DELETE FROM favorite WHERE item_id IN (\(id), \(other)) AND sequence > (
        SELECT min(sequence) FROM favorite WHERE item_id IN (\(id), \(other)))
      """)
    try db.run(
      """
      DELETE FROM pile_item WHERE item_id = \(id) AND pile_id IN (SELECT pile_id FROM pile_item WHERE item_id = \(other))
      """)
    try movePlaces(from: id, to: other)
    for table in TableSchema.recorded where table.movesInMerges {
      try db.run("UPDATE OR IGNORE \(identifier: table.name) SET item_id = \(other) WHERE item_id = \(id)")
    }
  }

  /// Moves the places on piles to the other item. Removing an item closes the gap, so the following places are moved
  /// back. An undo takes the same steps in reverse.
  private func movePlaces(from id: Int64, to other: Int64) throws {
    let places = try db.all("SELECT pile_id, position FROM pile_item WHERE item_id = \(id)") {
      (pile: try $0.get("pile_id", as: Int64.self), position: try $0.get("position", as: Int.self))
    }
    for (pile, position) in places {
      try db.run("DELETE FROM pile_item WHERE pile_id = \(pile) AND item_id = \(id)")
      try db.run("UPDATE pile_item SET position = position + 1 WHERE pile_id = \(pile) AND position >= \(position)")
      try db.run("INSERT INTO pile_item (pile_id, item_id, position) VALUES (\(pile), \(other), \(position))")
    }
  }

  /// Merges open wishes, since an item has at most one: empty values are filled from the other.
  private func mergeWishes(of id: Int64, into other: Int64) throws {
    try db.run(
      """
      UPDATE wish SET created_at = min(wish.created_at, gone.created_at), note = coalesce(wish.note, gone.note),
        price_limit = iif(wish.currency IS NULL, gone.price_limit, wish.price_limit),
        currency = coalesce(wish.currency, gone.currency)
      FROM (SELECT * FROM wish WHERE item_id = \(id) AND fulfilled_at IS NULL) AS gone
      WHERE wish.item_id = \(other) AND wish.fulfilled_at IS NULL
      """)
    try db.run(
      """
      DELETE FROM wish WHERE item_id = \(id) AND fulfilled_at IS NULL
        AND EXISTS (SELECT 1 FROM wish WHERE item_id = \(other) AND fulfilled_at IS NULL)
      """)
  }

  /// Keeps the later of two recent views, as a view of the kept item.
  private func moveRecents(from id: ItemID, to kept: Item) throws {
    try db.run(
      """
      DELETE FROM recently_viewed WHERE item_id IN (\(id.rawValue), \(kept.id.rawValue)) AND sequence < (
        SELECT max(sequence) FROM recently_viewed WHERE item_id IN (\(id.rawValue), \(kept.id.rawValue)))
      """)
    try db.run(
      """
      UPDATE recently_viewed SET source_id = \("\(kept.id)"), item_id = \(kept.id.rawValue), title = \(kept.record.title)
      WHERE item_id = \(id.rawValue)
      """)
  }
}
