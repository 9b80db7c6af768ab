internal import SQLite

/// The genres, numbered from 0.
struct GenreTree {
  private(set) var names: [String] = []
  /// The id of the genre above each, by the genre's own id.
  private var parentIDs = ItemTable<Int64?>()
  /// The number of the genre above each, −1 for a root.
  private(set) var parents: [Int] = []
  /// The number of the branch that each is in: the genre of the level below the root; a root is its own.
  private(set) var branches: [Int] = []
  /// Whether there are genres below it.
  private(set) var hasBelow: [Bool] = []

  /// The genres of a catalog. Of a damaged file, in which they come in no order, some are not found.
  init(_ db: Connection) throws {
    try db.forEach("SELECT id, name, parent_id FROM genre ORDER BY id") {
      parentIDs.append($0.integer(0), $0.isNull(2) ? nil : $0.integer(2))
      names.append($0.text(1))
      return true
    }
    parents = parentIDs.all.map { id in id.flatMap(self.number) ?? -1 }
    for number in parents.indices {
      // The file forbids circles; one that got in nevertheless is cut here.
      var (above, steps) = (parents[number], 0)
      while above >= 0, steps <= count { (above, steps) = (parents[above], steps + 1) }
      if above >= 0 { parents[number] = -1 }
    }
    branches = parents.indices.map { number in
      let line = line(of: number)
      return line.count > 1 ? line[line.count - 2] : number
    }
    hasBelow = Array(repeating: false, count: count)
    for parent in parents where parent >= 0 { hasBelow[parent] = true }
  }

  /// A root with genres below it, such as Music or Fiction: it says what kind of thing an item is.
  func isHeading(_ number: Int) -> Bool { parents[number] < 0 && hasBelow[number] }

  var count: Int { names.count }

  func number(of id: Int64) -> Int? { parentIDs.place(of: id) }

  /// A genre and those above it, the root last.
  func line(of number: Int) -> [Int] { Array(sequence(first: number) { parents[$0] < 0 ? nil : parents[$0] }) }

  /// The names above a genre, the root first.
  func ancestors(of number: Int) -> [String] { line(of: number).dropFirst().reversed().map { names[$0] } }

  /// Whether one of the two stands above the other.
  func areInLine(_ a: Int, _ b: Int) -> Bool { line(of: a).contains(b) || line(of: b).contains(a) }
}
