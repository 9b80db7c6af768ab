internal import CatalogModel
internal import SQLite

/// Applies the documents of other devices to the catalog.
struct SyncApplier {
  private let store: Store
  private var db: Connection { store.db }
  private let now: Timestamp
  private let portable: PortableDocuments
  private let uidMap: UIDMap
  private var rows: RowWriter
  private let collections: CollectionFileWriter
  /// The documents to apply in place of the incoming ones: of files changed here since the export, and of items that
  /// shared rows with another item.
  private var overrides: [TreePath: Document] = [:]
  private let incoming: IncomingChanges
  private let incomingPaths: Set<TreePath>
  /// Whether the catalog is new and empty, so that its shipped genres are no edit.
  private let isNew: Bool
  /// The incoming removed items, each with the uid that it was merged into; nil for a removed one.
  private var removedItems: [String: String?] = [:]
  private(set) var result = ApplyResult()

  /// - Parameter incoming: the changes; none for ``write(_:_:)`` alone.
  init(_ store: Store, now: Timestamp, of incoming: IncomingChanges) throws {
    (self.store, self.now, self.incoming) = (store, now, incoming)
    incomingPaths = Set(incoming.paths)
    portable = try PortableDocuments(store.db)
    uidMap = UIDMap(store.db)
    rows = RowWriter(store, cover: incoming.cover)
    collections = CollectionFileWriter(store.db)
    isNew = try store.isEmpty() && store.syncState("commit") == nil
  }

  /// A file with the document to apply, and the agreed document.
  private typealias File = (path: TreePath, document: Document, agreed: Document)

  /// The number of documents held in memory at most. All of 100 000 items would take 1.3 GiB.
  private static let mostHeld = 200

  /// Applies all incoming changes.
  mutating func apply() throws {
    result.conflicts = incoming.conflicts
    for (path, fingerprint) in incoming.exported { try keep(path, fingerprint) }
    if !isNew {
      // Files and rows are merged by uids, and rows written since the export have none yet.
      try uidMap.assignAll(now: now)
      try mergeLocalChanges()
    }
    var others: [File] = []
    try read(incoming.paths.filter { !$0.isItem }) { others.append($1) }
    // Genres and tags, which items refer to, come before the items, and files that refer to items after them.
    for file in others where file.path == .genres || file.path == .tags {
      try attempt(file.path) { try $0.applyCollection(file.document, file.path) }
    }
    // The oldest item first, so that numbers are similar on all devices.
    try applyItems(incoming.paths.filter(\.isItem).sorted { $0.itemUID < $1.itemUID })
    for file in others where file.path != .genres && file.path != .tags {
      try attempt(file.path) { try $0.applyCollection(file.document, file.path) }
    }
    for file in others where file.path == .genres || file.path == .tags {
      try attempt(file.path) { try $0.collections.drop(from: file.path == .tags ? "tag" : "genre", not: file.document) }
    }
    try ItemWriter(db).forgetUnusedPeople()
    for file in others { try keepAgreed(file) }
    try keepRejected()
    for (path, conflict) in result.conflicts { try keep(conflict, path) }
    try store.setSyncState("commit", to: incoming.commit)
    try store.setLeftFiles(result.unreadable.map(\.path) + result.rejected.map(\.path))
  }

  /// Applies the items, each whole or not at all, and then the removals.
  private mutating func applyItems(_ paths: [TreePath]) throws {
    var (gone, merged): ([File], [TreePath]) = ([], [])
    var editions: [EditionWriter.Edition] = []
    var done = 0
    try read(paths) { applier, file in
      done += 1
      if done % 50 == 0, !applier.incoming.progress(done, paths.count) { throw Store.Stopped() }
      if file.document.isGone {
        applier.removedItems[file.path.itemUID] = .some(file.document.movedTo)
        gone.append(file)
      } else if try applier.hasKnownAlias(file.document) {
        // Only when all removed items are known is it clear what becomes of the other item.
        merged.append(file.path)
      } else {
        try applier.applyItem(file, &editions)
      }
    }
    try read(merged) { applier, file in try applier.applyItem(file, &editions) }
    // A work may come after its edition.
    var writer = EditionWriter(db, removed: removedItems)
    try writer.read(editions)
    for edition in editions { try attempt(.item(edition.uid)) { _ in try writer.write(edition) } }
    for file in gone {
      try attempt(file.path) { try $0.removeItem(file.path.itemUID, file.document) }
      try keepAgreed(file)
    }
  }

  private mutating func applyItem(_ file: File, _ editions: inout [EditionWriter.Edition]) throws {
    var isNew = false
    guard try attempt(file.path, { isNew = try $0.writeItem(file.document, file.path) }) else { return }
    if isNew { result.added += 1 } else { result.changed += 1 }
    if let edition = EditionWriter.Edition(file.document) { editions.append(edition) }
    try keepAgreed(file)
    try db.flushChanges()
  }

  /// Calls `body` with the documents to apply; unreadable files are reported.
  private mutating func read(
    _ paths: [TreePath], _ body: (inout SyncApplier, File) throws -> Void
  ) throws {
    for start in stride(from: 0, to: paths.count, by: Self.mostHeld) {
      let some = Array(paths[start...].prefix(Self.mostHeld))
      for (path, document) in zip(some, try incoming.merged.documents(some)) {
        switch document {
        case .success(let merged)?:
          let agreed = portable.known(merged)
          try body(&self, (path, overrides[path] ?? agreed, agreed))
        case .failure(let problem)?:
          if !result.unreadable.contains(where: { $0.path == path }) { result.unreadable.append((path, problem)) }
        case nil: break
        }
      }
    }
  }

  // MARK: One document

  /// The current document of a file.
  func currentDocument(_ path: TreePath) throws -> Document? { try current([path])[path] }

  /// Changes the document of a file; the next sync exports it.
  mutating func write(_ path: TreePath, _ document: Document) throws {
    guard case .item(let uid) = path else { return try applyCollection(document, path) }
    if document.isGone { return try removeItem(uid, document) }
    _ = try writeItem(document, path)
    guard let edition = EditionWriter.Edition(document) else { return }
    var writer = EditionWriter(db, removed: removedItems)
    try writer.read([edition])
    try writer.write(edition)
  }

  /// Applies a file that is no item.
  private mutating func applyCollection(_ document: Document, _ path: TreePath) throws {
    try path.check(document)
    switch path {
    case .pile where document.isGone: try collections.removePile(path)
    case .pile: try collections.writePile(document)
    case .queries: try collections.writeQueries(document)
    case .wishes:
      if let table = portable.table("wish") { try rows.write(document.rows(of: "wish"), of: table, item: nil) }
    case .catalog: try collections.writeRepresentative(document)
    case .genres: try collections.writeVocabulary(document)
    case .tags: try collections.writeTags(document)
    case .item, .cover: break
    }
  }

  /// Merges the incoming documents with local changes since the export.
  private mutating func mergeLocalChanges() throws {
    for start in stride(from: 0, to: incoming.paths.count, by: Self.mostHeld) {
      let some = Array(incoming.paths[start...].prefix(Self.mostHeld))
      let known = try known(some)
      for (path, current) in try current(some) where current.fingerprint != known[path.text] ?? nil {
        guard let merged = try incoming.merged.document(path) else { continue }
        let (document, conflicts) = ThreeWayMerge.merge(
          base: try incoming.ours.document(path).map(portable.known), ours: current, theirs: portable.known(merged))
        result.conflicts += conflicts.map { (path, $0) }
        overrides[path] = portable.known(document)
      }
    }
  }

  /// The current documents of files; none for files of unknown items.
  private func current(_ paths: [TreePath]) throws -> [TreePath: Document] {
    var found: [TreePath: Document] = [:]
    var items: [Int64] = []
    for case .item(let uid) in paths { if let id = try uidMap.row(of: uid, in: "item") { items.append(id) } }
    try portable.forEachItem(items) { found[.item($1)] = $2 }
    if !paths.allSatisfy(\.isItem) { for file in try portable.collectionFiles() { found[file.path] = file.document } }
    return found
  }

  /// The fingerprints of files as both sides last agreed on them.
  private func known(_ paths: [TreePath]) throws -> [String: UInt64?] {
    var known: [String: UInt64?] = [:]
    for start in stride(from: 0, to: paths.count, by: 500) {
      let some = paths[start...].prefix(500).map(\.text)
      known.merge(try store.fingerprints("path IN (\(list: some))")) { $1 }
    }
    return known
  }

  /// Runs `body` in a savepoint. If the catalog rejects the document, nothing of it is written, and the reason is
  /// recorded.
  /// - Returns: whether all of it is written.
  @discardableResult
  private mutating func attempt(_ path: TreePath, _ body: (inout SyncApplier) throws -> Void) throws -> Bool {
    var attempt = self
    do {
      try db.transaction { try body(&attempt) }
      self = attempt
      return true
    } catch let problem as DocumentProblem {
      reject(path, problem.message)
    } catch let error as SQLiteError where error.isConstraint {
      reject(path, Message(verbatim: error.message))
    }
    return false
  }

  private mutating func reject(_ path: TreePath, _ reason: Message) {
    if !result.rejected.contains(where: { $0.path == path }) { result.rejected.append((path, reason)) }
  }

  // MARK: Items

  /// Writes an item and the rows that belong to it, but not of which work it is an edition.
  /// - Returns: whether it is new.
  private mutating func writeItem(_ document: Document, _ path: TreePath) throws -> Bool {
    try checkWork(of: document)
    let (item, isNew) = try writeOwnRow(document, path)
    let document = try resolvingSharedRows(document)
    for table in portable.ofItems where !TableSchema.ofItemItself.contains(table.name) {
      let tableRows = document.rows(of: table.name)
      let isLater = tableRows.isEmpty ? isNew : table.name == EditionWriter.table
      if !isLater { try rows.write(tableRows, of: table, item: item) }
    }
    return isNew
  }

  /// Writes the row of the item and that of its kind.
  private mutating func writeOwnRow(_ document: Document, _ path: TreePath) throws -> (item: Int64, isNew: Bool) {
    try path.check(document)
    guard case .item(let uid) = path, let row = document.rows(of: "item").first, let kind = document.kind,
      let table = portable.table("item"), let details = portable.table(kind)
    else { throw DocumentProblem("it does not name its kind") }
    // An item that was once taken for another one gets a row of its own.
    var known = try uidMap.item(withUID: uid)
    if known == nil, let other = try namesakes(of: document).first(where: { removedItems[$0.uid] != nil }) {
      // An item that is here under an alias keeps its row and gets this uid.
      try uidMap.assign(other.item, of: "item", uid)
      known = other.item
    }
    let exists = try known.map { try db.value("SELECT 1 FROM item WHERE id = \($0)", as: Int.self) != nil } ?? false
    let number = try rows.write(row, of: table, as: known, exists: exists)
    // A merged item that was removed is deleted, since its rows are in this one now. One that still has a file stays.
    var others = Set<String>()
    for (alias, other) in try namesakes(of: document) {
      if removedItems[alias] == nil {
        others.insert(alias)
      } else {
        try db.run("DELETE FROM item WHERE id = \(other)")
      }
    }
    for alias in document.aliases where !others.contains(alias) {
      // If two items have the same alias, the one with the smaller uid keeps it, so that all devices agree.
      let other = try uidMap.uid(ofItemWithAlias: alias, otherThan: number)
      if let other, other < uid, removedItems[other] == nil { continue }
      try uidMap.alias(alias, for: number, of: "item")
    }
    try rows.write(document.rows(of: kind), of: details, item: number)
    return (number, !exists)
  }

  /// Whether an alias of the document is known here as a uid of any item.
  private func hasKnownAlias(_ document: Document) throws -> Bool {
    try document.aliases.contains { try uidMap.row(of: $0, in: "item") != nil }
  }

  /// The local items whose uid is an alias of the document.
  private func namesakes(of document: Document) throws -> [(uid: String, item: Int64)] {
    try document.aliases.compactMap { alias in
      try uidMap.existingItem(withUID: alias).map { (alias, $0) }
    }
  }

  /// Checks that an edition names a work that exists, or existed once, and is of its kind.
  private func checkWork(of document: Document) throws {
    guard !document.rows(of: EditionWriter.table).isEmpty else { return }
    guard let work = EditionWriter.Edition(document)?.work,
      try incomingPaths.contains(.item(work)) || EditionWriter(db, removed: removedItems).isKnown(work)
    else { throw RowWriter.isNowhere("work", of: EditionWriter.table) }
    if let kind = try future(of: .item(work))?.kind, kind != document.kind {
      // The words of the trigger, which sees it only when all editions are written.
      throw DocumentProblem(Message(verbatim: "an edition is of a work of its kind, which is no edition itself"))
    }
  }

  /// Removes an item, or records its uid as an alias of the item that it was merged into.
  private mutating func removeItem(_ uid: String, _ document: Document) throws {
    if try uidMap.row(of: uid, in: "item") != nil {
      // A uid that is an alias of another item does not remove that one.
      guard let id = try uidMap.item(withUID: uid) else { return }
      if try db.run("DELETE FROM item WHERE id = \(id)") > 0 { result.removed += 1 }
    }
    if let now = document.movedTo, let row = try uidMap.row(of: now, in: "item") {
      try uidMap.alias(uid, for: row, of: "item")
    }
  }

  // MARK: Rows of two items

  /// Separates an item from all others that share rows with it, and writes the rows of the others.
  /// - Returns: the document of the item.
  private mutating func resolvingSharedRows(_ document: Document) throws -> Document {
    guard let own = document.uid else { return document }
    let resolver = try SharedRowResolver(
      of: own, saying: document, neighbours: neighbours, document: { try future(of: .item($0)) }, origins: origins)
    result.conflicts += resolver.conflicts
    // Shared rows go to the smaller uid, so that item is written before the others lose them.
    for uid in resolver.changed.sorted() {
      guard let document = resolver.documents[uid] else { continue }
      overrides[.item(uid)] = document
      guard let item = try uidMap.item(withUID: uid) else { continue }
      for table in portable.ofItems where table.schema.isOwnable {
        try rows.write(document.rows(of: table.name), of: table, item: item)
      }
    }
    return resolver.documents[own] ?? document
  }

  /// The base documents of two items, each given by all its uids. Rows that one of the merged versions has in both
  /// files are left out: that version had split the items, so the base of such a row is unknown.
  private func origins(_ one: [String], _ other: [String]) throws -> [Document] {
    func rows(of names: [String]) throws -> [Set<String>] {
      try incoming.versions.map { version in
        try names.reduce(into: []) { $0.formUnion(try version.document(.item($1))?.ownableRows ?? []) }
      }
    }
    let doubtful = zip(try rows(of: one), try rows(of: other)).reduce(into: Set()) {
      $0.formUnion($1.0.intersection($1.1))
    }
    return try [other, one].compactMap { names in
      let document = try names.first.flatMap { try incoming.base.document(.item($0)) }
      return document.map { portable.known($0).without(rows: doubtful) }
    }
  }

  /// The uids of other items that own rows which the document names. A loan belongs to the item of its copy.
  private func neighbours(of document: Document) throws -> Set<String> {
    var neighbours = Set<String>()
    for schema in ThreeWayMerge.ownableTables where schema.ownerTable == nil {
      let table = schema.name
      let uids = document.rows(of: table).compactMap { $0[TableSchema.uid]?.text }
      for start in stride(from: 0, to: uids.count, by: 500) {
        neighbours.formUnion(
          try db.values(
            """
            SELECT DISTINCT owner.uid FROM identity AS own
            JOIN \(identifier: table) AS row ON row.id = own.row_id
            JOIN identity AS owner ON owner.table_name = 'item' AND owner.row_id = row.item_id AND owner.is_alias = 0
            WHERE own.uid IN (\(list: uids[start...].prefix(500))) AND own.table_name = \(table)
              AND owner.uid <> \(document.uid)
            """, as: String.self))
      }
    }
    return neighbours.filter { removedItems[$0] == nil }
  }

  /// The future document of a file: the merged one, or else the current one.
  private func future(of path: TreePath) throws -> Document? {
    if let document = overrides[path] { return document }
    if incomingPaths.contains(path), let merged = try incoming.merged.document(path) { return portable.known(merged) }
    return try current([path])[path]
  }

  // MARK: Agreed documents

  /// Records the agreed document of a file. Differences in this catalog are not recorded, so the next sync exports
  /// them.
  private func keepAgreed(_ file: File) throws {
    var agreed = file.agreed
    // A cover whose bytes are missing was never agreed on.
    if agreed["cover"] != nil, try !hasCover(file.path), let current = try current([file.path])[file.path],
      // Editions are written last.
      current.without(EditionWriter.table).isSame(as: agreed.without("cover").without(EditionWriter.table))
    {
      agreed = agreed.without("cover")
    }
    try keep(file.path, agreed.isGone ? .some(nil) : .some(agreed.fingerprint))
  }

  private func hasCover(_ path: TreePath) throws -> Bool {
    let item = try uidMap.item(withUID: path.itemUID)
    return try db.value("SELECT 1 FROM cover WHERE item_id = \(item)", as: Int.self) != nil
  }

  /// Records the current documents of rejected files as agreed, so that no sync exports them over the files.
  private func keepRejected() throws {
    let paths = result.rejected.map(\.path)
    for start in stride(from: 0, to: paths.count, by: Self.mostHeld) {
      let some = Array(paths[start...].prefix(Self.mostHeld))
      let current = try current(some)
      for path in some { try keep(path, .some(current[path]?.fingerprint)) }
    }
  }

  private func keep(_ path: TreePath, _ fingerprint: UInt64??) throws {
    let bits = (fingerprint ?? nil).map(Int64.init(bitPattern:))
    try db.run("INSERT OR REPLACE INTO synced_file (path, fingerprint) VALUES (\(path.text), \(bits))")
  }

  private func keep(_ conflict: MergeConflict, _ path: TreePath) throws {
    func text(_ value: JSON?) -> String? {
      value.map { String(decoding: incoming.json(Document([.init("value", $0)])), as: UTF8.self) }
    }
    try db.run(
      """
      INSERT INTO sync_conflict (at, path, row, part, title, here, there, device, kept)
      VALUES (\(now.rawValue), \(path.text), \(conflict.row), \(conflict.part), \(conflict.title), \(text(conflict.ours)),
        \(text(conflict.theirs)), \(incoming.device), \(conflict.resolution.rawValue))
      """)
  }
}
