internal import CatalogModel
internal import SQLite

/// What the things on the shelves are called, for the rows of a long file.
///
/// To look for one title the index of words is asked, which takes half a millisecond. When so many rows were looked for that reading all
/// titles once is less, they are read: sixteen bytes for each, with year and makers as far as these tell most of those apart that are
/// called alike.
final class ShelfTitles {
  /// Reading the titles of so many things takes as long as looking for one.
  private static let worthOneSearch: Int64 = 250
  /// Eight MiB. Who has more is looked up in the file.
  private static let most = 1 << 19

  private let store: Store
  private let newest: ItemID
  private var rows: Int64 = 0
  /// In the order of their signs; nil when there are too many.
  private var titles: [Title]?

  /// - Parameter newest: none that came later.
  init(of store: Store, upTo newest: ItemID) { (self.store, self.newest) = (store, newest) }

  private struct Title {
    /// 32 bits of it, and the number of its item.
    let sign: UInt64
    let makers: NameSigns
    /// 0 where it is not known.
    let year: Int16

    var item: ItemID { ItemID(rawValue: Int64(sign & 0xFFFF_FFFF)) }

    /// What it may be of what a row tells of; nil when ``Comparison/isPossible(_:)`` lets it be nothing.
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

  /// What something may be of what a row tells of.
  private enum Nearness {
    /// ``Comparison/isCertain(_:)`` may hold.
    case mayBeCertain
    /// It does not hold.
    case unsure
  }

  /// A row as the titles are looked through for it.
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

  /// The items that a row may be by what they are called.
  struct Items {
    /// By their numbers.
    var mayBeCertain: [ItemID]
    /// Those of which a person has to say in any case, by their numbers.
    var unsure: [ItemID] = []
  }

  /// The items that a row may be by what it is called; nil as long as that is better asked of the file. Some that it cannot be are
  /// left out.
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
    // Most made several things: each name is looked at once.
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
      // Another program may count as it likes.
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

  /// 32 bits of a title.
  private static func sign(_ title: String, _ kind: Kind) -> UInt64 {
    var hash = FNV1a(kind.rawValue)
    hash.add(title)
    return hash.value >> 32
  }
}

extension Array {
  /// The first place from which on the condition holds, which holds from some place to the end.
  fileprivate func partitioningIndex(where holds: (Element) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      if holds(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
