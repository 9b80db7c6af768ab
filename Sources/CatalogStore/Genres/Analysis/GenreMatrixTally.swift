/// Counts items for a ``GenreMatrix``.
struct GenreMatrixTally {
  /// What is counted of one genre, and of its items but for `weight` also of those below it.
  private struct Counts {
    var items = 0
    var weight = 0
    /// The item counted last, as its place among all that have genres; and the last one that has a genre below it.
    var lastItem = 0
    var lastBelow = 0
  }

  private let tree: GenreTree
  /// The buckets of all sets one behind another, as the start of their rows, and where each set begins; at the end where
  /// the last one ends.
  private let rows: [Int]
  private let starts: [Int]
  private var counts: [Counts]
  /// A row of all genres for each bucket.
  private var cells: [Int]
  private var inBucket: [Int]
  private var classified = 0

  /// - Parameter sets: the buckets, numbered from 0, that stand together for an item.
  init(_ tree: GenreTree, buckets: Int, sets: [[Int]]) {
    self.tree = tree
    rows = sets.joined().map { $0 * tree.count }
    starts = sets.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.count) }
    counts = Array(repeating: Counts(), count: tree.count)
    cells = Array(repeating: 0, count: tree.count * buckets)
    inBucket = Array(repeating: 0, count: buckets)
  }

  /// Counts an item with its own genres, of which there is at least one.
  /// - Parameter set: which of the sets it belongs to; negative for none.
  mutating func count(_ set: Int32, _ genres: UnsafeBufferPointer<Int>) {
    classified += 1
    let (item, parents) = (classified, tree.parents)
    let rows = set < 0 ? [] : rows[starts[Int(set)]..<starts[Int(set) + 1]]
    for row in rows { inBucket[row / tree.count] += 1 }
    counts.withUnsafeMutableBufferPointer { counts in
      cells.withUnsafeMutableBufferPointer { cells in
        for genre in genres {
          var number = genre
          // Whoever is above a genre that was counted for this item was counted too.
          while number >= 0, counts[number].lastItem != item {
            counts[number].lastItem = item
            counts[number].items += 1
            for row in rows { cells[row + number] += 1 }
            number = parents[number]
            if number >= 0 { counts[number].lastBelow = item }
          }
        }
        let share = ItemShare.of(genres.count { counts[$0].lastBelow != item })
        for genre in genres where counts[genre].lastBelow != item { counts[genre].weight += share }
      }
    }
  }

  /// Fills in what was counted.
  func complete(_ matrix: inout GenreMatrix) {
    matrix.itemsWithGenre = classified
    for bucket in matrix.buckets.indices { matrix.buckets[bucket].itemsWithGenre = inBucket[bucket] }
    matrix.rows = counts.indices.filter { counts[$0].items > 0 }.sorted { a, b in
      (counts[b].items, counts[b].weight, tree.names[a]) < (counts[a].items, counts[a].weight, tree.names[b])
    }.map { number in
      let ancestors = tree.ancestors(of: number)
      return GenreMatrix.Row(
        genre: tree.names[number], ancestors: ancestors, items: counts[number].items,
        isHeading: tree.isHeading(number),
        counts: matrix.buckets.indices.map { cells[$0 * tree.count + number] })
    }
  }
}
