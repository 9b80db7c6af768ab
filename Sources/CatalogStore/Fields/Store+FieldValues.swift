internal import CatalogModel
internal import SQLite

extension Store {
  /// Returns the values of a field in the catalog, the most frequent first, for completion. Empty for a field whose
  /// values are all different, such as titles and dates.
  /// - Parameter begun: a prefix of the values, in any case.
  public func values(of field: Field, beginning begun: String = "", limit: Int = 100) throws -> [String] {
    let pattern = begun.filter { $0 != "%" && $0 != "_" } + "%"
    switch field.type {
    case .kind: return Kind.shelved.map(\.rawValue).filter { $0.hasPrefix(begun.lowercased()) }
    case .choice(let words): return words.filter { $0.hasPrefix(begun.lowercased()) }
    case .genres:
      let used = try usedGenres()
      let key = Folding.fold(begun)
      return (used.isEmpty ? try genreNames() : used).filter { Folding.fold($0).hasPrefix(key) }
    case .people(let role):
      return try db.values(
        """
        SELECT person.name FROM person JOIN credit ON credit.person_id = person.id JOIN item ON item.id = credit.item_id
        WHERE person.name LIKE \(pattern) AND credit.role = \(Credit.Role.sql(role))
        GROUP BY person.name ORDER BY count(*) DESC, person.name LIMIT \(limit)
        """)
    case .many(.text), .many(.place), .many(.grade):
      return try field.places.flatMap { value, rows -> [String] in
        guard let rows else { return [] }
        return try db.values(
          """
          SELECT \(value) AS value FROM \(rows.table) WHERE value LIKE \(pattern)
          GROUP BY value ORDER BY count(*) DESC, value LIMIT \(limit)
          """, as: String.self)
      }
    case .text, .list:
      let values = try field.columns.flatMap { column in
        try db.values(
          """
          SELECT \(column.listed) AS value FROM \(identifier: column.table.rawValue) WHERE value LIKE \(pattern)
          GROUP BY value ORDER BY count(*) DESC, value LIMIT \(limit)
          """, as: String.self)
      }
      return values.flatMap { $0.split(separator: "\u{1F}").map(String.init) }.withoutRepeats
    default: return []
    }
  }
}
