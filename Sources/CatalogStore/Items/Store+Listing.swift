public import CatalogModel
public import SQLite

/// A column of a listing: its name in JSON and in the file's views, and how SQL makes it.
public enum ListingColumn: String, CaseIterable, Sendable {
  case id, kind, title, creator, year, genres, rating
  case originalTitle = "original_title"
  case released, description, url, cards
  case favorite = "favorite_since"
  case added = "added_at"
  case updated = "updated_at"
  case isbn, publisher, published, pages, series
  case language, minutes, countries
  case label, format, barcode
  case catalogNumber = "catalog_number"
  case publicRating = "public_rating"

  /// What a value is, for JSON.
  public enum ValueType: Sendable {
    case text, integer, real
    /// Texts with ``separator`` between them.
    case list
    /// A rating's value and scale, with a blank between them.
    case rating
  }

  /// Stands between the texts of a list: U+001F, which no stored text contains.
  public static let separator: UInt8 = 0x1F

  public var type: ValueType {
    switch self {
    case .id, .year, .pages, .minutes, .cards: .integer
    case .publicRating: .real
    case .genres, .creator, .countries: .list
    case .rating: .rating
    default: .text
    }
  }

  var sql: SQL {
    switch self {
    case .id: "item.id"
    case .kind: "item.kind"
    case .title: "item.title"
    case .originalTitle: "item.original_title"
    case .year: "item.year"
    case .released: "item.released"
    case .description: "item.description"
    case .url: "item.url"
    case .added: "item.created_at"
    case .updated: "item.updated_at"
    case .publicRating: "item.public_rating"
    case .creator:
      """
      (SELECT group_concat(name, char(31)) FROM (
        SELECT person.name FROM credit JOIN person ON person.id = credit.person_id
        WHERE credit.item_id = item.id
          AND credit.role = CASE item.kind WHEN 'movie' THEN 'director' WHEN 'book' THEN 'author' ELSE 'artist' END
        ORDER BY credit.position))
      """
    case .genres:
      """
      (SELECT group_concat(name, char(31)) FROM (
        SELECT genre.name FROM item_genre JOIN genre ON genre.id = item_genre.genre_id
        WHERE item_genre.item_id = item.id ORDER BY item_genre.position))
      """
    case .rating:
      """
      (SELECT rating || ' ' || scale FROM card WHERE card.item_id = item.id AND rating IS NOT NULL
        ORDER BY id DESC LIMIT 1)
      """
    case .favorite: "(SELECT added_at FROM favorite WHERE favorite.item_id = item.id)"
    case .cards: "(SELECT count(*) FROM card WHERE card.item_id = item.id)"
    case .isbn: "book.isbn13"
    case .publisher: "book.publisher"
    case .published: "book.published"
    case .pages: "book.pages"
    case .series: "book.series"
    case .language: "coalesce(book.language, movie.language)"
    case .minutes: "movie.minutes"
    case .countries: "coalesce(replace(movie.countries, ', ', char(31)), vinyl.country)"
    case .label: "vinyl.label"
    case .catalogNumber: "vinyl.catalog_number"
    case .format: "vinyl.format"
    case .barcode: "vinyl.barcode"
    }
  }
}

extension ListingColumn {
  /// The tables of single kinds that its SQL reads, joined once however many columns they give.
  fileprivate var tables: [Kind] {
    switch self {
    case .isbn, .publisher, .published, .pages, .series: [.book]
    case .minutes: [.movie]
    case .label, .catalogNumber, .format, .barcode: [.vinyl]
    case .language: [.book, .movie]
    case .countries: [.movie, .vinyl]
    default: []
    }
  }
}

/// How a listing is sorted.
public struct ListingOrder: Sendable, Hashable {
  public enum Key: String, CaseIterable, Sendable {
    case id, title, year, rating, added, creator, kind, favorite
  }
  public var key: Key
  public var isDescending: Bool

  public init(_ key: Key, isDescending: Bool = false) {
    (self.key, self.isDescending) = (key, isDescending)
  }

  /// Reads `year`, `year-` (descending) or `year+`.
  public init?(_ text: String) {
    let name = text.hasSuffix("-") || text.hasSuffix("+") ? String(text.dropLast()) : text
    guard let key = Key(rawValue: name) else { return nil }
    self.init(key, isDescending: text.hasSuffix("-"))
  }

  fileprivate var sql: SQL {
    let direction: SQL = isDescending ? " DESC" : ""
    switch key {
    case .id: return "item.id\(direction)"
    case .title: return "coalesce(item.sort_title, item.title) COLLATE NOCASE\(direction)"
    case .year: return Self.lastWhenMissing("item.year", direction)
    case .rating: return Self.lastWhenMissing("(SELECT rating FROM item_rating WHERE item_id = item.id)", direction)
    case .added: return "item.created_at\(direction)"
    case .creator: return Self.lastWhenMissing("\(ListingColumn.creator.sql) COLLATE NOCASE", direction)
    case .kind: return "item.kind\(direction)"
    case .favorite: return Self.lastWhenMissing(ListingColumn.favorite.sql, direction)
    }
  }

  private static func lastWhenMissing(_ value: SQL, _ direction: SQL) -> SQL { "\(value)\(direction) NULLS LAST" }
}

extension Store {
  /// Lists items as rows read in place, one column of the cursor for each of `columns`.
  ///
  /// Without an order, a query with words lists the best titles first, any other the newest items first.
  public func list(
    _ query: Query, columns: [ListingColumn], order: [ListingOrder] = [], limit: Int? = nil, offset: Int = 0,
    _ body: (Cursor) throws -> Bool
  ) throws {
    let tables = Kind.shelved.filter(Set(columns.flatMap(\.tables)).contains)
    let joins = tables.map { kind -> SQL in
      let table: SQL = "\(identifier: kind.rawValue)"
      return " LEFT JOIN \(table) ON \(table).item_id = item.id"
    }
    let select: SQL = "\(columns.map(\.sql).joined(separator: ", ")) FROM item\(joins.joined(separator: ""))"
    try db.forEach(try listing(query, select: select, order, limit, offset), body)
  }

  /// The ids of the items that ``list(_:columns:order:limit:offset:_:)`` lists, in the same order.
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
      guard case .genre(let name) = term.condition, let canonical = try genre(named: name) else { continue }
      query.terms[index].condition = .genre(canonical)
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
