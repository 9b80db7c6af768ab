import CatalogStore
import Git
import SQLite

/// Looks through a history whether any merge lost what one of its sides had said, without saying so. It knows nothing of how
/// documents are joined: it compares single values.
struct LostEdits {
  let repository: Repository
  /// The files about which some device was told something, with the parts.
  let told: [String: Set<String>]

  /// - Parameters:
  ///   - tree: the folder of the tree of one of the devices.
  ///   - databases: the catalogs of all.
  init(tree: String, databases: [Connection]) throws {
    repository = Repository(path: tree)
    var told: [String: Set<String>] = [:]
    for db in databases {
      for (path, part) in try db.all(
        "SELECT path, part FROM sync_conflict",
        { (try $0.get(at: 0, as: String.self), try $0.get(at: 1, as: String.self)) })
      {
        told[path, default: []].formUnion(part.split(separator: ",").map { String($0.drop { $0 == " " }) })
        if part.isEmpty { told[path, default: []].insert("") }
      }
    }
    self.told = told
  }

  /// What was found.
  struct Found {
    /// Merges and values that were looked at.
    var joins = 0
    var checked = 0
    /// Values that are lost, by where they were.
    var lost: [String] = []
  }

  func find() throws -> Found {
    var found = Found()
    let reader = ObjectReader(repository)
    let merges = String(
      decoding: try repository.run(["log", "--merges", "--format=%H %P", "main"]), as: UTF8.self
    ).split(separator: "\n").map { $0.split(separator: " ").map { ObjectID(rawValue: String($0)) } }
    for merge in merges where merge.count == 3 {
      found.joins += 1
      let base = try repository.base(of: merge[1], merge[2])
      let sides = try merge[1...].map { side in
        try changes(from: base, to: side)
      }
      let joined = try changes(from: base, to: merge[0])
      for path in Set(sides.flatMap(\.keys)) where path.hasPrefix("items/") {
        func leaves(_ id: ObjectID?) throws -> [String: String] {
          guard let id, case .bytes(let bytes) = try reader.object(id.rawValue) else { return [:] }
          return Self.leaves(try DocumentReader.read(bytes))
        }
        let old = try leaves(sides[0][path]?.old ?? sides[1][path]?.old)
        let versions = try sides.map { side in try side[path].map { try leaves($0.new) } ?? old }
        let result = try joined[path].map { try leaves($0.new) } ?? old
        // A removal of what the other has not touched, and what became another thing's alias.
        if result["removed"] != nil || result["same"] != nil {
          let survivors = versions.filter { $0["removed"] == nil && $0["same"] == nil }
          found.checked += 1
          if let survivor = survivors.first, survivor != old, result["same"] == nil {
            found.lost.append("\(merge[0]) \(path): removed")
          }
          continue
        }
        for (side, other) in [(versions[0], versions[1]), (versions[1], versions[0])] where side["removed"] == nil {
          for leaf in Set(side.keys).union(old.keys) where side[leaf] != old[leaf] {
            found.checked += 1
            if result[leaf] == side[leaf] { continue }
            let column = leaf.split(separator: "/").last.map(String.init) ?? ""
            let isTold = told[path].map { $0.contains(column) || $0.contains("") } ?? false
            // The other has said the same, or something else of it that is told.
            if isTold || other["removed"] != nil { continue }
            found.lost.append("\(merge[0]) \(path) \(leaf): \(side[leaf] ?? "-"), became \(result[leaf] ?? "-")")
          }
        }
      }
    }
    return found
  }

  private func changes(from base: ObjectID?, to commit: ObjectID) throws -> [String: TreeChange] {
    var changes: [String: TreeChange] = [:]
    try repository.forEachChange(from: base, to: commit) { changes[$0.path] = $0 }
    return changes
  }

  /// Of these the later is kept without a word.
  private static let silent: Set = [
    "updated_at", "created_at", "sequence", "position", "set_at", "asked_at", "added_at", "source", "is_locked",
  ]

  /// Every value of a document by where it stands.
  private static func leaves(_ document: Document) -> [String: String] {
    var leaves: [String: String] = [:]
    let isByHand = document.rows(of: "item").first?["genres_by_hand"]?.integer == 1
    for member in document.members {
      switch member.value {
      case .object(let row):
        // What is one register is one value.
        if ["cover", "edition_of"].contains(member.key) {
          leaves["\(member.key)/"] = member.value.word
        } else {
          for field in row.members where !silent.contains(field.key) {
            leaves["\(member.key)/\(field.key)"] = field.value.word
          }
        }
      case .list(let values):
        switch DocumentJoin.Shape.of(member.key) {
        case .rows(let keys):
          for case .object(let row) in values {
            let key = keys.map { row[$0]?.word ?? "" }.joined(separator: " ")
            for field in row.members where !silent.contains(field.key) {
              leaves["\(member.key)/\(key)/\(field.key)"] = field.value.word
            }
          }
        case .orderedSet(let column):
          // A person's genres go before those that labels stand for, as a whole.
          if member.key == "item_genre", !isByHand { continue }
          for value in values { leaves["\(member.key)/\(value.object?[column]?.word ?? value.word)"] = "" }
        case .row, .whole: leaves["\(member.key)/"] = member.value.word
        }
      default: leaves[member.key] = member.value.word
      }
    }
    return leaves
  }
}
