internal import CatalogModel
internal import SQLite

/// Derives the genres of an item from its labels: from each label alone, and from the labels together. The rules are
/// data: the sections `beside` and `genres` of Data/genre-labels.txt.
final class ItemGenres {
  private let labels: GenreLabels
  /// The genres above others, read when they are first asked for.
  private var parents: [Int64: Int64]?
  private var branches: [ShippedLabels.NamedBranch: Set<Int64>] = [:]
  /// The rules for each genre, by kind.
  private var turns: [Kind: [Int64: [Rule]]] = [:]
  /// The rules for each label.
  private var besides: [Int64: [Rule]] = [:]
  /// Genres that are taken for another one.
  private let merged: [Int64: Int64]

  /// - Parameter merged: genres that an edit will make part of another one.
  init(_ labels: GenreLabels, merged: [Int64: Int64] = [:]) { (self.labels, self.merged) = (labels, merged) }

  /// The genres of an item that came with these labels, in their order, each once.
  func genres(of matches: [GenreLabels.Match], kind: Kind) throws -> [Int64] {
    var parts = matches
    if !merged.isEmpty { for place in parts.indices { parts[place].genres = with(merged, parts[place].genres) } }
    for place in parts.indices where !parts[place].besides.isEmpty && !parts[place].isByHand {
      let others = Set(matches.indices.filter { $0 != place }.flatMap { with(merged, matches[$0].genres) })
      let beside = try rules(of: parts[place]).first { $0.holds(among: others) }
      if let beside { parts[place].genres = beside.genres }
    }
    let all = parts.flatMap(\.genres).withoutRepeats
    guard try all.contains(where: { try !turns(of: $0, kind).isEmpty }) else { return all }
    let together = Set(all)
    return try parts.flatMap { part in
      part.isByHand ? part.genres : try part.genres.flatMap { try turned($0, kind, among: together) }
    }.withoutRepeats
  }

  /// Takes a genre for standing below another one, or below none.
  func assume(_ genre: Int64, below parent: Int64?) throws {
    var parents = try readParents()
    parents[genre] = parent
    self.parents = parents
    (branches, turns, besides) = ([:], [:], [:])
  }

  // MARK: Rules

  /// A rule with the genres that it names.
  private struct Rule {
    /// Any of these must be there; nil where none must.
    let with: Set<Int64>?
    let without: Set<Int64>
    /// The genres that replace the genre or label.
    let genres: [Int64]

    func holds(among others: Set<Int64>) -> Bool {
      with.map { !$0.isDisjoint(with: others) } ?? true && without.isDisjoint(with: others)
    }
  }

  private func rule(_ condition: ShippedLabels.Condition, _ genres: [String]) throws -> Rule {
    Rule(
      with: condition.with.isEmpty ? nil : try self.genres(of: condition.with),
      without: try self.genres(of: condition.without),
      genres: with(merged, try genres.compactMap { try labels.find(Folding.nameKey($0)) }))
  }

  /// Returns the genres that replace a genre among those of an item.
  private func turned(_ genre: Int64, _ kind: Kind, among together: Set<Int64>) throws -> [Int64] {
    try turns(of: genre, kind).first { $0.holds(among: together) }?.genres ?? [genre]
  }

  private func turns(of genre: Int64, _ kind: Kind) throws -> [Rule] {
    if let known = turns[kind]?[genre] { return known }
    let found = try ShippedLabels.all.turns
      .filter { try $0.kinds.contains(kind) && genres(of: $0.genre).contains(genre) }
      .map { try rule($0.condition, $0.genres) }
    turns[kind, default: [:]][genre] = found
    return found
  }

  private func rules(of match: GenreLabels.Match) throws -> [Rule] {
    if let known = besides[match.label] { return known }
    let found = try match.besides.map { try rule($0.condition, $0.genres) }
    besides[match.label] = found
    return found
  }

  private func genres(of branches: [ShippedLabels.NamedBranch]) throws -> Set<Int64> {
    try branches.reduce(into: []) { $0.formUnion(try genres(of: $1)) }
  }

  /// The genre that is named, and those below it where all below are meant; none when it is gone.
  private func genres(of branch: ShippedLabels.NamedBranch) throws -> Set<Int64> {
    if let known = branches[branch] { return known }
    var found: Set<Int64> = []
    if let top = try labels.find(Folding.nameKey(branch.name)).map({ merged[$0] ?? $0 }) {
      found.insert(top)
      if branch.takesAllBelow {
        let parents = try readParents()
        found.formUnion(parents.keys.filter { Self.stands($0, below: top, parents) })
      }
    }
    branches[branch] = found
    return found
  }

  private static func stands(_ genre: Int64, below top: Int64, _ parents: [Int64: Int64]) -> Bool {
    var (seen, above) = (Set([genre]), parents[genre])
    // The file forbids circles; one that got in nevertheless ends here.
    while let next = above, seen.insert(next).inserted {
      if next == top { return true }
      above = parents[next]
    }
    return false
  }

  private func readParents() throws -> [Int64: Int64] {
    if let parents { return parents }
    var read: [Int64: Int64] = [:]
    try labels.db.forEach("SELECT id, parent_id FROM genre WHERE parent_id IS NOT NULL") { row in
      // A removed genre leaves no place.
      if merged[row.integer(0)] == nil { read[row.integer(0)] = merged[row.integer(1)] ?? row.integer(1) }
      return true
    }
    parents = read
    return read
  }

  private func with(_ merged: [Int64: Int64], _ genres: [Int64]) -> [Int64] {
    merged.isEmpty ? genres : genres.map { merged[$0] ?? $0 }.withoutRepeats
  }
}

// MARK: - Writing

extension ItemGenres {
  /// Items that shall have other genres.
  typealias Changes = [(item: Int64, genres: [Int64])]

  /// The items whose genres are not what their labels stand for, but for those whose genres a person chose.
  /// - Parameter items: a condition on `item_id`.
  func changes(of items: SQL = "true") throws -> Changes {
    var changes: Changes = []
    var item = Int64?.none
    var (kind, matches, genres) = (Kind.movie, [GenreLabels.Match](), [Int64]())
    func finish() throws {
      guard let item, !matches.isEmpty else { return }
      let wanted = try self.genres(of: matches, kind: kind)
      if wanted != with(merged, genres) { changes.append((item, wanted)) }
    }
    // First an item's labels, then the genres that it has.
    try labels.db.forEach(
      """
      SELECT item_id, 0 AS is_genre, position, label_id AS id, kind FROM item_label JOIN item ON item.id = item_id
      WHERE NOT genres_by_hand AND \(items)
      UNION ALL SELECT item_id, 1, position, genre_id, '' FROM item_genre WHERE \(items)
      ORDER BY item_id, is_genre, position
      """
    ) { row in
      if row.integer(0) != item {
        try finish()
        item = row.integer(0)
        matches.removeAll(keepingCapacity: true)
        genres.removeAll(keepingCapacity: true)
      }
      if row.integer(1) == 0 {
        kind = Kind(rawValue: row.text(4)) ?? .movie
        matches.append(try labels.match(row.integer(3)))
      } else {
        genres.append(row.integer(3))
      }
      return true
    }
    try finish()
    return changes
  }

  func write(_ changes: Changes) throws {
    let db = labels.db
    for (item, genres) in changes {
      try db.run("DELETE FROM item_genre WHERE item_id = \(item)")
      for (position, genre) in zip(1..., genres) {
        try db.run("INSERT INTO item_genre (item_id, position, genre_id) VALUES (\(item), \(position), \(genre))")
      }
    }
  }
}
