internal import CatalogModel
internal import SQLite

/// Makes SQL of a query: a condition on `item`.
enum QueryCompiler {
  static func condition(_ query: Query) -> SQL {
    query.terms.isEmpty ? "true" : query.terms.map(condition).joined(separator: " AND ")
  }

  private static func condition(_ term: Query.Term) -> SQL {
    let holds = condition(term.condition)
    // NULL is "does not hold": -year:1959 keeps the items without a year.
    return term.isNegated ? "NOT coalesce((\(holds)), false)" : holds
  }

  private static func condition(_ condition: Query.Condition) -> SQL {
    switch condition {
    case .word(let word):
      guard let expression = SearchText.expression(for: [word]) else { return "false" }
      return "item.id IN (SELECT rowid FROM item_search WHERE item_search MATCH \(expression))"
    case .field(let field, let comparisons):
      let holds = comparisons.map { self.condition(field, $0) }
      return holds.count == 1 ? holds[0] : "(\(holds.joined(separator: " OR ")))"
    }
  }

  private static func condition(_ field: Field, _ comparison: Query.Comparison) -> SQL {
    switch comparison {
    case .present: return present(field)
    case .missing: return "NOT \(present(field))"
    case .equals(let name) where field == .genres: return genre(name)
    case .equals(let text): return "\(field.scalar) = \(text)"
    case .contains(let part) where field == .title:
      return """
        (catalog_contains(item.title, \(part)) OR catalog_contains(item.original_title, \(part))
          OR catalog_contains(item.other_titles, \(part)))
        """
    case .contains(let part):
      switch field.type {
      case .people(let role): return person(part, role)
      case .code: return "catalog_contains(replace(replace(\(field.scalar), '-', ''), ' ', ''), \(part))"
      default: return "catalog_contains(\(field.scalar), \(part))"
      }
    case .numbers(let range) where field == .rating:
      return """
        item.id IN (SELECT item_id FROM item_rating WHERE rating BETWEEN \(range.lowerBound) AND \(range.upperBound))
        """
    case .numbers(let range): return "\(field.scalar) BETWEEN \(range.lowerBound) AND \(range.upperBound)"
    case .reals(let range): return "\(field.scalar) BETWEEN \(range.lowerBound) AND \(range.upperBound)"
    case .dates(let from, let before):
      let ends = [
        from.map { "\(field.scalar) >= \($0)" as SQL }, before.map { "\(field.scalar) < \($0)" as SQL },
      ].compactMap { $0 }
      return ends.isEmpty ? present(field) : ends.count == 1 ? ends[0] : "(\(ends.joined(separator: " AND ")))"
    }
  }

  /// A genre or one below it, by its name or by what any source calls it.
  private static func genre(_ name: String) -> SQL {
    let key = Folding.labelKey(name)
    return """
      item.id IN (
        SELECT item_id FROM item_genre WHERE genre_id IN (
          WITH RECURSIVE below(id) AS (
            SELECT id FROM genre WHERE key = \(key)
            UNION SELECT genre_id FROM genre_label JOIN genre_label_target ON label_id = genre_label.id
            WHERE source = 'any' AND kind = '' AND key = \(key)
            UNION SELECT genre.id FROM genre JOIN below ON genre.parent_id = below.id)
          SELECT id FROM below))
      """
  }

  private static func person(_ name: String, _ role: Credit.Role?) -> SQL {
    // The index knows names; the role is then checked on the few that match.
    let person: SQL = """
      EXISTS (SELECT 1 FROM credit JOIN person ON person.id = person_id WHERE credit.item_id = item.id
        AND role = \(Credit.Role.sql(role)) AND catalog_contains(person.name, \(name)))
      """
    guard let expression = SearchText.expression(for: [name]) else { return person }
    return "item.id IN (SELECT rowid FROM item_search WHERE item_search MATCH \(expression)) AND \(person)"
  }

  private static func present(_ field: Field) -> SQL {
    switch field {
    case .genres: "EXISTS (SELECT 1 FROM item_genre WHERE item_genre.item_id = item.id)"
    case .rating: "EXISTS (SELECT 1 FROM card WHERE card.item_id = item.id AND card.rating IS NOT NULL)"
    case .favorite: "item.id IN (SELECT item_id FROM favorite)"
    case _ where field.type == .flag: field.scalar
    default: "(\(field.scalar) IS NOT NULL)"
    }
  }
}

extension Connection {
  /// `catalog_contains(text, part)`: whether `part` stands in `text`, ignoring case and accents.
  func defineQueryFunctions() throws {
    try define("catalog_contains", argumentCount: 2) { values in
      guard case .text(let text) = values[0], case .text(let part) = values[1] else { return .integer(0) }
      return .integer(Folding.fold(text).contains(Folding.fold(part)) ? 1 : 0)
    }
  }
}
