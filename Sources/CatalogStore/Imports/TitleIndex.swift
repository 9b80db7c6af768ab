internal import CatalogModel
internal import SQLite

/// The titles of all items, for the rows of a long file.
///
/// A search for one title in the full-text index takes half a millisecond. After as many searches as reading all titles
/// once would take, the titles are read. Each takes sixteen bytes, including year and makers to tell most equal titles
/// apart.
final class TitleIndex {
  /// The number of items whose titles can be read in the time of one search.
  private static let worthOneSearch: Int64 = 250
  /// The maximum number of titles, 8 MiB. Larger catalogs are searched in the file.
  private static let most = 1 << 19

  private let store: Store
  private let newest: ItemID
  private var rows: Int64 = 0
  /// Sorted by hash; nil if there are too many.
  private var titles: [Title]?

  /// - Parameter newest: the last item to include.
  init(of store: Store, upTo newest: ItemID) { (self.store, self.newest) = (store, newest) }

  private struct Title {
    /// 32 bits of the title's hash, and the number of its item.
    let hash: UInt64
    let makers: NameFilter
    /// 0 if unknown.
    let year: Int16

    var item: ItemID { ItemID(rawValue: Int64(hash & 0xFFFF_FFFF)) }

    /// The possible match with a row; nil if ``Comparison/isPossible(_:)`` rules it out.
    func nearness(to row: Query) -> Nearness? {
      let apart = year == 0 ? nil : row.year.map { abs(Int(year) - $0) }
      if row.isMovie, let apart {
        if apart > 1 { return nil }
        if apart == 0 { return .mayBeCertain }
      }
      if makers.areSurelyOthers(than: row.makers) { return nil }
      return apart != 0 && makers.areSurelyUnreadable(in: row.makers) ? .unsure : .mayBeCertain
    }
  }

  /// The best possible match of a title and a row.
  private enum Nearness {
    /// ``Comparison/isCertain(_:)`` can be true.
    case mayBeCertain
    /// ``Comparison/isCertain(_:)`` is false.
    case unsure
  }

  /// A row prepared for the search among the titles.
  struct Query {
    fileprivate let hashes: [UInt64]
    fileprivate let makers: NameFilter
    fileprivate let year: Int?
    fileprivate let isMovie: Bool

    init(_ row: IdentityKeys) {
      let titles = [row.titles.whole, row.titles.bare, row.otherTitles.whole, row.otherTitles.bare]
      hashes = Set(titles.joined().map { TitleIndex.hash($0, row.kind) }).sorted()
      (makers, year, isMovie) = (NameFilter(row.makers), row.year, row.kind == .movie)
    }
  }

  /// The candidate items for a row by title.
  struct Items {
    /// Sorted by number.
    var mayBeCertain: [ItemID]
    /// The items for which the user has to decide in any case, sorted by number.
    var unsure: [ItemID] = []
  }

  /// Returns the candidate items for a row by title; nil while a search in the file is better. Impossible candidates
  /// are left out.
  func items(calledLike row: Query) throws -> Items? {
    rows += 1
    if rows == newest.rawValue / Self.worthOneSearch + 1 { titles = try read() }
    guard let titles else { return nil }
    var (mayBeCertain, unsure): (Set<ItemID>, Set<ItemID>) = ([], [])
    for hash in row.hashes {
      let start = titles.partitioningIndex { $0.hash >> 32 >= hash }
      for title in titles[start...].prefix(while: { $0.hash >> 32 == hash }) {
        switch title.nearness(to: row) {
        case .mayBeCertain: mayBeCertain.insert(title.item)
        case .unsure: unsure.insert(title.item)
        case nil: break
        }
      }
    }
    return Items(mayBeCertain: mayBeCertain.sorted(), unsure: unsure.sorted())
  }

  private func read() throws -> [Title]? {
    // Most people made several works, so each name is processed once.
    var people: [Int64: NameFilter] = [:]
    try store.db.forEach("SELECT id, name FROM person") { row in
      people[row.integer(0)] = NameFilter([Name(row.text(1))])
      return true
    }
    var titles: [Title] = []
    var fits = true
    try store.db.forEach(
      """
      SELECT id, kind, title, original_title, other_titles, year, (
        SELECT group_concat(person_id) FROM credit WHERE credit.item_id = item.id AND role = \(Credit.Role.sql(nil)))
      FROM item WHERE id <= \(newest.rawValue)
      """
    ) { row in
      // Another program may use larger numbers.
      guard let number = UInt32(exactly: row.integer(0)) else {
        fits = false
        return false
      }
      guard let kind = Kind(rawValue: row.text(1)) else { return true }
      var hashes: [UInt64] = []
      func add(_ title: String) {
        for key in [Titles.key(title)] + Titles.bare(title, of: kind).map(Titles.key) {
          let hash = Self.hash(key, kind)
          if !hashes.contains(hash) { hashes.append(hash) }
        }
      }
      add(row.text(2))
      if !row.isNull(3) { add(row.text(3)) }
      if !row.isNull(4) { Text.parts(row.text(4)).forEach(add) }
      let makers = NameFilter(
        of: row.text(6).utf8.split(separator: UInt8(ascii: ",")).compactMap { id in
          Int64(Substring(id)).flatMap { people[$0] }
        })
      let year = Int16(clamping: row.integer(5))
      for hash in hashes { titles.append(Title(hash: hash << 32 | UInt64(number), makers: makers, year: year)) }
      return titles.count <= Self.most
    }
    guard fits, titles.count <= Self.most else { return nil }
    titles.sort { $0.hash < $1.hash }
    return titles
  }

  /// A 32-bit hash of a title.
  private static func hash(_ title: String, _ kind: Kind) -> UInt64 {
    var hash = FNV1a(kind.rawValue)
    hash.add(title)
    return hash.value >> 32
  }
}

extension Array {
  /// The first index for which the condition holds. It must hold from some index to the end.
  fileprivate func partitioningIndex(where holds: (Element) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      if holds(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
