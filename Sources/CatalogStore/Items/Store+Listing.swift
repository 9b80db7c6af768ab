public import CatalogModel
public import SQLite

/// The order of a listing: a field, ascending or descending.
public struct ListingOrder: Sendable, Hashable {
  public var field: Field
  public var isDescending: Bool

  public init(_ field: Field, isDescending: Bool = false) {
    (self.field, self.isDescending) = (field, isDescending)
  }

  /// Reads `year`, `year-` (descending) or `year+`. Nil for fields that cannot be sorted.
  public init?(_ text: String) {
    let name = text.hasSuffix("-") || text.hasSuffix("+") ? String(text.dropLast()) : text
    guard let field = Field.named(name), field.isSortable else { return nil }
    self.init(field, isDescending: text.hasSuffix("-"))
  }

  fileprivate var sql: SQL {
    let direction: SQL = isDescending ? " DESC" : ""
    switch field {
    case .title: return "catalog_sorted(coalesce(item.sort_title, item.title))\(direction)"
    case .rating:
      return
        "(SELECT rating FROM card AS rated WHERE rated.id = \(Store.ratedCard(of: "item.id")))\(direction) NULLS LAST"
    case .favorite:
      // Within one second, the latest favorite counts as newer.
      return """
        (SELECT added_at || printf(' %019d', sequence) FROM favorite WHERE favorite.item_id = item.id)\(direction) NULLS LAST
        """
    case .series:
      // The name, then the number as a number: volume 2 before 10.
      let (series, mark) = (field.scalar, "instr(\(field.scalar), ' #')" as SQL)
      let number: SQL = "substr(\(series), \(mark) + 2)"
      return """
        CASE WHEN \(mark) > 0 THEN substr(\(series), 1, \(mark) - 1) ELSE \(series) END
          COLLATE NOCASE\(direction) NULLS LAST,
        CASE WHEN \(mark) = 0 THEN NULL WHEN \(number) IN ('상', '上') THEN 1 WHEN \(number) IN ('중', '中') THEN 2
          WHEN \(number) IN ('하', '下') THEN 3 ELSE CAST(\(number) AS REAL) END\(direction)
        """
    case _ where field.isAlwaysThere: return "\(field.scalar)\(direction)"
    default:
      let isText = [.text, .prose, .people(nil)].contains(field.type)
      let key: SQL = isText ? "catalog_sorted(\(field.scalar))" : field.scalar
      return "\(key)\(direction) NULLS LAST"
    }
  }
}

extension Store {
  /// Calls `body` with the rows of a listing, read in place. The cursor has one column for each of `fields`.
  ///
  /// Without an order, a query with words puts the best titles first, and any other query the newest items.
  public func list(
    _ query: Query, fields: [Field], order: [ListingOrder] = [], limit: Int? = nil, offset: Int = 0,
    _ body: (Cursor) throws -> Bool
  ) throws {
    let select = Self.select(fields.map(\.listed), of: fields)
    try db.forEach(try listing(query, select: select, order, limit, offset), body)
  }

  /// Calls `body` with all items, ordered by number. Fields from other tables come from one scan each, which advances
  /// in step, instead of a subquery for each item.
  /// - Parameter body: receives the row of an item, in which the scanned fields are NULL, and the scans. It returns
  ///   whether to continue.
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

  /// The columns and the FROM clause of a listing.
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

  /// The ids of the items that also match another condition.
  func ids(
    _ query: Query, order: [ListingOrder], limit: Int?, offset: Int, and condition: SQL?
  ) throws -> [ItemID] {
    let listing = try listing(query, select: "item.id FROM item", order, limit, offset, and: condition)
    return try db.values(listing, as: Int64.self).map(ItemID.init)
  }

  /// The number of matching items.
  public func count(_ query: Query) throws -> Int { try count(query, and: nil) }

  func count(_ query: Query, and condition: SQL?) throws -> Int {
    try db.value("SELECT count(*) FROM item WHERE \(try self.condition(query, and: condition))") ?? 0
  }

  private func condition(_ query: Query, and other: SQL?) throws -> SQL {
    let condition = try condition(query)
    return other.map { "(\(condition)) AND \($0)" } ?? condition
  }

  /// The SQL condition for a query about `item`. Genres are replaced by their canonical names.
  func condition(_ query: Query) throws -> SQL {
    let condition = try query.condition.flatMapComparisons { field, comparison in
      guard field == .genres else { return [comparison] }
      // A name may mean several genres.
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

  /// The order of items, newest first, by the time they were added.
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

  /// The rank of a title for the words of a query, from 0 (best) to 4 (found only in comments and tracks).
  private func rank(_ query: Query) -> SQL? {
    guard !query.phrase.isEmpty else { return nil }
    let phrase = query.phrase
    let words = query.words.compactMap { SearchText.expression(for: [$0]) }
    let expression = words.map { "(\($0))" }.joined(separator: " OR ")
    func isIn(_ index: SearchIndex) -> SQL {
      expression.isEmpty ? "false" : "item.id IN (\(index.items(matching: expression)))"
    }
    // Few items are in the index of own words, so the other index is rarely needed.
    return """
      CASE WHEN item.title = \(phrase) COLLATE NOCASE THEN 0
        WHEN substr(item.title, 1, \(phrase.unicodeScalars.count)) = \(phrase) COLLATE NOCASE THEN 1
        WHEN instr(lower(item.title), lower(\(phrase))) > 0 THEN 2
        WHEN NOT \(isIn(.own)) THEN 3 WHEN \(isIn(.names)) THEN 3 ELSE 4 END
      """
  }
}
