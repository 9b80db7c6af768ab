public import CatalogModel
internal import SQLite

/// Writes the rows of one file, some thousands in a transaction. Whoever stops it keeps what was written, and the same file goes on
/// from there.
public struct Importing {
  private let store: Store
  let format: String
  private let file: String
  private let now: Timestamp
  /// What is to be told of a row, in a person's words.
  private let words: (Reason) -> String
  /// The batch that the rows belong to; none before the first of them.
  private(set) public var batch: Int64?
  /// Where things are to stand on the lists of the file.
  private var places: [String: [(position: Int, item: ItemID)]] = [:]
  /// The newest item before the first of them.
  private var newest: ItemID?
  /// It remembers people and genres, as long as nobody else wrote.
  private var writer: ItemWriter?
  /// Another one when somebody else wrote.
  private var version: Int?

  /// What is kept with a row, beside what the file says otherwise.
  public enum Reason {
    /// The row cannot be kept.
    case rejected(ImportRow.Rejection)
    /// The catalog refuses it.
    case refused(CatalogError)
    /// A value was not taken as the file has it.
    case told(Entry.Remark)
  }

  /// - Parameter file: its name, without the folder.
  public init(
    format: String, file: String, to store: Store, now: Timestamp, words: @escaping (Reason) -> String
  ) {
    (self.store, self.format, self.file, self.now, self.words) = (store, format, file, now, words)
  }

  /// What became of a row.
  public struct Written: Sendable, Hashable {
    /// Nil when it says what it said before, or brings nothing.
    public var outcome: ImportedRow.Outcome?
    public var item: ItemID?
    /// Whether that came with this file.
    public var isOfFile = false
    /// What the file says otherwise than the catalog, which keeps its own; of something that came with this file, otherwise than a row
    /// above.
    public var differences: [String]
  }

  /// Writes rows in one transaction.
  /// - Parameters:
  ///   - eachByItself: a row that the catalog refuses takes no other with it. Few are refused, and for the others it takes time.
  ///   - body: writes them, one after the other. What it remembers of them is worth nothing when this throws.
  /// - Throws: ``Refused`` when one of them is refused and not each stands by itself: nothing of them is written.
  public mutating func write(eachByItself: Bool = false, _ body: (inout Part) throws -> Void) throws {
    if batch == nil { try store.makeRoomForMany(Self.room) }
    let kept = writer
    // What it comes to know now is worth nothing when this throws.
    writer = nil
    self = try store.write {
      let version = try store.db.value("PRAGMA data_version", as: Int.self)
      newest = try newest ?? ItemID(rawValue: store.db.value("SELECT max(id) FROM item") ?? 0)
      var part = Part(
        seen: self, known: try KnownRows(of: format, in: store, before: batch),
        writer: kept.flatMap { version == self.version ? $0 : nil } ?? ItemWriter(store.db), eachByItself: eachByItself)
      part.writer.isPatient = !eachByItself
      try body(&part)
      try part.flush()
      part.seen.writer = part.writer
      part.seen.version = version
      return part.seen
    }
  }

  /// The catalog cannot hold one of several rows that were to be written together.
  public struct Refused: Error {}

  /// Rows that are written in one transaction.
  public struct Part {
    fileprivate var seen: Importing
    fileprivate let known: KnownRows
    fileprivate var writer: ItemWriter
    fileprivate let eachByItself: Bool

    /// Writes a row, or says why the catalog cannot hold it.
    /// - Parameter remark: what is kept with the row besides, in a person's words.
    public mutating func write(_ row: PreparedRow, _ placement: Placement, remark: String? = nil) throws -> Written {
      try seen.write(row, placement, remark, known, with: &writer, eachByItself: eachByItself)
    }

    /// Puts what is new on the lists of the file there, in their order. In the transaction of the last rows, so that whoever is
    /// stopped before it goes on with these.
    public func fillPiles() throws {
      try flush()
      try seen.fillPiles()
    }

    fileprivate func flush() throws {
      do {
        try writer.flush()
      } catch let error as SQLiteError where error.isConstraint {
        throw Refused()
      }
    }
  }

  private mutating func write(
    _ prepared: PreparedRow, _ placement: Placement, _ remark: String?, _ known: KnownRows,
    with writer: inout ItemWriter, eachByItself: Bool
  ) throws -> Written {
    let before = try known.row(like: prepared.row)
    if let before, before.says(prepared.fingerprint) {
      if let item = before.item { note(prepared, item) }
      return Written(outcome: nil, item: before.item, differences: [])
    }
    var taken = Taken(outcome: .rejected)
    if case .failure(let rejection) = prepared.row.content {
      taken.reasons = [words(.rejected(rejection))]
    } else if case .left(let reason) = placement {
      taken = Taken(outcome: .skipped, reasons: [reason])
    } else {
      do {
        func take() throws -> Taken {
          try store.take(prepared, placement, as: before, format: format, with: writer, now: now)
        }
        taken = try eachByItself ? store.db.transaction { try take() } : take()
      } catch {
        // What failed so badly that SQLite gave everything up is no matter of this row.
        guard store.db.isInTransaction,
          let refusal = error as? CatalogError
            ?? (error as? SQLiteError).flatMap({ $0.isConstraint ? CatalogError($0, path: store.path ?? "") : nil })
        else { throw error }
        guard eachByItself else { throw Refused() }
        taken.reasons = [words(.refused(refusal))]
        // What the writer remembers may be gone.
        writer = ItemWriter(store.db)
      }
      if let item = taken.item { note(prepared, item) }
    }
    if let before, before.key != prepared.key {
      try store.db.run("UPDATE import_row SET key = \(prepared.key) WHERE key = \(before.key)")
    }
    let batch = try batch ?? store.newBatch(format: format, file: file, now: now)
    self.batch = batch
    let isOfFile = if let item = taken.item, let newest { item > newest } else { false }
    let written = Written(
      outcome: taken.outcome, item: taken.item, isOfFile: isOfFile, differences: taken.reasons)
    if taken.item != nil, let entry = prepared.entry {
      taken.reasons += (entry.remarks + taken.remarks).withoutRepeats.map { words(.told($0)) }
      if let remark { taken.reasons.append(remark) }
    }
    try writer.keep(prepared, taken, batch: batch)
    try store.db.passOnChanges()
    return written
  }

  /// MiB of pages, beside rows and the titles of ``ShelfTitles``. Into a shelf of 350 000 an import took 59 MiB in all, of the 64 that it may.
  static let room = 14

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

/// A row with what can be found out of it without the catalog, so that another thread may do that. There is much in it, and it is
/// handed on some ten times: it is not copied.
public final class PreparedRow: Sendable {
  public let row: ImportRow
  /// By what it is known again.
  let key: String
  fileprivate let fingerprint: Int64
  /// What it may be of the entries that were asked; nil for a rejected one.
  public let sought: SoughtRow?

  /// What it says, as it is kept; nil for a rejected one.
  let entry: Entry?
  let cells: RecordCells?
  /// The values that were not taken as the file has them.
  public var remarks: [Entry.Remark] { entry?.remarks ?? [] }

  /// - Parameters:
  ///   - format: whose labels it has, where no id says so.
  ///   - entries: among which it is looked for; nil where it is known what it is.
  ///   - now: what is later is yet to come.
  public init(_ row: ImportRow, format: String, among entries: EntryIndex?, now: Timestamp) {
    self.row = row
    key = KnownRows.key(of: row, format)
    fingerprint = Int64(bitPattern: Fingerprint(row).value)
    guard case .success(var entry) = row.content else {
      (sought, self.entry, cells) = (nil, nil, nil)
      return
    }
    sought = entries?.seek(entry)
    entry.fit(now: now)
    if entry.record.externalIDs.isEmpty { entry.record.labelSource = entry.record.labelSource ?? format }
    self.entry = entry
    cells = Table(entry.record.kind).map { RecordCells(of: entry.record, in: $0) }
  }
}

/// What a row became, and what is to be told of it.
struct Taken {
  var outcome: ImportedRow.Outcome
  var item: ItemID?
  var copies = 0
  var reasons: [String] = []
  /// The texts that lost their end, since the item's own are long already.
  var remarks: [Entry.Remark] = []
}

extension ImportedRow {
  /// Whether a row says what it said when it last came, and what that became is there, or was to be nothing.
  public func isSaid(by row: ImportRow) -> Bool {
    let said = Int64(bitPattern: Fingerprint(row).value)
    return says(said) || outcome == .skipped && fingerprint == said
  }

  fileprivate func says(_ fingerprint: Int64) -> Bool {
    self.fingerprint == fingerprint && (item != nil || outcome == .rejected)
  }
}

/// What rows of one format became when they last came, in any file.
public struct KnownRows {
  private let store: Store
  private let format: String
  /// No file of the format came in before: then nobody looks for rows.
  private let isEmpty: Bool

  /// - Parameter batch: an import that does not count, since no row stands in a file twice.
  public init(of format: String, in store: Store, before batch: Int64? = nil) throws {
    (self.store, self.format) = (store, format)
    isEmpty =
      try store.db.value(
        "SELECT NOT EXISTS (SELECT 1 FROM import_batch WHERE format = \(format) AND id IS NOT \(batch))") ?? false
  }

  /// A longer name of a row would cost more than all else that is kept of it.
  private static let longestName = 24

  /// By what a row is known again: the format, a blank, and what the other program calls it, of a long name 64 bits.
  static func key(of row: ImportRow, _ format: String) -> String {
    guard row.key.utf8.count > longestName else { return fullKey(of: row, format) }
    return "\(format) ~\(String(FNV1a(row.key).value, radix: 36))"
  }

  /// The same with the whole name, as it was kept at first.
  private static func fullKey(of row: ImportRow, _ format: String) -> String { "\(format) \(row.key)" }

  /// What a row became.
  ///
  /// Many programs count their things from 1. What has the key of another, and is called otherwise than that was, there and here, is
  /// another row.
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
    let (said, known) = (WorkSigns(entry.record), try store.signs(of: item))
    // Two films of one name and year, by what a source calls them.
    if said.kind == .movie, said.isAnotherThing(than: known), said.relation(to: known) == nil {
      return try self.row(ofSame: entry.record)
    }
    return isCalledSo || said.titleAgreement(with: known) != nil || said.relation(to: known) == .same ? before : nil
  }

  /// What a row became that had another key, and had the name that the other program itself gives a film: since there is another film of
  /// its name and year now, or none any more.
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
  /// All imports, the last first.
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

  /// Calls `each` for the things that came new by imports of a file, and of which no source was asked yet.
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
  fileprivate func keep(_ row: PreparedRow, _ taken: Taken, batch: Int64) throws {
    try add(
      "import_row (batch_id, line, key, words, fingerprint, outcome, item_id, copies, reason, said)",
      [
        .integer(batch), .integer(Int64(row.row.line)), .text(row.key), .text(row.row.words), .integer(row.fingerprint),
        .text(taken.outcome.rawValue), .optional(taken.item?.rawValue), .integer(Int64(taken.copies)),
        .optional(taken.reasons.isEmpty ? nil : taken.reasons.joined(separator: "; ")),
        .optional(taken.item == nil ? nil : row.entry.flatMap { SaidBefore($0)?.text }),
      ])
  }
}
