internal import CatalogModel

extension TableSchema {
  /// The linked fields of a column.
  static func group(of column: String, in table: String) -> [String] {
    named(table)?.groups.first { $0.contains(column) } ?? [column]
  }
}

extension TableSchema.MergeRule {
  /// The rule for a member of a document: that of its table, or of a list that is no table.
  package static func of(_ member: String) -> Self {
    if member == PortableDocuments.aliases || member == "items" { return .orderedSet(by: "") }
    return TableSchema.named(member)?.merge ?? .whole
  }

  /// The values that identify a row within its table; names without regard to spelling.
  func key(of row: Document) -> [String] {
    let columns =
      switch self {
      case .rows(let columns): columns
      case .orderedSet(let column): [column]
      case .row, .whole: [String]()
      }
    return columns.map { column in
      // The key follows from the name beside it.
      if column == "key", let name = row["name"]?.text { return Folding.nameKey(name) }
      guard let value = row[column] else { return "" }
      return TableSchema.named.contains(column) || column == "label" ? Self.name(of: value) : value.word
    }
  }

  /// The name in a value, without regard to spelling.
  static func name(of value: JSON) -> String {
    switch value {
    case .text(let text): Folding.nameKey(text)
    case .list(let values): values.map(name).joined(separator: "\n")
    // A label is identified by source, kind and key.
    case .object(let row): ["source", "kind", "key"].map { row[$0]?.word ?? "" }.joined(separator: "\t")
    default: value.word
    }
  }
}
