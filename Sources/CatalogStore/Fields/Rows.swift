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

  /// - Parameters:
  ///   - first: the table that has an `item_id`, when more are joined to it.
  ///   - order: how a listing sorts them.
  init(
    _ table: SQL, _ value: SQL, of first: SQL? = nil, where condition: SQL? = nil, by order: SQL? = nil,
    in index: SearchIndex? = nil
  ) {
    link = ("\(first ?? table).item_id = item.id" as SQL) + (condition.map { " AND \($0)" as SQL } ?? "")
    (self.table, self.value, self.order, self.index) = (table, value, order, index)
  }

  /// All values in one, with ``FieldType/separator`` between them.
  var list: SQL {
    """
    (SELECT group_concat(value, char(31)) FROM (
      SELECT \(value) AS value FROM \(table) WHERE \(link)\(order.map { " ORDER BY \($0)" as SQL } ?? "")))
    """
  }
}
