public import CatalogModel
internal import SQLite

/// An event of the diary: an entry, or a dated card without an entry.
public struct DiaryEvent: Sendable, Hashable {
  /// The entry; nil for a card.
  public var entry: LogEntryID?
  public var card: CardID?
  public var item: ItemID
  public var kind: Kind
  public var title: String
  /// The directors, authors or artists.
  public var creators: [String]
  public var outcome: LogEntry.Outcome
  public var startedOn: PartialDate?
  public var endedOn: PartialDate?
  public var page: Int?
  /// The number of pages of the book, if known.
  public var pages: Int?
  public var note: String?
  /// The rating on its card.
  public var rating: Rating?
  public var comment: String?
  /// Whether the item had been finished before.
  public var isAgain: Bool
  public var createdAt: Timestamp

  /// The date of the end or, without one, of the start, by which the diary is sorted. Nil if both are unknown.
  public var day: PartialDate? { endedOn ?? startedOn }
}

extension Store {
  /// The events of the diary, the latest first. Events without a date are last.
  ///
  /// - Parameters:
  ///   - query: selects items.
  ///   - period: nil for all dates.
  public func diary(_ query: Query = Query(), in period: Period? = nil, limit: Int? = nil) throws -> [DiaryEvent] {
    var conditions: [SQL] = []
    if let period { conditions.append("event.day >= \(period.first.description) AND event.day < \(period.last.end)") }
    if !query.isEverything {
      let condition = try condition(query)
      // Few items match words, so they are found first. A kind has many items, so events are tested one by one.
      conditions.append(
        query.words.isEmpty
          ? "EXISTS (SELECT 1 FROM item WHERE item.id = event.item_id AND \(condition))"
          : "event.item_id IN (SELECT item.id FROM item WHERE \(condition))")
    }
    return try events(conditions.isEmpty ? "true" : conditions.joined(separator: " AND "), limit: limit)
  }

  /// The events of an item, the latest first.
  public func diary(of item: ItemID) throws -> [DiaryEvent] { try events("event.item_id = \(item.rawValue)") }

  /// The months that have events, the latest first, with their number: `2026-11`; `2026` for those of which only the
  /// year is known, and an empty one for those without a date.
  public func diaryMonths() throws -> [(month: String, count: Int)] {
    try db.all(
      """
      SELECT coalesce(substr(day, 1, 7), '') AS month, count(*) AS events FROM event GROUP BY 1 ORDER BY 1 DESC
      """
    ) { (try $0.get("month"), try $0.get("events")) }
  }

  /// The entries of what is being watched, read or played.
  public func ongoing() throws -> [DiaryEvent] { try events("event.outcome = \(LogEntry.Outcome.ongoing.rawValue)") }

  /// The status of an item from the diary, the wishes and the copies: `planned`, `ongoing`, `done`, `dropped` or nil.
  public func status(of item: ItemID) throws -> String? {
    try db.value("SELECT \(Field.status.scalar) FROM item WHERE item.id = \(item.rawValue)", as: String.self)
  }

  private func events(_ condition: SQL, limit: Int? = nil) throws -> [DiaryEvent] {
    // All columns of the view: SQLite then merges its halves, each by its index, and stops at the limit.
    try db.all(
      """
      WITH page AS MATERIALIZED (
        SELECT * FROM event WHERE \(condition)
        ORDER BY day DESC, created_at DESC, entry_id DESC, card_id DESC LIMIT \(limit ?? -1))
      SELECT page.*, item.kind, item.title, \(Field.creator.listed) AS creators, book.pages,
        card.rating, card.scale, card.comment,
        \(Self.isAgain("page")) AS is_again
      FROM page JOIN item ON item.id = page.item_id
        LEFT JOIN book ON book.item_id = item.id LEFT JOIN card ON card.id = page.card_id
      ORDER BY page.day DESC, page.created_at DESC, page.entry_id DESC, page.card_id DESC
      """, Self.event)
  }

  /// A condition: the item of an event was finished before, in the order of the diary.
  /// - Parameter event: the name of the view in the statement.
  static func isAgain(_ event: SQL) -> SQL {
    """
    EXISTS (SELECT 1 FROM event AS earlier WHERE earlier.item_id = \(event).item_id AND earlier.outcome = 'done'
      AND (earlier.day, earlier.created_at, ifnull(earlier.entry_id, 0), ifnull(earlier.card_id, 0))
        < (\(event).day, \(event).created_at, ifnull(\(event).entry_id, 0), ifnull(\(event).card_id, 0)))
    """
  }

  private static func event(_ row: Row) throws -> DiaryEvent {
    return DiaryEvent(
      entry: try row.get("entry_id", as: Int64?.self).map(LogEntryID.init),
      card: try row.get("card_id", as: Int64?.self).map(CardID.init), item: ItemID(rawValue: try row.get("item_id")),
      kind: Kind(rawValue: try row.get("kind")) ?? .movie, title: try row.get("title"),
      creators: try row.texts("creators"), outcome: LogEntry.Outcome(rawValue: try row.get("outcome")) ?? .done,
      startedOn: try row.date("started_on"), endedOn: try row.date("ended_on"), page: try row.get("page"),
      pages: try row.get("pages"), note: try row.get("note"), rating: try rating(row),
      comment: try row.get("comment"), isAgain: try row.get("is_again"),
      createdAt: Timestamp(rawValue: try row.get("created_at")))
  }
}
