public import CatalogModel
internal import SQLite

/// The items with covers and the comment that illustrate a selection or a year.
extension Store {
  /// The selected items with a cover: first those loved, then by rating, then the newest.
  ///
  /// - Parameter year: limits the result to items that were added, watched, read or played in the year or have a card
  ///   of it. Only ratings of the year count.
  public func itemsWithCover(_ query: Query, in year: Int? = nil, limit: Int) throws -> [ItemID] {
    let cards = try Self.cards(of: year)
    let shelf = onShelf(query) ?? "true"
    let added: SQL
    if let year {
      let text = YearText(year)
      added = """
        (item.created_at >= catalog_start(\(text.start)) AND item.created_at < catalog_end(\(text.start)) OR item.id IN (SELECT item_id FROM dated)
          OR item.id IN (SELECT item_id FROM event WHERE outcome = 'done' AND ended_on BETWEEN \(text.start) AND \(text.end)))
        """
    } else {
      added = "true"
    }
    return try db.values(
      """
      WITH dated AS MATERIALIZED (
          SELECT item_id, rating, \(Self.opinionDay()) || ' ' || created_at AS written FROM card WHERE \(cards)),
        newest AS (
          SELECT item_id, rating, max(written || printf(' %03d', rating)) FROM dated WHERE rating IS NOT NULL GROUP BY item_id)
      SELECT item.id FROM item LEFT JOIN newest ON newest.item_id = item.id
      WHERE EXISTS (SELECT 1 FROM cover WHERE cover.item_id = item.id) AND \(added) AND \(shelf) AND \(try condition(query))
      ORDER BY ifnull(newest.rating >= \(GenreReport.lovedFrom), 0) OR item.id IN (SELECT item_id FROM favorite) DESC,
        newest.rating DESC NULLS LAST, \(Self.newestItemFirst)
      LIMIT \(limit)
      """, as: Int64.self
    ).map(ItemID.init)
  }

  /// The card with the best comment: the highest rating, then the newest; cards without a rating are last. From four
  /// stars on, several words come before a single one.
  ///
  /// - Parameter year: limits the result to cards of the year.
  public func bestWords(_ query: Query, in year: Int? = nil) throws -> Card? {
    let id = try db.value(
      """
      SELECT card.id FROM card JOIN item ON item.id = card.item_id
      WHERE card.comment IS NOT NULL AND \(try Self.cards(of: year)) AND \(try condition(query))
      ORDER BY card.rating >= 80 AND card.comment LIKE '%_ _%' DESC, card.rating DESC NULLS LAST,
        \(Self.newestCardFirst) LIMIT 1
      """, as: Int64.self)
    return try id.map { try card(CardID(rawValue: $0)) }
  }

  /// A condition on `card`: it is of the year, in the sense of the year in review.
  private static func cards(of year: Int?) throws -> SQL {
    guard let year else { return "true" }
    let text = YearText(year)
    return "\(cardDay) BETWEEN \(text.start) AND \(text.end)"
  }
}
