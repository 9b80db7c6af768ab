public import CatalogModel
internal import SQLite

extension Store {
  /// Brings the search index up to date with what has changed. Run before every commit, and before every search, so
  /// that rows written by other programs are found too.
  func indexPending() throws {
    let pending = try db.values("SELECT item_id FROM search_pending", as: Int64.self)
    guard !pending.isEmpty else { return }
    let index = try SearchIndex(db)
    for id in pending { try index.update(id) }
    try db.run("DELETE FROM search_pending")
  }

  /// Whether another program has written rows that the index does not know.
  public func hasPendingText() throws -> Bool {
    try db.value("SELECT EXISTS (SELECT 1 FROM search_pending)", as: Bool.self) ?? false
  }

  /// Indexes what other programs wrote, when there is something and the file can be written.
  public func refreshIndex() throws {
    if isWritable, try hasPendingText() { try write {} }
  }

  /// The items that match `words` best, best first: exact titles, then titles that start so, then the newest matches,
  /// titles before names and genres.
  ///
  /// At most 500 candidates are ranked, so that it takes the same time in a catalog of a million.
  public func search(_ words: String, kinds: [Kind] = Kind.shelved, limit: Int = 20) throws -> [ItemID] {
    let typed = words.trimmingBlanks
    guard !typed.isEmpty, limit > 0 else { return [] }
    let filter: SQL =
      kinds.count == Kind.shelved.count ? "" : " AND item.kind IN (\(list: kinds.map(\.rawValue)))"
    var found: [ItemID] = []
    var seen = Set<ItemID>()
    func keep(_ ids: [Int64]) {
      for id in ids where found.count < limit && seen.insert(ItemID(rawValue: id)).inserted {
        found.append(ItemID(rawValue: id))
      }
    }
    // A range in the NOCASE index: the text itself, and all that starts with it. U+10FFFF sorts behind every other.
    keep(
      try db.values(
        """
        SELECT item.id FROM item WHERE title COLLATE NOCASE >= \(typed) AND title COLLATE NOCASE < \(typed + "\u{10FFFF}")\(filter)
        ORDER BY title COLLATE NOCASE, id DESC LIMIT \(limit)
        """))
    guard found.count < limit, let expression = SearchText.expression(for: [typed]) else { return found }
    let folded = Folding.fold(typed)
    let candidates: [(id: Int64, score: Int)] = try db.all(
      """
      SELECT item.id, item.title, item.original_title FROM (
        SELECT rowid AS id FROM item_search WHERE item_search MATCH \(expression) ORDER BY rowid DESC LIMIT 500) AS hit
      JOIN item USING (id) WHERE true\(filter)
      """
    ) { row in
      let titles = [try row.get(at: 1, as: String.self), try row.get("original_title") ?? ""]
      return (try row.get(at: 0), titles.map { Self.score(title: $0, words: folded) }.max() ?? 0)
    }
    keep(candidates.sorted { ($0.score, $0.id) > ($1.score, $1.id) }.map(\.id))
    return found
  }

  /// How well a title fits folded words: 4 equal, 3 starts with them, 2 has them at the start of a word, 1 has them
  /// somewhere, 0 only its names, genres or codes do.
  private static func score(title: String, words: String) -> Int {
    let title = Folding.fold(title)
    if title == words { return 4 }
    if title.hasPrefix(words) { return 3 }
    guard let range = title.firstRange(of: words) else {
      let parts = words.split(separator: " ")
      return parts.count > 1 && parts.allSatisfy { title.contains($0) } ? 1 : 0
    }
    return range.lowerBound > title.startIndex && title[title.index(before: range.lowerBound)] == " " ? 2 : 1
  }
}

/// Writes the texts of items into the search index.
struct SearchIndex {
  private let db: Connection
  private let forget: PreparedStatement
  private let forgetText: PreparedStatement
  private let learn: PreparedStatement
  private let learnText: PreparedStatement

  init(_ db: Connection) throws {
    self.db = db
    forget = try db.prepare(
      """
      INSERT INTO item_search (item_search, rowid, title, people, genres, codes, pieces, initials)
      SELECT 'delete', item_id, title, people, genres, codes, pieces, initials FROM item_text WHERE item_id = ?
      """)
    forgetText = try db.prepare("DELETE FROM item_text WHERE item_id = ?")
    learnText = try db.prepare(
      "INSERT INTO item_text (item_id, title, people, genres, codes, pieces, initials) VALUES (?, ?, ?, ?, ?, ?, ?)")
    learn = try db.prepare(
      "INSERT INTO item_search (rowid, title, people, genres, codes, pieces, initials) VALUES (?, ?, ?, ?, ?, ?, ?)")
  }

  /// Forgets what the index knew of the item, and learns what it is now; a removed item is only forgotten.
  func update(_ id: Int64) throws {
    if try db.value("SELECT 1 FROM item_text WHERE item_id = \(id)", as: Int.self) != nil {
      try forget.run(.integer(id))
      try forgetText.run(.integer(id))
    }
    guard let text = try text(of: id) else { return }
    let values = text.map(Value.text)
    try learnText.run(.integer(id), values[0], values[1], values[2], values[3], values[4], values[5])
    try learn.run(.integer(id), values[0], values[1], values[2], values[3], values[4], values[5])
  }

  /// Title, people, genres, codes, pieces, initials.
  private func text(of id: Int64) throws -> [String]? {
    try db.one(
      """
      SELECT item.title, item.original_title,
        (SELECT group_concat(person.name, ' ') FROM credit JOIN person ON person.id = credit.person_id
          WHERE credit.item_id = item.id) AS people,
        (SELECT group_concat(genre.name, ' ') FROM item_genre JOIN genre ON genre.id = item_genre.genre_id
          WHERE item_genre.item_id = item.id) AS genres,
        book.isbn13, vinyl.catalog_number, vinyl.barcode
      FROM item LEFT JOIN book ON book.item_id = item.id LEFT JOIN vinyl ON vinyl.item_id = item.id
      WHERE item.id = \(id)
      """
    ) { row in
      let values = row.all.map { value in if case .text(let text) = value { text } else { "" } }
      let title = values[1].isEmpty ? values[0] : values[0] + " " + values[1]
      let people = values[2]
      return [
        title, people, values[3], values[4...].filter { !$0.isEmpty }.joined(separator: " "),
        SearchText.pieces(people.isEmpty ? title : title + " " + people),
        SearchText.initials(title) + (people.isEmpty ? "" : " " + SearchText.initials(people)),
      ].map(\.trimmingBlanks)
    }
  }
}
