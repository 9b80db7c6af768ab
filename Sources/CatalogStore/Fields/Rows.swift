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
  let order: SQL?
  /// The index that knows the words of the values.
  let index: SearchIndex?
  /// When a row counts as one that has a value.
  let hasValue: SQL
  /// Whether an index of the table finds the rows with a value, and so the items: they are looked up, not gone through.
  let findsItems: Bool
  /// The table that has an `item_id`.
  private let first: SQL
  private let condition: SQL?

  /// - Parameters:
  ///   - first: the table that has an `item_id`, when more are joined to it.
  ///   - order: how a listing sorts them.
  ///   - hasValue: when a row counts as one that has a value; nil unless its value is NULL.
  ///   - findsItems: whether an index of the table finds the rows with a value.
  init(
    _ table: SQL, _ value: SQL, of first: SQL? = nil, where condition: SQL? = nil, by order: SQL? = nil,
    in index: SearchIndex? = nil, hasValue: SQL? = nil, findsItems: Bool = false
  ) {
    self.first = first ?? table
    self.condition = condition
    link = ("\(first ?? table).item_id = item.id" as SQL) + (condition.map { " AND \($0)" as SQL } ?? "")
    (self.hasValue, self.findsItems) = (hasValue ?? "\(value) IS NOT NULL", findsItems)
    (self.table, self.value, self.order, self.index) = (table, value, order, index)
  }

  /// A condition on `item`: a row of it has this.
  func some(_ condition: SQL) -> SQL {
    guard findsItems else { return "EXISTS (SELECT 1 FROM \(table) WHERE \(link) AND \(condition))" }
    let its = self.condition.map { "\($0) AND " as SQL } ?? ""
    return "item.id IN (SELECT \(first).item_id FROM \(table) WHERE \(its)\(condition))"
  }

  /// A condition on `item`: it has a row with a value.
  var any: SQL { "EXISTS (SELECT 1 FROM \(table) WHERE \(link) AND \(hasValue))" }

  /// All values in one, with ``FieldType/separator`` between them.
  var list: SQL {
    """
    (SELECT group_concat(value, char(31)) FROM (
      SELECT \(value) AS value FROM \(table) WHERE \(link)\(order.map { " ORDER BY \($0)" as SQL } ?? "")))
    """
  }
}
