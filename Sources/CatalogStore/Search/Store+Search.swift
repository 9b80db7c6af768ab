public import CatalogModel
internal import SQLite

extension Store {
  /// Updates the search index with all changes. It runs before every commit and before every search, so that rows from
  /// other programs are found, too.
  func indexPending() throws {
    guard try hasPendingText() else { return }
    var inserts = IndexInserts(db)
    // Deleted items join nothing. A LEFT JOIN would find them, but it would build the texts of all items.
    try db.forEach(
      """
      SELECT item_id, old_text, text, old_own, own FROM search_pending JOIN item_text USING (item_id)
      UNION ALL
      SELECT item_id, old_text, '', old_own, '' FROM search_pending
      WHERE NOT EXISTS (SELECT 1 FROM item WHERE id = item_id)
      """
    ) { row in
      try update(.names, from: 1, to: 2, of: row, &inserts)
      try update(.own, from: 3, to: 4, of: row, &inserts)
      return true
    }
    try indexWorkKeys()
    try db.run("DELETE FROM search_pending")
  }

  /// Updates an index for one item. If its text is unchanged, because the change concerns the other index, this index
  /// is not even opened.
  /// - Parameters:
  ///   - known: the column with the indexed text.
  ///   - present: the column with the current text.
  ///   - row: the row, whose first column is the item's id.
  private func update(
    _ index: SearchIndex, from known: Int, to present: Int, of row: Cursor, _ inserts: inout IndexInserts
  ) throws {
    let isSame = row.withText(known) { one in row.withText(present) { one.elementsEqual($0) } }
    guard !isSame else { return }
    let id = row.integer(0)
    let (old, new) = (SearchText.indexed(row.text(known)), SearchText.indexed(row.text(present)))
    // FTS5 deletes a row when given the indexed words again.
    if !old.isEmpty {
      try db.run("INSERT INTO \(index.table) (\(index.table), rowid, words) VALUES ('delete', \(id), \(old))")
    }
    if !new.isEmpty { try inserts[index].run([.integer(id), .text(new)]) }
  }

  /// Whether rows from another program are not indexed yet.
  public func hasPendingText() throws -> Bool {
    try db.value("SELECT EXISTS (SELECT 1 FROM search_pending)", as: Bool.self) ?? false
  }

  /// Indexes rows from other programs, if there are any and the file is writable.
  public func refreshIndex() throws {
    if isWritable, try hasPendingText() { try write {} }
  }

  /// Returns the items that match `words`, best first: exact titles, titles with this prefix, then the newest matches,
  /// titles before names and genres. Without results, it searches cards and tracks.
  ///
  /// At most 500 candidates are ranked, so the time does not depend on the size of the catalog.
  public func search(_ words: String, kinds: [Kind] = Kind.shelved, limit: Int = 20) throws -> [ItemID] {
    let typed = words.trimmingBlanks
    guard !typed.isEmpty, limit > 0 else { return [] }
    let filter: SQL =
      kinds.count == Kind.shelved.count ? "" : " AND item.kind IN (\(list: kinds.map(\.rawValue)))"
    // The list is so short that a linear search is fastest.
    var found: [ItemID] = []
    func keep(_ ids: [Int64]) {
      for id in ids.lazy.map(ItemID.init) where found.count < limit && !found.contains(id) { found.append(id) }
    }
    // A range in the NOCASE index: the text itself and all titles with this prefix. U+10FFFF sorts behind every other
    // character.
    keep(
      try db.values(
        """
        SELECT item.id FROM item WHERE title COLLATE NOCASE >= \(typed) AND title COLLATE NOCASE < \(typed + "\u{10FFFF}")\(filter)
        ORDER BY title COLLATE NOCASE, id DESC LIMIT \(limit)
        """))
    guard found.count < limit else { return found }
    // Only the last word is a prefix at first: the words before it are complete. That is faster, since a prefix is
    // looked up as all words that it may become.
    let expressions = [SearchText.Begun.last, .every].compactMap { SearchText.expression(for: [typed], begun: $0) }
    for expression in expressions.first == expressions.last ? expressions.prefix(1) : expressions[...] {
      let hits = try candidates(expression, filter, words: typed)
      keep(hits)
      if !hits.isEmpty { break }
    }
    // Titles, names and genres come before comments.
    if found.isEmpty, let expression = expressions.last {
      keep(try candidates(expression, in: .own, filter, words: typed))
    }
    return found
  }

  /// Returns the items that match words best, with the rank of their titles, best first. A title may lack the article
  /// at the beginning of the words, and a kind before it or a year behind it may be that of the item.
  public func matches(of words: String, limit: Int = 21) throws -> [(id: ItemID, rank: TitleRank)] {
    let typed = SearchWords(words)
    func rank(_ ids: [ItemID]) throws -> [(id: ItemID, rank: TitleRank)] {
      try ids.map { ($0, TitleRank(of: try item($0).record, for: typed)) }
    }
    let ids = try search(words, limit: limit)
    var ranked = try rank(ids)
    for reading in [typed.withoutArticle].compactMap(\.self) + typed.qualified.flatMap(\.readings)
    where !ranked.contains(where: { $0.rank <= .withNames }) {
      let found = try rank(search(reading, limit: limit))
      ranked += found.filter { new in new.rank <= .withNames && !ranked.contains { $0.id == new.id } }
    }
    if !ranked.contains(where: { $0.rank <= .withNames }) {
      let found = try items(withTitleOf: words, limit: limit)
      ranked.removeAll { found.contains($0.id) }
      ranked += found.map { ($0, .exact) }
    }
    return TitleRank.allCases.flatMap { rank in ranked.filter { $0.rank == rank } }
  }

  /// Returns the items whose title these words are in another spelling, by ``WorkTitle``: `OKComputer`, `Rocky 3`.
  public func items(withTitleOf words: String, limit: Int) throws -> [ItemID] {
    try refreshIndex()
    let keys = Kind.shelved.flatMap { kind in WorkKey.Numbers(WorkIdentity(kind: kind, titles: [words])).titles }
    return try db.values(
      "SELECT DISTINCT item_id FROM work_key WHERE key IN (\(list: keys)) ORDER BY item_id DESC LIMIT \(limit)",
      as: Int64.self
    ).map(ItemID.init)
  }

  /// The newest 500 items that match an expression, best first.
  private func candidates(
    _ expression: String, in index: SearchIndex = .names, _ filter: SQL, words: String
  ) throws -> [Int64] {
    let folded = Array(Folding.fold(words).utf8)
    let candidates: [(id: Int64, score: Int)] = try db.all(
      """
      SELECT item.id, item.title, item.original_title, item.other_titles FROM (
        SELECT rowid AS id FROM (\(index.items(matching: expression)) ORDER BY rowid DESC LIMIT 500)) AS hit
      JOIN item USING (id) WHERE true\(filter)
      """
    ) { row in
      let titles =
        [try row.get(at: 1, as: String.self), try row.get("original_title")].compactMap(\.self)
        + (try row.get("other_titles", as: String?.self).map(Text.parts) ?? [])
      return (try row.get(at: 0), titles.map { Self.score(title: $0, words: folded) }.max() ?? 0)
    }
    return candidates.sorted { ($0.score, $0.id) > ($1.score, $1.id) }.map(\.id)
  }

  /// The score of a title for folded words: 4 equal, 3 prefix, 2 at the start of a word, 1 anywhere, 0 only in names,
  /// genres or codes.
  private static func score(title: String, words: [UInt8]) -> Int {
    let title = Array(Folding.fold(title).utf8)
    guard let start = position(of: words, in: title) else {
      let parts = words.split(separator: 0x20)
      return parts.count > 1 && parts.allSatisfy { position(of: Array($0), in: title) != nil } ? 1 : 0
    }
    if start == 0 { return title.count == words.count ? 4 : 3 }
    return title[start - 1] == 0x20 ? 2 : 1
  }

  /// The first position of `part` in `text`. It compares bytes, since it runs on a thousand titles for every typed key.
  private static func position(of part: [UInt8], in text: [UInt8]) -> Int? {
    guard let first = part.first, part.count <= text.count else { return nil }
    return (0...text.count - part.count).first { start in
      text[start] == first && text[start..<start + part.count].elementsEqual(part)
    }
  }
}

/// The statements that insert words into an index, each prepared on first use.
private struct IndexInserts {
  private let db: Connection
  private var known: [(index: SearchIndex, statement: PreparedStatement)] = []

  init(_ db: Connection) { self.db = db }

  subscript(index: SearchIndex) -> PreparedStatement {
    mutating get throws {
      if let known = known.first(where: { $0.index == index }) { return known.statement }
      let statement = try db.prepare("INSERT INTO \(index.table) (rowid, words) VALUES (?, ?)")
      known.append((index, statement))
      return statement
    }
  }
}

extension Store {
  /// Whether a query selects each of some records, as it would if they were all that is in a catalog.
  public static func matches(of query: Query, among records: [Record]) throws -> [Bool] {
    guard !records.isEmpty else { return [] }
    let catalog = try inMemory()
    let added = try catalog.add(
      records.map { NewItem($0, isOwned: false) }, now: Timestamp(rawValue: "1970-01-01T00:00:00Z"))
    let ids = try Set(catalog.ids(query))
    return added.map { (try? $0.get()).map { ids.contains($0.id) } ?? false }
  }
}
