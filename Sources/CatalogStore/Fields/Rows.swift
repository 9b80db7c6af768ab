internal import SQLite

/// The rows of another table that hang on `item` and hold a field, a value in each.
///
///     Rows("track", "track.title", by: "track.number", in: .own)
struct Rows: Sendable {
  /// What they are selected from.
  let table: SQL
  let value: SQL
  /// The value as a listing shows it.
  let shown: SQL
  /// The index that knows the words of the values.
  let index: SearchIndex?
  /// The table that has an `item_id`.
  private let first: SQL
  /// What else holds of the rows.
  private let condition: SQL?
  private let order: SQL?
  /// The same, the other way round.
  private let backwards: SQL?
  /// When a row counts as one that has a value.
  private let hasValue: SQL
  /// Whether an index has the values.
  let isLookedUp: Bool

  /// - Parameters:
  ///   - first: the table that has an `item_id`, when more are joined to it.
  ///   - order: how a listing sorts them.
  ///   - backwards: the same, the other way round; nil where that is the order, descending.
  ///   - shown: what a listing shows instead of the value.
  ///   - hasValue: when a row counts as one that has a value; nil unless its value is NULL.
  ///   - isLookedUp: whether an index has the values.
  init(
    _ table: SQL, _ value: SQL, of first: SQL? = nil, where condition: SQL? = nil, by order: SQL? = nil,
    backwards: SQL? = nil, in index: SearchIndex? = nil, shown: SQL? = nil, hasValue: SQL? = nil,
    isLookedUp: Bool = false
  ) {
    (self.table, self.value, self.shown, self.first) = (table, value, shown ?? value, first ?? table)
    (self.condition, self.order, self.index, self.isLookedUp) = (condition, order, index, isLookedUp)
    self.backwards = backwards ?? order.map { "\($0) DESC" }
    self.hasValue = hasValue ?? "\(value) IS NOT NULL"
  }

  /// Which of them are of `item`.
  private var link: SQL { "\(first).item_id = item.id\(condition.map { " AND \($0)" as SQL } ?? "")" }

  /// Whether `item` has a row for which this holds.
  func has(_ asked: SQL) -> SQL {
    // An index of the values finds them faster than a look at each item.
    guard isLookedUp else { return "EXISTS (SELECT 1 FROM \(table) WHERE \(link) AND \(asked))" }
    let its: SQL = condition.map { "\($0) AND " } ?? ""
    // Few have the value: SQLite shall find them first, then the items that they are joined to.
    return "item.id IN (SELECT \(first).item_id FROM \(table) WHERE \(its)unlikely(\(asked)))"
  }

  /// Whether `item` has a row with a value.
  var hasAny: SQL { "EXISTS (SELECT 1 FROM \(table) WHERE \(link) AND \(hasValue))" }

  /// What a listing makes of the rows of an item.
  enum Fold: Sendable {
    /// All values in one text, with ``FieldType/separator`` between them.
    case list
    case count
    /// Whether there is one.
    case any
    /// The value of the last; NULL when there is none.
    case last
  }

  func folded(_ fold: Fold) -> SQL {
    switch fold {
    case .list:
      // The sign itself: char(31) would be called for each value.
      """
      (SELECT group_concat(value, '\u{1F}') FROM (
        SELECT \(shown) AS value FROM \(table) WHERE \(link)\(order.map { " ORDER BY \($0)" as SQL } ?? "")))
      """
    case .count: "(SELECT count(*) FROM \(table) WHERE \(link))"
    case .any: "EXISTS (SELECT 1 FROM \(table) WHERE \(link))"
    case .last:
      "(SELECT \(shown) FROM \(table) WHERE \(link)\(backwards.map { " ORDER BY \($0) LIMIT 1" as SQL } ?? ""))"
    }
  }

  /// The values of all items, each behind the number of its item, in the order of these.
  var all: SQL {
    """
    SELECT \(first).item_id, \(shown) FROM \(table) CROSS JOIN item WHERE \(link) AND \(value) IS NOT NULL
    ORDER BY \(first).item_id\(order.map { ", \($0)" as SQL } ?? "")
    """
  }
}
