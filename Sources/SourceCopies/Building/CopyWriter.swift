internal import CatalogModel
internal import Glibc
internal import Processes
internal import SQLite

/// Writes a copy from staged rows, in the order of their ranks.
struct CopyWriter {
  let staging: Staging
  let dump: Dump
  let ranking: Ranking
  /// Called some times a second with the number of titles written.
  let onProgress: (Int) throws -> Void

  /// The numbers of rows written.
  struct Counts {
    var (titles, editions, orphans) = (0, 0, 0)
  }

  /// Writes the file at a path, which must not exist. The same rows become the same bytes.
  /// - Parameter about: rows for the table `about`.
  func write(to path: String, folder: String, about: [(name: String, value: String)]) throws -> Counts {
    let db = try Connection(.file(path))
    try db.execute(
      script: """
        PRAGMA page_size = 4096; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -32768;
        PRAGMA locking_mode = EXCLUSIVE;
        PRAGMA application_id = 1667331171; PRAGMA user_version = 1;
        """)
    try db.execute(script: CopySchema.tables)
    for tier in CopySchema.tiers {
      try db.run(CopySchema.make(tier))
      try db.run("INSERT INTO \(identifier: tier.table) (\(identifier: tier.table), rank) VALUES ('automerge', 0)")
      try db.run(
        "INSERT INTO \(identifier: tier.table) (\(identifier: tier.table), rank) VALUES ('hashsize', 33554432)")
    }
    let keys = KeySorter(folder: folder)
    var counts = Counts()
    try db.run("BEGIN")
    var names = NumberSet()
    try writeTitles(into: db, keys, &names, &counts)
    try writeNames(names, into: db)
    try writeTerms(into: db)
    try writeKeys(keys, into: db)
    let numbers = [
      ("titles", counts.titles), ("editions", counts.editions), ("orphaned editions", counts.orphans),
    ]
    for row in about + numbers.map({ (name: $0.0, value: String($0.1)) }) {
      try db.run("INSERT INTO about VALUES (\(row.name), \(row.value))")
    }
    try db.run("COMMIT")
    let check = try db.values("PRAGMA quick_check", as: String.self)
    guard check == ["ok"] else { throw DumpProblem(.damaged, "the new copy is damaged; build it again") }
    return counts
  }

  // MARK: Titles

  /// Rows of a table of parts in the order of their titles' ranks, taken title by title.
  private struct Parts {
    private let scan: RowScan
    private var current: Cursor?

    /// - Parameter sql: a query whose first column is the rank. Rows without a rank come first.
    init(_ db: Connection, _ sql: SQL) throws {
      scan = try db.scan(sql)
      current = try scan.next()
    }

    /// Calls `each` for the rows of a rank.
    mutating func take(_ rank: Int, _ each: (Cursor) throws -> Void) throws {
      while let row = current, Int(row.integer(0)) <= rank {
        if Int(row.integer(0)) == rank { try each(row) }
        current = try scan.next()
      }
    }
  }

  private struct Edition {
    var (number, kind) = (0, 0)
    var year, format, origin, label, extra: Int?
    var catalogNumber: [UInt8] = []
    var id: [UInt8] = []
    var codes: [UInt64] = []
  }

  private func writeTitles(
    into db: Connection, _ keys: KeySorter, _ names: inout NumberSet, _ counts: inout Counts
  ) throws {
    try ranking.define(on: staging.db)
    let row = try staging.db.prepare(
      """
      SELECT title, by, year, kind, format, origin, genres, label, catno, extra, rating, id, codes FROM title
      WHERE number = ?1
      """)
    let nameText = try staging.db.prepare("SELECT text FROM name WHERE id = ?1")
    let insertTitle = try db.prepare(
      "INSERT INTO title VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)")
    let insertEdition = try db.prepare("INSERT INTO edition VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)")
    let insertOther = try db.prepare("INSERT INTO other_title VALUES (?1, ?2, ?3, ?4)")
    let insertMore = try db.prepare("INSERT INTO more_by VALUES (?1, ?2, ?3)")
    var editionRows = try Parts(
      staging.db,
      """
      SELECT rank_of(title) AS rank, number, year, format, origin, label, catno, extra, id, codes, kind FROM edition
      ORDER BY rank, number
      """)
    var credits = try Parts(
      staging.db, "SELECT rank_of(title) AS rank, name FROM credit ORDER BY rank, rowid")
    var others = try Parts(
      staging.db, "SELECT rank_of(title) AS rank, text, language FROM other_title ORDER BY rank, rowid")
    counts.orphans =
      try staging.db.value("SELECT count(*) FROM edition WHERE rank_of(title) = 0", as: Int.self) ?? 0

    var tier = 0
    var insertWords = try words(of: tier, in: db)
    var text: [UInt8] = []
    var isPlain = true
    func addText(_ part: UnsafeBufferPointer<UInt8>) {
      text.append(0x0A)
      text += part
    }
    let marksKinds = dump.kinds.count > 1
    for rank in stride(from: 1, through: ranking.count, by: 1) {
      if rank & 0xFFF == 0 {
        try Interrupt.check()
        try onProgress(rank)
      }
      if rank > CopySchema.tiers[tier].last {
        try close(tier, in: db)
        tier += 1
        insertWords = try words(of: tier, in: db)
      }
      // The parts first, since the title's row sums them up.
      var editions: [Edition] = []
      try editionRows.take(rank) { editions.append(Self.edition($0)) }
      var creators: [Int] = []
      try credits.take(rank) { row in
        let name = Int(row.integer(1))
        if !creators.contains(name) { creators.append(name) }
      }
      let number = ranking.number(at: rank)
      row.bind(1, number)
      try row.forEachBound { row in
        text.removeAll(keepingCapacity: true)
        let titleKey = row.withText(0) { title in
          addText(title)
          return TitleKey.of(UnsafeRawBufferPointer(title))
        }
        try keys.add(.title, titleKey, KeyTarget(rank: rank))
        var titleKeys = [titleKey]
        var titles: [[UInt8]] = []

        if !row.isNull(1) {
          let by = Int(row.integer(1))
          creators.removeAll { $0 == by }
          creators.insert(by, at: 0)
        }
        for (place, name) in creators.enumerated() {
          names.insert(name)
          nameText.bind(1, name)
          try nameText.forEachBound { row in
            row.withText(0, addText)
            return false
          }
          if place > 0 {
            insertMore.bind(1, rank)
            insertMore.bind(2, place)
            insertMore.bind(3, name)
            try insertMore.runBound()
          }
        }
        var place = 0
        try others.take(rank) { other in
          try other.withText(1) { title in
            let key = TitleKey.of(UnsafeRawBufferPointer(title))
            // Titles that differ in signs or capitals alone are one.
            if titles.isEmpty {
              titles = [row.withText(0) { SearchKeys.letters(ofTitle: UnsafeRawBufferPointer($0).text) }]
            }
            let letters = SearchKeys.letters(ofTitle: UnsafeRawBufferPointer(title).text)
            guard !titles.contains(letters) else { return }
            titles.append(letters)
            addText(title)
            if !titleKeys.contains(key) {
              titleKeys.append(key)
              try keys.add(.title, key, KeyTarget(rank: rank))
            }
            insertOther.bind(1, rank)
            insertOther.bind(2, place)
            insertOther.bind(3, text: UnsafeRawBufferPointer(title))
            try other.withText(2) { language in
              if other.isNull(2) {
                insertOther.bind(4, nil)
              } else {
                insertOther.bind(4, text: UnsafeRawBufferPointer(language))
              }
              try insertOther.runBound()
            }
            place += 1
          }
        }

        var kinds = Int(row.integer(3))
        for edition in editions { kinds |= edition.kind }
        let years = editions.compactMap(\.year)
        let label = row.integer(7, in: 0...Int.max)
        if let label { names.insert(label) }
        insertTitle.bind(1, rank)
        insertTitle.bind(3, creators.first)
        insertTitle.bind(4, row.integer(2, in: Int.min...Int.max) ?? years.min())
        insertTitle.bind(5, kinds)
        for (column, from) in [(6, 4), (7, 5), (8, 6), (11, 9)] {
          insertTitle.bind(column, row.integer(from, in: 0...Int.max))
        }
        insertTitle.bind(9, label)
        insertTitle.bind(12, row.integer(10, in: 0...Int.max))
        try row.withText(0) { title in
          try row.withText(8) { catalogNumber in
            try row.withBlob(11) { id in
              insertTitle.bind(2, text: UnsafeRawBufferPointer(title))
              if row.isNull(8) {
                insertTitle.bind(10, nil)
              } else {
                insertTitle.bind(10, text: UnsafeRawBufferPointer(catalogNumber))
                if let key = CatalogNumberKey.of(UnsafeRawBufferPointer(catalogNumber)) {
                  try keys.add(.catalogNumber, key, KeyTarget(rank: rank))
                }
              }
              if id.isEmpty {
                insertTitle.bind(13, StagedTitle.copied(number))
              } else {
                insertTitle.bind(13, blob: UnsafeRawBufferPointer(id))
              }
              try keys.add(
                .id, CopiedID(number: StagedTitle.copied(number), bytes: id).key(isEdition: false),
                KeyTarget(rank: rank))
              try insertTitle.runBound()
            }
          }
        }
        for code in row.withBlob(12, Self.codes) { try keys.add(.code, code, KeyTarget(rank: rank)) }

        isPlain = true
        for byte in text { isPlain = isPlain && byte < 0x80 }
        if !isPlain { text = Array(SearchText.indexed(String(decoding: text, as: UTF8.self)).utf8) }
        if marksKinds {
          for kind in [CopiedKinds.movie, .book, .vinyl] where kinds & kind.rawValue != 0 {
            text += Array(" \(CopySchema.word(for: kind))".utf8)
          }
        }
        try text.withUnsafeBytes { text in
          insertWords.bind(1, rank)
          insertWords.bind(2, text: text)
          try insertWords.runBound()
        }
        return false
      }
      for (place, edition) in editions.enumerated() {
        try write(edition, KeyTarget(rank: rank, place: place), insertEdition, keys)
        if let label = edition.label { names.insert(label) }
      }
      counts.editions += editions.count
    }
    try close(tier, in: db)
    counts.titles = ranking.count
  }

  private func write(_ edition: Edition, _ target: KeyTarget, _ insert: PreparedStatement, _ keys: KeySorter) throws {
    let place = target.place ?? 0
    insert.bind(1, target.rank)
    insert.bind(2, place)
    for (column, value) in [
      (3, edition.year), (4, edition.format), (5, edition.origin), (6, edition.label), (8, edition.extra),
    ] {
      insert.bind(column, value)
    }
    try edition.catalogNumber.withUnsafeBytes { catalogNumber in
      try edition.id.withUnsafeBytes { id in
        if catalogNumber.isEmpty { insert.bind(7, nil) } else { insert.bind(7, text: catalogNumber) }
        if id.isEmpty { insert.bind(9, edition.number) } else { insert.bind(9, blob: id) }
        if let key = CatalogNumberKey.of(catalogNumber) { try keys.add(.catalogNumber, key, target) }
        try insert.runBound()
      }
    }
    let id = edition.id.withUnsafeBufferPointer { CopiedID(number: edition.number, bytes: $0) }
    try keys.add(.id, id.key(isEdition: true), target)
    for code in edition.codes { try keys.add(.code, code, target) }
  }

  private static func edition(_ row: Cursor) -> Edition {
    var edition = Edition(number: Int(row.integer(1)), kind: Int(row.integer(10)))
    func integer(_ column: Int) -> Int? { row.integer(column, in: Int.min...Int.max) }
    (edition.year, edition.format, edition.origin) = (integer(2), integer(3), integer(4))
    (edition.label, edition.extra) = (integer(5), integer(7))
    edition.catalogNumber = row.withText(6) { Array($0) }
    edition.id = row.withBlob(8) { Array($0) }
    edition.codes = row.withBlob(9, codes)
    return edition
  }

  /// The keys of codes, as they were staged.
  private static func codes(_ blob: UnsafeBufferPointer<UInt8>) -> [UInt64] {
    guard !blob.isEmpty else { return [] }
    let bytes = UnsafeRawBufferPointer(blob)
    return stride(from: 0, to: bytes.count - 7, by: 8).map { bytes.loadUnaligned(fromByteOffset: $0, as: UInt64.self) }
  }

  private func words(of tier: Int, in db: Connection) throws -> PreparedStatement {
    try db.prepare("INSERT INTO \(identifier: CopySchema.tiers[tier].table) (rowid, words) VALUES (?1, ?2)")
  }

  /// Merges the words of a tier into one piece, in which a word is found at one place.
  private func close(_ tier: Int, in db: Connection) throws {
    let table = CopySchema.tiers[tier].table
    try db.run("INSERT INTO \(identifier: table) (\(identifier: table)) VALUES ('optimize')")
  }

  // MARK: The other tables

  private func writeNames(_ names: NumberSet, into db: Connection) throws {
    let insert = try db.prepare("INSERT INTO name VALUES (?1, ?2)")
    try staging.db.forEach("SELECT id, text FROM name ORDER BY id") { row in
      let id = Int(row.integer(0))
      guard names.contains(id) else { return true }
      try row.withText(1) { text in
        insert.bind(1, id)
        insert.bind(2, text: UnsafeRawBufferPointer(text))
        try insert.runBound()
      }
      return true
    }
  }

  private func writeTerms(into db: Connection) throws {
    let insert = try db.prepare("INSERT INTO term VALUES (?1, ?2)")
    try staging.db.forEach("SELECT id, text FROM term ORDER BY id") { row in
      try row.withText(1) { text in
        insert.bind(1, Int(row.integer(0)))
        insert.bind(2, text: UnsafeRawBufferPointer(text))
        try insert.runBound()
      }
      return true
    }
  }

  private func writeKeys(_ keys: KeySorter, into db: Connection) throws {
    let insert = try db.prepare("INSERT INTO key VALUES (?1, ?2)")
    var (first, last): (UInt64, UInt64) = (0, 0)
    var (count, ofKey) = (0, 0)
    var previous: UInt64?
    var block: [UInt8] = []
    func flush() throws {
      guard count > 0 else { return }
      try block.withUnsafeBytes { bytes in
        insert.bind(1, Int(truncatingIfNeeded: first))
        insert.bind(2, blob: bytes)
        try insert.runBound()
      }
      block.removeAll(keepingCapacity: true)
      count = 0
    }
    try keys.forEach { entry in
      if entry.key == last, previous == entry.target, count > 0 { return }
      let isOther = entry.key != last || previous == nil
      ofKey = isOther ? 1 : ofKey + 1
      guard ofKey <= KeyBlock.mostOfOneKey else { return }
      // Keys of two spaces are never in one row.
      if isOther, count >= KeyBlock.size || entry.key >> KeySpace.bits != last >> KeySpace.bits { try flush() }
      if count == 0 { (first, last) = (entry.key, entry.key) }
      KeyBlock.append(entry.key - last, to: &block)
      KeyBlock.append(KeySorter.target(entry.target), to: &block)
      (last, previous, count) = (entry.key, entry.target, count + 1)
    }
    try flush()
  }
}
