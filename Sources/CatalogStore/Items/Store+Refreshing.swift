public import CatalogModel
internal import SQLite

/// What sources say of an item otherwise than the item does, or beyond it: a value, shown before it is written.
public struct Renewal: Sendable {
  /// What one source says of the item.
  public struct Told: Sendable {
    /// Its id.
    public var source: String
    /// Of the item's kind.
    public var record: Record

    public init(source: String, record: Record) { (self.source, self.record) = (source, record) }
  }

  /// A field of which a source says something else.
  public struct Change: Sendable {
    public let field: Field
    public let told: Told
    /// Whether a person typed what is there: then it stays.
    public let isLocked: Bool
  }

  /// The item when the sources were asked.
  public let seen: Item
  /// The sources that were asked, whatever they said.
  public var asked: [String]
  public let changes: [Change]
  /// A picture for the item that is another than its cover, and whose it is; nil for none.
  public var cover: (picture: Cover, source: String)?
  /// Its cover when the sources were asked.
  private let seenCover: Cover?
  /// What sources call it, and the file does not know yet.
  public let newIDs: [ExternalID]

  /// Whether there is something to be written that a person cares for.
  public var isAnything: Bool { changes.contains { !$0.isLocked } || cover != nil || !newIDs.isEmpty }

  /// Compares an item with what sources say of it. The first that says anything of a field counts; what says nothing takes
  /// nothing away.
  /// - Parameters:
  ///   - told: in the order in which they count.
  ///   - onlyFills: what the item says of a field stays.
  public init(of item: Item, told: [Told], asked: [String], onlyFills: Bool = false, in store: Store) throws {
    (seen, self.asked, seenCover) = (item, asked, try store.cover(of: item.id))
    let origins = try store.origins(of: item)
    changes = Field.told(of: item.record.kind).compactMap { field in
      guard let first = told.first(where: { field.isTold(by: $0.record) }) else { return nil }
      if onlyFills, field.isTold(by: item.record) || field.changesOthers(of: item, told: first.record) { return nil }
      var trial = item.record
      // What the file would refuse is not worth a word.
      guard !field.isSame(item.record, first.record), (try? field.take(from: first.record, into: &trial)) != nil else {
        return nil
      }
      return Change(field: field, told: first, isLocked: field.isLocked(origins, against: first.record, of: item))
    }
    let known = Set(item.record.externalIDs)
    newIDs = told.flatMap(\.record.externalIDs).filter { !known.contains($0) }.withoutRepeats
  }

  /// What became of it.
  public struct Outcome: Sendable {
    public var before: Item
    public var after: Item
    /// What was left as it is because it is otherwise by now, or a person's own.
    public var left: [Field] = []
    public var hasNewCover = false
  }

  /// Whether the item's cover is still the one that was seen.
  fileprivate func isSeen(_ cover: Cover?) -> Bool { cover == seenCover }
}

extension Field {
  /// Whether a person typed it, or something that it would change.
  fileprivate func isLocked(_ origins: [Field: FieldOrigin], against told: Record, of item: Item) -> Bool {
    origins[self]?.isLocked == true
      || saidTogether.contains { origins[$0]?.isLocked == true && !Field.year.isSame(item.record, told) }
  }

  /// Whether it would change something else that the item says.
  fileprivate func changesOthers(of item: Item, told: Record) -> Bool {
    saidTogether.contains { $0.isTold(by: item.record) } && !Field.year.isSame(item.record, told)
  }
}

extension Store {
  /// Writes what sources say of an item, in one transaction. A field that has changed since the sources were asked, or that
  /// a person has typed by now, is left as it is.
  /// - Throws: ``CatalogError/noItem(_:)``.
  public func refresh(_ renewal: Renewal, now: Timestamp) throws -> Renewal.Outcome {
    try write {
      let before = try item(renewal.seen.id)
      var outcome = Renewal.Outcome(before: before, after: before)
      var due: [Renewal.Change] = []
      let origins = try origins(of: before)
      for change in renewal.changes where !change.isLocked {
        let field = change.field
        if field.isSame(before.record, change.told.record) { continue }
        if !field.isSame(before.record, renewal.seen.record)
          || field.isLocked(origins, against: change.told.record, of: before)
        {
          outcome.left.append(field)
        } else {
          due.append(change)
        }
      }
      for told in due.map(\.told.source).withoutRepeats {
        try change(before.id, from: .source(told), now: now) { draft in
          for change in due where change.told.source == told {
            try change.field.take(from: change.told.record, into: &draft.record)
          }
        }
      }
      if let (picture, source) = renewal.cover {
        let isSeen = try renewal.isSeen(cover(of: before.id))
        if origins[.cover]?.isLocked == true || !isSeen {
          outcome.left.append(.cover)
        } else {
          try setCover(picture, of: before.id)
          try note(.cover, of: before.id, from: .source(source), now: now)
          outcome.hasNewCover = true
        }
      }
      if !renewal.newIDs.isEmpty {
        try noteOrigin(of: before)
        try ItemWriter(db).add(renewal.newIDs, to: before.id)
      }
      try noteRefresh(of: before.id, at: renewal.asked, now: now)
      outcome.after = try item(before.id)
      return outcome
    }
  }

  /// Notes that sources were asked for an item, whatever they said.
  public func noteRefresh(of id: ItemID, at sources: [String], now: Timestamp) throws {
    try write {
      for source in sources {
        try db.run(
          """
          INSERT INTO item_refresh (item_id, source, asked_at) VALUES (\(id.rawValue), \(source), \(now.rawValue))
          ON CONFLICT (item_id, source) DO UPDATE SET asked_at = excluded.asked_at
          """)
      }
    }
  }

  /// The items for which a source was asked at this time or later.
  /// - Parameter source: only this one; nil for any.
  public func itemsAsked(since time: Timestamp, at source: String? = nil) throws -> Set<ItemID> {
    Set(
      try db.values(
        """
        SELECT DISTINCT item_id FROM item_refresh
        WHERE asked_at >= \(time.rawValue) AND source = coalesce(\(source), source)
        """, as: Int64.self
      ).map(ItemID.init))
  }
}
