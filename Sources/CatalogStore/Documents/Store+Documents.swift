public import CatalogModel
internal import Migrations
internal import SQLite

/// The catalog as a stream of documents, which docs/export.md describes. The same catalog always gives the same
/// documents in the same order.
extension Store {
  /// The version of the document format. Files of a newer version are rejected.
  public static let documentVersion: Int64 = 1

  /// Calls `body` with the documents of the catalog: a head, the vocabulary, the items, and the rows without an owner.
  /// With a query, only the head and the matching items follow.
  ///
  /// All documents show the catalog at one moment, even if others write meanwhile.
  /// - Parameters:
  ///   - query: selects items; nil for the whole catalog.
  ///   - withCovers: whether the documents include cover images.
  ///   - body: receives a document and returns whether to continue.
  public func documents(
    of query: Query? = nil, withCovers: Bool = true, _ body: (Document) throws -> Bool
  ) throws {
    try read {
      do {
        func pass(_ document: Document) throws { if try !body(document) { throw Cancelled() } }
        try pass(try head(isWhole: query == nil))
        if query == nil { try vocabulary(pass) }
        let items = try ids(query ?? Query(), order: [ListingOrder(.id)]).map(\.rawValue)
        try documents(ofItems: items, withCovers: withCovers, pass)
        if query == nil { try loose(pass) }
      } catch is Cancelled {}
    }
  }

  private struct Cancelled: Error {}

  /// The document of one item.
  /// - Throws: ``CatalogError/noItem(_:)``.
  public func document(of id: ItemID, withCover: Bool = true) throws -> Document {
    var found: Document?
    try documents(ofItems: [id.rawValue], withCovers: withCover) { found = $0 }
    guard let found else { throw CatalogError.noItem(id) }
    return found
  }

  // MARK: Parts

  private func head(isWhole: Bool) throws -> Document {
    var head = Document([
      JSON.Member("catalog", .integer(Self.documentVersion)),
      JSON.Member("schema", .integer(Int64(Migration.all.count))),
    ])
    guard isWhole else {
      head.members.append(JSON.Member("selection", .flag(true)))
      return head
    }
    let numbers = try db.all(
      "SELECT name, seq FROM sqlite_sequence WHERE name IN (\(list: TableSchema.recorded.map(\.name))) ORDER BY name"
    ) { JSON.Member(try $0.get("name"), .integer(try $0.get("seq"))) }
    let settings = try db.all("SELECT name, value FROM setting ORDER BY name") {
      JSON.Member(try $0.get("name"), .text(try $0.get("value")))
    }
    head.members.append(JSON.Member("numbers", .object(Document(numbers))))
    head.members.append(JSON.Member("settings", .object(Document(settings))))
    return head
  }

  /// Passes the genres (parents first), the labels with their targets, the tags, the piles, and the people without
  /// credits.
  private func vocabulary(_ body: (Document) throws -> Void) throws {
    func each(_ table: String, _ condition: SQL = "true", order: SQL? = nil) throws {
      try DocumentTable.named(table, in: db)?.forEach(condition, order: order, in: db) { row in
        try body(Document([JSON.Member(table, .object(row))]))
      }
    }
    try each(
      "genre",
      order: """
        (WITH RECURSIVE above (id, depth) AS (
          SELECT row.parent_id, 1 UNION ALL SELECT genre.parent_id, depth + 1 FROM above JOIN genre USING (id)
          WHERE above.id IS NOT NULL)
        SELECT max(depth) FROM above), row.id
        """)
    let targets = try DocumentTable.named("genre_label_target", in: db)
    try DocumentTable.named("genre_label", in: db)?.forEach("true", in: db) { row in
      var document = Document([JSON.Member("genre_label", .object(row))])
      var meant: [JSON] = []
      try targets?.forEach("row.label_id = \(row["id"]?.integer)", in: db) {
        meant.append(.object($0.without("label")))
      }
      if !meant.isEmpty { document.members.append(JSON.Member("genre_label_target", .list(meant))) }
      try body(document)
    }
    try each("tag")
    try each("pile")
    try each("person", "NOT EXISTS (SELECT 1 FROM credit WHERE person_id = row.id)")
  }

  private func documents(
    ofItems ids: [Int64], withCovers: Bool, _ body: (Document) throws -> Void
  ) throws {
    try DocumentTable.forEachItem(of: ids, in: try DocumentTable.ofItems(in: db), db, withCovers: withCovers) {
      try body($1)
    }
  }

  /// Passes the rows that belong to no item or concern several: wishes in words, saved queries, representatives,
  /// recents and imported rows.
  private func loose(_ body: (Document) throws -> Void) throws {
    let tables: [(String, SQL)] = [
      ("wish", "row.item_id IS NULL"), ("saved_query", "true"), ("representative", "true"), ("recently_viewed", "true"),
      ("import_batch", "true"), ("import_row", "true"),
    ]
    for (table, condition) in tables {
      try DocumentTable.named(table, in: db)?.forEach(condition, in: db) { row in
        try body(Document([JSON.Member(table, .object(row))]))
      }
    }
  }
}
