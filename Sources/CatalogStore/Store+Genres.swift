internal import CatalogModel
internal import SQLite

extension Store {
  /// Gives the catalog the shipped genres that it does not have yet. What a person changed stays.
  func seedGenres() throws {
    let fingerprint = ShippedGenres.fingerprint
    guard try db.value("SELECT value FROM setting WHERE name = 'genres'", as: String.self) != fingerprint else {
      return
    }
    try db.transaction {
      let insert = try db.prepare(
        """
        INSERT INTO genre (name, key, parent_id) VALUES (?1, ?2, (SELECT id FROM genre WHERE key = ?3))
        ON CONFLICT DO NOTHING
        """)
      func insertAll() throws {
        for genre in ShippedGenres.all.genres {
          try insert.run(
            .text(genre.name), .text(Folding.labelKey(genre.name)), .optional(genre.parent.map(Folding.labelKey)))
        }
      }
      // A new catalog gets a tree without cycles, and no item has a genre: the triggers would take longer than the rest.
      let isNew = try db.value("SELECT count(*) = 0 FROM genre", as: Bool.self) ?? false
      try isNew ? db.withoutTriggers(insertAll) : insertAll()
      try db.run(
        """
        INSERT INTO setting (name, value) VALUES ('genres', \(fingerprint))
        ON CONFLICT (name) DO UPDATE SET value = excluded.value
        """)
    }
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
    let key = Folding.labelKey(text)
    if let name = try db.value("SELECT name FROM genre WHERE key = \(key)", as: String.self) { return name }
    return try db.value(
      """
      SELECT genre.name FROM genre_label JOIN genre_label_target ON label_id = genre_label.id
      JOIN genre ON genre.id = genre_id WHERE source = 'any' AND genre_label.key = \(key) ORDER BY position LIMIT 1
      """) ?? ShippedLabels.all.genres(for: key, from: "any")?.first
  }
}

/// Finds the genres that a source's labels stand for.
///
/// A label is looked for among those that the catalog knows (which a person may have changed), then among the shipped
/// ones, then among the genres' names. An unknown label becomes a genre of its own, so that nothing is lost; only the free
/// subjects of ``freeLabelSources`` stay labels.
final class GenreLabels {
  /// Sources whose labels are free text by many hands (`Hobbits`, `Bilbo Baggins (Fictitious character)`). What no
  /// mapping knows is kept as the item's label and listed by `doctor`, but makes no genre.
  static let freeLabelSources: Set<String> = ["openlibrary"]

  struct Match {
    var label: Int64
    var genres: [Int64]
  }

  private let db: Connection
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
    if let found = try db.value("SELECT id FROM genre WHERE key = \(key)", as: Int64.self) {
      id = found
    } else if let alias = try alias(key), let target = try targets(of: alias).first {
      id = target
    } else if let shipped = ShippedLabels.all.genres(for: key, from: "any")?.first {
      id = try genre(named: shipped)
    } else {
      try db.run("INSERT INTO genre (name, key) VALUES (\(name), \(key))")
      id = db.lastInsertedRowID
    }
    genreIDs[key] = id
    return id
  }

  private func targets(of label: Int64) throws -> [Int64] {
    try db.values("SELECT genre_id FROM genre_label_target WHERE label_id = \(label) ORDER BY position")
  }

  /// The label that a person made for every source.
  private func alias(_ key: String) throws -> Int64? {
    try db.value("SELECT id FROM genre_label WHERE source = 'any' AND key = \(key)")
  }

  private func meaning(of label: String, key: String, source: String) throws -> (genres: [Int64], isKnown: Bool) {
    if let alias = try alias(key) { return (try targets(of: alias), true) }
    if let shipped = ShippedLabels.all.genres(for: key, from: source) { return (try shipped.map(genre(named:)), true) }
    if let genre = try db.value("SELECT id FROM genre WHERE key = \(key)", as: Int64.self) { return ([genre], true) }
    if ShippedLabels.all.isNoise(key, from: source) { return ([], true) }
    return Self.freeLabelSources.contains(source) ? ([], false) : ([try genre(named: label)], false)
  }
}
