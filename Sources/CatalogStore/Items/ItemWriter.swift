internal import CatalogModel
internal import SQLite

/// Writes items and what hangs on them: one at a time for a command, a hundred thousand for an import. Statements are
/// prepared once; ids of people, labels and genres are remembered.
///
/// It must live inside one transaction, or in several between which nobody else writes.
final class ItemWriter {
  private let db: Connection
  private let labels: GenreLabels
  private let itemGenres: ItemGenres
  private let finder: ItemFinder
  /// What labels became that stood together before: most items have what others have.
  private var meanings: [LabelSet: Meaning] = [:]
  /// What names of genres stand for that stood together before.
  private var named: [[String]: [Int64]] = [:]
  private static let mostMeanings = 10_000
  private var people: [String: Int64] = [:]
  /// Whether results are among the recents, once somebody asked.
  private var isAnyViewed: Bool?
  private var inserts: [(table: Table, insert: PreparedStatement)] = []
  /// With the address of their text, which is quicker to find than the text.
  private var statements: [(text: UnsafePointer<UInt8>, statement: PreparedStatement)] = []
  private var waiting: [(text: UnsafePointer<UInt8>, rows: WaitingRows)] = []
  /// Whether rows of which nobody needs the id may wait until there are several of their table, or ``flush()``: several of one
  /// statement cost less than as many statements.
  var isPatient = false

  init(_ db: Connection) {
    self.db = db
    labels = GenreLabels(db)
    itemGenres = ItemGenres(labels)
    finder = ItemFinder(db)
  }

  /// Inserts an item.
  /// - Parameters:
  ///   - genres: what a person chose instead of what the record's labels say.
  ///   - cells: what its columns keep of the record, where that is known.
  func insert(
    _ record: Record, genres: [String]?, cells: RecordCells? = nil, now: Timestamp
  ) throws -> ItemID {
    let table = try Self.table(of: record)
    let cells = cells ?? RecordCells(of: record, in: table)
    let id = try insert(
      cells.item, into: .item, ["sort_title", "kind", "created_at", "updated_at", "genres_by_hand"],
      [
        cells.sortTitle, .text(record.kind.rawValue), .text(now.rawValue), .text(now.rawValue),
        .integer(genres == nil ? 0 : 1),
      ])
    let item = ItemID(rawValue: id)
    try insert(cells.details, into: table, ["item_id"], [.integer(id)])
    try insertTracks(of: record, item: item)
    try insertCredits(of: record, item: item)
    try insertExternalIDs(of: record, item: item)
    let meant = try insertLabels(of: record, item: item)
    try insertGenres(try genres.map(ids(ofGenres:)) ?? meant, item: item)
    return item
  }

  /// What ``Store/itemID(of:)-(Record)`` finds.
  func itemID(of record: Record) throws -> ItemID? { try finder.itemID(of: record) }

  /// A result that was viewed and is now added is viewed as the item, at its old place.
  func adoptRecents(as item: ItemID, of ids: [ExternalID]) throws {
    let isAnyViewed =
      try isAnyViewed ?? db.value("SELECT EXISTS (SELECT 1 FROM recently_viewed WHERE item_id IS NULL)") ?? false
    self.isAnyViewed = isAnyViewed
    for id in ids where isAnyViewed {
      try run(
        "UPDATE recently_viewed SET source = 'item', source_id = ?, item_id = ? WHERE source = ? AND source_id = ?",
        [.text(item.description), .integer(item.rawValue), .text(id.source), .text(id.value)])
    }
  }

  /// Gives an item a copy.
  /// - Parameter facts: what is said of it, checked; nothing yet in most cases.
  func own(_ item: ItemID, _ facts: Copy.Facts = Copy.Facts(), now: Timestamp) throws -> CopyID {
    CopyID(rawValue: try rows(Self.copy).insert(Self.cells(of: facts, item, now)))
  }

  /// The same, where nobody needs to know which copy it is.
  func addCopy(of item: ItemID, _ facts: Copy.Facts = Copy.Facts(), now: Timestamp) throws {
    try add(Self.copy, Self.cells(of: facts, item, now))
  }

  private static let copy: StaticString = """
    copy (item_id, format, media_grade, sleeve_grade, place, price, currency, acquired_on, acquired_from, note, created_at)
    """

  private static func cells(of facts: Copy.Facts, _ item: ItemID, _ now: Timestamp) -> [Value] {
    [
      .integer(item.rawValue), .optional(facts.format), .optional(facts.media?.rawValue),
      .optional(facts.sleeve?.rawValue), .optional(facts.place), .optional(facts.price?.minorUnits),
      .optional(facts.price?.currency), .optional(facts.acquiredOn?.description), .optional(facts.acquiredFrom),
      .optional(facts.note), .text(now.rawValue),
    ]
  }

  /// Writes what differs between two records of an item. Its genres, labels and ids stay, and so does whatever else is in
  /// its rows.
  func update(_ item: ItemID, from old: Record, to new: Record, now: Timestamp) throws {
    try update(
      .item, "id", item, Self.cells(of: old), Self.cells(of: new) + [("updated_at", .text(now.rawValue))])
    let table = try Self.table(of: new)
    if try !update(table, "item_id", item, Self.cells(of: old, in: table), Self.cells(of: new, in: table)) {
      // Another program made the item, and left its details out.
      try insert(RecordCells.values(of: new, in: table), into: table, ["item_id"], [.integer(item.rawValue)])
      try insertTracks(of: new, item: item)
    } else if old.tracks != new.tracks {
      try db.run("DELETE FROM track WHERE item_id = \(item.rawValue)")
      try insertTracks(of: new, item: item)
    }
    if old.credits != new.credits {
      let people = try people(of: item)
      try db.run("DELETE FROM credit WHERE item_id = \(item.rawValue)")
      try insertCredits(of: new, item: item)
      try forgetUnused(people)
    }
  }

  /// Sets the columns whose value is another than before.
  /// - Returns: false when there is no such row.
  @discardableResult
  private func update(
    _ table: Table, _ key: String, _ item: ItemID, _ old: [Cell], _ new: [Cell]
  ) throws -> Bool {
    let old = Dictionary(uniqueKeysWithValues: old.map { ($0.name, $0.value) })
    let changes = new.filter { old[$0.name] != $0.value }.map { "\(identifier: $0.name) = \($0.value)" as SQL }
    guard !changes.isEmpty else { return true }
    let count = try db.run(
      """
      UPDATE \(identifier: table.rawValue) SET \(changes.joined(separator: ", ")) WHERE \(identifier: key) = \(item.rawValue)
      """)
    return count > 0
  }

  /// Gives the item the genres that a person named, in this order; new names become genres. Its labels count no more.
  func replaceGenres(of item: ItemID, with names: [String]) throws {
    try run("UPDATE item SET genres_by_hand = 1 WHERE id = ?", [.integer(item.rawValue)])
    try run("DELETE FROM item_genre WHERE item_id = ?", [.integer(item.rawValue)])
    try insertGenres(try ids(ofGenres: names), item: item)
  }

  /// Gives the item back to its labels: it has the genres that they stand for, whatever a person chose before.
  func restoreGenres(of item: ItemID) throws {
    try run("UPDATE item SET genres_by_hand = 0 WHERE id = ?", [.integer(item.rawValue)])
    try itemGenres.write(try itemGenres.changes(of: "item_id = \(item.rawValue)"))
  }

  /// Gives the item the labels of a record. Its genres follow them, unless a person chose them.
  func replaceLabels(of item: ItemID, with record: Record) throws {
    try run("DELETE FROM item_label WHERE item_id = ?", [.integer(item.rawValue)])
    let meant = try insertLabels(of: record, item: item)
    guard try db.value("SELECT genres_by_hand FROM item WHERE id = \(item.rawValue)", as: Bool.self) == false else {
      return
    }
    try run("DELETE FROM item_genre WHERE item_id = ?", [.integer(item.rawValue)])
    try insertGenres(meant, item: item)
  }

  /// Removes an item and all that hangs on it.
  /// - Returns: false when there is none.
  func remove(_ item: ItemID) throws -> Bool {
    let people = try people(of: item)
    guard try db.run("DELETE FROM item WHERE id = \(item.rawValue)") > 0 else { return false }
    try forgetUnused(people)
    return true
  }

  private func people(of item: ItemID) throws -> [Int64] {
    try db.values("SELECT DISTINCT person_id FROM credit WHERE item_id = \(item.rawValue)")
  }

  /// Removes those of these people whom no item names any more.
  private func forgetUnused(_ people: [Int64]) throws {
    for person in people {
      try db.run(
        "DELETE FROM person WHERE id = \(person) AND NOT EXISTS (SELECT 1 FROM credit WHERE person_id = \(person))")
    }
    // What is remembered of them may be gone.
    self.people = [:]
  }

  /// Removes everyone whom no item names, such as another program may have left.
  func forgetUnusedPeople() throws {
    try db.run("DELETE FROM person WHERE NOT EXISTS (SELECT 1 FROM credit WHERE person_id = person.id)")
  }

  // MARK: Parts

  /// A column of a row, and what stands there.
  private typealias Cell = (name: String, value: Value)

  /// What a record says in the columns of `item`.
  private static func cells(of record: Record) -> [Cell] {
    cells(of: record, in: .item) + [("sort_title", RecordCells.sortTitle(of: record))]
  }

  private static func cells(of record: Record, in table: Table) -> [Cell] {
    Array(zip(Column.all(in: table).map(\.name), RecordCells.values(of: record, in: table)))
  }

  /// The table of what only things of this kind have.
  private static func table(of record: Record) throws -> Table {
    guard let table = Table(record.kind) else { throw CatalogError.notShelved(record.kind) }
    return table
  }

  /// Inserts a row of what a record says in the columns of a table, and of others, which are always the same for a table.
  @discardableResult
  private func insert(
    _ cells: [Value], into table: Table, _ others: @autoclosure () -> [String], _ values: [Value]
  ) throws -> Int64 {
    let insert: PreparedStatement
    if let known = inserts.first(where: { $0.table == table }) {
      insert = known.insert
    } else {
      let columns = Column.all(in: table)
      // Names of the program's own: as SQL in pieces, this text would cost more than the row.
      let names = columns.map(\.name) + others()
      let marks = Array(repeating: "?", count: names.count)
      insert = try db.prepare(
        SQL(
          stringLiteral:
            "INSERT INTO \(table.rawValue) (\(names.joined(separator: ", "))) VALUES (\(marks.joined(separator: ", ")))"
        ))
      inserts.append((table, insert))
    }
    return try insert.run(cells, values)
  }

  private func insertTracks(of record: Record, item: ItemID) throws {
    guard case .vinyl(let vinyl) = record.details else { return }
    for (number, track) in zip(Int64(1)..., vinyl.tracks) {
      try add(
        "track (item_id, number, position, title, seconds)",
        [
          .integer(item.rawValue), .integer(number), .text(Text.line(track.position) ?? ""),
          .text(Text.line(track.title) ?? ""), .optional(track.seconds.flatMap { $0 > 0 ? $0 : nil }),
        ])
    }
  }

  private func insertCredits(of record: Record, item: ItemID) throws {
    var position: Int64 = 1
    for credit in record.credits {
      guard let name = Text.line(credit.name) else { continue }
      let person = try person(Credit.Person(name: name, externalID: credit.externalID?.description ?? ""))
      try add(
        "credit (item_id, position, person_id, role, detail)",
        [
          .integer(item.rawValue), .integer(position), .integer(person), .text(credit.role.rawValue),
          .optional(Text.line(credit.detail)),
        ])
      position += 1
    }
  }

  private func person(_ person: Credit.Person) throws -> Int64 {
    // Most have no id. No name has a NUL.
    let key = person.externalID.isEmpty ? person.name : "\(person.externalID)\0\(person.name)"
    if let id = people[key] { return id }
    let id: Int64
    if let found = try self.id(
      "SELECT id FROM person WHERE name = ? AND external_id = ?", [.text(person.name), .text(person.externalID)])
    {
      id = found
    } else {
      id = try run(
        "INSERT INTO person (name, external_id) VALUES (?, ?)", [.text(person.name), .text(person.externalID)])
    }
    people[key] = id
    return id
  }

  private func insertExternalIDs(of record: Record, item: ItemID) throws { try add(record.externalIDs, to: item) }

  /// Adds what sources call the item. An id that another item already has is left to it.
  func add(_ ids: [ExternalID], to item: ItemID) throws {
    for id in ids {
      try run(
        "INSERT INTO external_id (source, value, item_id) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
        [.text(id.source), .text(id.value), .integer(item.rawValue)])
    }
  }

  /// Keeps the labels and returns the genres that they stand for.
  private func insertLabels(of record: Record, item: ItemID) throws -> [Int64] {
    guard let meaning = try meaning(of: record) else { return [] }
    for (position, label) in zip(Int64(1)..., meaning.labels) {
      try add(
        "item_label (item_id, position, label_id)",
        [.integer(item.rawValue), .integer(position), .integer(label)])
    }
    return meaning.genres
  }

  /// Whether the labels of a record stand for genres.
  func meansGenres(_ record: Record) throws -> Bool { try meaning(of: record).map { !$0.genres.isEmpty } ?? false }

  /// What its labels are; nil for a record without any.
  private func meaning(of record: Record) throws -> Meaning? {
    if record.labels.isEmpty { return nil }
    return try meaning(
      of: LabelSet(
        labels: record.labels, source: record.labelSource ?? record.externalIDs.first?.source ?? "hand",
        kind: record.kind))
  }

  private func meaning(of set: LabelSet) throws -> Meaning {
    if let known = meanings[set] { return known }
    var matches: [GenreLabels.Match] = []
    for label in set.labels.compactMap(Text.line) {
      let match = try labels.match(label, from: set.source, of: set.kind)
      if !matches.contains(where: { $0.label == match.label }) { matches.append(match) }
    }
    let meaning = Meaning(
      labels: matches.map(\.label), genres: try itemGenres.genres(of: matches, kind: set.kind))
    if meanings.count < Self.mostMeanings { meanings[set] = meaning }
    return meaning
  }

  private func ids(ofGenres names: [String]) throws -> [Int64] {
    if let known = named[names] { return known }
    let genres = try names.compactMap(Text.line).flatMap(labels.genres(named:)).withoutRepeats
    if named.count < Self.mostMeanings { named[names] = genres }
    return genres
  }

  private func insertGenres(_ ids: [Int64], item: ItemID) throws {
    for (position, genre) in zip(Int64(1)..., ids) {
      try add(
        "item_genre (item_id, position, genre_id)",
        [.integer(item.rawValue), .integer(position), .integer(genre)])
    }
  }

  /// Inserts a row of which nobody needs the id.
  /// - Parameter columns: the name of the table, and those of the columns in parentheses.
  func add(_ columns: StaticString, _ values: [Value]) throws {
    let rows = try rows(columns)
    if isPatient { try rows.add(values) } else { try rows.insert(values) }
  }

  /// Inserts what still waits.
  func flush() throws { for (_, rows) in waiting { try rows.flush() } }

  private func rows(_ columns: StaticString) throws -> WaitingRows {
    if let known = waiting.first(where: { $0.text == columns.utf8Start }) { return known.rows }
    let rows = WaitingRows(of: columns.description, db)
    waiting.append((columns.utf8Start, rows))
    return rows
  }

  /// Runs a statement of the program's own, and returns the id of the row that it inserted last.
  @discardableResult
  func run(_ sql: StaticString, _ arguments: [Value]) throws -> Int64 { try statement(sql).run(arguments) }

  private func id(_ sql: StaticString, _ arguments: [Value]) throws -> Int64? { try statement(sql).integer(arguments) }

  private func statement(_ sql: StaticString) throws -> PreparedStatement {
    if let known = statements.first(where: { $0.text == sql.utf8Start }) { return known.statement }
    let statement = try db.prepare(SQL(stringLiteral: sql.description))
    statements.append((sql.utf8Start, statement))
    return statement
  }
}

/// The labels that an item came with.
private struct LabelSet: Hashable {
  var labels: [String]
  var source: String
  var kind: Kind
}

/// The rows of labels, each once, and the genres that they stand for together.
private struct Meaning {
  var labels: [Int64]
  var genres: [Int64]
}

extension Credit {
  /// What makes two credits one person: the name and the source's id.
  fileprivate struct Person {
    var name: String
    var externalID: String
  }
}

extension Value {
  /// The value, or NULL.
  static func optional(_ value: (some ValueConvertible)?) -> Value { value?.value ?? .null }
}
