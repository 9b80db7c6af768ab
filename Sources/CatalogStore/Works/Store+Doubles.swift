internal import CatalogModel
internal import SQLite

/// Two items that are probably duplicates, the older first.
struct ItemPair: Hashable {
  var first: ItemID
  var second: ItemID
}

extension Store {
  /// Finds items that are probably duplicates according to ``WorkIdentity``. Known editions and items with different
  /// codes are left out.
  ///
  /// It compares only items whose titles share a key.
  func doubles() throws -> [ItemPair] {
    let keys = try db.all("SELECT key >> 1, item_id FROM work_key ORDER BY key") { row in
      (key: try row.get(at: 0, as: Int64.self), id: try row.get(at: 1, as: Int64.self))
    }
    var doubles: Set<ItemPair> = []
    var rest = keys[...]
    while let first = rest.first {
      let group = rest.prefix { $0.key == first.key }
      rest = rest.dropFirst(group.count)
      if group.count > 1 { doubles.formUnion(try self.doubles(among: group.map { ItemID(rawValue: $0.id) })) }
    }
    return doubles.sorted { ($0.first, $0.second) < ($1.first, $1.second) }
  }

  /// Finds creators whose names are spelled nearly alike: the rarer one first, of equals the later by name.
  ///
  /// It compares only names that begin or end alike.
  func nearNames() throws -> [(name: String, other: String)] {
    let names = try tallyCreators().rows.map { (name: $0.heading, maker: Maker($0.heading)) }
    let ends = Dictionary(
      grouping: names.indices.flatMap { place in
        [(-1, names[place].maker.key.prefix(4)), (1, names[place].maker.key.suffix(4))].map { (end: "\($0)", place) }
      }, by: \.end)
    var pairs: Set<[Int]> = []
    for group in ends.values {
      for (number, one) in group.enumerated() {
        for other in group.dropFirst(number + 1)
        where names[one.1].maker.isMisspelling(of: names[other.1].maker) {
          pairs.insert([one.1, other.1].sorted())
        }
      }
    }
    return pairs.sorted { $0.lexicographicallyPrecedes($1) }.map { (names[$0[1]].name, names[$0[0]].name) }
  }

  /// The number of neighbors, by maker and year, with which an item is compared. It suffices unless hundreds share a
  /// title.
  private static let mostNeighbours = 16

  private func doubles(among ids: [ItemID]) throws -> [ItemPair] {
    let things = try ids.map { (id: $0, keys: try identity(of: $0)) }.sorted {
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

extension WorkIdentity {
  /// A sort key that puts items of one maker side by side.
  fileprivate var makerKey: String { makers.first?.key ?? "" }

  /// Whether both are probably one item that was added twice.
  fileprivate func isDouble(of other: WorkIdentity) -> Bool {
    let found = compare(with: other)
    // An item of another year is an edition.
    guard !found.isToldApart, found.years ?? 0 <= 1 else { return false }
    return switch found.outcome {
    case .same, .edition: true
    case .perhaps: [.subtitle, .or].contains(found.title) || found.makers == .unreadable
    case .other: false
    }
  }
}
