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
      // Of those of one second the one that was made a favorite last.
      return """
        (SELECT added_at || printf(' %019d', sequence) FROM favorite WHERE favorite.item_id = item.id)\(direction) NULLS LAST
        """
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
    let select = Self.select(fields.map(\.listed), of: fields)
    try db.forEach(try listing(query, select: select, order, limit, offset), body)
  }

  /// Lists all items by their numbers. What hangs on them is not looked for again for each, but comes from scans of its own, which
  /// are walked through in step.
  /// - Parameter body: gets the row of an item, in which the fields of the scans are NULL.
  public func listAll(_ fields: [Field], _ body: (Cursor, [FieldScan]) throws -> Bool) throws {
    try read {
      let scans = try fields.enumerated().compactMap { place, field in
        try field.folded.map { FieldScan(place, $0.fold, try db.scan($0.rows.all)) }
      }
      let values = fields.map { $0.folded == nil ? $0.listed : "NULL" }
      let number: SQL = "item.id"
      try db.forEach("SELECT \(Self.select(values + [number], of: fields)) ORDER BY item.id") { row in
        for scan in scans { scan.item = row.integer(fields.count) }
        return try body(row, scans)
      }
    }
  }

  /// Values of fields, and what they are selected from.
  private static func select(_ values: [SQL], of fields: [Field]) -> SQL {
    let tables = Table.allCases.filter(Set(fields.flatMap(\.tables)).contains)
    let joins = tables.map { table -> SQL in
      let table: SQL = "\(identifier: table.rawValue)"
      return " LEFT JOIN \(table) ON \(table).item_id = item.id"
    }
    return "\(values.joined(separator: ", ")) FROM item\(joins.joined(separator: ""))"
  }

  /// The ids of the items that ``list(_:fields:order:limit:offset:_:)`` lists, in the same order.
  public func ids(_ query: Query, order: [ListingOrder] = [], limit: Int? = nil, offset: Int = 0) throws -> [ItemID] {
    try ids(query, order: order, limit: limit, offset: offset, and: nil)
  }

  /// The same of those for which another condition holds, too.
  func ids(
    _ query: Query, order: [ListingOrder], limit: Int?, offset: Int, and condition: SQL?
  ) throws -> [ItemID] {
    let listing = try listing(query, select: "item.id FROM item", order, limit, offset, and: condition)
    return try db.values(listing, as: Int64.self).map(ItemID.init)
  }

  /// How many items match.
  public func count(_ query: Query) throws -> Int { try count(query, and: nil) }

  func count(_ query: Query, and condition: SQL?) throws -> Int {
    try db.value("SELECT count(*) FROM item WHERE \(try self.condition(query, and: condition))") ?? 0
  }

  private func condition(_ query: Query, and other: SQL?) throws -> SQL {
    let condition = try condition(query)
    return other.map { "(\(condition)) AND \($0)" } ?? condition
  }

  /// The query as a condition on `item`, its genres by their canonical names.
  func condition(_ query: Query) throws -> SQL {
    let condition = try query.condition.flatMapComparisons { field, comparison in
      guard field == .genres else { return [comparison] }
      // A name may mean several genres at once.
      func canonical(_ name: String, _ made: (String) -> Query.Comparison) throws -> [Query.Comparison] {
        let names = try genres(named: name)
        return names.isEmpty ? [comparison] : names.map(made)
      }
      switch comparison {
      case .contains(let name): return try canonical(name) { .contains($0) }
      case .equals(let name): return try canonical(name) { .equals($0) }
      default: return [comparison]
      }
    }
    return QueryCompiler.condition(condition)
  }

  /// The order in which items stand, the newest first: by the time at which they were added.
  static let newestItemFirst: SQL = "item.created_at DESC, item.id DESC"

  private func listing(
    _ query: Query, select: SQL, _ order: [ListingOrder], _ limit: Int?, _ offset: Int, and condition: SQL? = nil
  ) throws -> SQL {
    var sql: SQL = "SELECT \(select) WHERE \(try self.condition(query, and: condition)) ORDER BY "
    var keys = order.map(\.sql)
    if keys.isEmpty, let rank = rank(query) { keys.append(rank) }
    keys.append(Self.newestItemFirst)
    sql += keys.joined(separator: ", ")
    if limit != nil || offset > 0 { sql += " LIMIT \(limit ?? -1) OFFSET \(offset)" }
    return sql
  }

  /// How well an item's title fits the words of a query: 0 is best. What is found by its own words alone comes last.
  private func rank(_ query: Query) -> SQL? {
    guard !query.phrase.isEmpty else { return nil }
    let phrase = query.phrase
    let words = query.words.compactMap { SearchText.expression(for: [$0]) }
    let expression = words.map { "(\($0))" }.joined(separator: " OR ")
    func isIn(_ index: SearchIndex) -> SQL {
      expression.isEmpty ? "false" : "item.id IN (\(index.items(matching: expression)))"
    }
    // Few are in the index of own words, so the other is seldom asked.
    return """
      CASE WHEN item.title = \(phrase) COLLATE NOCASE THEN 0
        WHEN substr(item.title, 1, \(phrase.unicodeScalars.count)) = \(phrase) COLLATE NOCASE THEN 1
        WHEN instr(lower(item.title), lower(\(phrase))) > 0 THEN 2
        WHEN NOT \(isIn(.own)) THEN 3 WHEN \(isIn(.names)) THEN 3 ELSE 4 END
      """
  }
}
