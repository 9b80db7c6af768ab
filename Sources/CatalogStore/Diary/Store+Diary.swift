public import CatalogModel
internal import SQLite

extension Store {
  /// What became of an occasion.
  public struct Logged: Sendable, Hashable {
    public var entry: LogEntry
    /// The same entry as it was in progress; nil when it is new.
    public var before: LogEntry?
    /// The card that was written or changed with it.
    public var card: Card?
  }

  /// Writes an occasion into the diary, and its stars and words on a card, in one transaction.
  ///
  /// While an entry of the item is in progress, the occasion moves it on or ends it, unless it says that it is another. More
  /// words stand behind those that the entry's card has.
  /// - Throws: ``CatalogError/noItem(_:)``, ``CatalogError/inProgressAlready(_:)``, what ``checked(_:now:)`` throws, and what
  ///   ``addCard(to:rating:comment:seenOn:now:)`` throws.
  public func log(_ occasion: Occasion, of item: ItemID, now: Timestamp) throws -> Logged {
    try write {
      guard try exists(item) else { throw CatalogError.noItem(item) }
      let ongoing = try db.one(
        "SELECT * FROM log_entry WHERE item_id = \(item.rawValue) AND outcome = 'ongoing'", Self.entry)
      if let ongoing, occasion.isAnother, occasion.outcome == .ongoing {
        throw CatalogError.inProgressAlready(ongoing.id)
      }
      let before = occasion.isAnother ? nil : ongoing
      var entry = try checked(occasion.entry(after: before, of: item, now: now), now: now)
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

  /// Changes an entry, and what stands on its card. `change` gets both as they are inside the write; the card is an empty
  /// one where the entry has none, and is written when there is something on it.
  /// - Returns: the entry as it was and is, and the card when it was changed.
  /// - Throws: ``CatalogError/noEntry(_:)``, what `change` throws, and what ``log(_:of:now:)`` throws.
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

  /// Removes entries, all that are as they were seen, in one transaction. Their cards stay: what was thought of it.
  /// - Returns: those that were removed. An entry that is gone by then, or says something else, is none of them.
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

  /// The entry that a card was written for.
  public func entry(of card: CardID) throws -> LogEntryID? {
    try db.value("SELECT id FROM log_entry WHERE card_id = \(card.rawValue)", as: Int64.self).map(LogEntryID.init)
  }

  /// The entry of an item that is in progress.
  public func inProgress(_ item: ItemID) throws -> LogEntryID? {
    try db.value("SELECT id FROM log_entry WHERE item_id = \(item.rawValue) AND outcome = 'ongoing'", as: Int64.self)
      .map(LogEntryID.init)
  }

  // MARK: What an entry may say

  /// Checks the dates and the note of an occasion before anything is done for it.
  /// - Throws: what ``checked(_:now:)`` throws of them.
  public static func check(_ occasion: Occasion, now: Timestamp) throws {
    _ = try withChecks(occasion.entry(after: nil, of: ItemID(rawValue: 0), now: now), now: now)
  }

  /// An entry as it would be kept.
  /// - Throws: ``CatalogError/yetToCome(_:)``, ``CatalogError/endsBeforeStart(_:_:)``,
  ///   ``CatalogError/inProgressWithEnd(_:)``, ``CatalogError/noteTooLong(_:)``, ``CatalogError/pageOfNoBook(_:)``,
  ///   ``CatalogError/pageBeyond(_:of:)``.
  public func checked(_ entry: LogEntry, now: Timestamp) throws -> LogEntry {
    let checked = try Self.withChecks(entry, now: now)
    guard let page = entry.page else { return checked }
    let record = try item(entry.item).record
    guard record.kind == .book else { throw CatalogError.pageOfNoBook(record.kind) }
    if let pages = record.book.pages, page > pages { throw CatalogError.pageBeyond(page, of: pages) }
    return checked
  }

  private static func withChecks(_ entry: LogEntry, now: Timestamp) throws -> LogEntry {
    var entry = entry
    entry.note = try checkNote(entry.note)
    // Where it is tomorrow already, people have seen things on that day.
    let tomorrow = PartialDate(now.day)?.later(days: 1)?.description ?? now.day
    for date in [entry.startedOn, entry.endedOn].compactMap(\.self)
    where tomorrow.prefix(date.description.utf8.count) < date.description {
      throw CatalogError.yetToCome(date)
    }
    if let start = entry.startedOn, let end = entry.endedOn {
      // As far as both are known.
      let known = min(start.description.utf8.count, end.description.utf8.count)
      if start.description.prefix(known) > end.description.prefix(known) {
        throw CatalogError.endsBeforeStart(start, end)
      }
    }
    if entry.outcome == .ongoing, entry.endedOn != nil { throw CatalogError.inProgressWithEnd(entry.id) }
    return entry
  }

  // MARK: Rows

  private func update(_ entry: LogEntry, now: Timestamp) throws {
    try db.run(
      """
      UPDATE log_entry SET started_on = \(entry.startedOn?.description), ended_on = \(entry.endedOn?.description),
        outcome = \(entry.outcome.rawValue), page = \(entry.page), note = \(entry.note) WHERE id = \(entry.id.rawValue)
      """)
    // The file sees to it for an entry that begins with its end.
    guard entry.outcome == .done else { return }
    try db.run(
      """
      UPDATE wish SET fulfilled_at = \(now.rawValue) WHERE item_id = \(entry.item.rawValue) AND fulfilled_at IS NULL
        AND (SELECT kind FROM item WHERE id = \(entry.item.rawValue)) = 'movie'
      """)
  }

  /// Changes the card of an entry, or writes it.
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
  /// One that is not written yet.
  fileprivate static func empty(of item: ItemID, now: Timestamp) -> Card {
    Card(
      id: CardID(rawValue: 0), item: item, rating: nil, comment: nil, seenOn: nil, createdAt: now, updatedAt: now)
  }
}
