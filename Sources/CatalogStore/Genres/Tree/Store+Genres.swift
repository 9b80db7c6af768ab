internal import CatalogModel
internal import SQLite

extension Store {
  /// Gives the catalog the shipped genres that it does not have yet. What a person changed stays: a genre that was
  /// renamed or merged is known by its old name, and one that was moved stays where it is.
  func seedGenres() throws {
    let fingerprint = ShippedGenres.fingerprint
    guard try db.value("SELECT value FROM setting WHERE name = 'genres'", as: String.self) != fingerprint else {
      return
    }
    try db.transaction {
      try seed(ShippedGenres.all.genres)
      try db.run(
        """
        INSERT INTO setting (name, value) VALUES ('genres', \(fingerprint))
        ON CONFLICT (name) DO UPDATE SET value = excluded.value
        """)
    }
  }

  func seed(_ genres: [ShippedGenres.Genre]) throws {
    let insert = try db.prepare("INSERT INTO genre (name, key, parent_id) VALUES (?, ?, ?) ON CONFLICT DO NOTHING")
    let words = try db.all(
      """
      SELECT key, (SELECT genre_id FROM genre_label_target WHERE label_id = genre_label.id ORDER BY position) AS genre_id
      FROM genre_label WHERE source = 'any'
      """
    ) { (try $0.get("key", as: String.self), try $0.get("genre_id", as: Int64?.self)) }
    // Every genre that is not there by its name, and by no other word.
    var ids: [String: Int64?] = Dictionary(words) { first, _ in first }
    for genre in try db.all(
      "SELECT key, id FROM genre", { (try $0.get(at: 0, as: String.self), try $0.get(at: 1, as: Int64.self)) })
    {
      ids[genre.0] = genre.1
    }
    let isNew = ids.isEmpty
    func insertMissing() throws {
      for genre in genres {
        let key = Folding.labelKey(genre.name)
        guard ids[key] == nil else { continue }
        try insert.run(
          .text(genre.name), .text(key), .optional(genre.parent.flatMap { ids[Folding.labelKey($0)] ?? nil }))
        ids[key] = db.lastInsertedRowID
      }
    }
    // A new catalog gets a tree without cycles, and no item has a genre: the triggers would take longer than the rest.
    try isNew ? db.withoutTriggers(insertMissing) : insertMissing()
  }

  // MARK: Editing

  /// What an edit would change. Nothing is written.
  /// - Throws: what ``apply(_:)`` throws.
  public func preview(_ edit: GenreEdit) throws -> GenreChange { try GenreEditor(db, isPreview: true).run(edit) }

  /// Edits the genres and gives the items what follows from it, in one transaction. The same again changes nothing.
  /// - Throws: ``CatalogError/noGenre(_:)``, ``CatalogError/genreExists(_:)``, ``CatalogError/genreWordTaken(_:by:insteadOf:)``,
  ///   ``CatalogError/labelIsGenre(_:)``, ``CatalogError/genreCircle(_:isBelow:)``, ``CatalogError/badGenreName(_:)``.
  @discardableResult
  public func apply(_ edit: GenreEdit) throws -> GenreChange {
    try write { try GenreEditor(db, isPreview: false).run(edit) }
  }

  // MARK: Listing

  /// A genre in the tree, with how many items have it.
  public struct ListedGenre: Sendable, Hashable {
    public var name: String
    /// The names of the genres above it, the root first.
    public var ancestors: [String] = []
    /// Items that have it or a genre below it, each counted once.
    public var items = 0
    /// Items that have it itself.
    public var ownItems = 0
    /// Other words for it: its old names and those that a person gave it.
    public var aliases: [String] = []
  }

  /// Every genre of the catalog, each before those below it; beside each other by name.
  public func genreList() throws -> [ListedGenre] {
    struct Node {
      var id: Int64
      var parent: Int?
      var children: [Int] = []
      var genre: ListedGenre
      /// The item counted last.
      var lastItem: Int64?
    }
    let rows = try db.all("SELECT id, name, parent_id FROM genre ORDER BY name COLLATE NOCASE, name") {
      (try $0.get("id", as: Int64.self), try $0.get("name", as: String.self), try $0.get("parent_id", as: Int64?.self))
    }
    let places = Dictionary(zip(rows.map(\.0), rows.indices)) { first, _ in first }
    var nodes = rows.map { id, name, parent in
      Node(id: id, parent: parent.flatMap { places[$0] }, genre: ListedGenre(name: name))
    }
    for place in nodes.indices { if let parent = nodes[place].parent { nodes[parent].children.append(place) } }
    try db.forEach("SELECT item_id, genre_id FROM item_genre ORDER BY item_id") { row in
      guard var place = places[row.integer(1)] else { return true }
      nodes[place].genre.ownItems += 1
      // Whoever is above a genre that was counted for this item was counted too.
      while nodes[place].lastItem != row.integer(0) {
        nodes[place].lastItem = row.integer(0)
        nodes[place].genre.items += 1
        guard let parent = nodes[place].parent else { break }
        place = parent
      }
      return true
    }
    try db.forEach(
      """
      SELECT genre_id, label FROM genre_label_target JOIN genre_label ON genre_label.id = label_id
      WHERE source = 'any' ORDER BY label
      """
    ) { row in
      if let place = places[row.integer(0)] { nodes[place].genre.aliases.append(row.text(1)) }
      return true
    }
    var list: [ListedGenre] = []
    func add(_ place: Int, below ancestors: [String]) {
      var genre = nodes[place].genre
      genre.ancestors = ancestors
      list.append(genre)
      for child in nodes[place].children { add(child, below: ancestors + [genre.name]) }
    }
    for place in nodes.indices where nodes[place].parent == nil { add(place, below: []) }
    return list
  }

  /// What a source calls a genre, and what that means here.
  public struct ListedLabel: Sendable, Hashable {
    public enum State: String, CaseIterable, Sendable {
      case known
      /// It says nothing about the genre.
      case noise
      /// No mapping knew it: it became a genre of its own, or none.
      case unknown
    }
    /// `any` for a word that holds for every source.
    public var source: String
    public var label: String
    public var genres: [String]
    /// Items that came with it.
    public var items: Int
    public var state: State
  }

  /// The labels that items came with or that a person gave a meaning, those of most items first.
  /// - Parameter includesShipped: also those that the program knows and that no item came with yet.
  public func genreLabels(includesShipped: Bool = false) throws -> [ListedLabel] {
    var genres: [Int64: [String]] = [:]
    try db.forEach(
      """
      SELECT label_id, name FROM genre_label_target JOIN genre ON genre.id = genre_id ORDER BY label_id, position
      """
    ) { row in
      genres[row.integer(0), default: []].append(row.text(1))
      return true
    }
    var seen = Set<[String]>()
    var list = try db.all(
      """
      SELECT id, source, key, label, is_known, coalesce(items, 0) AS items FROM genre_label
      LEFT JOIN (SELECT label_id, count(*) AS items FROM item_label GROUP BY label_id) ON label_id = id
      """
    ) { row in
      let names = genres[try row.get("id")] ?? []
      seen.insert([try row.get("source"), try row.get("key")])
      return ListedLabel(
        source: try row.get("source"), label: try row.get("label"), genres: names, items: try row.get("items"),
        state: try !row.get("is_known", as: Bool.self) ? .unknown : names.isEmpty ? .noise : .known)
    }
    if includesShipped {
      let labels = GenreLabels(db)
      for entry in ShippedLabels.entries where !seen.contains([entry.source, Folding.labelKey(entry.label)]) {
        let names = try labels.names(of: entry.genres)
        list.append(
          ListedLabel(
            source: entry.source, label: entry.label, genres: names, items: 0, state: names.isEmpty ? .noise : .known))
      }
    }
    return list.sorted { ($1.items, $0.source, $0.label) < ($0.items, $1.source, $1.label) }
  }

  /// Whose labels the program or the catalog knows.
  public func labelSources() throws -> Set<String> {
    Set(try db.values("SELECT DISTINCT source FROM genre_label", as: String.self)).union(ShippedLabels.all.sources)
  }

  /// Every canonical genre's name that some item has, most used first.
  public func usedGenres() throws -> [String] {
    try db.values(
      """
      SELECT genre.name FROM genre JOIN item_genre ON item_genre.genre_id = genre.id
      GROUP BY genre.id ORDER BY count(*) DESC, genre.name
      """)
  }

  /// Every canonical genre's name.
  public func genreNames() throws -> [String] { try db.values("SELECT name FROM genre ORDER BY name") }

  /// The labels that no shipped or edited mapping knew, with how many items carry them, most first.
  public func unknownLabels() throws -> [(source: String, label: String, items: Int)] {
    try db.all(
      """
      SELECT source, label, count(*) AS items FROM genre_label JOIN item_label ON item_label.label_id = genre_label.id
      WHERE NOT is_known GROUP BY genre_label.id ORDER BY items DESC, source, label
      """
    ) { (try $0.get("source"), try $0.get("label"), try $0.get("items")) }
  }

  /// The canonical name of the genre that a person means by `text`, if the catalog has it.
  public func genre(named text: String) throws -> String? {
    try GenreLabels(db).find(Folding.labelKey(text)).flatMap {
      try db.value("SELECT name FROM genre WHERE id = \($0)")
    }
  }
}

/// Finds the genres that a source's labels stand for.
///
/// A label is looked for among those that the catalog knows (which a person may have changed), then among the shipped
/// ones, then among the genres' names. An unknown label becomes a genre of its own, so that nothing is lost; only the free
/// subjects of ``freeLabelSources`` stay labels.
final class GenreLabels {
  /// Sources whose labels are free text by many hands (`Hobbits`, `read-in-2016`). What no mapping knows is kept as the
  /// item's label and listed by `doctor`, but makes no genre.
  static let freeLabelSources: Set<String> = [
    "openlibrary", "googlebooks", "goodreads", "librarything", "storygraph",
  ]

  struct Match {
    var label: Int64
    var genres: [Int64]
  }

  let db: Connection
  private var known: [String: Match] = [:]
  private var genreIDs: [String: Int64] = [:]

  init(_ db: Connection) { self.db = db }

  /// The label's row, made when it is new, and the genres it stands for.
  func match(_ label: String, from source: String) throws -> Match {
    let memory = source + "\u{1F}" + label
    if let match = known[memory] { return match }
    let key = Folding.labelKey(label)
    let match: Match
    if let id = try db.value("SELECT id FROM genre_label WHERE source = \(source) AND key = \(key)", as: Int64.self) {
      match = Match(label: id, genres: try targets(of: id))
    } else {
      let (genres, isKnown) = try meaning(of: label, key: key, source: source)
      try db.run(
        "INSERT INTO genre_label (source, key, label, is_known) VALUES (\(source), \(key), \(label), \(isKnown))")
      let id = db.lastInsertedRowID
      for (position, genre) in zip(1..., genres) {
        try db.run(
          "INSERT INTO genre_label_target (label_id, position, genre_id) VALUES (\(id), \(position), \(genre))")
      }
      match = Match(label: id, genres: genres)
    }
    known[memory] = match
    return match
  }

  /// The genre of this name, made when it is new: for what a person types.
  func genre(named name: String) throws -> Int64 {
    let key = Folding.labelKey(name)
    if let id = genreIDs[key] { return id }
    let id: Int64
    if let found = try find(key) {
      id = found
    } else if let shipped = ShippedLabels.all.genres(for: key, from: "any")?.first {
      id = try genre(named: shipped)
    } else {
      try db.run("INSERT INTO genre (name, key) VALUES (\(name), \(key))")
      id = db.lastInsertedRowID
    }
    genreIDs[key] = id
    return id
  }

  /// The genre that a person means by a text with this key: by its name, or by another word for it.
  func find(_ key: String) throws -> Int64? {
    if let id = try db.value("SELECT id FROM genre WHERE key = \(key)", as: Int64.self) { return id }
    if let alias = try alias(key) { return try targets(of: alias).first }
    return try ShippedLabels.all.genres(for: key, from: "any")?.first.flatMap { name in
      let key = Folding.labelKey(name)
      return try db.value("SELECT id FROM genre WHERE key = \(key)", as: Int64.self)
        ?? alias(key).flatMap { try targets(of: $0).first }
    }
  }

  /// The names of the genres that a label stands for as the program was shipped; nil when it is unknown.
  func shippedGenres(for key: String, from source: String) throws -> [String]? {
    try ShippedLabels.all.genres(for: key, from: source).map(names)
  }

  /// What shipped genres are called in this catalog.
  func names(of shipped: [String]) throws -> [String] {
    try shipped.map { name in
      try find(Folding.labelKey(name)).flatMap { try db.value("SELECT name FROM genre WHERE id = \($0)") } ?? name
    }.withoutRepeats
  }

  /// The genres that a label stands for.
  func targets(of label: Int64) throws -> [Int64] {
    try db.values("SELECT genre_id FROM genre_label_target WHERE label_id = \(label) ORDER BY position")
  }

  /// The label that a person made for every source.
  private func alias(_ key: String) throws -> Int64? {
    try db.value("SELECT id FROM genre_label WHERE source = 'any' AND key = \(key)")
  }

  private func meaning(of label: String, key: String, source: String) throws -> (genres: [Int64], isKnown: Bool) {
    if let genres = try knownMeaning(of: label, from: source) { return (genres, true) }
    return Self.freeLabelSources.contains(source) ? ([], false) : ([try genre(named: label)], false)
  }

  /// What a person, the shipped labels or the genres' names say of a label; nil when nobody knows it.
  func knownMeaning(of label: String, from source: String) throws -> [Int64]? {
    let key = Folding.labelKey(label)
    if let alias = try alias(key) { return try targets(of: alias) }
    if let shipped = ShippedLabels.all.genres(for: key, from: source) {
      return try shipped.map(genre(named:)).withoutRepeats
    }
    if let genre = try db.value("SELECT id FROM genre WHERE key = \(key)", as: Int64.self) { return [genre] }
    if let shipped = ShippedLabels.all.genres(forPatternOf: label, from: source) {
      return try shipped.map(genre(named:)).withoutRepeats
    }
    // A heading of the book trade that nobody listed: 'Computers / Languages / Java' is one of 'Computers'.
    guard let stroke = label.lastIndex(of: "/"), label[..<stroke].last == " " else { return nil }
    let head = label[..<stroke].trimmingBlanks
    return head.isEmpty ? nil : try knownMeaning(of: head, from: source)
  }
}
