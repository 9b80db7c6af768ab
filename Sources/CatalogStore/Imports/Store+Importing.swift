public import CatalogModel
internal import SQLite

/// Writes the rows of one file, some hundreds in a transaction. Whoever stops it keeps what was written, and the same file goes on
/// from there.
public struct Importing {
  private let store: Store
  private let format: String
  private let file: String
  private let now: Timestamp
  /// Why the catalog refuses a row, in a person's words.
  private let words: (CatalogError) -> String
  /// The batch that the rows belong to; none before the first of them.
  private(set) public var batch: Int64?
  /// Where things are to stand on the lists of the file.
  private var places: [String: [(position: Int, item: ItemID)]] = [:]
  /// What the rows became, by how they call it.
  private var named: [UInt64: ItemID] = [:]

  /// - Parameter file: its name, without the folder.
  public init(
    format: String, file: String, to store: Store, now: Timestamp, words: @escaping (CatalogError) -> String
  ) {
    (self.store, self.format, self.file, self.now, self.words) = (store, format, file, now, words)
  }

  /// What became of a row.
  public struct Written: Sendable, Hashable {
    /// Nil when it says what it said before, or brings nothing.
    public var outcome: ImportedRow.Outcome?
    public var item: ItemID?
    /// What the file says otherwise than the catalog, which keeps its own.
    public var differences: [String]
  }

  /// Writes rows in one transaction.
  /// - Parameter isLast: no rows come behind these: what is new on the lists of the file is put there, in their order. It is the same
  ///   transaction, so that whoever is stopped before it goes on with these rows.
  public mutating func write(_ rows: [(row: ImportRow, placement: Placement)], isLast: Bool) throws -> [Written] {
    var seen = self
    let written = try store.write {
      var writer = ItemWriter(store.db)
      let written = try rows.map { try seen.write($0, $1, with: &writer) }
      if isLast { try seen.fillPiles() }
      return written
    }
    self = seen
    return written
  }

  /// Writes a row, or says why the catalog cannot hold it.
  private mutating func write(
    _ row: ImportRow, _ placement: Placement, with writer: inout ItemWriter
  ) throws -> Written {
    let before = try store.importedRow(for: row, of: format)
    let fingerprint = Int64(bitPattern: Fingerprint(row).value)
    if let before, before.says(fingerprint) {
      if case .success(let entry) = row.content, let item = before.item { note(entry, item) }
      return Written(outcome: nil, item: before.item, differences: [])
    }
    var taken = Taken(outcome: .rejected)
    switch (row.content, placement) {
    case (.failure(let rejection), _): taken.reasons = [rejection.description]
    case (_, .left(let reason)): taken = Taken(outcome: .skipped, reasons: [reason])
    case (.success(let entry), _):
      do {
        taken = try store.db.transaction {
          try store.take(entry, resolved(placement, entry), as: before, format: format, with: writer, now: now)
        }
      } catch {
        // What failed so badly that SQLite gave everything up is no matter of this row.
        guard store.db.isInTransaction,
          let refusal = error as? CatalogError
            ?? (error as? SQLiteError).flatMap({ $0.isConstraint ? CatalogError($0, path: store.path ?? "") : nil })
        else { throw error }
        taken.reasons = [words(refusal)]
        // What the writer remembers may be gone.
        writer = ItemWriter(store.db)
      }
      if let item = taken.item { note(entry, item) }
    }
    let batch = try batch ?? store.newBatch(format: format, file: file, now: now)
    self.batch = batch
    try store.keep(row, taken, key: "\(format) \(row.key)", fingerprint: fingerprint, batch: batch)
    return Written(outcome: taken.outcome, item: taken.item, differences: taken.reasons)
  }

  /// The item of the row above that is called so.
  private func resolved(_ placement: Placement, _ entry: Entry) -> Placement {
    guard case .again = placement else { return placement }
    return named[entry.name].map { .item($0) } ?? .new
  }

  private mutating func note(_ entry: Entry, _ item: ItemID) {
    let name = entry.name
    if named[name] == nil { named[name] = item }
    for place in entry.piles { places[place.pile, default: []].append((place.position ?? Int.max, item)) }
  }

  private func fillPiles() throws {
    for (name, items) in places.sorted(by: { $0.key < $1.key }) {
      let sorted = items.enumerated().sorted { ($0.element.position, $0.offset) < ($1.element.position, $1.offset) }
      _ = try store.addToPile(name, sorted.map(\.element.item))
    }
  }
}

/// What a row became, and what is to be told of it.
struct Taken {
  var outcome: ImportedRow.Outcome
  var item: ItemID?
  var copies = 0
  var reasons: [String] = []
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

extension Entry {
  /// What it is called, in 64 bits: rows of one file that have it in common are the same thing, where no code says otherwise.
  public var name: UInt64 { Fingerprint(name: record).value }
}

extension Store {
  /// What a row became when it last came, in any file of the format.
  ///
  /// Many programs count their things from 1. What has the key of another, and is called otherwise than that was, there and here, is
  /// another row.
  public func importedRow(for row: ImportRow, of format: String) throws -> ImportedRow? {
    let before = try db.one(
      "SELECT * FROM import_row WHERE key = \("\(format) \(row.key)") ORDER BY id DESC LIMIT 1", Self.importedRow)
    guard let before, before.words != row.words, case .success(let entry) = row.content, let item = before.item else {
      return before
    }
    let (said, known) = (WorkSigns(entry.record), try signs(of: item))
    return said.titleAgreement(with: known) != nil || said.relation(to: known) == .same ? before : nil
  }

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

  private static func importedRow(_ row: Row) throws -> ImportedRow {
    ImportedRow(
      batch: try row.get("batch_id"), line: try row.get("line"), key: try row.get("key"), words: try row.get("words"),
      outcome: ImportedRow.Outcome(rawValue: try row.get("outcome")) ?? .skipped,
      item: try row.get("item_id", as: Int64?.self).map(ItemID.init), reason: try row.get("reason"),
      copies: try row.get("copies"), fingerprint: try row.get("fingerprint"))
  }

  fileprivate func newBatch(format: String, file: String, now: Timestamp) throws -> Int64 {
    try db.run("INSERT INTO import_batch (format, file, at) VALUES (\(format), \(file), \(now.rawValue))")
    return db.lastInsertedRowID
  }

  fileprivate func keep(_ row: ImportRow, _ taken: Taken, key: String, fingerprint: Int64, batch: Int64) throws {
    try db.run(
      """
      INSERT INTO import_row (batch_id, line, key, words, fingerprint, outcome, item_id, copies, reason)
      VALUES (\(batch), \(row.line), \(key), \(row.words), \(fingerprint), \(taken.outcome.rawValue),
        \(taken.item?.rawValue), \(taken.copies), \(taken.reasons.isEmpty ? nil : taken.reasons.joined(separator: "; ")))
      """)
  }
}
