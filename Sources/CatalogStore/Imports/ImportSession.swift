public import CatalogModel
internal import SQLite

/// Writes the rows of one file, some thousands per transaction. A cancelled import keeps the rows written so far, and a
/// second run continues from there.
public struct ImportSession {
  private let store: Store
  let format: String
  private let file: String
  private let now: Timestamp
  /// Converts a reason to a text for the user.
  private let words: (Reason) -> String
  /// The batch of the rows; nil before the first row.
  private(set) public var batch: Int64?
  /// The items for the piles of the file, with their positions.
  private var places: [String: [(position: Int, item: ItemID)]] = [:]
  /// The newest item from before the import.
  private var newest: ItemID?
  /// The writer, which caches people and genres as long as no other process writes.
  private var writer: ItemWriter?
  /// The data version, which changes when another process writes.
  private var version: Int?

  /// The text stored with a row besides differing values.
  public enum Reason {
    /// The row cannot be stored.
    case rejected(ImportRow.Rejection)
    /// The catalog rejects the row.
    case refused(CatalogError)
    /// A value was imported in another form than in the file.
    case adjusted(Entry.Remark)
  }

  /// - Parameter file: the name of the file, without its folder.
  public init(
    format: String, file: String, to store: Store, now: Timestamp, words: @escaping (Reason) -> String
  ) {
    (self.store, self.format, self.file, self.now, self.words) = (store, format, file, now, words)
  }

  /// The result of writing a row.
  public struct RowResult: Sendable, Hashable {
    /// The outcome; nil if the row is unchanged or brings nothing.
    public var outcome: ImportedRow.Outcome?
    public var item: ItemID?
    /// Whether this file created the item.
    public var isOfFile = false
    /// The values of the file that differ from the catalog, which keeps its own. For an item of this file, the values
    /// that differ from a row above.
    public var differences: [String]
  }

  /// Writes rows in one transaction.
  /// - Parameters:
  ///   - eachByItself: whether each row has its own savepoint, so that a rejected row does not affect others. That is
  ///     slower.
  ///   - body: writes the rows in order. If this method throws, discard all that `body` recorded.
  /// - Throws: ``Refused`` if a row is rejected and the rows have no savepoints. Then no row is written.
  public mutating func write(eachByItself: Bool = false, _ body: (inout Transaction) throws -> Void) throws {
    if batch == nil { try store.makeRoomForMany(Self.room) }
    let kept = writer
    // If this throws, the cache of the writer is invalid.
    writer = nil
    self = try store.write {
      let version = try store.db.value("PRAGMA data_version", as: Int.self)
      newest = try newest ?? ItemID(rawValue: store.db.value("SELECT max(id) FROM item") ?? 0)
      var transaction = Transaction(
        session: self, known: try KnownRows(of: format, in: store, before: batch),
        writer: kept.flatMap { version == self.version ? $0 : nil } ?? ItemWriter(store.db), eachByItself: eachByItself)
      try body(&transaction)
      transaction.session.writer = transaction.writer
      transaction.session.version = version
      return transaction.session
    }
  }

  /// The catalog rejected one of several rows that were written together.
  public struct Refused: Error {}

  /// The rows of one transaction.
  public struct Transaction {
    fileprivate var session: ImportSession
    fileprivate let known: KnownRows
    fileprivate var writer: ItemWriter
    fileprivate let eachByItself: Bool

    /// Writes a row. The result has the reason if the catalog rejects it.
    /// - Parameter remark: a further text to store with the row, in the user's words.
    public mutating func write(_ row: PreparedRow, _ target: RowTarget, remark: String? = nil) throws -> RowResult {
      try session.write(row, target, remark, known, with: &writer, eachByItself: eachByItself)
    }

    /// Adds the new items to the piles of the file, in order. Call it in the transaction of the last rows: an import
    /// cancelled before continues with them.
    public func fillPiles() throws {
      try session.fillPiles()
    }
  }

  private mutating func write(
    _ prepared: PreparedRow, _ target: RowTarget, _ remark: String?, _ known: KnownRows,
    with writer: inout ItemWriter, eachByItself: Bool
  ) throws -> RowResult {
    let before = try known.row(like: prepared.row)
    if let before, before.says(prepared.fingerprint) {
      if let item = before.item { note(prepared, item) }
      return RowResult(outcome: nil, item: before.item, differences: [])
    }
    var applied = RowOutcome(outcome: .rejected)
    if case .failure(let rejection) = prepared.row.content {
      applied.reasons = [words(.rejected(rejection))]
    } else if case .left(let reason) = target {
      applied = RowOutcome(outcome: .skipped, reasons: [reason])
    } else {
      do {
        func apply() throws -> RowOutcome {
          try store.apply(prepared, target, as: before, format: format, with: writer, now: now)
        }
        applied = try eachByItself ? store.db.transaction { try apply() } : apply()
      } catch {
        // SQLite rolled everything back, so the error does not concern this row.
        guard store.db.isInTransaction,
          let refusal = error as? CatalogError
            ?? (error as? SQLiteError).flatMap({ $0.isConstraint ? CatalogError($0, path: store.path ?? "") : nil })
        else { throw error }
        guard eachByItself else { throw Refused() }
        applied.reasons = [words(.refused(refusal))]
        // The cache of the writer may be invalid.
        writer = ItemWriter(store.db)
      }
      if let item = applied.item { note(prepared, item) }
    }
    if let before, before.key != prepared.key {
      try store.db.run("UPDATE import_row SET key = \(prepared.key) WHERE key = \(before.key)")
    }
    let batch = try batch ?? store.newBatch(format: format, file: file, now: now)
    self.batch = batch
    let isOfFile = if let item = applied.item, let newest { item > newest } else { false }
    let result = RowResult(
      outcome: applied.outcome, item: applied.item, isOfFile: isOfFile, differences: applied.reasons)
    if applied.item != nil, let entry = prepared.entry {
      applied.reasons += (entry.remarks + applied.remarks).withoutRepeats.map { words(.adjusted($0)) }
      if let remark { applied.reasons.append(remark) }
    }
    try writer.keep(prepared, applied, batch: batch)
    try store.db.flushChanges()
    return result
  }

  /// The size of the page cache in MiB. An import into 350,000 items took 59 MiB in all, of the allowed 64.
  static let room = 8

  private mutating func note(_ row: PreparedRow, _ item: ItemID) {
    guard let entry = row.entry else { return }
    for place in entry.piles { places[place.pile, default: []].append((place.position ?? Int.max, item)) }
  }

  private func fillPiles() throws {
    for (name, items) in places.sorted(by: { $0.key < $1.key }) {
      let sorted = items.enumerated().sorted { ($0.element.position, $0.offset) < ($1.element.position, $1.offset) }
      _ = try store.addToPile(name, sorted.map(\.element.item))
    }
  }
}

/// A row with all values that can be computed without the catalog, so another thread can. It is large and passed on
/// often, so a class avoids copies.
public final class PreparedRow: Sendable {
  public let row: ImportRow
  /// The key that identifies the row in later exports.
  let key: String
  fileprivate let fingerprint: Int64
  /// Its candidates among the entries; nil for a rejected row, or if the entries were not searched.
  public let query: MatchQuery?

  /// The entry as it is stored; nil for a rejected row.
  let entry: Entry?
  /// The remarks on values that were imported in another form than in the file.
  public var remarks: [Entry.Remark] { entry?.remarks ?? [] }

  /// - Parameters:
  ///   - format: the source of its labels, unless an id names it.
  ///   - entries: the entries to search; nil if the match is known.
  ///   - lastDay: days after it are in the future.
  public init(_ row: ImportRow, format: String, among entries: EntryIndex?, lastDay: String) {
    self.row = row
    key = KnownRows.key(of: row, format)
    fingerprint = Int64(bitPattern: Fingerprint(row).value)
    guard case .success(var entry) = row.content else {
      (query, self.entry) = (nil, nil)
      return
    }
    query = entries?.search(entry)
    entry.fit(lastDay: lastDay)
    if entry.record.externalIDs.isEmpty { entry.record.labelSource = entry.record.labelSource ?? format }
    self.entry = entry
  }
}

/// The result of applying a row, with the texts to report.
struct RowOutcome {
  var outcome: ImportedRow.Outcome
  var item: ItemID?
  var copies = 0
  var reasons: [String] = []
  /// The texts that were cut because the item's own are long.
  var remarks: [Entry.Remark] = []
}

extension ImportedRow {
  /// Whether a row is unchanged since its last import, and its item still exists or it was skipped.
  public func isSaid(by row: ImportRow) -> Bool {
    let said = Int64(bitPattern: Fingerprint(row).value)
    return says(said) || outcome == .skipped && fingerprint == said
  }

  fileprivate func says(_ fingerprint: Int64) -> Bool {
    self.fingerprint == fingerprint && (item != nil || outcome == .rejected)
  }
}

/// The results of earlier rows of one format, from any file. A first import looks up no key, since all are new.
public struct KnownRows {
  private let store: Store
  private let format: String
  /// Whether no file of the format was imported before, so that no search is needed.
  private let isEmpty: Bool

  /// - Parameter batch: an import to ignore, since no row occurs twice in a file.
  public init(of format: String, in store: Store, before batch: Int64? = nil) throws {
    (self.store, self.format) = (store, format)
    isEmpty =
      try store.db.value(
        "SELECT NOT EXISTS (SELECT 1 FROM import_batch WHERE format = \(format) AND id IS NOT \(batch))") ?? false
  }

  /// The maximum length of a key in bytes. A longer one would cost more than all else stored with a row.
  private static let longestName = 24

  /// The stored key of a row: the format, a blank, and the key of the other program, or a 64-bit hash of a long one.
  static func key(of row: ImportRow, _ format: String) -> String {
    guard row.key.utf8.count > longestName else { return fullKey(of: row, format) }
    return "\(format) ~\(String(FNV1a(row.key).value, radix: 36))"
  }

  /// The stored key with the full name, as earlier versions wrote it.
  private static func fullKey(of row: ImportRow, _ format: String) -> String { "\(format) \(row.key)" }

  /// Returns the earlier row of the same record.
  ///
  /// Many programs number their records from 1. A row with an equal key and an entirely different title is another
  /// record.
  public func row(like row: ImportRow) throws -> ImportedRow? {
    if isEmpty { return nil }
    let keys = [Self.key(of: row, format), Self.fullKey(of: row, format)].withoutRepeats
    let before = try store.db.one(
      "SELECT * FROM import_row WHERE key IN (\(list: keys)) ORDER BY id DESC LIMIT 1", Store.importedRow)
    guard case .success(let entry) = row.content else { return before }
    guard let before else { return try self.row(ofSame: entry.record) }
    guard let item = before.item else { return before }
    let isCalledSo = before.words == row.words
    if isCalledSo, entry.record.kind != .movie || entry.record.externalIDs.isEmpty || before.isSaid(by: row) {
      return before
    }
    let found = try WorkIdentity(entry.record).compare(with: store.identity(of: item))
    // Two films may share name and year; ids of a source distinguish them.
    if entry.record.kind == .movie, found.isToldApart, found.outcome == .other {
      return try self.row(ofSame: entry.record)
    }
    return isCalledSo || found.title != .none || found.outcome == .same ? before : nil
  }

  /// Returns the earlier row of a film by the other program's id, if its key has changed. That happens when a second
  /// film of the same name and year appears or disappears.
  private func row(ofSame record: Record) throws -> ImportedRow? {
    guard record.kind == .movie, let id = record.externalIDs.first(where: { $0.source == format }),
      let item = try store.itemID(of: id)
    else { return nil }
    return try store.db.one(
      """
      SELECT * FROM import_row WHERE item_id = \(item.rawValue) AND key >= \(format + " ") AND key < \(format + "!")
      ORDER BY id DESC LIMIT 1
      """, Store.importedRow)
  }
}

extension Store {
  /// The item that a row is an export of: it has the row's uid, or its number, time, kind and title.
  public func item(ofExport row: ImportRow) throws -> ItemID? {
    guard let origin = row.origin, let record = try? row.content.get().record else { return nil }
    if let uid = origin.uid, let item = try UIDMap(db).existingItem(withUID: uid) { return ItemID(rawValue: item) }
    return try db.value(
      """
      SELECT id FROM item WHERE id = \(origin.number) AND created_at = \(origin.createdAt)
        AND kind = \(record.kind.rawValue) AND title = \(record.title)
      """, as: Int64.self
    ).map(ItemID.init)
  }

  /// All imports, the latest first.
  public func importBatches() throws -> [ImportBatch] {
    try db.all("SELECT * FROM imports") { row in
      var counts: [ImportedRow.Outcome: Int] = [:]
      for outcome in ImportedRow.Outcome.allCases { counts[outcome] = try row.get(outcome.rawValue) }
      return ImportBatch(
        id: try row.get("id"), format: try row.get("format"), file: try row.get("file"),
        at: Timestamp(rawValue: try row.get("at")), counts: counts)
    }
  }

  /// The rows of an import, in their order.
  /// - Throws: ``CatalogError/noImport(_:)``.
  public func importedRows(of batch: Int64) throws -> [ImportedRow] {
    guard try db.value("SELECT 1 FROM import_batch WHERE id = \(batch)", as: Int.self) != nil else {
      throw CatalogError.noImport(batch)
    }
    return try db.all("SELECT * FROM import_row WHERE batch_id = \(batch) ORDER BY id", Self.importedRow)
  }

  /// Calls `each` for the items that imports of a file added and that no source was asked about yet.
  public func forEachUnaskedThing(
    ofFile file: String, format: String, _ each: (ItemID, UnaskedThing) throws -> Void
  ) throws {
    try db.forEach(
      """
      SELECT item.id, item.kind, (SELECT group_concat(source, ' ') FROM external_id WHERE external_id.item_id = item.id),
        coalesce(isbn13, barcode) IS NOT NULL, year IS NOT NULL,
        EXISTS (SELECT 1 FROM credit WHERE credit.item_id = item.id
          AND role IN (\(list: Kind.shelved.map { Credit.Role(main: $0).rawValue })))
      FROM item LEFT JOIN book ON book.item_id = item.id LEFT JOIN vinyl ON vinyl.item_id = item.id
      WHERE item.id IN (
          SELECT import_row.item_id FROM import_batch JOIN import_row ON import_row.batch_id = import_batch.id
          WHERE format = \(format) AND file = \(file) AND outcome = 'added')
        AND NOT EXISTS (SELECT 1 FROM item_refresh WHERE item_refresh.item_id = item.id)
      ORDER BY item.id
      """
    ) { row in
      guard let kind = Kind(rawValue: row.text(1)) else { return true }
      try each(
        ItemID(rawValue: row.integer(0)),
        UnaskedThing(
          kind: kind, sources: row.text(2).split(separator: " ").map(String.init), hasCode: row.integer(3) != 0,
          hasYear: row.integer(4) != 0, hasCreator: row.integer(5) != 0))
      return true
    }
  }

  fileprivate static func importedRow(_ row: Row) throws -> ImportedRow {
    ImportedRow(
      batch: try row.get("batch_id"), line: try row.get("line"), key: try row.get("key"), words: try row.get("words"),
      outcome: ImportedRow.Outcome(rawValue: try row.get("outcome")) ?? .skipped,
      item: try row.get("item_id", as: Int64?.self).map(ItemID.init), reason: try row.get("reason"),
      copies: try row.get("copies"), said: try row.get("said", as: String?.self).map(SaidBefore.init),
      fingerprint: try row.get("fingerprint"))
  }

  fileprivate func newBatch(format: String, file: String, now: Timestamp) throws -> Int64 {
    try db.run("INSERT INTO import_batch (format, file, at) VALUES (\(format), \(file), \(now.rawValue))")
    return db.lastInsertedRowID
  }
}

extension ItemWriter {
  fileprivate func keep(_ row: PreparedRow, _ applied: RowOutcome, batch: Int64) throws {
    try add(
      "import_row (batch_id, line, key, words, fingerprint, outcome, item_id, copies, reason, said)",
      [
        .integer(batch), .integer(Int64(row.row.line)), .text(row.key), .text(row.row.words), .integer(row.fingerprint),
        .text(applied.outcome.rawValue), .optional(applied.item?.rawValue), .integer(Int64(applied.copies)),
        .optional(applied.reasons.isEmpty ? nil : applied.reasons.joined(separator: "; ")),
        .optional(applied.item == nil ? nil : row.entry.flatMap { SaidBefore($0)?.text }),
      ])
  }
}
