public import CatalogModel
internal import SQLite

extension Store {
  /// Adds a card to an item. It is newer than an existing card by at least a second, even if the clock was set back by
  /// less than a minute.
  /// - Parameter thought: the time of the opinion; nil for now.
  /// - Throws: ``CatalogError/emptyCard`` without rating and comment, ``CatalogError/commentTooLong(_:)``,
  ///   ``CatalogError/noItem(_:)``.
  public func addCard(
    to item: ItemID, rating: Rating?, comment: String?, seenOn: PartialDate? = nil, thought: Timestamp? = nil,
    now: Timestamp
  ) throws -> Card {
    let comment = try Self.checkCard(rating: rating, comment: comment)
    return try write {
      guard try exists(item) else { throw CatalogError.noItem(item) }
      let first = (thought ?? now).rawValue
      try db.run(
        """
        INSERT INTO card (item_id, rating, scale, comment, seen_on, created_at, updated_at)
        SELECT \(item.rawValue), \(rating?.value), \(rating?.scale.rawValue), \(comment), \(seenOn?.description), moment,
          \(thought == nil ? "moment" : "\(now.rawValue)" as SQL)
        FROM (SELECT ifnull(
          (SELECT strftime('%Y-%m-%dT%H:%M:%SZ', max(created_at), '+1 second') FROM card WHERE item_id = \(item.rawValue)
            AND created_at >= \(first) AND created_at < strftime('%Y-%m-%dT%H:%M:%SZ', \(first), '+1 minute')),
          \(first)) AS moment)
        """)
      return try card(CardID(rawValue: db.lastInsertedRowID))
    }
  }

  /// Rates an item, without a comment or a date.
  ///
  /// A second rating on the same day replaces the first: the newest card changes if it is of that day and has neither
  /// comment nor date.
  /// - Returns: the card, and whether it is new.
  /// - Throws: ``CatalogError/noItem(_:)``.
  public func rate(_ item: ItemID, _ rating: Rating, now: Timestamp) throws -> (card: Card, isNew: Bool) {
    try write {
      let newest = try db.one(
        "SELECT * FROM card WHERE item_id = \(item.rawValue) ORDER BY \(Self.newestCardFirst) LIMIT 1", Self.card)
      guard let newest, localTime.day(of: newest.createdAt) == localTime.day(of: now), newest.comment == nil,
        newest.seenOn == nil,
        try entry(of: newest.id) == nil
      else { return (try addCard(to: item, rating: rating, comment: nil, now: now), true) }
      return (try changeCard(newest.id, now: now) { $0.rating = rating }, false)
    }
  }

  /// Changes a card. `change` receives the card as it is within the transaction. Only differences in rating, comment
  /// and date are written.
  /// - Returns: the changed card.
  /// - Throws: ``CatalogError/noCard(_:)``, ``CatalogError/cardOfEntry(_:_:)`` for the date of a card with a diary
  ///   entry, the errors of `change`, and those of ``addCard(to:rating:comment:seenOn:now:)``.
  @discardableResult
  public func changeCard(_ id: CardID, now: Timestamp, _ change: (inout Card) throws -> Void) throws -> Card {
    try write {
      let before = try card(id)
      var card = before
      try change(&card)
      card.comment = try Self.checkCard(rating: card.rating, comment: card.comment)
      var changes: [SQL] = []
      if card.rating != before.rating {
        changes.append("rating = \(card.rating?.value), scale = \(card.rating?.scale.rawValue)")
      }
      if card.comment != before.comment { changes.append("comment = \(card.comment)") }
      if card.seenOn != before.seenOn {
        // The diary entry has the date.
        if let entry = try entry(of: id) { throw CatalogError.cardOfEntry(id, entry) }
        changes.append("seen_on = \(card.seenOn?.description)")
      }
      guard !changes.isEmpty else { return before }
      changes.append("updated_at = \(now.rawValue)")
      try db.run("UPDATE card SET \(changes.joined(separator: ", ")) WHERE id = \(id.rawValue)")
      return try self.card(id)
    }
  }

  /// Removes the cards that still equal the given ones, in one transaction.
  /// - Returns: the removed cards. Cards that are gone or have changed are left out.
  @discardableResult
  public func removeCards(_ seen: [Card]) throws -> [Card] {
    try write {
      try seen.filter { card in
        guard try db.one("SELECT * FROM card WHERE id = \(card.id.rawValue)", Self.card) == card else { return false }
        return try db.run("DELETE FROM card WHERE id = \(card.id.rawValue)") > 0
      }
    }
  }

  public func card(_ id: CardID) throws -> Card {
    guard let card = try db.one("SELECT * FROM card WHERE id = \(id.rawValue)", Self.card) else {
      throw CatalogError.noCard(id)
    }
    return card
  }

  /// The local day that a card speaks of, for the order of cards: that of its diary entry, its own, or the day on which
  /// it was written. (The views of the file, which other programs read, take the day in UTC.)
  static func opinionDay(_ card: SQL = "card") -> SQL {
    """
    coalesce((SELECT ended_on FROM log_entry WHERE log_entry.card_id = \(card).id), \(card).seen_on,
      catalog_day(\(card).created_at))
    """
  }

  /// The order of cards, newest first: by the day of the opinion and the time of writing, then by content, so that it
  /// is the same on every device of a place.
  static let newestCardFirst: SQL = """
    \(opinionDay()) DESC, card.created_at DESC, card.rating DESC, card.comment DESC, card.id DESC
    """
  /// The reverse order, newest last.
  static let newestCardLast: SQL = "\(opinionDay()), card.created_at, card.rating, card.comment, card.id"

  /// The id of the card whose rating is that of an item: the newest that has one.
  static func ratedCard(of item: SQL) -> SQL {
    "(SELECT card.id FROM card WHERE card.item_id = \(item) AND rating IS NOT NULL ORDER BY \(newestCardFirst) LIMIT 1)"
  }

  /// The cards of one item, or all cards, newest first.
  public func cards(of item: ItemID? = nil) throws -> [Card] {
    let filter: SQL = item.map { "WHERE item_id = \($0.rawValue)" } ?? ""
    return try db.all("SELECT * FROM card \(filter) ORDER BY \(Self.newestCardFirst)", Self.card)
  }

  /// The cards of all matching items, newest first.
  public func cards(of query: Query) throws -> [Card] {
    let items: SQL = "SELECT item.id FROM item WHERE \(try condition(query))"
    return try db.all("SELECT * FROM card WHERE item_id IN (\(items)) ORDER BY \(Self.newestCardFirst)", Self.card)
  }

  /// The rating of the newest card that has one.
  public func rating(of item: ItemID) throws -> Rating? {
    try db.one("SELECT rating, scale FROM card WHERE id = \(Self.ratedCard(of: "\(item.rawValue)"))", Self.rating)
      ?? nil
  }

  /// Checks the content of a card before it is written.
  /// - Returns: the comment as it would be stored.
  /// - Throws: ``CatalogError/emptyCard``, ``CatalogError/commentTooLong(_:)``.
  @discardableResult
  public static func checkCard(rating: Rating?, comment: String?) throws -> String? {
    let comment = Text.lines(comment)
    guard rating != nil || comment != nil else { throw CatalogError.emptyCard }
    // Characters are code points, as in SQLite.
    if let length = comment?.unicodeScalars.count, length > Card.longestComment {
      throw CatalogError.commentTooLong(length)
    }
    return comment
  }

  private static func card(_ row: Row) throws -> Card {
    Card(
      id: CardID(rawValue: try row.get("id")), item: ItemID(rawValue: try row.get("item_id")), rating: try rating(row),
      comment: try row.get("comment"), seenOn: try row.date("seen_on"),
      createdAt: Timestamp(rawValue: try row.get("created_at")),
      updatedAt: Timestamp(rawValue: try row.get("updated_at")))
  }

  static func rating(_ row: Row) throws -> Rating? {
    guard let value: Int = try row.get("rating"), let scale: String = try row.get("scale") else { return nil }
    return Rating(kept: value, scale: scale)
  }
}
