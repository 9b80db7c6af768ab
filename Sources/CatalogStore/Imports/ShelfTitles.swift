internal import CatalogModel
internal import SQLite

/// What the things on the shelves are called, for the rows of a long file.
///
/// To look for one title the index of words is asked, which takes half a millisecond. When so many rows were looked for that reading all
/// titles once is less, they are read: eight bytes for each.
final class ShelfTitles {
  /// Reading the titles of so many things takes as long as looking for one.
  private static let worthOneSearch: Int64 = 400
  /// Eight MiB. Who has more is looked up in the file.
  private static let most = 1 << 20

  private let store: Store
  private let newest: ItemID
  private var rows: Int64 = 0
  /// 32 bits of a title and the number of its item, in this order; nil when there are too many.
  private var titles: [UInt64]?

  /// - Parameter newest: none that came later.
  init(of store: Store, upTo newest: ItemID) { (self.store, self.newest) = (store, newest) }

  /// The items that a row may be by what it is called, by their numbers; nil as long as that is better asked of the file.
  func items(calledLike row: WorkSigns) throws -> [ItemID]? {
    rows += 1
    if rows == newest.rawValue / Self.worthOneSearch + 1 { titles = try read() }
    guard let titles else { return nil }
    let found = row.anyTitle.map { Self.sign($0, row.kind) }.flatMap { sign in
      let start = titles.partitioningIndex { $0 >> 32 >= sign }
      return titles[start...].prefix { $0 >> 32 == sign }.map { ItemID(rawValue: Int64($0 & 0xFFFF_FFFF)) }
    }
    return Set(found).sorted()
  }

  private func read() throws -> [UInt64]? {
    guard newest.rawValue <= UInt32.max else { return nil }
    var titles: [UInt64] = []
    try store.db.forEach(
      "SELECT id, kind, title, original_title, other_titles FROM item WHERE id <= \(newest.rawValue)"
    ) { row in
      guard let kind = Kind(rawValue: row.text(1)) else { return true }
      let main = [row.text(2)] + (row.isNull(3) ? [] : [row.text(3)])
      let signs = WorkSigns(kind: kind, titles: main, otherTitles: row.isNull(4) ? [] : Text.parts(row.text(4)))
      for title in signs.anyTitle { titles.append(Self.sign(title, kind) << 32 | UInt64(row.integer(0))) }
      return titles.count <= Self.most
    }
    guard titles.count <= Self.most else { return nil }
    titles.sort()
    return titles
  }

  /// 32 bits of a title.
  private static func sign(_ title: String, _ kind: Kind) -> UInt64 {
    var hash = FNV1a(kind.rawValue)
    hash.add(title)
    return hash.value >> 32
  }
}

extension WorkSigns {
  /// All that it is called, and what is left of that without what may be left out.
  fileprivate var anyTitle: Set<String> {
    titles.whole.union(titles.bare).union(otherTitles.whole).union(otherTitles.bare)
  }
}

extension [UInt64] {
  /// The first place from which on the condition holds, which holds from some place to the end.
  fileprivate func partitioningIndex(where holds: (UInt64) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      if holds(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
