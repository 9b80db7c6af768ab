internal import CatalogModel
internal import SQLite

extension Row {
  /// The date in a column. Nil for NULL, or if another program wrote an invalid date.
  func date(_ column: String) throws -> PartialDate? {
    try get(column, as: String?.self).flatMap { PartialDate($0) }
  }

  /// The texts of a list, with ``FieldType/separator`` between them in the column.
  func texts(_ column: String) throws -> [String] {
    try get(column, as: String?.self)?.split(separator: "\u{1F}").map(String.init) ?? []
  }

  /// The amount in a column with the row's currency. Nil unless both are present.
  func price(_ column: String) throws -> Price? {
    guard let amount = try get(column, as: Int?.self), let currency = try get("currency", as: String?.self) else {
      return nil
    }
    return Price(minorUnits: amount, currency: currency)
  }
}
