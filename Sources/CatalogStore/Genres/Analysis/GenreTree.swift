internal import SQLite

/// The genres, numbered from 0.
struct GenreTree {
  private(set) var names: [String] = []
  /// Ascending.
  private var ids: [Int64] = []
  private var parentIDs: [Int64?] = []
  /// The number of the genre above each, −1 for a root.
  private(set) var parents: [Int] = []
  /// The number of the branch that each is in: the genre of the level below the root; a root is its own.
  private(set) var branches: [Int] = []
  /// Whether there are genres below it.
  private(set) var hasBelow: [Bool] = []
  /// The numbers of small ids, −1 where there is no genre: looking one up is an array access.
  private var small: [Int32] = []

  /// The genres of a catalog.
  init(_ db: Connection) throws {
    try db.forEach("SELECT id, name, parent_id FROM genre ORDER BY id") {
      ids.append($0.integer(0))
      names.append($0.text(1))
      parentIDs.append($0.isNull(2) ? nil : $0.integer(2))
      return true
    }
    // They come in order, but for those of a damaged file: then some genres are not found.
    let isSmall = ids.allSatisfy { (0..<65_536).contains($0) }
    small = [Int32](repeating: -1, count: isSmall ? Int(clamping: ids.max() ?? -1) + 1 : 0)
    if isSmall { for (number, id) in ids.enumerated() { small[Int(clamping: id)] = Int32(clamping: number) } }
    parents = parentIDs.map { id in id.flatMap(self.number) ?? -1 }
    for number in parents.indices {
      // The file forbids circles; one that got in nevertheless is cut here.
      var (above, steps) = (parents[number], 0)
      while above >= 0, steps <= ids.count { (above, steps) = (parents[above], steps + 1) }
      if above >= 0 { parents[number] = -1 }
    }
    branches = parents.indices.map { number in
      var branch = number
      while parents[branch] >= 0, parents[parents[branch]] >= 0 { branch = parents[branch] }
      return branch
    }
    hasBelow = Array(repeating: false, count: count)
    for parent in parents where parent >= 0 { hasBelow[parent] = true }
  }

  /// A root with genres below it, such as Music or Fiction: it says what kind of thing an item is.
  func isHeading(_ number: Int) -> Bool { parents[number] < 0 && hasBelow[number] }

  var count: Int { names.count }

  func number(of id: Int64) -> Int? {
    guard !small.isEmpty else { return search(id) }
    guard id >= 0, id < small.count, case let number = small[Int(id)], number >= 0 else { return nil }
    return Int(number)
  }

  private func search(_ id: Int64) -> Int? {
    var (low, high) = (0, ids.count)
    while low < high {
      let middle = (low + high) / 2
      if ids[middle] < id { low = middle + 1 } else { high = middle }
    }
    return low < ids.count && ids[low] == id ? low : nil
  }

  /// The names above a genre, the root first.
  func ancestors(of number: Int) -> [String] {
    var names: [String] = []
    var above = parents[number]
    while above >= 0 {
      names.append(self.names[above])
      above = parents[above]
    }
    return names.reversed()
  }

  /// Whether one of the two stands above the other.
  func areInLine(_ a: Int, _ b: Int) -> Bool { isAbove(a, b) || isAbove(b, a) }

  private func isAbove(_ above: Int, _ number: Int) -> Bool {
    var next = parents[number]
    while next >= 0, next != above { next = parents[next] }
    return next == above
  }
}
