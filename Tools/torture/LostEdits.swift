import CatalogModel
import CatalogStore
import Git
import SQLite

/// Searches a history for merges that lost an edit of one side without reporting a conflict. It does not use the merge
/// of documents, but compares single values.
struct LostEdits {
  let repository: Repository
  /// The reported conflicts of all devices, by file.
  private let told: [String: Set<Place>]

  /// - Parameters:
  ///   - tree: the folder of one device's tree.
  ///   - databases: the catalogs of all devices.
  init(tree: String, databases: [Connection]) throws {
    repository = Repository(path: tree)
    var told: [String: Set<Place>] = [:]
    for db in databases {
      for (path, row, part) in try db.all(
        "SELECT path, row, part FROM sync_conflict",
        {
          (try $0.get("path", as: String.self), try $0.get("row", as: String.self), try $0.get("part", as: String.self))
        })
      {
        let parts = part.split(separator: ",").map { String($0.drop { $0 == " " }) }
        for part in parts.isEmpty ? [""] : parts { told[path, default: []].insert(Place(row: row, part: part)) }
      }
    }
    self.told = told
  }

  /// The result of the search.
  struct Found {
    /// The numbers of merges, of files changed on both sides, and of compared values.
    var joins = 0
    var files = 0
    var checked = 0
    /// The lost values, by place.
    var lost: [String] = []
  }

  func find() throws -> Found {
    var found = Found()
    let reader = ObjectReader(repository)
    // Consecutive merges share most of their contents.
    var (held, reading): ([ObjectID: Values], [ObjectID: Values]) = ([:], [:])
    func values(_ id: ObjectID?) throws -> Values {
      guard let id else { return [:] }
      if let known = reading[id] ?? held[id] {
        reading[id] = known
        return known
      }
      guard case .bytes(let bytes) = try reader.object(id.rawValue) else { return [:] }
      let values = Self.values(try Document(parsing: bytes))
      reading[id] = values
      return values
    }
    func values(of path: String, in commit: ObjectID) throws -> Values {
      guard case .bytes(let bytes) = try reader.object("\(commit.rawValue):\(path)") else { return [:] }
      return Self.values(try Document(parsing: bytes))
    }
    /// The file of the item with this uid, following merges.
    func file(of uid: String, in commit: ObjectID) throws -> String {
      var (path, seen) = (TreePath.item(uid).text, Set<String>())
      while seen.insert(path).inserted, let next = try values(of: path, in: commit)[Join.gone[1]] {
        path = TreePath.item(next).text
      }
      return path
    }
    let merges = String(
      decoding: try repository.run(["log", "--merges", "--format=%H %P", "main"]), as: UTF8.self
    ).split(separator: "\n").map { $0.split(separator: " ").map { ObjectID(rawValue: String($0)) } }
    for merge in merges where merge.count == 3 {
      found.joins += 1
      (held, reading) = (reading, [:])
      let base = try repository.base(of: merge[1], merge[2])
      let sides = try merge[1...].map { try changes(from: base, to: $0) }
      let joined = try changes(from: base, to: merge[0])
      // Items that one side merged while the other one changed them: the change now belongs to the merged item.
      var moved: [String: [Moved]] = [:]
      for (path, change) in joined where path.hasPrefix("items/") {
        guard let now = try values(change.new)[Join.gone[1]], case let old = try values(change.old), !old.isEmpty,
          !Join.isGone(old)
        else { continue }
        for (index, side) in sides.enumerated() {
          guard case let said = try side[path].map({ try values($0.new) }) ?? old, said != old, !Join.isGone(said)
          else {
            continue
          }
          moved[try file(of: now, in: merge[0]), default: []].append(
            Moved(path: path, old: old, said: said, side: index, other: merge[2 - index]))
        }
      }
      for path in Set(sides.flatMap(\.keys)).union(moved.keys) where path.hasSuffix(".json") {
        let changes = sides.compactMap { $0[path] }
        // A file changed by one side only is unchanged by the merge.
        if changes.count == 1, joined[path]?.new == changes[0].new { continue }
        if changes.count == 2 { found.files += 1 }
        let old = try values((changes.first ?? joined[path])?.old)
        let versions = try sides.map { side in try side[path].map { try values($0.new) } ?? old }
        let result = try joined[path].map { try values($0.new) } ?? old
        let arrivals = moved[path] ?? []
        // An item that another one was merged into has that one's values.
        let isWider = try result.keys.contains { place in
          guard place.row.hasPrefix("aliases ") else { return false }
          let alias = TreePath.item(String(place.row.dropFirst("aliases ".count))).text
          return try sides.contains { side in try side[alias].map { try !Join.isGone(values($0.new)) } ?? false }
        }
        let known = arrivals.reduce(told[path] ?? []) { $0.union(told[$1.path] ?? []) }
        func join(since old: Values) -> Join {
          Join(old: old, result: result, told: known, isWider: isWider, arrivals: arrivals)
        }
        var lost = join(since: old).lost(of: versions[0], beside: versions[1])
        lost += join(since: old).lost(of: versions[1], beside: versions[0])
        for one in arrivals {
          // The side's changes to the merged item apply to both.
          let own = versions[one.side]
          let unsaid = Set(Set(own.keys).union(old.keys).filter { own[$0] != old[$0] && own[$0] == result[$0] })
          lost += join(since: one.old).lost(
            of: one.said, beside: try values(of: path, in: one.other), saidOtherwise: unsaid
          ).map { "\($0), of \(one.path)" }
        }
        found.checked += (versions + arrivals.map(\.said)).reduce(0) { $0 + $1.count { $0.value != old[$0.key] } }
        found.lost += lost.map { "\(merge[0]) \(path) \($0)\(whereabouts(of: $0, in: merge[0]))" }
      }
    }
    return found
  }

  /// The files of a commit that mention the row with a lost value, for debugging.
  private func whereabouts(of lost: String, in commit: ObjectID) -> String {
    // git exits with an error when it finds none.
    guard let name = lost.firstMatch(of: /[0-9a-f]{8}-[0-9a-f-]{27}/)?.output,
      let said = try? repository.run(["grep", "-l", String(name), commit.rawValue, "--", "items"])
    else { return "" }
    return "; it is named in " + String(decoding: said, as: UTF8.self).split(separator: "\n").joined(separator: ", ")
  }

  private func changes(from base: ObjectID?, to commit: ObjectID) throws -> [String: TreeChange] {
    var changes: [String: TreeChange] = [:]
    try repository.forEachChange(from: base, to: commit) { changes[$0.path] = $0 }
    return changes
  }

  // MARK: One file

  /// The place of a value in a document, as in the reported conflicts: `card 0199…`, `rating`.
  private struct Place: Hashable, CustomStringConvertible {
    var row: String
    /// Empty for a row that is a single value, and for an element of a set.
    var part: String
    var description: String { "\(row) \(part)" }
  }

  private typealias Values = [Place: String]

  /// An item that one side merged into another while the other side changed it.
  private struct Moved {
    let path: String
    let old: Values
    let said: Values
    /// The side that changed it, and the commit of the other side.
    let side: Int
    let other: ObjectID
  }

  /// The merge of one file.
  private struct Join {
    let old: Values
    let result: Values
    let told: Set<Place>
    /// Whether other items were merged into this one.
    let isWider: Bool
    let arrivals: [Moved]

    static let gone = ["removed", "same"].map { Place(row: $0, part: "") }

    static func isGone(_ values: Values) -> Bool { gone.contains { values[$0] != nil } }

    /// The values that one side changed or kept, and that the result replaces without a conflict.
    /// - Parameter saidOtherwise: the places that the side left unchanged here, but changed in the item that this one
    ///   was merged into.
    func lost(of side: Values, beside other: Values, saidOtherwise: Set<Place> = []) -> [String] {
      if Self.isGone(result) {
        // A side that did not know the item did not remove it, and an alias stands for the item that it was merged
        // into.
        let isLost = !Self.isGone(side) && side != old && result[Self.gone[1]] == nil
        return isLost ? ["removed"] : []
      }
      if Self.isGone(side) { return [] }
      // Genres chosen by the user replace genres from labels as a whole, including their origin.
      let origin = Place(row: "item", part: "genres_by_hand")
      let isByHand = side[origin] == "1"
      // Duplicate items are merged, and get the values of the second one.
      let isUnited =
        isWider || result.keys.contains { $0.row.hasPrefix("aliases ") && side[$0] == nil && other[$0] == nil }
      var lost: [String] = []
      for place in Set(side.keys).union(old.keys) where side[place] != result[place] {
        if place == origin || place.row.hasPrefix("item_genre ") && !isByHand { continue }
        if side[place] == nil, isUnited { continue }
        if side[place] == old[place], saidOtherwise.contains(place) { continue }
        // Only the other side has changed the value.
        if side[place] == old[place], other[place] != old[place], !Self.isGone(other) { continue }
        if arrivals.contains(where: { $0.old[place] != $0.said[place] && $0.said[place] == result[place] }) { continue }
        if !isKept(side[place], at: place, of: side, beside: other) {
          lost.append("\(place): \(side[place] ?? "-"), became \(result[place] ?? "-")")
        }
      }
      return lost
    }

    private func isKept(_ value: String?, at place: Place, of side: Values, beside other: Values) -> Bool {
      let place = united(place, in: side)
      guard let value else { return isTold(place) }
      if let now = result[place] {
        if now == value || place.part == "uid" { return true }
        // Both texts of a user are kept, as far as they fit.
        if ["comment", "note"].contains(place.part) {
          return isTold(place) && (now.contains(value) || value.count + (other[place]?.count ?? 0) > 9_900)
        }
      }
      // The device that removed the row did not know about the other one's change.
      let name = Place(row: place.row, part: "uid")
      if old[name] != nil, other[name] == nil, side[name] != nil, result[name] == nil, !Self.isGone(other) {
        return false
      }
      return isTold(place)
    }

    private func isTold(_ place: Place) -> Bool {
      told.contains(place) || told.contains(Place(row: place.row, part: ""))
    }

    /// An item has at most one open wish and one ongoing entry: of two, one is left with the values of both.
    private func united(_ place: Place, in side: Values) -> Place {
      guard let table = ["wish", "log_entry"].first(where: { place.row.hasPrefix($0 + " ") }) else { return place }
      func isOpen(_ row: String, _ values: Values) -> Bool {
        values[Place(row: row, part: "uid")] != nil
          && (table == "wish"
            ? values[Place(row: row, part: "fulfilled_at")] == nil
            : values[Place(row: row, part: "outcome")] == "ongoing")
      }
      guard isOpen(place.row, side), result[Place(row: place.row, part: "uid")] == nil,
        let row = result.keys.first(where: { $0.row.hasPrefix(table + " ") && isOpen($0.row, result) })?.row
      else { return place }
      return Place(row: row, part: place.part)
    }
  }

  // MARK: Values

  /// Fields whose later value is kept without a conflict.
  private static let silent: Set = [
    "updated_at", "created_at", "sequence", "position", "set_at", "asked_at", "added_at", "source", "is_locked",
  ]

  /// All values of a document, by place.
  private static func values(_ document: Document) -> Values {
    var values: Values = [:]
    for member in document.members {
      func add(_ row: Document, _ name: String) {
        for field in row.members where !silent.contains(field.key) {
          values[Place(row: name, part: field.key)] = field.value.word
        }
      }
      switch member.value {
      // A value that is stored as a whole.
      case .object(let row) where !["cover", "edition_of"].contains(member.key): add(row, member.key)
      case .list(let list):
        switch TableSchema.MergeRule.of(member.key) {
        case .rows(let keys):
          for case .object(let row) in list {
            add(row, ([member.key] + keys.map { row[$0]?.word ?? "" }).joined(separator: " "))
          }
        case .orderedSet(let column):
          for value in list {
            values[Place(row: "\(member.key) \(value.object?[column]?.word ?? value.word)", part: "")] = ""
          }
        case .row, .whole: values[Place(row: member.key, part: "")] = member.value.word
        }
      default: values[Place(row: member.key, part: "")] = member.value.word
      }
    }
    return values
  }
}
