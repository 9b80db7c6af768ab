/// Counts items for a ``GenreMatrix``.
struct GenreMatrixTally {
  private let tree: GenreTree
  /// The buckets that an item can be in together: one, or the creators of one item.
  private let sets: [[Int]]
  private let bucketCount: Int
  /// A row of all buckets for each genre.
  private var counts: [Int]
  private var items: [Int]
  private var own: [Int]
  private var weights: [Int]
  /// The item counted last for each genre, as its place among all that have genres.
  private var lastItem: [Int]
  private var inBucket: [Int]
  private var classified = 0

  /// - Parameter sets: the buckets, numbered from 0, that stand together for an item.
  init(_ tree: GenreTree, buckets: Int, sets: [[Int]]) {
    (self.tree, self.sets, bucketCount) = (tree, sets, buckets)
    counts = Array(repeating: 0, count: tree.count * buckets)
    items = Array(repeating: 0, count: tree.count)
    (own, weights, lastItem) = (items, items, items)
    inBucket = Array(repeating: 0, count: buckets)
  }

  /// Counts an item with its own genres, of which there is at least one.
  /// - Parameter set: which of the sets it belongs to; negative for none.
  mutating func count(_ set: Int32, _ genres: [Int]) {
    classified += 1
    let buckets = set < 0 ? [] : sets[Int(set)]
    for bucket in buckets { inBucket[bucket] += 1 }
    let share = ItemShare.of(genres.count)
    for genre in genres {
      own[genre] += 1
      weights[genre] += share
      var number = genre
      while number >= 0, lastItem[number] != classified {
        lastItem[number] = classified
        items[number] += 1
        for bucket in buckets { counts[number * bucketCount + bucket] += 1 }
        number = tree.parents[number]
      }
    }
  }

  /// Fills in what was counted.
  func complete(_ matrix: inout GenreMatrix) {
    matrix.itemsWithGenre = classified
    for bucket in matrix.buckets.indices { matrix.buckets[bucket].itemsWithGenre = inBucket[bucket] }
    matrix.rows = items.indices.filter { items[$0] > 0 }.sorted { a, b in
      (items[b], weights[b], tree.names[a]) < (items[a], weights[a], tree.names[b])
    }.map { number in
      let ancestors = tree.ancestors(of: number)
      return GenreMatrix.Row(
        genre: tree.names[number], ancestors: ancestors, items: items[number],
        isHeading: ancestors.isEmpty && own[number] * 2 < items[number],
        counts: Array(counts[number * bucketCount..<(number + 1) * bucketCount]))
    }
  }
}
