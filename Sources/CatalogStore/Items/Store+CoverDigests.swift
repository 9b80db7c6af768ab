public import CatalogModel
internal import SQLite

/// The digests of covers, SHA-256 in hexadecimal digits: other devices and browsers know a cover by them. A cover that
/// was set or brought back has none until one is needed.
extension Store {
  /// The digests of the covers of items. Items without a cover are missing.
  /// - Returns: also the items whose digest was computed, since none is stored.
  public func coverDigests(of items: [ItemID]) throws -> (digests: [ItemID: String], computed: [ItemID]) {
    var (digests, computed): ([ItemID: String], [ItemID]) = ([:], [])
    let rows = try db.all(
      """
      SELECT cover.item_id, sha256 FROM cover LEFT JOIN cover_digest USING (item_id)
      WHERE cover.item_id IN (\(list: items.map(\.rawValue)))
      """
    ) { row in
      (ItemID(rawValue: try row.get("item_id")), try row.get("sha256", as: String?.self))
    }
    for (item, stored) in rows {
      if stored == nil { computed.append(item) }
      digests[item] = try stored ?? CoverDigest.compute(item.rawValue, in: db)
    }
    return (digests, computed)
  }

  /// Stores the digests of covers that have none.
  public func keepCoverDigests(of items: [ItemID]) throws {
    for item in items { try write { try CoverDigest.keep(item.rawValue, in: db) } }
  }
}

enum CoverDigest {
  /// The digest of the cover of an item; nil without a cover.
  static func compute(_ item: Int64, in db: Connection) throws -> String? {
    try db.value("SELECT bytes FROM cover WHERE item_id = \(item)", as: [UInt8].self).map(SHA256.hexadecimal(of:))
  }

  /// Stores the digest of the cover of an item, if it has a cover and no digest.
  static func keep(_ item: Int64, in db: Connection) throws {
    guard let digest = try compute(item, in: db) else { return }
    try db.run("INSERT OR IGNORE INTO cover_digest (item_id, sha256) VALUES (\(item), \(digest))")
  }
}
