public import CatalogModel
internal import SQLite

/// The changes that sources offer for an item, shown before they are written.
public struct RefreshPlan: Sendable {
  /// The answer of one source about the item.
  public struct Answer: Sendable {
    /// The id of the source.
    public var source: String
    /// The record, of the item's kind.
    public var record: Record

    public init(source: String, record: Record) { (self.source, self.record) = (source, record) }
  }

  /// A field for which a source has another value.
  public struct Change: Sendable {
    public let field: Field
    public let answer: Answer
    /// Whether the user set the value; then it stays.
    public let isLocked: Bool
  }

  /// The item at the time of the request.
  public let seen: Item
  /// The sources that were asked, with or without results.
  public var asked: [String]
  public let changes: [Change]
  /// A new cover for the item and its source; nil if there is none.
  public var cover: (picture: Cover, source: String)?
  /// The cover at the time of the request.
  private let seenCover: Cover?
  /// The ids that the catalog does not have yet.
  public let newIDs: [ExternalID]

  /// Whether there is a change to write that matters to the user.
  public var isAnything: Bool { changes.contains { !$0.isLocked } || cover != nil || !newIDs.isEmpty }

  /// Compares an item with the answers of sources. For each field, the first source with a value counts. An empty value
  /// never replaces another.
  /// - Parameters:
  ///   - records: the answers, in order of precedence.
  ///   - onlyFills: whether only empty fields may change.
  public init(of item: Item, records: [Answer], asked: [String], onlyFills: Bool = false, in store: Store) throws {
    (seen, self.asked, seenCover) = (item, asked, try store.cover(of: item.id))
    let origins = try store.origins(of: item)
    changes = Field.refreshableFields(of: item.record.kind).compactMap { field in
      guard let first = records.first(where: { field.isPresent(in: $0.record) }) else { return nil }
      if onlyFills, field.isPresent(in: item.record) || field.changesOthers(of: item, record: first.record) {
        return nil
      }
      var trial = item.record
      // Values that the catalog would reject are left out.
      guard !field.isSame(item.record, first.record), (try? field.take(from: first.record, into: &trial)) != nil else {
        return nil
      }
      return Change(field: field, answer: first, isLocked: field.isLocked(origins, against: first.record, of: item))
    }
    let known = Set(item.record.externalIDs)
    newIDs = records.flatMap(\.record.externalIDs).filter { !known.contains($0) }.withoutRepeats
  }

  public struct Outcome: Sendable {
    public var before: Item
    public var after: Item
    /// The fields that were kept, because they have changed since or the user has set them.
    public var left: [Field] = []
    public var hasNewCover = false
  }

  /// Whether the item's cover is still the one at the time of the request.
  fileprivate func isSeen(_ cover: Cover?) -> Bool { cover == seenCover }
}

extension Field {
  /// Whether the user set the field, or a linked field that it would change.
  fileprivate func isLocked(_ origins: [Field: FieldOrigin], against record: Record, of item: Item) -> Bool {
    origins[self]?.isLocked == true
      || linkedFields.contains { origins[$0]?.isLocked == true && !Field.year.isSame(item.record, record) }
  }

  /// Whether it would change a linked field that has a value.
  fileprivate func changesOthers(of item: Item, record: Record) -> Bool {
    linkedFields.contains { $0.isPresent(in: item.record) } && !Field.year.isSame(item.record, record)
  }
}

extension Store {
  /// Writes the changes from sources in one transaction. Keeps fields that have changed since the request or that the
  /// user has set.
  /// - Throws: ``CatalogError/noItem(_:)``.
  public func refresh(_ plan: RefreshPlan, now: Timestamp) throws -> RefreshPlan.Outcome {
    try write {
      let before = try item(plan.seen.id)
      var outcome = RefreshPlan.Outcome(before: before, after: before)
      var due: [RefreshPlan.Change] = []
      let origins = try origins(of: before)
      for change in plan.changes where !change.isLocked {
        let field = change.field
        if field.isSame(before.record, change.answer.record) { continue }
        if !field.isSame(before.record, plan.seen.record)
          || field.isLocked(origins, against: change.answer.record, of: before)
        {
          outcome.left.append(field)
        } else {
          due.append(change)
        }
      }
      for source in due.map(\.answer.source).withoutRepeats {
        try change(before.id, from: .source(source), now: now) { draft in
          for change in due where change.answer.source == source {
            try change.field.take(from: change.answer.record, into: &draft.record)
          }
        }
      }
      if let (picture, source) = plan.cover {
        let isSeen = try plan.isSeen(cover(of: before.id))
        if origins[.cover]?.isLocked == true || !isSeen {
          outcome.left.append(.cover)
        } else {
          try setCover(picture, of: before.id)
          try note(.cover, of: before.id, from: .source(source), now: now)
          outcome.hasNewCover = true
        }
      }
      if !plan.newIDs.isEmpty {
        try noteOrigin(of: before)
        try ItemWriter(db).add(plan.newIDs, to: before.id)
      }
      try noteRefresh(of: before.id, at: plan.asked, now: now)
      outcome.after = try item(before.id)
      return outcome
    }
  }

  /// Records that sources were asked about an item, with or without results.
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

  /// The items about which a source was asked at this time or later.
  /// - Parameter source: a source; nil for any.
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
