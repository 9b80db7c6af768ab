public import CatalogModel
internal import SQLite

extension Store {
  /// Picks items at random, without repeats. Items never watched, read or played have eight times the weight. Items at
  /// hand have four times the weight: movies, and items with a copy that is not lent.
  /// - Parameter seed: the seed of the random numbers. The same seed and items give the same result.
  public func pick(_ query: Query, count: Int = 1, seed: Int) throws -> [ItemID] {
    var random = SplitMix64(seed: UInt64(bitPattern: Int64(seed)))
    // SQLite's `random()` has no seed, and a weighted order in SQL would sort all items.
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
    return random.draw(count, by: weights.map(\.weight)).map { weights[$0].item }
  }

  /// The places of some of these weights, drawn at random without repeats.
  public static func draw(_ count: Int, by weights: [Int], seed: Int) -> [Int] {
    var random = SplitMix64(seed: UInt64(bitPattern: Int64(seed)))
    return random.draw(count, by: weights)
  }
}

extension SplitMix64 {
  fileprivate mutating func draw(_ count: Int, by weights: [Int]) -> [Int] {
    var weights = weights
    var sum = weights.reduce(0, +)
    var drawn: [Int] = []
    while drawn.count < count, sum > 0 {
      var left = below(sum)
      let place = weights.firstIndex { weight in
        left -= weight
        return left < 0
      }
      guard let place else { break }
      drawn.append(place)
      sum -= weights[place]
      weights[place] = 0
    }
    return drawn
  }
}
