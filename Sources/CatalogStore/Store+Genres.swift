internal import CatalogModel
internal import SQLite

extension Store {
  /// Gives the catalog the shipped genres and labels that it does not have yet. What a person changed stays.
  func seedGenres() throws {
    let fingerprint = GenreSeed.shippedFingerprint
    guard try db.value("SELECT value FROM setting WHERE name = 'genre_seed'", as: String.self) != fingerprint else { return }
    let seed = GenreSeed.shipped
    try db.transaction {
      let genres = try db.prepare("INSERT OR IGNORE INTO genre (name, key, parent_id) VALUES (?, ?, ?)")
      var ids: [String: Int64] = [:]
      for genre in seed.genres {
        let key = Folding.labelKey(genre.name)
        let parent = genre.parent.flatMap { ids[Folding.labelKey($0)] }.map(Value.integer) ?? .null
        try genres.run(.text(genre.name), .text(key), parent)
        ids[key] = try db.value("SELECT id FROM genre WHERE key = \(key)")
      }
      let labels = try db.prepare(
        "INSERT INTO genre_label (source, key, label) VALUES (?, ?, ?) ON CONFLICT DO NOTHING")
      let targets = try db.prepare("INSERT INTO genre_label_target (label_id, position, genre_id) VALUES (?, ?, ?)")
      for label in seed.labels {
        let key = GenreLabels.key(of: label.label)
        guard try db.value("SELECT 1 FROM genre_label WHERE source = \(label.source) AND key = \(key)", as: Int.self) == nil
        else { continue }
        let id = try labels.run(.text(label.source), .text(key), .text(label.label))
        for (position, genre) in zip(Int64(1)..., label.genres) {
          guard let genre = ids[Folding.labelKey(genre)] else { continue }
          try targets.run(.integer(id), .integer(position), .integer(genre))
        }
      }
      try db.run(
        """
        INSERT INTO setting (name, value) VALUES ('genre_seed', \(fingerprint))
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
    return try db.value("SELECT name FROM genre WHERE key = \(key)")
      ?? db.value(
        """
        SELECT genre.name FROM genre_label JOIN genre_label_target ON label_id = genre_label.id
        JOIN genre ON genre.id = genre_id WHERE source = 'any' AND genre_label.key = \(key) ORDER BY position LIMIT 1
        """)
  }
}

/// Finds the genres that a source's labels stand for.
///
/// A label is looked for among the source's own labels, then those of every source, then the genres' names, then the
/// source's noise that ends in `*`. An unknown label becomes a genre of its own, so that nothing is lost; only the free
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

  /// The key by which a label is found; a trailing `*` (any ending) stays.
  static func key(of label: String) -> String {
    label.hasSuffix("*") ? Folding.labelKey(String(label.dropLast())) + "*" : Folding.labelKey(label)
  }

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
        try db.run("INSERT INTO genre_label_target (label_id, position, genre_id) VALUES (\(id), \(position), \(genre))")
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
    } else if let alias = try db.value(
      "SELECT id FROM genre_label WHERE source = 'any' AND key = \(key)", as: Int64.self),
      let target = try targets(of: alias).first
    {
      id = target
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

  private func meaning(of label: String, key: String, source: String) throws -> (genres: [Int64], isKnown: Bool) {
    if let id = try db.value("SELECT id FROM genre_label WHERE source = 'any' AND key = \(key)", as: Int64.self) {
      return (try targets(of: id), true)
    }
    if let genre = try db.value("SELECT id FROM genre WHERE key = \(key)", as: Int64.self) { return ([genre], true) }
    let endings = try db.all(
      """
      SELECT id FROM genre_label WHERE source IN (\(source), 'any') AND key LIKE '%*'
        AND substr(\(key), 1, length(key) - 1) = rtrim(key, '*') ORDER BY length(key) DESC LIMIT 1
      """
    ) { try $0.get("id", as: Int64.self) }
    if let id = endings.first { return (try targets(of: id), true) }
    if Self.freeLabelSources.contains(source) { return ([], false) }
    return ([try genre(named: label)], false)
  }
}
