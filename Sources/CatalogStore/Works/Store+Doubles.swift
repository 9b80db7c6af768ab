internal import CatalogModel
internal import SQLite

/// Two items that are probably duplicates, the older first.
struct ItemPair: Hashable {
  var first: ItemID
  var second: ItemID
}

extension Store {
  /// Finds items that are probably duplicates according to ``IdentityKeys``, with release years at most one apart. Known
  /// editions and items with different codes are left out.
  ///
  /// It sorts all titles in one pass and compares only items with equal titles.
  func doubles() throws -> [ItemPair] {
    var keys: [(key: Int, id: Int64)] = []
    _ = try db.all("SELECT id, kind, title, original_title, other_titles FROM item") { row in
      let (id, kind) = (try row.get("id", as: Int64.self), try row.get("kind", as: String.self))
      let called = try Self.titles(row)
      let titles = Titles(called.main + called.others, of: Kind(rawValue: kind) ?? .movie)
      for key in titles.whole.union(titles.bare) { keys.append(("\(kind) \(key)".hashValue, id)) }
    }
    keys.sort { $0 < $1 }
    var doubles: Set<ItemPair> = []
    var rest = keys[...]
    while let first = rest.first {
      let group = rest.prefix { $0.key == first.key }
      rest = rest.dropFirst(group.count)
      if group.count > 1 { doubles.formUnion(try self.doubles(among: group.map { ItemID(rawValue: $0.id) })) }
    }
    return doubles.sorted { ($0.first, $0.second) < ($1.first, $1.second) }
  }

  /// The number of neighbors, by maker and year, with which an item is compared. It suffices unless hundreds share a
  /// title.
  private static let mostNeighbours = 16

  private func doubles(among ids: [ItemID]) throws -> [ItemPair] {
    let things = try ids.map { (id: $0, keys: try identityKeys(of: $0)) }.sorted {
      ($0.keys.makerKey, $0.keys.year ?? 0, $0.id) < ($1.keys.makerKey, $1.keys.year ?? 0, $1.id)
    }
    return try things.indices.flatMap { place in
      try things[place...].dropFirst().prefix(Self.mostNeighbours).compactMap { other -> ItemPair? in
        let one = things[place]
        guard one.id != other.id, one.keys.isDouble(of: other.keys), try !editions(of: one.id).contains(other.id)
        else {
          return nil
        }
        return ItemPair(first: min(one.id, other.id), second: max(one.id, other.id))
      }
    }
  }
}

extension IdentityKeys {
  /// A sort key that puts items of one maker side by side.
  fileprivate var makerKey: String { makers.first?.key ?? "" }

  /// Whether both are probably one item that was added twice.
  fileprivate func isDouble(of other: IdentityKeys) -> Bool {
    guard relation(to: other) != nil, !isAnotherThing(than: other) else { return false }
    guard let year, let otherYear = other.year else { return true }
    return abs(year - otherYear) <= 1
  }
}
