internal import CatalogModel
internal import SQLite

/// Carries out edits of the genres, or only says what they would change. docs/genres.md has the rules.
///
/// It must live inside one transaction.
struct GenreEditor {
  private let db: Connection
  /// Whether nothing is written.
  private let isPreview: Bool
  private let labels: GenreLabels

  init(_ db: Connection, isPreview: Bool) {
    (self.db, self.isPreview) = (db, isPreview)
    labels = GenreLabels(db)
  }

  /// - Throws: ``CatalogError`` for names that are none, or taken, and for a circle.
  func run(_ edit: GenreEdit) throws -> GenreChange {
    switch edit {
    case .rename(let name, let new): try rename(genre(name), to: GenreName.checked(new))
    case .merge(let names, let target): try merge(names.map(genre), into: genre(target))
    case .alias(let label, let source, let names):
      try alias(GenreName.checked(label), source: source, genres: names.map(genre))
    case .move(let name, let parent): try move(genre(name), below: parent.map(genre))
    }
  }

  private struct Genre: Hashable {
    var id: Int64
    var name: String
    var parent: Int64?
    var key: String { Folding.labelKey(name) }
  }

  // MARK: The edits

  private func rename(_ genre: Genre, to name: String) throws -> GenreChange {
    guard name != genre.name else { return GenreChange() }
    let key = Folding.labelKey(name)
    if let other = try labels.find(key).map(self.genre(id:)), other.id != genre.id {
      throw other.key == key
        ? CatalogError.genreExists(other.name)
        : CatalogError.genreWordTaken(name, by: other.name, insteadOf: genre.name)
    }
    var change = GenreChange()
    change.steps = [.init(before: [genre.name], after: [name])]
    change.labels = try labels(of: [genre])
    change.items = try count("SELECT count(*) FROM item_genre WHERE genre_id = \(genre.id)")
    guard !isPreview else { return change }
    try db.run("UPDATE genre SET name = \(name), key = \(key) WHERE id = \(genre.id)")
    if key != genre.key {
      try db.run("DELETE FROM genre_label WHERE source = 'any' AND key = \(key)")
      try setMeaning(of: genre.name, source: "any", to: [genre.id])
    }
    try acknowledge([genre])
    return change
  }

  private func merge(_ genres: [Genre], into target: Genre) throws -> GenreChange {
    let genres = genres.withoutRepeats.filter { $0 != target }
    guard !genres.isEmpty else { return GenreChange() }
    let above = try path(of: target)
    if let upper = genres.first(where: above.contains) {
      throw CatalogError.genreCircle(target.name, isBelow: upper.name)
    }
    let ids = genres.map(\.id)
    var change = GenreChange()
    change.steps = genres.map { .init(before: [$0.name], after: [target.name]) }
    change.labels = try labels(of: genres)
    change.children = try db.values(
      "SELECT name FROM genre WHERE parent_id IN (\(list: ids)) AND id NOT IN (\(list: ids)) ORDER BY name")
    change.items = try count("SELECT count(DISTINCT item_id) FROM item_genre WHERE genre_id IN (\(list: ids))")
    guard !isPreview else { return change }
    try acknowledge(genres)
    for genre in genres {
      for (table, owner) in [("item_genre", "item_id"), ("genre_label_target", "label_id")] {
        // Who had both keeps the one in front.
        try db.run(
          """
          DELETE FROM \(identifier: table) AS later WHERE genre_id IN (\(genre.id), \(target.id))
            AND \(identifier: owner) IN (SELECT \(identifier: owner) FROM \(identifier: table) WHERE genre_id = \(genre.id))
            AND EXISTS (
              SELECT 1 FROM \(identifier: table) AS earlier
              WHERE earlier.\(identifier: owner) = later.\(identifier: owner) AND earlier.position < later.position
                AND earlier.genre_id IN (\(genre.id), \(target.id)))
          """)
        try db.run("UPDATE \(identifier: table) SET genre_id = \(target.id) WHERE genre_id = \(genre.id)")
      }
      try db.run("UPDATE genre SET parent_id = \(target.id) WHERE parent_id = \(genre.id)")
      try db.run("DELETE FROM genre WHERE id = \(genre.id)")
      try setMeaning(of: genre.name, source: "any", to: [target.id])
    }
    return change
  }

  private func alias(_ label: String, source: String?, genres: [Genre]) throws -> GenreChange {
    let key = Folding.labelKey(label)
    let (genres, ids) = (genres.withoutRepeats, genres.map(\.id).withoutRepeats)
    if source == nil, let named = try genre(key: key), ids != [named.id] {
      throw CatalogError.labelIsGenre(named.name)
    }
    // The rule for labels still to come, and the labels that items came with.
    let rule = source ?? "any"
    let rows = try db.all(
      """
      SELECT id, source, label, is_known FROM genre_label
      WHERE key = \(key) AND \(source.map { "source = \($0)" as SQL } ?? "true") ORDER BY source
      """
    ) {
      (
        id: try $0.get("id", as: Int64.self), source: try $0.get("source", as: String.self),
        label: try $0.get("label", as: String.self), isKnown: try $0.get("is_known", as: Bool.self)
      )
    }
    let changed = try rows.filter { try !$0.isKnown || labels.targets(of: $0.id) != ids }
    let hasRule = rows.contains { $0.source == rule }
    guard !changed.isEmpty || !hasRule else { return GenreChange() }
    var change = GenreChange()
    change.steps = try changed.map { row in
      .init(
        label: .init(source: row.source, label: row.label),
        before: try labels.targets(of: row.id).map { try genre(id: $0).name }, after: genres.map(\.name))
    }
    if !hasRule {
      change.steps.append(
        .init(
          label: .init(source: rule, label: label), before: try labels.shippedGenres(for: key, from: rule) ?? [],
          after: genres.map(\.name)))
    }
    if !isPreview {
      for row in changed { try setMeaning(of: row.label, source: row.source, to: ids) }
      if !hasRule { try setMeaning(of: label, source: rule, to: ids) }
    }
    let meanings = Dictionary(changed.map { ($0.id, ids) }) { first, _ in first }
    (change.items, change.itemsByHand) = try remap(meanings)
    return change
  }

  private func move(_ genre: Genre, below parent: Genre?) throws -> GenreChange {
    guard genre.parent != parent?.id else { return GenreChange() }
    let above = try parent.map(path) ?? []
    if let parent, above.contains(genre) { throw CatalogError.genreCircle(parent.name, isBelow: genre.name) }
    var change = GenreChange()
    change.steps = [
      .init(
        before: try path(of: genre).reversed().map(\.name),
        after: above.reversed().map(\.name) + [genre.name])
    ]
    change.items = try count(
      """
      SELECT count(DISTINCT item_id) FROM item_genre WHERE genre_id IN (
        WITH RECURSIVE below(id) AS (
          SELECT \(genre.id) UNION SELECT genre.id FROM genre JOIN below ON genre.parent_id = below.id)
        SELECT id FROM below)
      """)
    guard !isPreview else { return change }
    try db.run("UPDATE genre SET parent_id = \(parent?.id) WHERE id = \(genre.id)")
    try acknowledge([genre])
    return change
  }

  // MARK: Finding

  private func genre(_ name: String) throws -> Genre {
    guard let id = try labels.find(Folding.labelKey(name)) else { throw CatalogError.noGenre(name) }
    return try genre(id: id)
  }

  private func genre(id: Int64) throws -> Genre { try genre(where: "id = \(id)") ?? Genre(id: id, name: "") }

  /// The genre whose own name this is.
  private func genre(key: String) throws -> Genre? { try genre(where: "key = \(key)") }

  private func genre(where condition: SQL) throws -> Genre? {
    try db.one("SELECT id, name, parent_id FROM genre WHERE \(condition)") {
      Genre(id: try $0.get("id"), name: try $0.get("name"), parent: try $0.get("parent_id"))
    }
  }

  /// The genre and those above it, the root last.
  private func path(of genre: Genre) throws -> [Genre] {
    var path = [genre]
    // The file forbids circles; one that got in nevertheless ends here.
    while let parent = try path.last?.parent.map(self.genre(id:)), !path.contains(parent) { path.append(parent) }
    return path
  }

  private func labels(of genres: [Genre]) throws -> [GenreChange.Label] {
    try db.all(
      """
      SELECT source, label FROM genre_label
      WHERE id IN (SELECT label_id FROM genre_label_target WHERE genre_id IN (\(list: genres.map(\.id))))
      ORDER BY label, source
      """
    ) { GenreChange.Label(source: try $0.get("source"), label: try $0.get("label")) }
  }

  private func count(_ sql: SQL) throws -> Int { try db.value(sql) ?? 0 }

  // MARK: Writing

  private func setMeaning(of label: String, source: String, to genres: [Int64]) throws {
    let key = Folding.labelKey(label)
    try db.run(
      """
      INSERT INTO genre_label (source, key, label) VALUES (\(source), \(key), \(label))
      ON CONFLICT (source, key) DO UPDATE SET is_known = 1
      """)
    let id = try db.value("SELECT id FROM genre_label WHERE source = \(source) AND key = \(key)", as: Int64.self)
    try db.run("DELETE FROM genre_label_target WHERE label_id = \(id)")
    for (position, genre) in zip(1..., genres) {
      try db.run("INSERT INTO genre_label_target (label_id, position, genre_id) VALUES (\(id), \(position), \(genre))")
    }
  }

  /// What a person has put in its place is unknown no longer.
  private func acknowledge(_ genres: [Genre]) throws {
    try db.run(
      """
      UPDATE genre_label SET is_known = 1 WHERE NOT is_known
        AND id IN (SELECT label_id FROM genre_label_target WHERE genre_id IN (\(list: genres.map(\.id))))
      """)
  }

  /// Gives the items that carry these labels the genres that their labels now stand for, but for those whose genres a
  /// person chose.
  /// - Parameter meanings: the labels that changed, with their genres.
  /// - Returns: how many items change, and how many a person chose for.
  private func remap(_ meanings: [Int64: [Int64]]) throws -> (items: Int, byHand: Int) {
    var meanings = meanings
    var items = 0
    func settle(_ item: Int64, _ labels: [Int64]) throws {
      var genres: [Int64] = []
      for label in labels {
        let targets = try meanings[label] ?? self.labels.targets(of: label)
        meanings[label] = targets
        for genre in targets where !genres.contains(genre) { genres.append(genre) }
      }
      let before: [Int64] = try db.values("SELECT genre_id FROM item_genre WHERE item_id = \(item) ORDER BY position")
      guard genres != before else { return }
      items += 1
      guard !isPreview else { return }
      try db.run("DELETE FROM item_genre WHERE item_id = \(item)")
      for (position, genre) in zip(1..., genres) {
        try db.run("INSERT INTO item_genre (item_id, position, genre_id) VALUES (\(item), \(position), \(genre))")
      }
    }
    let carriers: SQL = "id IN (SELECT item_id FROM item_label WHERE label_id IN (\(list: meanings.keys.sorted())))"
    let byHand = try count("SELECT count(*) FROM item WHERE genres_by_hand AND \(carriers)")
    var (item, labels) = (Int64?.none, [Int64]())
    try db.forEach(
      """
      SELECT item_id, label_id FROM item_label
      WHERE item_id IN (SELECT id FROM item WHERE NOT genres_by_hand AND \(carriers)) ORDER BY item_id, position
      """
    ) { row in
      let id = row.integer(0)
      if let last = item, last != id {
        try settle(last, labels)
        labels.removeAll(keepingCapacity: true)
      }
      item = id
      labels.append(row.integer(1))
      return true
    }
    if let item { try settle(item, labels) }
    return (items, byHand)
  }
}

extension Array where Element: Hashable {
  /// Each element once, where it stands first.
  var withoutRepeats: [Element] {
    var seen = Set<Element>()
    return filter { seen.insert($0).inserted }
  }
}
