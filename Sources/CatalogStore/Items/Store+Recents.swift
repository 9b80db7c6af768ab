public import CatalogModel
internal import SQLite

/// A recent view of an item, or of a search result outside the catalog.
public struct RecentView: Sendable, Hashable, Identifiable {
  /// The number of the view. Another view of the same item gets another number.
  public var id: Int64
  /// The viewed item; nil for a search result.
  public var item: ItemID?
  /// The source's id of a search result; nil for an item.
  public var externalID: ExternalID?
  public var kind: Kind
  public var title: String
  public var creator: String?
  public var year: Int?
  public var artworkURL: String?
  public var viewedAt: Timestamp
}

extension Store {
  /// Records a view of an item: it moves to the front. A trigger keeps the last ten.
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

  /// Records a view of a search result, or of its item if the catalog has it.
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

  /// The recent views, at most ten, newest first.
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

  /// Removes recent views in one transaction. Skips views that are gone, and items that were viewed again since: that
  /// is another view.
  /// - Returns: the removed views.
  public func removeRecents(_ views: [RecentView]) throws -> [RecentView] {
    try write {
      try views.filter { try db.run("DELETE FROM recently_viewed WHERE sequence = \($0.id)") > 0 }
    }
  }
}
