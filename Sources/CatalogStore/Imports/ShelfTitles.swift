internal import CatalogModel
internal import SQLite

/// The titles of all items, for the rows of a long file.
///
/// A search for one title in the full-text index takes half a millisecond. After as many searches as reading all titles
/// once would take, the titles are read. Each takes sixteen bytes, including year and makers to tell most equal titles
/// apart.
final class ShelfTitles {
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
    let sign: UInt64
    let makers: NameSigns
    /// 0 if unknown.
    let year: Int16

    var item: ItemID { ItemID(rawValue: Int64(sign & 0xFFFF_FFFF)) }

    /// The possible match with a row; nil if ``Comparison/isPossible(_:)`` rules it out.
    func nearness(to row: Sought) -> Nearness? {
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
  struct Sought {
    fileprivate let signs: [UInt64]
    fileprivate let makers: NameSigns
    fileprivate let year: Int?
    fileprivate let isMovie: Bool

    init(_ row: WorkSigns) {
      let titles = [row.titles.whole, row.titles.bare, row.otherTitles.whole, row.otherTitles.bare]
      signs = Set(titles.joined().map { ShelfTitles.sign($0, row.kind) }).sorted()
      (makers, year, isMovie) = (NameSigns(row.makers), row.year, row.kind == .movie)
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
  func items(calledLike row: Sought) throws -> Items? {
    rows += 1
    if rows == newest.rawValue / Self.worthOneSearch + 1 { titles = try read() }
    guard let titles else { return nil }
    var (mayBeCertain, unsure): (Set<ItemID>, Set<ItemID>) = ([], [])
    for sign in row.signs {
      let start = titles.partitioningIndex { $0.sign >> 32 >= sign }
      for title in titles[start...].prefix(while: { $0.sign >> 32 == sign }) {
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
    var people: [Int64: NameSigns] = [:]
    try store.db.forEach("SELECT id, name FROM person") { row in
      people[row.integer(0)] = NameSigns([Name(row.text(1))])
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
      var signs: [UInt64] = []
      func add(_ title: String) {
        for key in [Titles.key(title)] + Titles.bare(title, of: kind).map(Titles.key) {
          let sign = Self.sign(key, kind)
          if !signs.contains(sign) { signs.append(sign) }
        }
      }
      add(row.text(2))
      if !row.isNull(3) { add(row.text(3)) }
      if !row.isNull(4) { Text.parts(row.text(4)).forEach(add) }
      let makers = NameSigns(
        of: row.text(6).utf8.split(separator: UInt8(ascii: ",")).compactMap { id in
          Int64(Substring(id)).flatMap { people[$0] }
        })
      let year = Int16(clamping: row.integer(5))
      for sign in signs { titles.append(Title(sign: sign << 32 | UInt64(number), makers: makers, year: year)) }
      return titles.count <= Self.most
    }
    guard fits, titles.count <= Self.most else { return nil }
    titles.sort { $0.sign < $1.sign }
    return titles
  }

  /// A 32-bit hash of a title.
  private static func sign(_ title: String, _ kind: Kind) -> UInt64 {
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
