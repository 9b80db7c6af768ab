internal import SQLite

/// The rows of another table that hang on `item` and hold a field, a value in each.
///
///     Rows("track", "track.title", by: "track.number", in: .own)
struct Rows: Sendable {
  /// What they are selected from.
  let table: SQL
  /// Which of them are of `item`.
  let link: SQL
  let value: SQL
  /// The value as a listing shows it.
  let shown: SQL
  /// The table whose `item_id` is looked up by an index of the values, and what else holds of its rows.
  private let indexed: (table: SQL, condition: SQL)?
  let order: SQL?
  /// The index that knows the words of the values.
  let index: SearchIndex?

  /// - Parameters:
  ///   - first: the table that has an `item_id`, when more are joined to it.
  ///   - order: how a listing sorts them.
  ///   - shown: what a listing shows instead of the value.
  ///   - isLookedUp: whether an index has the values.
  init(
    _ table: SQL, _ value: SQL, of first: SQL? = nil, where condition: SQL? = nil, by order: SQL? = nil,
    in index: SearchIndex? = nil, shown: SQL? = nil, isLookedUp: Bool = false
  ) {
    self.shown = shown ?? value
    let also: SQL = condition.map { " AND \($0)" } ?? ""
    indexed = isLookedUp ? (first ?? table, also) : nil
    link = "\(first ?? table).item_id = item.id\(also)"
    (self.table, self.value, self.order, self.index) = (table, value, order, index)
  }

  /// Whether `item` has a row for which this holds.
  func has(_ condition: SQL) -> SQL {
    // An index of the values finds them faster than a look at each item.
    guard let indexed else { return "EXISTS (SELECT 1 FROM \(table) WHERE \(link) AND \(condition))" }
    return "item.id IN (SELECT \(indexed.table).item_id FROM \(table) WHERE \(condition)\(indexed.condition))"
  }

  /// All values in one, with ``FieldType/separator`` between them.
  var list: SQL {
    """
    (SELECT group_concat(value, char(31)) FROM (
      SELECT \(shown) AS value FROM \(table) WHERE \(link)\(order.map { " ORDER BY \($0)" as SQL } ?? "")))
    """
  }
}
