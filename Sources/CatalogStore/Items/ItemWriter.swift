internal import CatalogModel
internal import SQLite

/// Writes items and the rows that belong to them: one for a command, a hundred thousand for an import. Statements are
/// prepared once; the ids of people, labels and genres are cached.
///
/// Use it within one transaction, or within several if no other process writes in between.
final class ItemWriter {
  private let db: Connection
  private let labels: GenreLabels
  private let itemGenres: ItemGenres
  private let finder: ItemFinder
  /// The meanings of sets of labels seen before. Most items share theirs with others.
  private var meanings: [LabelSet: Meaning] = [:]
  /// The ids of genres for lists of names seen before.
  private var named: [[String]: [Int64]] = [:]
  private static let mostMeanings = 10_000
  private var people: [String: Int64] = [:]
  /// Whether the recents have search results; nil until the first query.
  private var isAnyViewed: Bool?
  private var inserts: [Table: PreparedStatement] = [:]
  /// The prepared statements. The address of the text is quicker to find than the text.
  private var statements: [UnsafePointer<UInt8>: PreparedStatement] = [:]

  init(_ db: Connection) {
    self.db = db
    labels = GenreLabels(db)
    itemGenres = ItemGenres(labels)
    finder = ItemFinder(db)
  }

  /// Inserts an item.
  /// - Parameter genres: the genres that the user chose, instead of those of the record's labels.
  func insert(_ record: Record, genres: [String]?, now: Timestamp) throws -> ItemID {
    let table = try Self.table(of: record)
    let id = try insert(
      record, into: .item, ["sort_title", "kind", "created_at", "updated_at", "genres_by_hand"],
      [
        record.sortTitle, .text(record.kind.rawValue), .text(now.rawValue), .text(now.rawValue),
        .integer(genres == nil ? 0 : 1),
      ])
    let item = ItemID(rawValue: id)
    try insert(record, into: table, ["item_id"], [.integer(id)])
    try insertTracks(of: record, item: item)
    try insertCredits(of: record, item: item)
    try insertExternalIDs(of: record, item: item)
    let meant = try insertLabels(of: record, item: item)
    try insertGenres(try genres.map(ids(ofGenres:)) ?? meant, item: item)
    return item
  }

  /// Returns the same as ``Store/itemID(of:)-(Record)``.
  func itemID(of record: Record) throws -> ItemID? { try finder.itemID(of: record) }

  /// Turns recent views of a search result into views of the item that was added from it. They keep their places.
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

  /// Adds a copy of an item and returns its id.
  /// - Parameter facts: the checked facts of the copy; none by default.
  @discardableResult
  func addCopy(of item: ItemID, _ facts: Copy.Facts = Copy.Facts(), now: Timestamp) throws -> CopyID {
    let id = try add(
      """
      copy (item_id, format, media_grade, sleeve_grade, place, price, currency, acquired_on, acquired_from, note, created_at)
      """,
      [
        .integer(item.rawValue), .optional(facts.format), .optional(facts.media?.rawValue),
        .optional(facts.sleeve?.rawValue), .optional(facts.place), .optional(facts.price?.minorUnits),
        .optional(facts.price?.currency), .optional(facts.acquiredOn?.description), .optional(facts.acquiredFrom),
        .optional(facts.note), .text(now.rawValue),
      ])
    return CopyID(rawValue: id)
  }

  /// Writes the differences between two records of an item. Genres, labels, ids and all other columns stay.
  func update(_ item: ItemID, from old: Record, to new: Record, now: Timestamp) throws {
    try update(
      .item, "id", item, Self.cells(of: old), Self.cells(of: new) + [("updated_at", .text(now.rawValue))])
    let table = try Self.table(of: new)
    if try !update(table, "item_id", item, Self.cells(of: old, in: table), Self.cells(of: new, in: table)) {
      // Another program added the item without its details.
      try insert(new, into: table, ["item_id"], [.integer(item.rawValue)])
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

  /// Updates the columns whose values differ.
  /// - Returns: false if there is no such row.
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

  /// Replaces the genres of an item with those that the user named, in this order. New names become genres. Its labels
  /// no longer count.
  func replaceGenres(of item: ItemID, with names: [String]) throws {
    try run("UPDATE item SET genres_by_hand = 1 WHERE id = ?", [.integer(item.rawValue)])
    try run("DELETE FROM item_genre WHERE item_id = ?", [.integer(item.rawValue)])
    try insertGenres(try ids(ofGenres: names), item: item)
  }

  /// Replaces the genres of an item with those of its labels, even if the user chose others before.
  func restoreGenres(of item: ItemID) throws {
    try run("UPDATE item SET genres_by_hand = 0 WHERE id = ?", [.integer(item.rawValue)])
    try itemGenres.write(try itemGenres.changes(of: "item_id = \(item.rawValue)"))
  }

  /// Replaces the labels of an item. Its genres follow, unless the user chose them.
  func replaceLabels(of item: ItemID, with record: Record) throws {
    try run("DELETE FROM item_label WHERE item_id = ?", [.integer(item.rawValue)])
    let meant = try insertLabels(of: record, item: item)
    guard try db.value("SELECT genres_by_hand FROM item WHERE id = \(item.rawValue)", as: Bool.self) == false else {
      return
    }
    try run("DELETE FROM item_genre WHERE item_id = ?", [.integer(item.rawValue)])
    try insertGenres(meant, item: item)
  }

  /// Removes an item and all rows that belong to it.
  /// - Returns: false if there is no such item.
  func remove(_ item: ItemID) throws -> Bool {
    let people = try people(of: item)
    guard try db.run("DELETE FROM item WHERE id = \(item.rawValue)") > 0 else { return false }
    try forgetUnused(people)
    return true
  }

  private func people(of item: ItemID) throws -> [Int64] {
    try db.values("SELECT DISTINCT person_id FROM credit WHERE item_id = \(item.rawValue)")
  }

  /// Deletes those of these people who have no credits left.
  private func forgetUnused(_ people: [Int64]) throws {
    for person in people {
      try db.run(
        "DELETE FROM person WHERE id = \(person) AND NOT EXISTS (SELECT 1 FROM credit WHERE person_id = \(person))")
    }
    // Their cached ids may be gone.
    self.people = [:]
  }

  /// Deletes people without credits, which another program may have left.
  func forgetUnusedPeople() throws {
    try db.run("DELETE FROM person WHERE NOT EXISTS (SELECT 1 FROM credit WHERE person_id = person.id)")
  }

  // MARK: Parts

  /// A column of a row and its value.
  private typealias Cell = (name: String, value: Value)

  /// The columns of `item` with their values for a record.
  private static func cells(of record: Record) -> [Cell] {
    cells(of: record, in: .item) + [("sort_title", record.sortTitle)]
  }

  private static func cells(of record: Record, in table: Table) -> [Cell] {
    Array(zip(Column.all(in: table).map(\.name), record.stored(in: table)))
  }

  /// The table of the columns that only the record's kind has.
  private static func table(of record: Record) throws -> Table {
    guard let table = Table(record.kind) else { throw CatalogError.notShelved(record.kind) }
    return table
  }

  /// Inserts a row with the stored values of a record and further columns, which are always the same for a table.
  @discardableResult
  private func insert(
    _ record: Record, into table: Table, _ others: @autoclosure () -> [String], _ values: [Value]
  ) throws -> Int64 {
    let insert: PreparedStatement
    if let known = inserts[table] {
      insert = known
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
      inserts[table] = insert
    }
    return try insert.run(record.stored(in: table), values)
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

  /// Adds ids of sources to an item. An id of another item stays there.
  func add(_ ids: [ExternalID], to item: ItemID) throws {
    for id in ids {
      try run(
        "INSERT INTO external_id (source, value, item_id) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
        [.text(id.source), .text(id.value), .integer(item.rawValue)])
    }
  }

  /// Stores the labels and returns their genres.
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

  /// The rows of its labels with their genres; nil for a record without labels.
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

  /// Inserts a row and returns its id.
  /// - Parameter columns: the name of the table, followed by the names of its columns in parentheses.
  @discardableResult
  func add(_ columns: StaticString, _ values: [Value]) throws -> Int64 {
    try statement(columns) {
      "INSERT INTO \(columns) VALUES (\(Array(repeating: "?", count: values.count).joined(separator: ", ")))"
    }.run(values)
  }

  /// Runs a fixed statement and returns the id of the last inserted row.
  @discardableResult
  func run(_ sql: StaticString, _ arguments: [Value]) throws -> Int64 { try statement(sql).run(arguments) }

  private func id(_ sql: StaticString, _ arguments: [Value]) throws -> Int64? { try statement(sql).integer(arguments) }

  /// - Parameter text: the text of the statement, if it is not `key`.
  private func statement(_ key: StaticString, _ text: (() -> String)? = nil) throws -> PreparedStatement {
    if let known = statements[key.utf8Start] { return known }
    let statement = try db.prepare(SQL(stringLiteral: text?() ?? key.description))
    statements[key.utf8Start] = statement
    return statement
  }
}

extension Record {
  /// The values of its columns in a table, in their order.
  func stored(in table: Table) -> [Value] {
    // The columns are read in place: copying one takes longer than its value.
    Column.all(in: table).withUnsafeBufferPointer { columns in columns.indices.map { columns[$0].stored(self) } }
  }

  fileprivate var sortTitle: Value { .optional(Articles.sortTitle(of: Text.line(title) ?? "")) }
}

/// The labels that an item came with.
private struct LabelSet: Hashable {
  var labels: [String]
  var source: String
  var kind: Kind
}

/// The rows of labels, without repeats, and the genres that they mean together.
private struct Meaning {
  var labels: [Int64]
  var genres: [Int64]
}

extension Credit {
  /// The identity of a person in credits: the name and the source's id.
  fileprivate struct Person {
    var name: String
    var externalID: String
  }
}

extension Value {
  /// The value, or NULL.
  static func optional(_ value: (some ValueConvertible)?) -> Value { value?.value ?? .null }
}
