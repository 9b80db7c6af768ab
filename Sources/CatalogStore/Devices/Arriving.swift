public import CatalogModel
internal import SQLite

/// What came from another device: so much that it is read in parts, and never held as a whole.
public struct Arrival {
  /// The files that are otherwise than here.
  public var paths: [TreePath] = []
  /// Reads what some of these files say now, in the order of the paths; nil for one that is not there. Where there are many, a file is asked
  /// for more than once.
  public var joined: (_ paths: [TreePath]) throws -> [Result<Document, DocumentProblem>?] = { $0.map { _ in nil } }
  /// Reads what was said here in a file when it left; nil when nothing was, or when nobody can read it.
  public var ours: (TreePath) throws -> Document? = { _ in nil }
  /// Reads what the two versions come from that were joined said in a file; nil when none were, or when there was no such file.
  public var base: (TreePath) throws -> Document? = { _ in nil }
  /// Reads what each of these versions said in a file, in their order; nil for one in which there is no such file.
  public var versions: (TreePath) throws -> [Document?] = { _ in [] }
  /// What this catalog said when it left.
  public var left: Fingerprints = [:]
  /// The commit that all of it is of.
  public var commit: String
  /// What was said differently, with the file it is about.
  public var remarks: [(path: TreePath, remark: JoinRemark)] = []
  /// Who the others are, for ``remarks``.
  public var device: String?
  /// Writes a document as JSON, in a line.
  public var json: (Document) -> [UInt8]
  /// The bytes of the cover that goes by a digest, with the ending that its type has; nil when nobody has them, which removes no cover.
  public var cover: (_ digest: String, _ ending: String) throws -> [UInt8]? = { _, _ in nil }
  /// Called with how many of all items were taken; returning false ends it, and nothing was taken.
  public var progress: (_ done: Int, _ of: Int) -> Bool = { _, _ in true }

  public init(commit: String, json: @escaping (Document) -> [UInt8]) { (self.commit, self.json) = (commit, json) }
}

/// What became of it.
public struct Arrived: Sendable {
  public var added = 0
  public var changed = 0
  public var removed = 0
  /// What was said differently; also what was changed here while the others were asked.
  public var remarks: [(path: TreePath, remark: JoinRemark)] = []
  /// What the catalog cannot hold, in words; it stays in the tree as it is, and here as it was.
  public var refused: [(path: TreePath, reason: Wording)] = []
  /// What cannot be read.
  public var unreadable: [(path: TreePath, problem: DocumentProblem)] = []

  public init() {}
}

extension Store {
  /// Takes what came from other devices, in one transaction, as one step.
  ///
  /// What was changed here since it left is joined once more, inside the write.
  /// - Throws: ``Stopped``, ``DocumentProblem`` when it does not hold together, and what the arrival's readers throw.
  public func arrive(_ arrival: Arrival, now: Timestamp) throws -> Arrived {
    try write {
      try db.run("PRAGMA defer_foreign_keys = ON")
      var arriving = try Arriving(self, now: now, cover: arrival.cover)
      try arriving.take(arrival)
      if db.hasLooseEnds {
        let names = try db.values("SELECT \"table\" || ' of ' || parent FROM pragma_foreign_key_check", as: String.self)
        throw DocumentProblem("something in it belongs to what is not in it: \(names.first ?? "")")
      }
      return arriving.arrived
    }
  }

  /// What the two sides of a sync did not agree on, the newest first.
  public func syncConflicts(all: Bool = false) throws -> [SyncConflict] {
    try db.all(
      "SELECT * FROM sync_conflict WHERE settled_at IS NULL OR \(all) ORDER BY id DESC", SyncConflict.init)
  }
}

/// Something that two devices said differently.
public struct SyncConflict: Sendable, Hashable, Identifiable {
  public var id: Int64
  public var at: Timestamp
  public var path: TreePath?
  public var remark: JoinRemark
  public var device: String?

  init(_ row: Row) throws {
    id = try row.get("id")
    at = Timestamp(rawValue: try row.get("at"))
    path = TreePath(try row.get("path", as: String.self))
    func value(_ column: String) throws -> DocumentValue? {
      try row.get(column, as: String?.self).flatMap { try? DocumentParser.read(Array($0.utf8))["value"] }
    }
    remark = JoinRemark(
      title: try row.get("title"), row: try row.get("row"), part: try row.get("part"), here: try value("here"),
      there: try value("there"), kept: JoinRemark.Kept(rawValue: try row.get("kept")) ?? .both)
    device = try row.get("device")
  }
}

/// Writes documents that came from elsewhere over what is here, row by row: what is the same already is not touched.
struct Arriving {
  private let store: Store
  private var db: Connection { store.db }
  private let now: Timestamp
  private let cover: (_ digest: String, _ ending: String) throws -> [UInt8]?
  private let travelling: Travelling
  private let identities: Identities
  private var names: NamedRows
  /// What is to be in the files that say something else than they would by themselves: those that were changed here since they left,
  /// and those of items of which another one has a part.
  private var rejoined: [TreePath: Document] = [:]
  /// The files that came, and what reads them, and what they come from.
  private var coming = Set<TreePath>()
  private var joined: ([TreePath]) throws -> [Result<Document, DocumentProblem>?] = { $0.map { _ in nil } }
  private var base: (TreePath) throws -> Document? = { _ in nil }
  private var versions: (TreePath) throws -> [Document?] = { _ in [] }
  /// Whether nothing here is anybody's: the genres that a new catalog has are no edit.
  private let isNew: Bool
  /// The items that are gone by what came, with the name that each has now; nil for one that was removed.
  private var gone: [String: String?] = [:]
  /// What each edition is of, as ``works(in:)`` has it.
  private var works: [Int64: Int64] = [:]
  private(set) var arrived = Arrived()

  init(
    _ store: Store, now: Timestamp, cover: @escaping (_ digest: String, _ ending: String) throws -> [UInt8]?
  ) throws {
    (self.store, self.now, self.cover) = (store, now, cover)
    travelling = try Travelling(store.db)
    identities = Identities(store.db)
    names = NamedRows(store.db, form: .travelling)
    isNew = try store.isEmpty() && store.syncState("commit") == nil
  }

  /// What a file is to say here, and what both have agreed on.
  private typealias File = (path: TreePath, document: Document, agreed: Document)

  /// So many documents are held in memory.
  private static let mostHeld = 200

  mutating func take(_ arrival: Arrival) throws {
    let arrival = try Self.held(arrival)
    (coming, joined) = (Set(arrival.paths), arrival.joined)
    (base, versions) = (arrival.base, arrival.versions)
    arrived.remarks = arrival.remarks
    for (path, fingerprint) in arrival.left { try keep(path, fingerprint) }
    if !isNew { try rejoin(arrival) }
    let isItem: (TreePath) -> Bool = { if case .item = $0 { true } else { false } }
    var loose: [File] = []
    try read(arrival.paths.filter { !isItem($0) }, of: arrival) { loose.append($1) }
    // What items name goes first, then the items, and what names items or was named by them comes last.
    for file in loose where file.path == .genres { try attempt(file.path) { try $0.takeVocabulary(file.document) } }
    for file in loose where file.path == .tags { try attempt(file.path) { try $0.takeTags(file.document) } }
    // The first that was made first, so that numbers are given in much the same order everywhere.
    let gone = try takeItems(
      arrival.paths.filter(isItem).map { (uid: $0.itemUID, path: $0) }.sorted { $0.uid < $1.uid }.map(\.path),
      of: arrival)
    try read(gone, of: arrival) { arriving, file in
      try arriving.attempt(file.path) { try $0.remove(file.document, file.path) }
      try arriving.keepAgreed(file)
    }
    for file in loose where file.document.isGone { try attempt(file.path) { try $0.remove(file.document, file.path) } }
    for file in loose {
      switch file.path {
      case .pile where !file.document.isGone: try attempt(file.path) { try $0.takePile(file.document) }
      case .queries: try attempt(file.path) { try $0.takeQueries(file.document) }
      case .wishes:
        try attempt(file.path) { arriving in
          guard let table = arriving.travelling.table("wish") else { return }
          try arriving.write(file.document.rows(of: "wish"), of: table, item: nil)
        }
      case .catalog: try attempt(file.path) { try $0.takeRepresentative(file.document) }
      default: break
      }
    }
    for file in loose where file.path == .genres { try attempt(file.path) { try $0.dropGenres(not: file.document) } }
    for file in loose where file.path == .tags { try attempt(file.path) { try $0.dropTags(not: file.document) } }
    try ItemWriter(db).forgetUnusedPeople()
    for file in loose { try keepAgreed(file) }
    try keepRefused()
    for (path, remark) in arrived.remarks { try keep(remark, path, of: arrival) }
    try store.setSyncState("commit", to: arrival.commit)
  }

  /// What is so little that it can be held is read once.
  private static func held(_ arrival: Arrival) throws -> Arrival {
    guard arrival.paths.count <= mostHeld else { return arrival }
    let said = Dictionary(zip(arrival.paths, try arrival.joined(arrival.paths))) { $1 }
    var arrival = arrival
    arrival.joined = { paths in paths.map { said[$0] ?? nil } }
    return arrival
  }

  /// Takes the items that are there, each whole or not at all.
  /// - Returns: the files of those that were removed.
  private mutating func takeItems(_ paths: [TreePath], of arrival: Arrival) throws -> [TreePath] {
    var (live, gone): ([(path: TreePath, work: String?, isNew: Bool)], [TreePath]) = ([], [])
    var (united, done): ([TreePath], Int) = ([], 0)
    func tell(_ done: Int) throws {
      // The second time takes three times as long.
      guard arrival.progress(done / 4, paths.count) else { throw Store.Stopped() }
    }
    // New items are there before anything names them; then each is written whole, or not at all.
    try read(paths, of: arrival) { arriving, file in
      done += 1
      if done % 100 == 0 { try tell(done) }
      if file.document.isGone {
        if case .item(let uid) = file.path { arriving.gone[uid] = .some(file.document[Travelling.same]?.text) }
        return gone.append(file.path)
      }
      let isNew = try !arriving.isHere(file.path)
      if try !arriving.namesakes(of: file.document).isEmpty {
        united.append(file.path)
      } else if isNew {
        try arriving.attempt(file.path) { _ = try $0.takeItem(file.document, file.path) }
      }
      live.append((file.path, Self.work(of: file.document), isNew))
    }
    // So is what two items here have become; by now it is known which of them are gone.
    try read(united, of: arrival) { arriving, file in
      try arriving.attempt(file.path) { _ = try $0.takeItem(file.document, file.path) }
    }
    live = try live.filter { try !$0.isNew || isHere($0.path) }
    works = try works(in: live.map { ($0.path, $0.work) })
    done = paths.count
    var rest = live[...]
    try read(live.map(\.path), of: arrival) { arriving, file in
      done += 3
      if done % 100 < 3 { try tell(done) }
      guard let (path, _, isNew) = rest.popFirst() else { return }
      try arriving.attempt(path) { arriving in
        let id = try arriving.takeItem(file.document, path)
        try arriving.takeRows(file.document, id, isNew: isNew)
        try arriving.takeEdition(file.document, id)
        if isNew { arriving.arrived.added += 1 } else { arriving.arrived.changed += 1 }
      }
      if isNew, arriving.isRefused(path) { try arriving.drop(path) }
      try arriving.keepAgreed(file)
    }
    return gone
  }

  /// Calls `body` with what files are to say, those that can be read.
  private mutating func read(
    _ paths: [TreePath], of arrival: Arrival, _ body: (inout Arriving, File) throws -> Void
  ) throws {
    for start in stride(from: 0, to: paths.count, by: Self.mostHeld) {
      let some = Array(paths[start...].prefix(Self.mostHeld))
      for (path, said) in zip(some, try arrival.joined(some)) {
        switch said {
        case .success(let joined)?:
          let agreed = travelling.known(joined)
          try body(&self, (path, rejoined[path] ?? agreed, agreed))
        case .failure(let problem)?:
          if !arrived.unreadable.contains(where: { $0.path == path }) { arrived.unreadable.append((path, problem)) }
        case nil: break
        }
      }
    }
  }

  // MARK: One document

  /// What this catalog says in a file.
  func said(_ path: TreePath) throws -> Document? { try current([path])[path] }

  /// Makes the catalog say something else in a file, which leaves at the next sync.
  mutating func settle(_ path: TreePath, _ document: Document) throws {
    switch path {
    case .item where document.isGone, .pile where document.isGone: try remove(document, path)
    case .item:
      let id = try takeItem(document, path)
      works = try works(in: [(path, Self.work(of: document))])
      try takeRows(document, id)
      try takeEdition(document, id)
    case .pile: try takePile(document)
    case .queries: try takeQueries(document)
    case .wishes:
      if let table = travelling.table("wish") { try write(document.rows(of: "wish"), of: table, item: nil) }
    case .catalog: try takeRepresentative(document)
    case .genres: try takeVocabulary(document)
    case .tags: try takeTags(document)
    case .cover: break
    }
  }

  /// Joins what the others say with what was changed here since it left.
  private mutating func rejoin(_ arrival: Arrival) throws {
    for start in stride(from: 0, to: arrival.paths.count, by: Self.mostHeld) {
      let some = Array(arrival.paths[start...].prefix(Self.mostHeld))
      let known = try known(some)
      for (path, current) in try current(some) where current.fingerprint != known[path.text] ?? nil {
        guard case .success(let joined)?? = try arrival.joined([path]).first else { continue }
        let (document, remarks) = DocumentJoin.join(
          base: try arrival.ours(path).map(travelling.known), ours: current, theirs: travelling.known(joined))
        arrived.remarks += remarks.map { (path, $0) }
        rejoined[path] = travelling.known(document)
      }
    }
  }

  /// What this catalog says in files; nothing of those that are about nothing here.
  private func current(_ paths: [TreePath]) throws -> [TreePath: Document] {
    var found: [TreePath: Document] = [:]
    var items: [Int64] = []
    for case .item(let uid) in paths { if let id = try identities.row(of: uid, in: "item") { items.append(id) } }
    try travelling.forEachItem(items) { found[.item($1)] = $2 }
    let isLoose = paths.contains { if case .item = $0 { false } else { true } }
    if isLoose { for file in try travelling.looseFiles() { found[file.path] = file.document } }
    return found
  }

  /// What was agreed on of files.
  private func known(_ paths: [TreePath]) throws -> [String: UInt64?] {
    var known: [String: UInt64?] = [:]
    for start in stride(from: 0, to: paths.count, by: 500) {
      let some = paths[start...].prefix(500).map(\.text)
      known.merge(try store.fingerprints("path IN (\(list: some))")) { $1 }
    }
    return known
  }

  /// Does a part, or leaves all of it and says why.
  private mutating func attempt(_ path: TreePath, _ body: (inout Arriving) throws -> Void) throws {
    var attempt = self
    do {
      try db.transaction { try body(&attempt) }
      self = attempt
    } catch let problem as DocumentProblem {
      refuse(path, problem.words)
    } catch let error as SQLiteError where error.isConstraint {
      refuse(path, Wording(verbatim: error.message))
    }
  }

  private mutating func refuse(_ path: TreePath, _ reason: Wording) {
    if !isRefused(path) { arrived.refused.append((path, reason)) }
  }

  private func isRefused(_ path: TreePath) -> Bool { arrived.refused.contains { $0.path == path } }

  // MARK: Items

  private func isHere(_ path: TreePath) throws -> Bool { try identities.item(called: path.itemUID) != nil }

  /// Takes an item away that had come and cannot be kept whole.
  private func drop(_ path: TreePath) throws {
    guard let id = try identities.item(called: path.itemUID) else { return }
    try db.run("DELETE FROM item WHERE id = \(id)")
  }

  /// Writes the item itself, and what it is by its kind.
  /// - Returns: its number.
  private mutating func takeItem(_ document: Document, _ path: TreePath) throws -> Int64 {
    guard case .item(let uid) = path, let row = document.rows(of: "item").first, row[DocumentTable.uid]?.text == uid
    else { throw DocumentProblem("it is not the item that its name says") }
    guard let kind = row["kind"]?.text, document.rows(of: kind).count == 1, let table = travelling.table("item"),
      let details = travelling.table(kind), ["movie", "book", "vinyl"].contains(kind)
    else { throw DocumentProblem("it does not say what kind of thing it is") }
    // What was taken for another thing and is one of its own gets a row of its own.
    var known = try identities.item(named: uid)
    if known == nil, let other = try namesakes(of: document).first(where: { gone[$0.uid] != nil }) {
      // What it is called elsewhere is here already: it stays where it is, and gets the other name.
      try identities.name(other.item, of: "item", uid)
      known = other.item
    }
    let exists = try known.map { try db.value("SELECT 1 FROM item WHERE id = \($0)", as: Int.self) != nil } ?? false
    let number = try write(row, of: table, as: known, exists: exists)
    if known == nil { try identities.name(number, of: "item", uid) }
    // Where both are here, everything of the other is in this one now. Whose file says that it is there is another thing, whatever
    // somebody else took it for.
    var others = Set<String>()
    for (alias, other) in try namesakes(of: document) {
      if gone[alias] == nil {
        others.insert(alias)
      } else {
        try db.run("DELETE FROM item WHERE id = \(other)")
      }
    }
    for alias in document.aliases where !others.contains(alias) {
      // Of two that say so the one with the smaller uid has it, whatever came first; so all devices come to the same.
      let other = try identities.item(alsoCalled: alias, otherThan: number)
      if let other, other < uid, gone[other] == nil { continue }
      try identities.alias(alias, for: number, of: "item")
    }
    try write(document.rows(of: kind), of: details, item: number)
    return number
  }

  /// The items here that are called what an item is called, too.
  private func namesakes(of document: Document) throws -> [(uid: String, item: Int64)] {
    try document.aliases.compactMap { alias in
      try identities.item(called: alias).map { (alias, $0) }
    }
  }

  /// Writes what hangs on an item.
  /// - Parameter isNew: nothing hangs on it yet.
  private mutating func takeRows(_ document: Document, _ item: Int64, isNew: Bool = false) throws {
    let own: Set = ["item", "movie", "book", "vinyl", "edition_of"]
    let document = try parted(document, item)
    for table in travelling.ofItems where !own.contains(table.name) {
      let rows = document.rows(of: table.name)
      if !isNew || !rows.isEmpty { try write(rows, of: table, item: item) }
    }
    try db.passOnChanges()
  }

  // MARK: Editions

  /// Which item is an edition of which, by what is here and what came: where two devices made a chain of it, of which each knew a part, or
  /// a ring, it is no work of the catalog yet.
  private func works(in items: [(path: TreePath, work: String?)]) throws -> [Int64: Int64] {
    var works = Dictionary(
      try db.all("SELECT item_id, work_id FROM edition_of") {
        (try $0.get(at: 0, as: Int64.self), try $0.get(at: 1, as: Int64.self))
      }
    ) { $1 }
    for (path, work) in items {
      guard let id = try identities.item(named: path.itemUID) else { continue }
      guard let work else {
        works[id] = nil
        continue
      }
      works[id] = try item(now: work)
    }
    return works
  }

  /// The item that goes by a name, or by the one that it has now; nil for one that was removed.
  private func item(now uid: String) throws -> Int64? {
    var (name, seen) = (uid, Set<String>())
    while seen.insert(name).inserted {
      if let id = try identities.row(of: name, in: "item"),
        try db.value("SELECT 1 FROM item WHERE id = \(id)", as: Int.self) != nil
      {
        return id
      }
      guard let next = gone[name] ?? nil else { return nil }
      name = next
    }
    return nil
  }

  /// Whether an item was ever called so. One that was gone before it could come here has left nothing but its file.
  private func isKnown(_ uid: String) throws -> Bool {
    if try gone[uid] != nil || identities.row(of: uid, in: "item") != nil { return true }
    return try db.value(
      "SELECT 1 FROM synced_file WHERE path = \(TreePath.item(uid).text) AND fingerprint IS NULL", as: Int.self) != nil
  }

  /// The work that an item is an edition of, as its file names it.
  private static func work(of document: Document) -> String? { document.rows(of: "edition_of").first?["work"]?.text }

  /// The end of the chain that begins with an item; of a ring, the one whose uid is the smallest.
  private func work(of item: Int64) throws -> Int64? {
    var way = [item]
    while let next = works[way[way.count - 1]] {
      if let start = way.firstIndex(of: next) {
        let first = try db.value(
          """
          SELECT row_id FROM identity WHERE table_name = 'item' AND is_alias = 0 AND row_id IN (\(list: way[start...]))
          ORDER BY uid LIMIT 1
          """, as: Int64.self)
        return first == item ? nil : first
      }
      way.append(next)
    }
    return way.last == item ? nil : way.last
  }

  private mutating func takeEdition(_ document: Document, _ item: Int64) throws {
    guard let table = travelling.table("edition_of") else { return }
    guard !document.rows(of: table.name).isEmpty else { return try write([], of: table, item: item) }
    // It names something, whatever became of that.
    guard let uid = Self.work(of: document), try isKnown(uid) else {
      throw Self.isNowhere("work", of: table)
    }
    guard let work = try work(of: item) else { return try write([], of: table, item: item) }
    // All of one work are editions of it, and it is of none.
    try db.run("DELETE FROM edition_of WHERE item_id = \(work)")
    try db.run("UPDATE edition_of SET work_id = \(work) WHERE work_id = \(item)")
    try db.run(
      """
      INSERT INTO edition_of (item_id, work_id) VALUES (\(item), \(work))
      ON CONFLICT (item_id) DO UPDATE SET work_id = excluded.work_id WHERE work_id <> excluded.work_id
      """)
  }

  private mutating func remove(_ document: Document, _ path: TreePath) throws {
    switch path {
    case .item(let uid):
      guard let id = try identities.row(of: uid, in: "item") else {
        guard let now = document[Travelling.same]?.text, let row = try identities.row(of: now, in: "item") else {
          return
        }
        return try identities.alias(uid, for: row, of: "item")
      }
      // By another name it is something else that stays.
      let isAlias = try db.value("SELECT is_alias FROM identity WHERE uid = \(uid)", as: Bool.self) == true
      if isAlias { return }
      if try db.run("DELETE FROM item WHERE id = \(id)") > 0 { arrived.removed += 1 }
      if let now = document[Travelling.same]?.text, let row = try identities.row(of: now, in: "item") {
        try identities.alias(uid, for: row, of: "item")
      }
    case .pile(let name):
      for key in try db.values("SELECT key FROM pile", as: String.self) where TreePath.pile(key: key) == .pile(name) {
        try db.run("DELETE FROM pile WHERE key = \(key)")
      }
    default: break
    }
  }

  // MARK: Rows

  /// Makes the rows of a table that belong to an item, or to none, what the document says.
  private mutating func write(_ rows: [Document], of table: DocumentTable, item: Int64?) throws {
    if table.isSingle {
      guard let row = rows.first else {
        try db.run("DELETE FROM \(identifier: table.name) WHERE item_id = \(item)")
        return
      }
      let exists =
        try db.value("SELECT 1 FROM \(identifier: table.name) WHERE item_id = \(item)", as: Int.self) != nil
      if table.name == "cover" { return try writeCover(row, of: table, item: item, exists: exists) }
      _ = try write(row, of: table, as: item, exists: exists)
    } else if DocumentTable.identified.contains(table.name) {
      try writeIdentified(rows, of: table, item: item)
    } else {
      try writeList(rows, of: table, item: item)
    }
  }

  /// Rows that have a name of their own each: what is changed of one is changed, and nothing of the others.
  private mutating func writeIdentified(_ rows: [Document], of table: DocumentTable, item: Int64?) throws {
    let owned: SQL =
      table.name == "loan"
      ? "copy_id IN (SELECT id FROM copy WHERE item_id = \(item))"
      : item.map { "item_id = \($0)" } ?? "item_id IS NULL"
    if rows.isEmpty {
      try db.run("DELETE FROM \(identifier: table.name) WHERE \(owned)")
      return
    }
    var present = Set(try db.values("SELECT id FROM \(identifier: table.name) WHERE \(owned)", as: Int64.self))
    var known: [(row: Document, uid: String, id: Int64?)] = []
    for row in rows {
      guard let uid = row[DocumentTable.uid]?.text, UUIDv7.isOne(uid) else {
        throw DocumentProblem("a '\(table.name)' has no uid")
      }
      known.append((row, uid, try identities.row(of: uid, in: table.name)))
    }
    present.subtract(known.compactMap(\.id))
    for id in present { try db.run("DELETE FROM \(identifier: table.name) WHERE id = \(id)") }
    // What only one row may have is let go of by the one that had it before another gets it.
    let ended = known.filter { $0.id != nil && !Self.isOpen($0.row, of: table) }
    let others = known.filter { $0.id == nil || Self.isOpen($0.row, of: table) }
    for (row, uid, id) in ended + others {
      let owner = try id.flatMap { try self.owner(of: $0, in: table.name) }
      // A loan is where its copy is.
      if let item, table.name == "loan", let copy = try number(of: "copy", in: row, table),
        try self.owner(of: copy, in: "copy") != item
      {
        continue
      }
      let number = try write(row, of: table, as: id, exists: owner != nil, item: item)
      if id == nil { try identities.name(number, of: table.name, uid) }
    }
  }

  /// Whether a row is one of which there may be one alone: that a copy is lent, that an item is wished for or in progress.
  private static func isOpen(_ row: Document, of table: DocumentTable) -> Bool {
    switch table.name {
    case "loan": row["returned_on"] == nil
    case "wish": row["fulfilled_at"] == nil
    case "log_entry": row["outcome"]?.text == "ongoing"
    default: false
    }
  }

  // MARK: Rows of two items

  /// The item that a row hangs on, 0 for none; nil when there is no such row.
  private func owner(of row: Int64, in table: String) throws -> Int64? {
    let owned: SQL = table == "loan" ? "loan JOIN copy ON copy.id = copy_id" : "\(identifier: table)"
    return try db.value(
      "SELECT coalesce(item_id, 0) FROM \(owned) WHERE \(identifier: table).id = \(row)", as: Int64.self)
  }

  /// Parts the file of an item from those of all others that have rows of it, and these from others again, until nothing moves any more;
  /// the others have all that is theirs then.
  /// - Returns: what the item is to say.
  private mutating func parted(_ document: Document, _ item: Int64) throws -> Document {
    guard let own = document.uid else { return document }
    var (items, said, moved) = ([own: item], [own: document], Set<String>())
    // Nothing is written before all is known: what one lets go of may be a third one's that nobody has asked yet.
    var waiting: Set = [own]
    while let one = waiting.min(), var document = said[one], let item = items[one] {
      waiting.remove(one)
      for other in try others(thatHaveRowsOf: document, than: item) {
        if let uid = try identities.uid(of: other), gone[uid] == nil { items[uid] = other }
      }
      for uid in items.keys.sorted() where uid != one {
        guard let here = try said[uid] ?? future(of: .item(uid)), !DocumentJoin.areApart(here, document) else {
          continue
        }
        let parted = DocumentJoin.part(
          bases: try origins([uid] + here.aliases, [one] + document.aliases), ours: here, theirs: document)
        let changed = [(uid, parted.ours, here), (one, parted.theirs, document)].filter { !$1.isSame(as: $2) }.map(\.0)
        moved.formUnion(changed)
        waiting.formUnion(changed)
        arrived.remarks += parted.remarks.map { (.item(one), $0) }
        (said[uid], document) = (parted.ours, parted.theirs)
      }
      said[one] = document
    }
    // What moves goes to the smaller uid: that one takes it before the other lets go of it.
    for uid in moved.isEmpty ? [] : moved.union([own]).sorted() {
      guard let document = said[uid], let item = items[uid] else { continue }
      rejoined[.item(uid)] = document
      for table in travelling.ofItems where DocumentJoin.movable.contains(table.name) {
        try write(document.rows(of: table.name), of: table, item: item)
      }
    }
    return said[own] ?? document
  }

  /// What the files of two items come from, by their names, without the rows of which that is not known: where one of the versions that were
  /// joined has a row in both files, these had parted before, and what one of them was then is not what the other comes from.
  private func origins(_ one: [String], _ other: [String]) throws -> [Document] {
    func rows(_ names: [String]) throws -> [Set<String>] {
      try names.map { try versions(.item($0)).map { $0?.movableRows ?? [] } }.reduce([]) { all, said in
        all.isEmpty ? said : zip(all, said).map { $0.union($1) }
      }
    }
    let doubtful = zip(try rows(one), try rows(other)).reduce(into: Set()) { $0.formUnion($1.0.intersection($1.1)) }
    return try [other, one].compactMap { names in
      try names.first.flatMap { try base(.item($0)) }.map { travelling.known($0).without(rows: doubtful) }
    }
  }

  /// The other items that have rows here which the file of one names. A loan is where its copy is.
  private func others(thatHaveRowsOf document: Document, than item: Int64) throws -> [Int64] {
    var others = Set<Int64>()
    for table in DocumentJoin.movable where table != "loan" {
      let uids = document.rows(of: table).compactMap { $0[DocumentTable.uid]?.text }
      for start in stride(from: 0, to: uids.count, by: 500) {
        others.formUnion(
          try db.values(
            """
            SELECT DISTINCT item_id FROM \(identifier: table) AS row
            JOIN identity ON table_name = \(table) AND row_id = row.id
            WHERE uid IN (\(list: uids[start...].prefix(500))) AND item_id <> \(item)
            """, as: Int64.self))
      }
    }
    return others.sorted()
  }

  /// What a file is to say here: what came, or else what is here.
  private func future(of path: TreePath) throws -> Document? {
    if let document = rejoined[path] { return document }
    if coming.contains(path), case .success(let joined)?? = try joined([path]).first { return travelling.known(joined) }
    return try current([path])[path]
  }

  /// Rows that are nothing but what they say: those that are not said go, and those that are new come.
  private mutating func writeList(_ rows: [Document], of table: DocumentTable, item: Int64?) throws {
    guard let item else { return }
    if rows.isEmpty {
      try db.run("DELETE FROM \(identifier: table.name) WHERE item_id = \(item)")
      return
    }
    let (columns, names) = (table.columns, table.names)
    let wanted = try rows.map { row in try columns.map { try value(of: $0, in: row, table, item: item) } }
    let present = try db.all(
      "SELECT \(names) FROM \(identifier: table.name) WHERE item_id = \(item)"
    ) { $0.all }
    func isSame(_ a: [Value], _ b: [Value]) -> Bool { zip(a, b).allSatisfy { $0.isSame(as: $1) } }
    for row in present where !wanted.contains(where: { isSame($0, row) }) {
      let condition = zip(columns, row).map { "\(identifier: $0.0.name) IS \($0.1)" as SQL }.joined(separator: " AND ")
      try db.run("DELETE FROM \(identifier: table.name) WHERE \(condition)")
    }
    for row in wanted where !present.contains(where: { isSame($0, row) }) {
      // An identifier that went over to another item.
      let verb: SQL = table.name == "external_id" ? "INSERT OR REPLACE" : "INSERT"
      try db.run("\(verb) INTO \(identifier: table.name) (\(names)) VALUES (\(list: row))")
    }
  }

  /// Writes one row.
  /// - Parameter id: the number that it has, or once had; nil for a new one.
  /// - Returns: its number.
  private mutating func write(
    _ row: Document, of table: DocumentTable, as id: Int64?, exists: Bool, item: Int64? = nil
  ) throws -> Int64 {
    let key = table.isSingle && table.name != "item" ? "item_id" : "id"
    let columns = table.columns.filter { $0.name != key }
    let values = try columns.map { try value(of: $0, in: row, table, item: table.isSingle ? id : item) }
    // A card is let go of by the entry that had it, whatever that is an entry of, before another gets it.
    if table.name == "log_entry", let card = zip(columns, values).first(where: { $0.0.identified == "card" })?.1,
      card != .null
    {
      try db.run("UPDATE log_entry SET card_id = NULL WHERE card_id = \(card) AND id IS NOT \(exists ? id : nil)")
    }
    if exists, let id {
      let names = columns.map { "\(identifier: $0.name)" as SQL }.joined(separator: ", ")
      let present =
        columns.isEmpty
        ? []
        : try db.one("SELECT \(names) FROM \(identifier: table.name) WHERE \(identifier: key) = \(id)") { $0.all } ?? []
      let changes = zip(zip(columns, values), present).filter {
        !$0.0.1.isSame(as: $0.1) && !($0.0.0.hasStandard && $0.0.1 == .null)
      }.map(\.0)
      if !changes.isEmpty {
        let sets = changes.map { "\(identifier: $0.0.name) = \($0.1)" as SQL }.joined(separator: ", ")
        try db.run("UPDATE \(identifier: table.name) SET \(sets) WHERE \(identifier: key) = \(id)")
      }
      return id
    }
    let given = zip(columns, values).filter { !($0.0.hasStandard && $0.1 == .null) }
    let names = ([key] + given.map(\.0.name)).map { "\(identifier: $0)" as SQL }.joined(separator: ", ")
    try db.run(
      "INSERT INTO \(identifier: table.name) (\(names)) VALUES (\(list: [id.map(Value.integer) ?? .null] + given.map(\.1)))"
    )
    return id ?? db.lastInsertedRowID
  }

  private mutating func value(
    of column: DocumentTable.Column, in row: Document, _ table: DocumentTable, item: Int64?
  ) throws -> Value {
    if column.name == DocumentTable.item { return item.map(Value.integer) ?? .null }
    guard let value = row[column.key], value != .null else {
      return .null
    }
    if let other = column.identified {
      guard let number = try number(of: column.key, in: row, table) else { return .null }
      // A card that is another item's is not this one's.
      if other == "card", let item, try owner(of: number, in: "card") != item { return .null }
      return .integer(number)
    }
    if let naming = column.naming { return .integer(try names.number(of: value, by: naming)) }
    guard let kept = value.value(isBytes: false) else {
      throw DocumentProblem("'\(table.name).\(column.key)' cannot be what it is there")
    }
    return kept
  }

  /// The number of what a row names by its uid; nil when it names nothing.
  private func number(of key: String, in row: Document, _ table: DocumentTable) throws -> Int64? {
    guard let value = row[key], value != .null else { return nil }
    guard let uid = value.text, let other = table.columns.first(where: { $0.key == key })?.identified,
      let number = try identities.row(of: uid, in: other)
    else { throw Self.isNowhere(key, of: table) }
    return number
  }

  private static func isNowhere(_ key: String, of table: DocumentTable) -> DocumentProblem {
    DocumentProblem("the '\(key)' of a '\(table.name)' is nowhere")
  }

  private mutating func writeCover(_ row: Document, of table: DocumentTable, item: Int64?, exists: Bool) throws {
    guard let item, let digest = row[DocumentTable.digest]?.text else { return }
    let ending = Document.ending(ofCover: row)
    let present = try db.value("SELECT sha256 FROM cover_digest WHERE item_id = \(item)", as: String.self)
    var bytes: [UInt8]?
    if present != digest {
      // A picture that nobody has takes none away.
      guard let found = try store.cover(digest: digest) ?? cover(digest, ending),
        SHA256.hexadecimal(of: found) == digest
      else {
        return
      }
      bytes = found
    }
    let columns = table.columns.filter { $0.name != "item_id" && !$0.isDigest }
    let values = try columns.map { try value(of: $0, in: row, table, item: item) }
    if let bytes {
      let names = columns.map { "\(identifier: $0.name)" as SQL }.joined(separator: ", ")
      try db.run("DELETE FROM cover WHERE item_id = \(item)")
      try db.run("INSERT INTO cover (item_id, bytes, \(names)) VALUES (\(item), \(bytes), \(list: values))")
      try db.run("INSERT OR REPLACE INTO cover_digest (item_id, sha256) VALUES (\(item), \(digest))")
    } else {
      let sets = zip(columns, values).map { "\(identifier: $0.0.name) = \($0.1)" as SQL }.joined(separator: ", ")
      try db.run("UPDATE cover SET \(sets) WHERE item_id = \(item)")
    }
  }

  // MARK: What hangs on no item

  private mutating func takeVocabulary(_ document: Document) throws {
    let rows = document.rows(of: "genre")
    for row in rows {
      guard let name = row["name"]?.text, let key = row["key"]?.text else {
        throw DocumentProblem("a genre has no name")
      }
      try db.run("INSERT INTO genre (name, key) VALUES (\(name), \(key)) ON CONFLICT DO NOTHING")
    }
    // One that was above another may come under it: none is above any before each is where it belongs.
    for row in rows {
      try db.run(
        """
        UPDATE genre SET parent_id = NULL WHERE name = \(row["name"]?.text) AND parent_id IS NOT NULL
          AND parent_id IS NOT (SELECT id FROM genre WHERE name = \(row["parent"]?.text))
        """)
    }
    for row in rows {
      let (name, parent) = (row["name"]?.text, row["parent"]?.text)
      try db.run(
        """
        UPDATE genre SET parent_id = (SELECT id FROM genre WHERE name = \(parent))
        WHERE name = \(name) AND parent_id IS NOT (SELECT id FROM genre WHERE name = \(parent))
        """)
    }
    for row in document.rows(of: "genre_label") {
      let label = (
        source: row["source"]?.text, kind: row["kind"]?.text ?? "", key: row["key"]?.text, label: row["label"]?.text
      )
      try db.run(
        """
        INSERT INTO genre_label (source, kind, key, label, is_known, by_hand)
        VALUES (\(label.source), \(label.kind), \(label.key), \(label.label), \(row["is_known"]?.integer ?? 1), \(row["by_hand"]?.integer ?? 0))
        ON CONFLICT (source, kind, key) DO UPDATE SET is_known = excluded.is_known, by_hand = excluded.by_hand,
          label = excluded.label
        WHERE is_known <> excluded.is_known OR by_hand <> excluded.by_hand OR label <> excluded.label
        """)
      let id = try db.value(
        "SELECT id FROM genre_label WHERE source = \(label.source) AND kind = \(label.kind) AND key = \(label.key)",
        as: Int64.self)
      let wanted = (row.list("genres") ?? []).compactMap(\.text)
      let present = try db.values(
        "SELECT name FROM genre_label_target JOIN genre ON genre.id = genre_id WHERE label_id = \(id) ORDER BY position",
        as: String.self)
      guard wanted != present else { continue }
      try db.run("DELETE FROM genre_label_target WHERE label_id = \(id)")
      for (place, name) in wanted.enumerated() {
        try db.run(
          """
          INSERT INTO genre_label_target (label_id, position, genre_id)
          SELECT \(id), \(place + 1), id FROM genre WHERE name = \(name)
          """)
      }
    }
  }

  /// Removes the genres that nobody has any more, when nothing is of them.
  private mutating func dropGenres(not document: Document) throws {
    let names = Set(document.rows(of: "genre").compactMap { $0["name"]?.text })
    for name in try db.values("SELECT name FROM genre", as: String.self) where !names.contains(name) {
      try db.run(
        """
        DELETE FROM genre WHERE name = \(name) AND id NOT IN (SELECT genre_id FROM item_genre)
          AND id NOT IN (SELECT genre_id FROM genre_label_target)
        """)
    }
  }

  private mutating func takeTags(_ document: Document) throws {
    for row in document.rows(of: "tag") {
      try db.run(
        """
        INSERT INTO tag (name, key) VALUES (\(row["name"]?.text), \(row["key"]?.text))
        ON CONFLICT (key) DO UPDATE SET name = excluded.name WHERE name <> excluded.name
        """)
    }
  }

  private mutating func dropTags(not document: Document) throws {
    let keys = Set(document.rows(of: "tag").compactMap { $0["key"]?.text })
    for key in try db.values("SELECT key FROM tag", as: String.self) where !keys.contains(key) {
      try db.run("DELETE FROM tag WHERE key = \(key) AND id NOT IN (SELECT tag_id FROM item_tag)")
    }
  }

  private mutating func takeQueries(_ document: Document) throws {
    let rows = document.rows(of: "saved_query")
    let keys = Set(rows.compactMap { $0["key"]?.text })
    for key in try db.values("SELECT key FROM saved_query", as: String.self) where !keys.contains(key) {
      try db.run("DELETE FROM saved_query WHERE key = \(key)")
    }
    for row in rows {
      try db.run(
        """
        INSERT INTO saved_query (key, name, query) VALUES (\(row["key"]?.text), \(row["name"]?.text), \(row["query"]?.text))
        ON CONFLICT (key) DO UPDATE SET name = excluded.name, query = excluded.query
        WHERE name <> excluded.name OR query <> excluded.query
        """)
    }
  }

  private mutating func takePile(_ document: Document) throws {
    guard let row = document.rows(of: "pile").first, let key = row["key"]?.text else {
      throw DocumentProblem("the pile has no name")
    }
    try db.run(
      """
      INSERT INTO pile (name, key) VALUES (\(row["name"]?.text), \(key))
      ON CONFLICT (key) DO UPDATE SET name = excluded.name WHERE name <> excluded.name
      """)
    let id = try db.value("SELECT id FROM pile WHERE key = \(key)", as: Int64.self)
    var wanted: [Int64] = []
    for uid in (document.list("items") ?? []).compactMap(\.text) {
      guard let item = try identities.row(of: uid, in: "item"), !wanted.contains(item),
        try db.value("SELECT 1 FROM item WHERE id = \(item)", as: Int.self) != nil
      else { continue }
      wanted.append(item)
    }
    let present = try db.values("SELECT item_id FROM pile_item WHERE pile_id = \(id) ORDER BY position", as: Int64.self)
    guard wanted != present else { return }
    // From the end on: what stands behind a gap moves up.
    for item in present.reversed() { try db.run("DELETE FROM pile_item WHERE pile_id = \(id) AND item_id = \(item)") }
    for (place, item) in wanted.enumerated() {
      try db.run("INSERT INTO pile_item (pile_id, item_id, position) VALUES (\(id), \(item), \(place + 1))")
    }
  }

  private mutating func takeRepresentative(_ document: Document) throws {
    let item = try document["representative"]?.text.flatMap { try identities.row(of: $0, in: "item") }
    let present = try db.value("SELECT item_id FROM representative", as: Int64.self)
    guard item != present else { return }
    try db.run("DELETE FROM representative")
    if let item {
      try db.run("INSERT INTO representative (only, item_id) SELECT 1, item_id FROM vinyl WHERE item_id = \(item)")
    }
  }

  // MARK: What was agreed on

  /// Keeps what both have agreed on of a file. What is otherwise here is not kept as agreed on, and leaves at the next sync.
  private func keepAgreed(_ file: File) throws {
    var agreed = file.agreed
    // A cover that is nowhere was agreed on by nobody.
    if agreed["cover"] != nil, try !hasCover(file.path), let current = try current([file.path])[file.path],
      current.isSame(as: agreed.without("cover"))
    {
      agreed = agreed.without("cover")
    }
    try keep(file.path, agreed.isGone ? .some(nil) : .some(agreed.fingerprint))
  }

  private func hasCover(_ path: TreePath) throws -> Bool {
    let item = try identities.item(named: path.itemUID)
    return try db.value("SELECT 1 FROM cover WHERE item_id = \(item)", as: Int.self) != nil
  }

  /// What is wrong there stays there until somebody mends it.
  private func keepRefused() throws {
    let paths = arrived.refused.map(\.path)
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

  private func keep(_ remark: JoinRemark, _ path: TreePath, of arrival: Arrival) throws {
    func text(_ value: DocumentValue?) -> String? {
      value.map { String(decoding: arrival.json(Document([.init("value", $0)])), as: UTF8.self) }
    }
    try db.run(
      """
      INSERT INTO sync_conflict (at, path, row, part, title, here, there, device, kept)
      VALUES (\(now.rawValue), \(path.text), \(remark.row), \(remark.part), \(remark.title), \(text(remark.here)),
        \(text(remark.there)), \(arrival.device), \(remark.kept.rawValue))
      """)
  }
}

extension Document {
  func list(_ key: String) -> [DocumentValue]? { if case .list(let values)? = self[key] { values } else { nil } }
}
