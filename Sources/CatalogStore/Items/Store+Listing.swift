public import CatalogModel
public import SQLite

/// How a listing is sorted: by a field, upwards or downwards.
public struct ListingOrder: Sendable, Hashable {
  public var field: Field
  public var isDescending: Bool

  public init(_ field: Field, isDescending: Bool = false) {
    (self.field, self.isDescending) = (field, isDescending)
  }

  /// Reads `year`, `year-` (descending) or `year+`. Nil for what has no order.
  public init?(_ text: String) {
    let name = text.hasSuffix("-") || text.hasSuffix("+") ? String(text.dropLast()) : text
    guard let field = Field.named(name), field.isSortable else { return nil }
    self.init(field, isDescending: text.hasSuffix("-"))
  }

  fileprivate var sql: SQL {
    let direction: SQL = isDescending ? " DESC" : ""
    switch field {
    case .title: return "coalesce(item.sort_title, item.title) COLLATE NOCASE\(direction)"
    case .rating:
      return "(SELECT rating FROM item_rating WHERE item_id = item.id)\(direction) NULLS LAST"
    case .favorite:
      return "(SELECT sequence FROM favorite WHERE favorite.item_id = item.id)\(direction) NULLS LAST"
    case _ where field.isAlwaysThere: return "\(field.scalar)\(direction)"
    default:
      let isText = [.text, .prose, .people(nil)].contains(field.type)
      let collation: SQL = isText ? " COLLATE NOCASE" : ""
      return "\(field.scalar)\(collation)\(direction) NULLS LAST"
    }
  }
}

extension Store {
  /// Lists items as rows read in place, one column of the cursor for each of `fields`.
  ///
  /// Without an order, a query with words lists the best titles first, any other the newest items first.
  public func list(
    _ query: Query, fields: [Field], order: [ListingOrder] = [], limit: Int? = nil, offset: Int = 0,
    _ body: (Cursor) throws -> Bool
  ) throws {
    let tables = Table.allCases.filter(Set(fields.flatMap(\.tables)).contains)
    let joins = tables.map { table -> SQL in
      let table: SQL = "\(identifier: table.rawValue)"
      return " LEFT JOIN \(table) ON \(table).item_id = item.id"
    }
    let select: SQL = "\(fields.map(\.listed).joined(separator: ", ")) FROM item\(joins.joined(separator: ""))"
    try db.forEach(try listing(query, select: select, order, limit, offset), body)
  }

  /// The ids of the items that ``list(_:fields:order:limit:offset:_:)`` lists, in the same order.
  public func ids(_ query: Query, order: [ListingOrder] = [], limit: Int? = nil, offset: Int = 0) throws -> [ItemID] {
    try db.values(try listing(query, select: "item.id FROM item", order, limit, offset), as: Int64.self).map(
      ItemID.init)
  }

  /// How many items match.
  public func count(_ query: Query) throws -> Int {
    try db.value("SELECT count(*) FROM item WHERE \(try condition(query))") ?? 0
  }

  /// The query as a condition on `item`, its genres by their canonical names.
  func condition(_ query: Query) throws -> SQL {
    var query = query
    for (index, term) in query.terms.enumerated() {
      guard case .field(.genres, let comparisons) = term.condition else { continue }
      query.terms[index].condition = .field(
        .genres,
        try comparisons.flatMap { comparison in
          guard case .equals(let name) = comparison else { return [comparison] }
          let canonical = try genres(named: name)
          return canonical.isEmpty ? [comparison] : canonical.map { .equals($0) }
        })
    }
    return QueryCompiler.condition(query)
  }

  private func listing(
    _ query: Query, select: SQL, _ order: [ListingOrder], _ limit: Int?, _ offset: Int
  ) throws -> SQL {
    var sql: SQL = "SELECT \(select) WHERE \(try condition(query)) ORDER BY "
    var keys = order.map(\.sql)
    if keys.isEmpty, !query.words.isEmpty {
      let words = query.words.joined(separator: " ")
      keys.append(
        """
        CASE WHEN item.title = \(words) COLLATE NOCASE THEN 0
          WHEN substr(item.title, 1, \(words.unicodeScalars.count)) = \(words) COLLATE NOCASE THEN 1
          WHEN instr(lower(item.title), lower(\(words))) > 0 THEN 2 ELSE 3 END
        """)
    }
    keys.append("item.id DESC")
    sql += keys.joined(separator: ", ")
    if limit != nil || offset > 0 { sql += " LIMIT \(limit ?? -1) OFFSET \(offset)" }
    return sql
  }
}
