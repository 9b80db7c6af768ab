internal import CatalogModel

/// The counts of one genre in one stratum of a ``GenreTable``.
protocol GenreCell {
  init()
  mutating func add(_ other: Self)
}

extension Int: GenreCell {
  mutating func add(_ other: Int) { self += other }
}

/// Two properties of an item that make a stratum: of its items, any is as good as another when nothing is going on.
struct GenreStratum: Hashable, Comparable {
  /// The place of the kind among ``Kind/shelved``.
  var kind: Int
  /// The number of genres that the items have themselves; or their year or bucket.
  var value: Int

  /// From so many genres on, items are one stratum where dates are compared.
  static let mostGenres = 6

  /// The items of one kind with about as many genres, among which dates are compared: a source that gives more labels
  /// than another would make every genre grow.
  var ofDates: GenreStratum { GenreStratum(kind: kind, value: min(value, Self.mostGenres)) }

  static func < (one: Self, other: Self) -> Bool { (one.kind, one.value) < (other.kind, other.value) }
}

/// Counts of the items of each genre in each stratum. An item counts for the genres above its own, too. All counts are
/// whole numbers, so that the order of the items changes nothing.
struct GenreTable<Cell: GenreCell> {
  /// By genre, then by value and kind, as far as there are any; the row behind all genres is of all items.
  private var rows: [[Cell]]

  init(_ tree: GenreTree) {
    rows = Array(repeating: [], count: tree.count + 1)
  }

  private func place(of stratum: GenreStratum) -> Int {
    stratum.value * Kind.shelved.count + stratum.kind
  }

  /// - Parameter genres: each once.
  mutating func add(_ cell: Cell, to genres: [Int], in stratum: GenreStratum) {
    let place = place(of: stratum)
    for genre in genres {
      while rows[genre].count <= place { rows[genre].append(Cell()) }
      rows[genre][place].add(cell)
    }
  }

  /// The counts of a genre in a stratum.
  subscript(genre: Int, stratum: GenreStratum) -> Cell {
    let place = place(of: stratum)
    return rows[genre].indices.contains(place) ? rows[genre][place] : Cell()
  }

  /// Returns the table with strata joined that have the same key.
  func joined<Key>(by key: (GenreStratum) -> Key) -> GenreStrata<Key, Cell> {
    let kinds = Kind.shelved.count
    let columns = (rows.last ?? []).indices.map { key(GenreStratum(kind: $0 % kinds, value: $0 / kinds)) }
    let keys = Set(columns).sorted()
    let places = columns.map { keys.firstIndex(of: $0) ?? 0 }
    return GenreStrata(
      keys: keys,
      rows: rows.map { row in
        var joined = Array(repeating: Cell(), count: keys.count)
        for (place, cell) in zip(places, row) { joined[place].add(cell) }
        return joined
      })
  }
}

/// A table genre × stratum in the order of the strata.
struct GenreStrata<Key: Hashable & Comparable, Cell> {
  let keys: [Key]
  fileprivate let rows: [[Cell]]

  /// The cells of one genre, one for each key.
  subscript(genre: Int) -> [Cell] { rows[genre] }

  /// The cells of all items.
  var whole: [Cell] { rows.last ?? [] }
}

/// Walks up the tree from the genres of one item after the other.
struct GenreWalk {
  let tree: GenreTree
  /// The number of items so far, and of those with each genre or one below it.
  private(set) var items = 0
  private(set) var counts: [Int]
  /// The weights that the items gave to each of their lowest genres, in ``ItemShare`` units.
  private(set) var weights: [Int]
  /// The genres of the item and all above them, each once, and behind all genres the row of all items.
  private(set) var line: [Int] = []
  /// Those of its genres that have none of the others below them.
  private(set) var lowest: [Int] = []
  /// The item that was last met at a genre, and the last one that has a genre below it.
  private var met: [Int]
  private var below: [Int]

  init(_ tree: GenreTree) {
    self.tree = tree
    counts = Array(repeating: 0, count: tree.count)
    (weights, met, below) = (counts, counts, counts)
  }

  /// Goes on to an item with its own genres, of which there is at least one.
  mutating func next(_ genres: [Int]) {
    items += 1
    line.removeAll(keepingCapacity: true)
    for genre in genres {
      var number = genre
      // The genres above one that was met were met, too.
      while number >= 0, met[number] != items {
        met[number] = items
        counts[number] += 1
        line.append(number)
        number = tree.parents[number]
        if number >= 0 { below[number] = items }
      }
    }
    lowest.removeAll(keepingCapacity: true)
    for genre in genres where below[genre] != items { lowest.append(genre) }
    for genre in lowest { weights[genre] += ItemShare.of(lowest.count) }
    line.append(tree.count)
  }

  /// The genres that have items: most items first; of equals the higher weight, then the name.
  var ranked: [Int] {
    counts.indices.filter { counts[$0] > 0 }.sorted {
      (counts[$1], weights[$1], tree.names[$0]) < (counts[$0], weights[$0], tree.names[$1])
    }
  }
}

/// The share of an item that each of its genres gets, as a whole number: sums are then the same in any order.
enum ItemShare {
  /// The least common multiple of 1 … 28, so that the share of up to 28 genres is exact. A hundred million items fit.
  static let unit = 80_313_433_200

  static func of(_ genres: Int) -> Int { unit / max(1, genres) }
}
