public import CatalogModel
internal import SQLite

/// Something viewed: an item, or a result that is not in the catalog.
public struct RecentView: Sendable, Hashable, Identifiable {
  /// The number of the view. Who views the same thing again makes another.
  public var id: Int64
  /// The item, when it is one.
  public var item: ItemID?
  /// What the source calls it, when it is not an item.
  public var externalID: ExternalID?
  public var kind: Kind
  public var title: String
  public var creator: String?
  public var year: Int?
  public var artworkURL: String?
  public var viewedAt: Timestamp
}

extension Store {
  /// Counts an item as viewed: it moves to the front, and the eleventh leaves (the file's own rule).
  /// - Throws: ``CatalogError/noItem(_:)``.
  public func recordView(of id: ItemID, now: Timestamp) throws {
    try write {
      let count = try db.run(
        """
        INSERT INTO recently_viewed (source, source_id, item_id, kind, title, creator, year, viewed_at)
        SELECT 'item', item.id, item.id, kind, title, creator, year, \(now.rawValue)
        FROM item JOIN item_creator ON item_id = item.id WHERE item.id = \(id.rawValue)
        """)
      guard count > 0 else { throw CatalogError.noItem(id) }
    }
  }

  /// Counts a search result as viewed. One that is in the catalog counts as its item.
  public func recordView(of record: Record, id external: ExternalID, now: Timestamp) throws {
    if let item = try itemID(of: external) { return try recordView(of: item, now: now) }
    try write {
      try db.run(
        """
        INSERT INTO recently_viewed (source, source_id, kind, title, creator, year, artwork, viewed_at)
        VALUES (\(external.source), \(external.value), \(record.kind.rawValue), \(Text.line(record.title) ?? "?"),
          \(Text.line(record.creators.joined(separator: ", "))), \(record.year ?? record.released?.year),
          \(record.artworkURL), \(now.rawValue))
        """)
    }
  }

  /// At most ten, the last viewed first.
  public func recents() throws -> [RecentView] {
    try db.all("SELECT * FROM recently_viewed ORDER BY sequence DESC") { row in
      let item = try row.get("item_id", as: Int64?.self).map(ItemID.init)
      return RecentView(
        id: try row.get("sequence"), item: item,
        externalID: item == nil ? ExternalID(source: try row.get("source"), value: try row.get("source_id")) : nil,
        kind: Kind(rawValue: try row.get("kind")) ?? .movie, title: try row.get("title"),
        creator: try row.get("creator"), year: try row.get("year"), artworkURL: try row.get("artwork"),
        viewedAt: Timestamp(rawValue: try row.get("viewed_at")))
    }
  }

  /// Takes these views from the recents, all or none of them. One that is there no more by then is passed over, and so is a
  /// thing that was viewed again: that is another view.
  /// - Returns: those that were taken.
  public func removeRecents(_ views: [RecentView]) throws -> [RecentView] {
    try write {
      try views.filter { try db.run("DELETE FROM recently_viewed WHERE sequence = \($0.id)") > 0 }
    }
  }
}
