internal import CatalogModel
internal import SQLite

/// Writes a copy from staged and ranked rows, table after table in the order of the ranks.
struct CopyWriter {
  let staging: Staging
  let dump: Dump
  /// The number of ranked titles.
  let titles: Int
  /// Called some times a second with the number of titles whose words are written.
  let onProgress: (Int) throws -> Void

  private var db: Connection { staging.db }

  /// Writes the file at a path, which must not exist. The same rows become the same bytes.
  /// - Parameter about: rows for the table `about`.
  func write(to path: String, about: [(name: String, value: String)]) throws -> CopyBuild.Summary {
    try db.run("ATTACH \(path) AS copy")
    try db.execute(script: CopySchema.tables)
    try defineFunctions()
    let counts = try db.transaction {
      var counts = CopyBuild.Summary(path: path, titles: titles, editions: try writeEditions())
      let orphans: SQL = "SELECT count(*) FROM main.edition WHERE title NOT IN (SELECT number FROM temp.rank)"
      counts.orphans = try db.value(orphans) ?? 0
      try writeTitles()
      try writeNames()
      try writeKeys()
      try writeWords()
      let numbers = [
        ("titles", counts.titles), ("editions", counts.editions), ("orphaned editions", counts.orphans),
      ]
      for row in about + numbers.map({ (name: $0.0, value: String($0.1)) }) {
        try db.run("INSERT INTO copy.about VALUES (\(row.name), \(row.value))")
      }
      return counts
    }
    let check = try db.values("PRAGMA copy.quick_check", as: String.self)
    guard check == ["ok"] else { throw DumpProblem(.damaged, "the new copy is damaged; build it again") }
    try db.run("DETACH copy")
    return counts
  }

  /// Defines what the statements below ask of a text.
  private func defineFunctions() throws {
    func define(_ name: String, _ body: @escaping @Sendable (String) -> Value) throws {
      try db.define(name, argumentCount: 1) { values in
        if case .text(let text)? = values.first { body(text) } else { .null }
      }
    }
    try define("letters") { .text(String(decoding: SearchKeys.letters(ofTitle: $0), as: UTF8.self)) }
    try define("title_key") { KeySpace.title.key(TitleKey.of($0)).value }
    try define("catno_key") { CatalogNumberKey.of($0).map { KeySpace.catalogNumber.key($0).value } ?? .null }
    try db.define("indexed", argumentCount: 4) { values in
      let text = values.compactMap { if case .text(let text) = $0 { text } else { nil } }.joined(separator: "\n")
      return .text(text.utf8.allSatisfy { $0 < 0x80 } ? text : SearchText.indexed(text))
    }
    try db.define("id_key", argumentCount: 2) { values in
      KeySpace.id.key(CopiedID(values[0]).key(isEdition: values[1] == .integer(1))).value
    }
  }

  // MARK: Rows

  private func writeEditions() throws -> Int {
    try db.run(
      """
      INSERT OR IGNORE INTO copy.edition
      SELECT r.id, e.number, e.kind, e.year, e.format, e.origin, e.label, e.catno, e.extra, e.uuid
      FROM main.edition e CROSS JOIN temp.rank r ON r.number = e.title ORDER BY r.id, e.number, e.rowid
      """)
  }

  private func writeTitles() throws {
    try db.run(
      """
      INSERT INTO copy.title
      SELECT r.id, t.title, t.by,
        coalesce(t.year, (SELECT min(e.year) FROM copy.edition e WHERE e.title = r.id)),
        t.kind | coalesce((SELECT max(e.kind & 4) | max(e.kind & 8) FROM copy.edition e WHERE e.title = r.id), 0),
        t.format, t.origin, t.genres, t.label, t.catno, t.extra, t.rating,
        coalesce(t.uuid, iif(t.number < \(StagedTitle.firstEdition), t.number, \(StagedTitle.firstEdition) - t.number))
      FROM temp.rank r CROSS JOIN main.title t ON t.number = r.number ORDER BY r.id
      """)
    try db.run(
      """
      INSERT OR IGNORE INTO copy.more_by SELECT r.id, c.place, c.name
      FROM main.credit c CROSS JOIN temp.rank r ON r.number = c.title ORDER BY r.id, c.place, c.rowid
      """)
    // Titles that differ in signs or capitals alone are one: the first of them.
    try db.run(
      """
      INSERT INTO copy.other_title
      SELECT id, row_number() OVER (PARTITION BY id ORDER BY first) - 1, text, language FROM (
        SELECT r.id, o.text, o.language, min(o.rowid) AS first
        FROM main.other_title o CROSS JOIN temp.rank r ON r.number = o.title CROSS JOIN copy.title t ON t.id = r.id
        WHERE letters(o.text) <> letters(t.title) GROUP BY r.id, letters(o.text))
      """)
  }

  /// Writes the names that titles and editions have, and all terms.
  private func writeNames() throws {
    try db.run("CREATE TEMP TABLE used (id INTEGER PRIMARY KEY)")
    try db.run(
      """
      INSERT OR IGNORE INTO temp.used
      SELECT by FROM copy.title WHERE by IS NOT NULL UNION ALL SELECT label FROM copy.title WHERE label IS NOT NULL
      UNION ALL SELECT label FROM copy.edition WHERE label IS NOT NULL UNION ALL SELECT name FROM copy.more_by
      ORDER BY 1
      """)
    try db.run("INSERT INTO copy.name SELECT id, text FROM temp.used CROSS JOIN main.name USING (id) ORDER BY id")
    try db.run("INSERT INTO copy.term SELECT id, text FROM main.term ORDER BY id")
  }

  private func writeKeys() throws {
    try db.run(
      """
      CREATE TEMP TABLE key (key INTEGER, title INTEGER, edition INTEGER, PRIMARY KEY (key, title, edition))
      STRICT, WITHOUT ROWID
      """)
    try db.run(
      """
      INSERT OR IGNORE INTO temp.key
      SELECT c.key << 2, r.id, c.edition FROM main.code c CROSS JOIN temp.rank r ON r.number = c.title
      UNION ALL SELECT id_key(source_id, 0), id, 0 FROM copy.title
      UNION ALL SELECT id_key(coalesce(uuid, number), 1), title, number FROM copy.edition
      UNION ALL SELECT title_key(title), id, 0 FROM copy.title
      UNION ALL SELECT title_key(text), title, 0 FROM copy.other_title
      UNION ALL SELECT catno_key(catno), id, 0 FROM copy.title WHERE catno_key(catno) IS NOT NULL
      UNION ALL SELECT catno_key(catno), title, number FROM copy.edition WHERE catno_key(catno) IS NOT NULL
      ORDER BY 1, 2, 3
      """)
    // Rows that come from a table of the same form fill their pages.
    try db.run("INSERT INTO copy.key SELECT * FROM temp.key")
  }

  private func writeWords() throws {
    let marks = (dump.kinds.count > 1 ? [CopiedKinds.movie, .book, .vinyl] : []).map { kind -> SQL in
      "|| iif(t.kind & \(kind.rawValue), \(" " + CopySchema.word(for: kind)), '')"
    }.joined(separator: " ")
    var rank = 1
    for tier in CopySchema.tiers {
      let table: SQL = "copy.\(identifier: tier.table)"
      func set(_ option: SQL) throws { try db.run("INSERT INTO \(table) (\(identifier: tier.table)\(option))") }
      try db.run(CopySchema.make(tier))
      try set(", rank) VALUES ('automerge', 0")
      try set(", rank) VALUES ('hashsize', 33554432")
      while rank <= min(tier.last, titles) {
        let last = min(rank + 9_999, tier.last, titles)
        try db.run(
          """
          INSERT INTO \(table) (rowid, words)
          SELECT t.id, indexed(t.title, n.text,
            (SELECT group_concat(more.text, char(10)) FROM copy.more_by m JOIN copy.name more ON more.id = m.name
              WHERE m.title = t.id),
            (SELECT group_concat(o.text, char(10)) FROM copy.other_title o WHERE o.title = t.id)) \(marks)
          FROM copy.title t LEFT JOIN copy.name n ON n.id = t.by WHERE t.id BETWEEN \(rank) AND \(last) ORDER BY t.id
          """)
        rank = last + 1
        try onProgress(last)
      }
      // Merges the words into one piece, in which a word is found at one place.
      try set(") VALUES ('optimize'")
    }
  }
}
