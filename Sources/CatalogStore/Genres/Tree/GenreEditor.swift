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
    case .alias(let label, let source, let kind, let names):
      try alias(GenreName.checked(label), source: source, kind: kind, genres: names.flatMap(genres))
    case .move(let name, let parent): try move(genre(name), below: parent.map(genre))
    }
  }

  private struct Genre: Hashable {
    var id: Int64
    var name: String
    var parent: Int64?
    var key: String { Folding.nameKey(name) }
  }

  // MARK: The edits

  private func rename(_ genre: Genre, to name: String) throws -> GenreChange {
    guard name != genre.name else { return GenreChange() }
    let key = Folding.nameKey(name)
    if let other = try labels.find(key).map(self.genre(id:)), other.id != genre.id {
      throw other.key == key
        ? CatalogError.genreExists(other.name)
        : CatalogError.genreWordTaken(name, by: other.name, insteadOf: genre.name)
    }
    var change = GenreChange()
    change.steps = [.init(before: [genre.name], after: [name])]
    change.labels = try labels(of: [genre])
    change.items = try db.value("SELECT count(*) FROM item_genre WHERE genre_id = \(genre.id)") ?? 0
    guard !isPreview else { return change }
    try db.run("UPDATE genre SET name = \(name), key = \(key) WHERE id = \(genre.id)")
    if key != genre.key {
      try db.run("DELETE FROM genre_label WHERE source = 'any' AND kind = '' AND key = \(key)")
      try setMeaning(of: genre.name, source: "any", kind: nil, to: [genre.id])
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
    let carriers: [Int64] = try db.values("SELECT DISTINCT item_id FROM item_genre WHERE genre_id IN (\(list: ids))")
    guard !isPreview else {
      let merged = Dictionary(ids.map { ($0, target.id) }) { first, _ in first }
      change.items = try changed(ItemGenres(labels, merged: merged), besides: carriers)
      return change
    }
    try acknowledge(genres)
    for genre in genres {
      for (table, owner) in [("item_genre", "item_id"), ("genre_label_target", "label_id")] {
        // An item with both genres keeps the one in front.
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
      try setMeaning(of: genre.name, source: "any", kind: nil, to: [target.id])
    }
    change.items = try changed(ItemGenres(GenreLabels(db)), besides: carriers)
    return change
  }

  private func alias(_ label: String, source: String?, kind: Kind?, genres: [Genre]) throws -> GenreChange {
    let key = Folding.nameKey(label)
    let (genres, ids) = (genres.withoutRepeats, genres.map(\.id).withoutRepeats)
    if source == nil, kind == nil, let named = try genre(key: key), ids != [named.id] {
      throw CatalogError.labelIsGenre(named.name)
    }
    // The rule for labels still to come, and the labels that items came with.
    let rule = GenreChange.Label(source: source ?? "any", kind: kind, label: label)
    let rows = try db.all(
      """
      SELECT id, source, kind, label, is_known FROM genre_label
      WHERE key = \(key) AND \(source.map { "source = \($0)" as SQL } ?? "true")
        AND \(kind.map { "kind = \($0.rawValue)" as SQL } ?? "true") ORDER BY source, kind
      """
    ) {
      (
        id: try $0.get("id", as: Int64.self),
        label: GenreChange.Label(
          source: try $0.get("source"), kind: Kind(rawValue: try $0.get("kind")), label: try $0.get("label")),
        isKnown: try $0.get("is_known", as: Bool.self)
      )
    }
    let changed = try rows.filter { try !$0.isKnown || labels.targets(of: $0.id) != ids }
    let hasRule = rows.contains { $0.label.source == rule.source && $0.label.kind == rule.kind }
    guard !changed.isEmpty || !hasRule else { return GenreChange() }
    var change = GenreChange()
    change.steps = try changed.map { row in
      var said = row.label
      // The kind is said where there is more than one.
      if kind == nil, rows.count(where: { $0.label.source == said.source }) == 1 { said.kind = nil }
      return .init(
        label: said, before: try labels.targets(of: row.id).map { try genre(id: $0).name },
        after: genres.map(\.name))
    }
    if !hasRule, !change.steps.contains(where: { $0.label?.source == rule.source }) {
      change.steps.append(
        .init(
          label: rule, before: try labels.shippedGenres(for: key, from: rule.source, of: kind) ?? [],
          after: genres.map(\.name)))
    }
    for row in rows {
      // Also of those that meant this before it is a person who says so now.
      if !isPreview { try setMeaning(of: row.label.label, source: row.label.source, kind: row.label.kind, to: ids) }
      labels.assume(GenreLabels.Match(label: row.id, genres: ids, isByHand: true))
    }
    if !isPreview, !hasRule { try setMeaning(of: label, source: rule.source, kind: kind, to: ids) }
    let carriers: SQL =
      "item_id IN (SELECT item_id FROM item_label WHERE label_id IN (\(list: changed.map(\.id))))"
    let itemGenres = ItemGenres(labels)
    let changes = try itemGenres.changes(of: carriers)
    if !isPreview { try itemGenres.write(changes) }
    change.items = changes.count
    change.itemsByHand =
      try db.value(
        """
        SELECT count(*) FROM item WHERE genres_by_hand
          AND id IN (SELECT item_id FROM item_label WHERE label_id IN (\(list: changed.map(\.id))))
        """) ?? 0
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
    let carriers: [Int64] = try db.values(
      """
      SELECT DISTINCT item_id FROM item_genre WHERE genre_id IN (
        WITH RECURSIVE below(id) AS (
          SELECT \(genre.id) UNION SELECT genre.id FROM genre JOIN below ON genre.parent_id = below.id)
        SELECT id FROM below)
      """)
    let itemGenres = ItemGenres(labels)
    try itemGenres.assume(genre.id, below: parent?.id)
    if !isPreview {
      try db.run("UPDATE genre SET parent_id = \(parent?.id) WHERE id = \(genre.id)")
      try acknowledge([genre])
    }
    change.items = try changed(itemGenres, besides: carriers)
    return change
  }

  /// Gives the items what the labels say of each other in the tree as it will be.
  /// - Returns: how many items change so, or are among those that the edit changes anyway.
  private func changed(_ itemGenres: ItemGenres, besides carriers: [Int64]) throws -> Int {
    let changes = try itemGenres.changes()
    if !isPreview { try itemGenres.write(changes) }
    return Set(carriers).union(changes.map(\.item)).count
  }

  // MARK: Finding

  private func genre(_ name: String) throws -> Genre {
    guard let genre = try genres(name).first else { throw CatalogError.noGenre(name) }
    return genre
  }

  /// All that a word means: several for `Action & Adventure`.
  private func genres(_ name: String) throws -> [Genre] {
    let ids = try labels.findAll(Folding.nameKey(name))
    guard !ids.isEmpty else { throw CatalogError.noGenre(name) }
    return try ids.map(genre(id:))
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
      SELECT source, min(label) AS label FROM genre_label
      WHERE id IN (SELECT label_id FROM genre_label_target WHERE genre_id IN (\(list: genres.map(\.id))))
      GROUP BY source, key ORDER BY label, source
      """
    ) { GenreChange.Label(source: try $0.get("source"), label: try $0.get("label")) }
  }

  // MARK: Writing

  private func setMeaning(of label: String, source: String, kind: Kind?, to genres: [Int64]) throws {
    let (key, kind) = (Folding.nameKey(label), kind?.rawValue ?? "")
    try db.run(
      """
      INSERT INTO genre_label (source, kind, key, label, by_hand) VALUES (\(source), \(kind), \(key), \(label), 1)
      ON CONFLICT (source, kind, key) DO UPDATE SET is_known = 1, by_hand = 1
      """)
    let id = try db.value(
      "SELECT id FROM genre_label WHERE source = \(source) AND kind = \(kind) AND key = \(key)", as: Int64.self)
    if let id { try labels.setTargets(of: id, to: genres) }
  }

  /// Marks the unknown labels of these genres as known, now that a user has placed the genres.
  private func acknowledge(_ genres: [Genre]) throws {
    try db.run(
      """
      UPDATE genre_label SET is_known = 1 WHERE NOT is_known
        AND id IN (SELECT label_id FROM genre_label_target WHERE genre_id IN (\(list: genres.map(\.id))))
      """)
  }
}

extension Array where Element: Hashable {
  /// Each element once, where it stands first.
  var withoutRepeats: [Element] {
    guard count > 1 else { return self }
    var seen = Set<Element>()
    return filter { seen.insert($0).inserted }
  }
}
