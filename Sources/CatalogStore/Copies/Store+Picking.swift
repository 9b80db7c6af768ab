public import CatalogModel
internal import SQLite

extension Store {
  /// Picks items at random, without repeats. Items never watched, read or played have eight times the weight. Items at
  /// hand have four times the weight: movies, and items with a copy that is not lent.
  /// - Parameter seed: the seed of the random numbers. The same seed and items give the same result.
  public func pick(_ query: Query, count: Int = 1, seed: Int) throws -> [ItemID] {
    var random = SplitMix64(seed: UInt64(bitPattern: Int64(seed)))
    var weights: [(item: ItemID, weight: Int)] = []
    try db.forEach(
      """
      SELECT item.id,
        CASE WHEN item.id IN (SELECT item_id FROM log_entry) OR item.id IN (SELECT item_id FROM card) THEN 1 ELSE 8 END
        * CASE WHEN item.kind = 'movie' OR item.id IN (
          SELECT item_id FROM copy WHERE id NOT IN (SELECT copy_id FROM loan WHERE returned_on IS NULL)) THEN 4 ELSE 1 END
      FROM item WHERE \(try condition(query)) ORDER BY item.id
      """
    ) { row in
      weights.append((ItemID(rawValue: row.integer(0)), Int(row.integer(1))))
      return true
    }
    var sum = weights.reduce(0) { $0 + $1.weight }
    var picked: [ItemID] = []
    while picked.count < count, sum > 0 {
      var left = random.below(sum)
      let place = weights.firstIndex { entry in
        left -= entry.weight
        return left < 0
      }
      guard let place else { break }
      picked.append(weights[place].item)
      sum -= weights[place].weight
      weights[place].weight = 0
    }
    return picked
  }
}
