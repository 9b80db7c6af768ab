internal import CatalogModel
internal import SQLite

/// The catalog as the files of a tree, without numbers and without the data of one device.
///
/// Left out: recent items, popularity, the rows of each import, the history, and unreferenced people.
struct PortableDocuments {
  private let db: Connection
  let ofItems: [DocumentTable]
  private let collections: [String: DocumentTable]
  /// The known members of documents, and those of their rows.
  private let keys: [String: Set<String>]

  init(_ db: Connection) throws {
    self.db = db
    ofItems = try DocumentTable.ofItems(.portable, in: db)
    collections = Dictionary(
      uniqueKeysWithValues: try TableSchema.recorded.filter { $0.place == .ownFile }.compactMap { table in
        try DocumentTable.named(table.name, .portable, in: db).map { (table.name, $0) }
      })
    var keys = Dictionary((ofItems + collections.values).map { ($0.name, $0.keys) }) { $1 }
    keys["genre_label", default: []].insert("genres")
    self.keys = keys
  }

  func table(_ name: String) -> DocumentTable? { collections[name] ?? ofItems.first { $0.name == name } }

  // MARK: Files

  func forEachItem(_ ids: [Int64], _ body: (_ id: Int64, _ uid: String, Document) throws -> Void) throws {
    guard let first = ids.min(), let last = ids.max() else { return }
    let aliases = try aliases(ofItems: first...last)
    try DocumentTable.forEachItem(of: ids, in: ofItems, db) { id, document in
      guard let uid = document.rows(of: "item").first?[TableSchema.uid]?.text else { return }
      var document = document
      if let others = aliases[id] { document.members.append(JSON.Member(Self.aliases, .list(others))) }
      try body(id, uid, document)
    }
  }

  /// The items that differ from their last export, or were never exported.
  func changed(_ items: ClosedRange<Int64>) throws -> [Int64] {
    let fingerprints = try fingerprints(ofItems: items)
    var changed: [Int64] = []
    try db.forEach(
      """
      SELECT row_id, fingerprint FROM identity
        LEFT JOIN synced_file ON path = 'items/' || substr(uid, -2) || '/' || uid || '.json'
      WHERE table_name = 'item' AND is_alias = 0 AND row_id BETWEEN \(items.lowerBound) AND \(items.upperBound)
      ORDER BY row_id
      """
    ) { cursor in
      let id = cursor.integer(0)
      // An item that was exported as removed has no fingerprint.
      let known = cursor.isNull(1) ? nil : UInt64(bitPattern: cursor.integer(1))
      if let fingerprint = fingerprints[id], fingerprint != known { changed.append(id) }
      return true
    }
    return changed
  }

  /// The fingerprints of the documents that ``forEachItem(_:_:)`` gives.
  func fingerprints(ofItems items: ClosedRange<Int64>) throws -> [Int64: UInt64] {
    var fingerprints: [Int64: DocumentFingerprint] = [:]
    let present = try db.values(
      "SELECT id FROM item WHERE id BETWEEN \(items.lowerBound) AND \(items.upperBound)", as: Int64.self)
    for id in present { fingerprints[id] = DocumentFingerprint() }
    for table in ofItems { try table.addFingerprints(of: items, to: &fingerprints, in: db) }
    let key = DocumentFingerprintKey(Self.aliases)
    for (id, others) in try aliases(ofItems: items) {
      fingerprints[id]?.add(key) { JSON.list(others).add(to: &$0) }
    }
    return fingerprints.mapValues(\.value)
  }

  private func aliases(ofItems items: ClosedRange<Int64>) throws -> [Int64: [JSON]] {
    var aliases: [Int64: [JSON]] = [:]
    let all = try db.all(
      """
      SELECT row_id, uid FROM identity WHERE table_name = 'item' AND is_alias = 1
        AND row_id BETWEEN \(items.lowerBound) AND \(items.upperBound) ORDER BY uid
      """
    ) { (try $0.get(at: 0, as: Int64.self), try $0.get(at: 1, as: String.self)) }
    for (row, uid) in all { aliases[row, default: []].append(.text(uid)) }
    return aliases
  }

  /// The member for the aliases of an item.
  static let aliases = "aliases"
  /// The member for the time of removal.
  static let removed = "removed"
  /// The member in the file of an alias for the uid of its item.
  static let same = "same"

  /// The tombstone of a removed item or file.
  static func tombstone(at time: Timestamp, title: String?) -> Document {
    Document([.init(removed, .text(time.rawValue))] + (title.map { [.init("title", .text($0))] } ?? []))
  }

  /// The files that are no items.
  func collectionFiles() throws -> [(path: TreePath, document: Document)] {
    var files: [(path: TreePath, document: Document)] = []
    var catalog = Document([.init("catalog", .integer(Store.documentVersion))])
    let representative = try db.value(
      """
      SELECT uid FROM representative JOIN identity ON table_name = 'item' AND row_id = item_id AND is_alias = 0
      """, as: String.self)
    if let representative { catalog.members.append(.init("representative", .text(representative))) }
    files.append((.catalog, catalog))
    var genres = Document([.init("genre", .list(try rows("genre", order: "row.name")))])
    let meant = Dictionary(
      grouping: try db.all(
        """
        SELECT label_id, genre.name FROM genre_label_target JOIN genre ON genre.id = genre_id ORDER BY label_id, position
        """
      ) { (try $0.get(at: 0, as: Int64.self), try $0.get(at: 1, as: String.self)) }, by: \.0)
    let numbers = try db.values("SELECT id FROM genre_label ORDER BY source, kind, key", as: Int64.self)
    let labels = zip(numbers, try rows("genre_label", order: "row.source, row.kind, row.key")).map { number, row in
      guard case .object(var label) = row, let meant = meant[number] else { return row }
      label.members.append(.init("genres", .list(meant.map { .text($0.1) })))
      return .object(label)
    }
    if !labels.isEmpty { genres.members.append(.init("genre_label", .list(labels))) }
    files.append((.genres, genres))
    files.append((.tags, Document([.init("tag", .list(try rows("tag", order: "row.key")))])))
    files.append((.queries, Document([.init("saved_query", .list(try rows("saved_query", order: "row.key")))])))
    files.append((.wishes, Document([.init("wish", .list(try rows("wish", "row.item_id IS NULL")))])))
    let piles = try db.all("SELECT id, name, key FROM pile ORDER BY key") {
      (try $0.get(at: 0, as: Int64.self), try $0.get(at: 1, as: String.self), try $0.get(at: 2, as: String.self))
    }
    for (id, name, key) in piles {
      let items = try db.values(
        """
        SELECT uid FROM pile_item JOIN identity ON table_name = 'item' AND row_id = item_id AND is_alias = 0
        WHERE pile_id = \(id) ORDER BY position
        """, as: String.self)
      files.append(
        (
          .pile(key: key),
          Document([
            .init("pile", .object(Document([.init("name", .text(name)), .init("key", .text(key))]))),
            .init("items", .list(items.map(JSON.text))),
          ])
        ))
    }
    return files
  }

  private func rows(_ table: String, _ condition: SQL = "true", order: SQL? = nil) throws -> [JSON] {
    var rows: [JSON] = []
    try collections[table]?.forEach(condition, order: order, in: db) { rows.append(.object($0)) }
    return rows
  }

  // MARK: Data of newer versions

  private static let known: Set = [aliases, removed, same, "title", "catalog", "representative", "items"]

  /// The document without members of newer versions.
  func known(_ document: Document) -> Document {
    Document(
      document.members.compactMap { member in
        if Self.known.contains(member.key) { return member }
        guard let keys = keys[member.key] else { return nil }
        return .init(member.key, member.value.mapRows { Document($0.members.filter { keys.contains($0.key) }) })
      })
  }

  /// The document with the members of newer versions from another document.
  func completed(_ document: Document, from other: Document) -> Document {
    var document = document
    for member in other.members where keys[member.key] == nil && !Self.known.contains(member.key) {
      document.members.append(member)
    }
    document.members = document.members.map { member in
      guard let keys = keys[member.key] else { return member }
      let others = other.rows(of: member.key)
      guard others.contains(where: { $0.members.contains { !keys.contains($0.key) } }) else { return member }
      let rule = TableSchema.MergeRule.of(member.key)
      let unknown = Dictionary(others.map { (rule.key(of: $0), $0.members.filter { !keys.contains($0.key) }) }) { $1 }
      return .init(
        member.key, member.value.mapRows { Document($0.members + (unknown[rule.key(of: $0)] ?? [])) })
    }
    return document
  }
}

extension JSON {
  /// The list of rows, each changed by a function.
  func mapRows(_ make: (Document) -> Document) -> JSON {
    switch self {
    case .object(let row): .object(make(row))
    case .list(let values):
      .list(values.map { if case .object(let row) = $0 { .object(make(row)) } else { $0 } })
    default: self
    }
  }
}
