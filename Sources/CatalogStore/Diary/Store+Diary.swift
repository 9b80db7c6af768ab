public import CatalogModel
internal import SQLite

extension Store {
  /// The result of logging.
  public struct Logged: Sendable, Hashable {
    public var entry: LogEntry
    /// The entry in progress before the change; nil for a new entry.
    public var before: LogEntry?
    /// The card that was added or changed.
    public var card: Card?
  }

  /// Logs a diary entry, with its rating and comment on a card, in one transaction.
  ///
  /// If an entry of the item is in progress, it is continued or ended, unless `isAnother` is set. A comment is appended
  /// to that of the entry's card.
  /// - Throws: ``CatalogError/noItem(_:)``, ``CatalogError/inProgressAlready(_:)``, the errors of ``checked(_:now:)``,
  ///   and those of ``addCard(to:rating:comment:seenOn:now:)``.
  public func log(_ occasion: Occasion, of item: ItemID, now: Timestamp) throws -> Logged {
    try write {
      guard try exists(item) else { throw CatalogError.noItem(item) }
      let ongoing = try db.one(
        "SELECT * FROM log_entry WHERE item_id = \(item.rawValue) AND outcome = 'ongoing'", Self.entry)
      if let ongoing, occasion.isAnother, occasion.outcome == .ongoing {
        throw CatalogError.inProgressAlready(ongoing.id)
      }
      let before = occasion.isAnother ? nil : ongoing
      var entry = try checked(occasion.entry(after: before, of: item, at: localTime, now: now), now: now)
      if before == nil {
        try db.run(
          """
          INSERT INTO log_entry (item_id, started_on, ended_on, outcome, page, note, created_at)
          VALUES (\(item.rawValue), \(entry.startedOn?.description), \(entry.endedOn?.description),
            \(entry.outcome.rawValue), \(entry.page), \(entry.note), \(now.rawValue))
          """)
        entry.id = LogEntryID(rawValue: db.lastInsertedRowID)
      } else {
        try update(entry, now: now)
      }
      guard occasion.rating != nil || occasion.comment != nil else { return Logged(entry: entry, before: before) }
      let card = try writeCard(of: entry, now: now) { card in
        card.rating = occasion.rating ?? card.rating
        card.comment = Occasion.adding(occasion.comment, behind: card.comment)
      }
      entry.card = card.id
      return Logged(entry: entry, before: before, card: card)
    }
  }

  /// Changes an entry and its card. `change` receives both as they are within the transaction. Without a card it
  /// receives an empty one, which is written if it gets any content.
  /// - Returns: the entry before and after the change, and the card if it was changed.
  /// - Throws: ``CatalogError/noEntry(_:)``, the errors of `change`, and those of ``log(_:of:now:)``.
  @discardableResult
  public func changeEntry(
    _ id: LogEntryID, now: Timestamp, _ change: (_ entry: inout LogEntry, _ card: inout Card) throws -> Void
  ) throws -> Logged {
    try write {
      let before = try entry(id)
      var entry = before
      let cardBefore = try before.card.map(card) ?? .empty(of: before.item, now: now)
      var card = cardBefore
      try change(&entry, &card)
      entry = try checked(entry, now: now)
      if entry.outcome == .ongoing, before.outcome != .ongoing, let other = try inProgress(entry.item) {
        throw CatalogError.inProgressAlready(other)
      }
      if entry != before { try update(entry, now: now) }
      guard card != cardBefore else { return Logged(entry: entry, before: before) }
      let written = try writeCard(of: entry, now: now) { ($0.rating, $0.comment) = (card.rating, card.comment) }
      entry.card = written.id
      return Logged(entry: entry, before: before, card: written)
    }
  }

  /// Removes the entries that still equal the given ones, in one transaction. Their cards stay.
  /// - Returns: the removed entries. Entries that are gone or have changed are left out.
  @discardableResult
  public func removeEntries(_ seen: [LogEntry]) throws -> [LogEntry] {
    try write {
      try seen.filter { entry in
        guard try db.one("SELECT * FROM log_entry WHERE id = \(entry.id.rawValue)", Self.entry) == entry else {
          return false
        }
        return try db.run("DELETE FROM log_entry WHERE id = \(entry.id.rawValue)") > 0
      }
    }
  }

  /// - Throws: ``CatalogError/noEntry(_:)``.
  public func entry(_ id: LogEntryID) throws -> LogEntry {
    guard let entry = try db.one("SELECT * FROM log_entry WHERE id = \(id.rawValue)", Self.entry) else {
      throw CatalogError.noEntry(id)
    }
    return entry
  }

  /// Makes a card that of an entry.
  func attach(_ card: CardID, to entry: LogEntryID) throws {
    try db.run("UPDATE log_entry SET card_id = \(card.rawValue) WHERE id = \(entry.rawValue)")
  }

  public func entry(of card: CardID) throws -> LogEntryID? {
    try db.value("SELECT id FROM log_entry WHERE card_id = \(card.rawValue)", as: Int64.self).map(LogEntryID.init)
  }

  public func inProgress(_ item: ItemID) throws -> LogEntryID? {
    try db.value("SELECT id FROM log_entry WHERE item_id = \(item.rawValue) AND outcome = 'ongoing'", as: Int64.self)
      .map(LogEntryID.init)
  }

  // MARK: Checks

  /// Checks the dates and the note of an entry before it is written.
  /// - Throws: the errors of ``checked(_:now:)`` that concern them.
  public func check(_ occasion: Occasion, now: Timestamp) throws {
    _ = try withChecks(occasion.entry(after: nil, of: ItemID(rawValue: 0), at: localTime, now: now), now: now)
  }

  /// Returns an entry in its stored form.
  /// - Throws: ``CatalogError/yetToCome(_:)``, ``CatalogError/endsBeforeStart(_:_:)``,
  ///   ``CatalogError/inProgressWithEnd(_:)``, ``CatalogError/noteTooLong(_:)``, ``CatalogError/pageOfNoBook(_:)``,
  ///   ``CatalogError/pageBeyond(_:of:)``.
  public func checked(_ entry: LogEntry, now: Timestamp) throws -> LogEntry {
    let checked = try withChecks(entry, now: now)
    guard let page = entry.page else { return checked }
    let record = try item(entry.item).record
    guard record.kind == .book else { throw CatalogError.pageOfNoBook(record.kind) }
    if let pages = record.book.pages, page > pages { throw CatalogError.pageBeyond(page, of: pages) }
    return checked
  }

  private func withChecks(_ entry: LogEntry, now: Timestamp) throws -> LogEntry {
    var entry = entry
    entry.note = try Self.checkNote(entry.note)
    for date in [entry.startedOn, entry.endedOn].compactMap(\.self) { try checkDay(date, now: now) }
    if let start = entry.startedOn, let end = entry.endedOn {
      // Dates are compared as far as both are known.
      let known = min(start.description.utf8.count, end.description.utf8.count)
      if start.description.prefix(known) > end.description.prefix(known) {
        throw CatalogError.endsBeforeStart(start, end)
      }
    }
    if entry.outcome == .ongoing, entry.endedOn != nil { throw CatalogError.inProgressWithEnd(entry.id) }
    return entry
  }

  /// - Throws: ``CatalogError/yetToCome(_:)``.
  public func checkDay(_ date: PartialDate, now: Timestamp) throws {
    if localTime.isToCome(date, now: now) { throw CatalogError.yetToCome(date) }
  }

  // MARK: Rows

  private func update(_ entry: LogEntry, now: Timestamp) throws {
    try db.run(
      """
      UPDATE log_entry SET started_on = \(entry.startedOn?.description), ended_on = \(entry.endedOn?.description),
        outcome = \(entry.outcome.rawValue), page = \(entry.page), note = \(entry.note) WHERE id = \(entry.id.rawValue)
      """)
    // A trigger does this for an entry that is inserted with its end.
    guard entry.outcome == .done else { return }
    try db.run(
      """
      UPDATE wish SET fulfilled_at = \(now.rawValue) WHERE item_id = \(entry.item.rawValue) AND fulfilled_at IS NULL
        AND (SELECT kind FROM item WHERE id = \(entry.item.rawValue)) = 'movie'
      """)
  }

  /// Changes the card of an entry, or adds one.
  private func writeCard(of entry: LogEntry, now: Timestamp, _ change: (inout Card) -> Void) throws -> Card {
    if let card = entry.card { return try changeCard(card, now: now) { change(&$0) } }
    var card = Card.empty(of: entry.item, now: now)
    change(&card)
    card = try addCard(to: entry.item, rating: card.rating, comment: card.comment, now: now)
    try db.run("UPDATE log_entry SET card_id = \(card.id.rawValue) WHERE id = \(entry.id.rawValue)")
    return card
  }

  private static func entry(_ row: Row) throws -> LogEntry {
    return LogEntry(
      id: LogEntryID(rawValue: try row.get("id")), item: ItemID(rawValue: try row.get("item_id")),
      startedOn: try row.date("started_on"), endedOn: try row.date("ended_on"),
      outcome: LogEntry.Outcome(rawValue: try row.get("outcome")) ?? .done, page: try row.get("page"),
      note: try row.get("note"), card: try row.get("card_id", as: Int64?.self).map(CardID.init),
      createdAt: Timestamp(rawValue: try row.get("created_at")))
  }
}

extension Card {
  /// A card that is not written yet.
  fileprivate static func empty(of item: ItemID, now: Timestamp) -> Card {
    Card(
      id: CardID(rawValue: 0), item: item, rating: nil, comment: nil, seenOn: nil, createdAt: now, updatedAt: now)
  }
}
