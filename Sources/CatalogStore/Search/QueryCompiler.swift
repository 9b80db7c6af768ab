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
    case .kind(let kind): return "item.kind = \(kind.rawValue)"
    case .genre(let name):
      let key = Folding.labelKey(name)
      return """
        item.id IN (
          SELECT item_id FROM item_genre WHERE genre_id IN (
            WITH RECURSIVE below(id) AS (
              SELECT id FROM genre WHERE key = \(key)
              UNION SELECT genre_id FROM genre_label JOIN genre_label_target ON label_id = genre_label.id
              WHERE source = 'any' AND key = \(key)
              UNION SELECT genre.id FROM genre JOIN below ON genre.parent_id = below.id)
            SELECT id FROM below))
        """
    case .year(let years): return "item.year BETWEEN \(years.lowerBound) AND \(years.upperBound)"
    case .rating(let ratings):
      return """
        item.id IN (SELECT item_id FROM item_rating WHERE rating BETWEEN \(ratings.lowerBound) AND \(ratings.upperBound))
        """
    case .creator(let name):
      // The index knows names; the role is then checked on the few that match.
      let creator: SQL = """
        EXISTS (SELECT 1 FROM credit JOIN person ON person.id = person_id WHERE credit.item_id = item.id
          AND role = CASE item.kind WHEN 'movie' THEN 'director' WHEN 'book' THEN 'author' ELSE 'artist' END
          AND catalog_contains(person.name, \(name)))
        """
      guard let expression = SearchText.expression(for: [name]) else { return creator }
      return "item.id IN (SELECT rowid FROM item_search WHERE item_search MATCH \(expression)) AND \(creator)"
    case .title(let text):
      return """
        (catalog_contains(item.title, \(text)) OR catalog_contains(item.original_title, \(text))
          OR catalog_contains(item.other_titles, \(text)))
        """
    case .isFavorite: return "item.id IN (SELECT item_id FROM favorite)"
    case .added(let from, let before):
      return [
        from.map { "item.created_at >= \($0)" as SQL }, before.map { "item.created_at < \($0)" as SQL },
      ].compactMap { $0 }.joined(separator: " AND ").orTrue
    case .id(let ids): return "item.id BETWEEN \(ids.lowerBound) AND \(ids.upperBound)"
    case .missing(let field): return "NOT \(present(field))"
    case .present(let field): return present(field)
    }
  }

  private static func present(_ field: Query.Field) -> SQL {
    switch field {
    case .genre: "EXISTS (SELECT 1 FROM item_genre WHERE item_genre.item_id = item.id)"
    case .year: "(item.year IS NOT NULL)"
    case .rating: "EXISTS (SELECT 1 FROM card WHERE card.item_id = item.id AND card.rating IS NOT NULL)"
    case .creator: "EXISTS (SELECT 1 FROM credit WHERE credit.item_id = item.id)"
    case .cover: "EXISTS (SELECT 1 FROM cover WHERE cover.item_id = item.id)"
    }
  }
}

extension SQL {
  fileprivate var orTrue: SQL { text.isEmpty ? "true" : self }
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
