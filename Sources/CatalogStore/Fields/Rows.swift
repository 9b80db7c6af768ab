internal import SQLite

/// The rows of another table that belong to `item`, each with one value of a field.
///
///     Rows("track", "track.title", by: "track.number", in: .own)
struct Rows: Sendable {
  /// The tables of the FROM clause.
  let table: SQL
  let value: SQL
  /// The value as a listing shows it.
  let shown: SQL
  /// The column with the key of each value, ``Folding/nameKey(_:)``, for names that the user made.
  let key: SQL?
  /// The full-text index of the values.
  let index: SearchIndex?
  /// The table with the column `item_id`.
  private let first: SQL
  /// A further condition on the rows.
  private let condition: SQL?
  private let order: SQL?
  /// The reverse order.
  private let backwards: SQL?
  /// The condition for rows with a value.
  private let hasValue: SQL
  /// Whether an SQL index has the values.
  let isLookedUp: Bool

  /// - Parameters:
  ///   - first: the table with the column `item_id`, if others are joined to it.
  ///   - order: the order of the values in a listing.
  ///   - backwards: the reverse order; `order` with `DESC` by default.
  ///   - key: the column with the key of each value.
  ///   - shown: what a listing shows instead of the value.
  ///   - hasValue: the condition for rows with a value; by default, that it is not NULL.
  ///   - isLookedUp: whether an SQL index has the values.
  init(
    _ table: SQL, _ value: SQL, of first: SQL? = nil, where condition: SQL? = nil, by order: SQL? = nil,
    backwards: SQL? = nil, in index: SearchIndex? = nil, key: SQL? = nil, shown: SQL? = nil,
    hasValue: SQL? = nil, isLookedUp: Bool = false
  ) {
    self.key = key
    (self.table, self.value, self.shown, self.first) = (table, value, shown ?? value, first ?? table)
    (self.condition, self.order, self.index, self.isLookedUp) = (condition, order, index, isLookedUp)
    self.backwards = backwards ?? order.map { "\($0) DESC" }
    self.hasValue = hasValue ?? "\(value) IS NOT NULL"
  }

  /// The condition for rows that belong to `item`.
  private var link: SQL { "\(first).item_id = item.id\(condition.map { " AND \($0)" as SQL } ?? "")" }

  /// Returns a condition: `item` has a row that matches `asked`.
  func has(_ asked: SQL) -> SQL {
    // An index of the values finds them faster than a look at each item.
    guard isLookedUp else { return "EXISTS (SELECT 1 FROM \(table) WHERE \(link) AND \(asked))" }
    let its: SQL = condition.map { "\($0) AND " } ?? ""
    // Few rows have the value: SQLite shall find them first, then their items.
    return "item.id IN (SELECT \(first).item_id FROM \(table) WHERE \(its)unlikely(\(asked)))"
  }

  /// The condition that `item` has a row with a value.
  var hasAny: SQL { "EXISTS (SELECT 1 FROM \(table) WHERE \(link) AND \(hasValue))" }

  /// The way in which a listing combines the rows of an item.
  enum Fold: Sendable {
    /// All values in one text, with ``FieldType/separator`` between them.
    case list
    case count
    /// Whether there is one.
    case any
    /// The value of the last; NULL when there is none.
    case last
  }

  /// - Parameter value: a value that a list leaves out, in any case.
  func folded(_ fold: Fold, except value: SQL? = nil) -> SQL {
    switch fold {
    case .list:
      // A literal: char(31) would be called for each value.
      """
      (SELECT group_concat(value, '\u{1F}') FROM (
        SELECT \(shown) AS value FROM \(table)
        WHERE \(link)\(value.map { " AND \(shown) <> \($0) COLLATE NOCASE" as SQL } ?? "")\(order.map { " ORDER BY \($0)" as SQL } ?? "")))
      """
    case .count: "(SELECT count(*) FROM \(table) WHERE \(link))"
    case .any: "EXISTS (SELECT 1 FROM \(table) WHERE \(link))"
    case .last:
      "(SELECT \(shown) FROM \(table) WHERE \(link)\(backwards.map { " ORDER BY \($0) LIMIT 1" as SQL } ?? ""))"
    }
  }

  /// The query for the values of all items, each behind the number of its item and sorted by it.
  var all: SQL {
    """
    SELECT \(first).item_id, \(shown) FROM \(table) CROSS JOIN item WHERE \(link) AND \(value) IS NOT NULL
    ORDER BY \(first).item_id\(order.map { ", \($0)" as SQL } ?? "")
    """
  }
}
