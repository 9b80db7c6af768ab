internal import CatalogModel

/// Counts items for a ``GenreMatrix``.
struct GenreMatrixTally {
  /// The counts of one genre. All but `weight` include the items of the genres below it.
  private struct Counts {
    var items = 0
    var weight = 0
    /// The item counted last, as its place among all that have genres; and the last one that has a genre below it.
    var lastItem = 0
    var lastBelow = 0
  }

  private let tree: GenreTree
  private static let kinds = Kind.shelved.count + 1
  /// The buckets of all sets one behind another, and where each set begins; at the end where the last one ends.
  private let members: [Int]
  private let starts: [Int]
  private var counts: [Counts]
  /// A row of all genres for each kind, and for each kind in each bucket.
  private var ofKind: [Int]
  private var cells: [Int]
  /// Items with a genre of each kind, and of each kind in each bucket.
  private var classifiedOfKind = Array(repeating: 0, count: kinds)
  private var inBucket: [Int]
  private var classified = 0

  /// - Parameter sets: the buckets, numbered from 0, that stand together for an item.
  init(_ tree: GenreTree, buckets: Int, sets: [[Int]]) {
    self.tree = tree
    members = Array(sets.joined())
    starts = sets.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.count) }
    counts = Array(repeating: Counts(), count: tree.count)
    ofKind = Array(repeating: 0, count: tree.count * Self.kinds)
    cells = Array(repeating: 0, count: tree.count * buckets * Self.kinds)
    inBucket = Array(repeating: 0, count: buckets * Self.kinds)
  }

  /// Counts an item with its own genres, of which there is at least one.
  /// - Parameters:
  ///   - set: which of the sets it belongs to; negative for none.
  ///   - kind: the place of its kind among ``Kind/shelved``.
  mutating func count(_ set: Int32, kind: Int, _ genres: UnsafeBufferPointer<Int>) {
    classified += 1
    classifiedOfKind[kind] += 1
    let (item, parents, size) = (classified, tree.parents, tree.count)
    let members = set < 0 ? [] : members[starts[Int(set)]..<starts[Int(set) + 1]]
    for bucket in members { inBucket[bucket * Self.kinds + kind] += 1 }
    counts.withUnsafeMutableBufferPointer { counts in
      cells.withUnsafeMutableBufferPointer { cells in
        for genre in genres {
          var number = genre
          // The genres above a counted genre were counted for this item, too.
          while number >= 0, counts[number].lastItem != item {
            counts[number].lastItem = item
            counts[number].items += 1
            ofKind[kind * size + number] += 1
            for bucket in members { cells[(bucket * Self.kinds + kind) * size + number] += 1 }
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
    let kinds = 0..<Self.kinds
    matrix.itemsWithGenre = classified
    matrix.withGenreByKind = classifiedOfKind
    for bucket in matrix.buckets.indices {
      matrix.buckets[bucket].byKind = kinds.map { inBucket[bucket * Self.kinds + $0] }
      matrix.buckets[bucket].itemsWithGenre = matrix.buckets[bucket].byKind.reduce(0, +)
    }
    matrix.rows = counts.indices.filter { counts[$0].items > 0 }.sorted { a, b in
      (counts[b].items, counts[b].weight, tree.names[a]) < (counts[a].items, counts[a].weight, tree.names[b])
    }.map { number in
      let ancestors = tree.ancestors(of: number)
      let byKind = matrix.buckets.indices.map { bucket in
        kinds.map { cells[(bucket * Self.kinds + $0) * tree.count + number] }
      }
      return GenreMatrix.Row(
        genre: tree.names[number], ancestors: ancestors, items: counts[number].items,
        isHeading: tree.isHeading(number), counts: byKind.map { $0.reduce(0, +) },
        byKind: kinds.map { ofKind[$0 * tree.count + number] }, countsByKind: byKind)
    }
  }
}
