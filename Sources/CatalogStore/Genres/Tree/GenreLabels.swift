internal import CatalogModel
internal import SQLite

/// Finds the genres that a source's labels stand for.
///
/// A label is looked for among those that the catalog knows (which a person may have changed), then among the shipped
/// ones, then among the genres' names. An unknown label becomes a genre of its own, so that nothing is lost; only the
/// free subjects of ``freeLabelSources`` stay labels.
///
/// What several labels of one item say of each other is ``ItemGenres``.
final class GenreLabels {
  /// Sources whose labels are free text by many hands (`Hobbits`, `read-in-2016`). What no mapping knows is kept as the
  /// item's label and listed by `doctor`, but makes no genre.
  static let freeLabelSources: Set<String> = [
    "openlibrary", "googlebooks", "goodreads", "librarything", "storygraph", "calibre",
  ]

  /// A label as items come with it, and what it stands for.
  struct Match {
    var label: Int64
    var genres: [Int64]
    /// Whether a user mapped the label.
    var isByHand = false
    /// The rules for the label that depend on the item's other genres.
    var besides: [ShippedLabels.Beside] = []
  }

  /// The genres that a label is mapped to.
  struct Meaning: Equatable {
    var genres: [Int64]
    var isKnown = true
    /// Whether a user mapped the label.
    var isByHand = false
  }

  /// A label as a source has it.
  private struct NamedLabel: Hashable {
    var source: String
    var kind: Kind
    var label: String
  }

  let db: Connection
  private var known: [NamedLabel: Match] = [:]
  private var matches: [Int64: Match] = [:]
  private var genreIDs: [String: Int64] = [:]
  private var keysByHand: Set<String>?

  init(_ db: Connection) { self.db = db }

  // MARK: Labels of items

  /// The label's row for things of this kind, made when it is new, and the genres it stands for.
  func match(_ label: String, from source: String, of kind: Kind) throws -> Match {
    let named = NamedLabel(source: source, kind: kind, label: label)
    if let match = known[named] { return match }
    let key = Folding.nameKey(label)
    let match: Match
    if let id = try db.value(
      "SELECT id FROM genre_label WHERE source = \(source) AND kind = \(kind.rawValue) AND key = \(key)", as: Int64.self
    ) {
      match = try self.match(id)
    } else {
      let meaning = try meaning(of: label, from: source, of: kind)
      try db.run(
        """
        INSERT INTO genre_label (source, kind, key, label, is_known, by_hand)
        VALUES (\(source), \(kind.rawValue), \(key), \(label), \(meaning.isKnown), \(meaning.isByHand))
        """)
      let id = db.lastInsertedRowID
      try setTargets(of: id, to: meaning.genres)
      match = try self.match(id)
    }
    known[named] = match
    return match
  }

  /// The label with this id.
  func match(_ id: Int64) throws -> Match {
    if let match = matches[id] { return match }
    let match = try db.one("SELECT source, kind, key, by_hand FROM genre_label WHERE id = \(id)") { row in
      Match(
        label: id, genres: try targets(of: id), isByHand: try row.get("by_hand", as: Bool.self),
        besides: Self.besides(try row.get("key"), try row.get("source"), try row.get("kind")))
    }
    let found = match ?? Match(label: id, genres: [])
    matches[id] = found
    return found
  }

  /// Takes a label for what an edit will make of it.
  func assume(_ match: Match) { matches[match.label] = match }

  /// Reads all labels at once, for who is going to ask for most of them.
  func readAll() throws {
    try db.forEach("SELECT id, by_hand, key, source, kind FROM genre_label") { row in
      let besides = Self.besides(row.text(2), row.text(3), row.text(4))
      matches[row.integer(0)] = Match(
        label: row.integer(0), genres: [], isByHand: row.integer(1) != 0, besides: besides)
      return true
    }
    try db.forEach("SELECT label_id, genre_id FROM genre_label_target ORDER BY label_id, position") { row in
      matches[row.integer(0)]?.genres.append(row.integer(1))
      return true
    }
  }

  static func besides(_ key: String, _ source: String, _ kind: String) -> [ShippedLabels.Beside] {
    guard let all = ShippedLabels.all.besides[key], let kind = Kind(rawValue: kind) else { return [] }
    return all.filter { $0.holds(for: source, kind) }
  }

  /// The genres that a label stands for.
  func targets(of label: Int64) throws -> [Int64] {
    try db.values("SELECT genre_id FROM genre_label_target WHERE label_id = \(label) ORDER BY position")
  }

  func setTargets(of label: Int64, to genres: [Int64]) throws {
    try db.run("DELETE FROM genre_label_target WHERE label_id = \(label)")
    for (position, genre) in zip(1..., genres) {
      try db.run(
        "INSERT INTO genre_label_target (label_id, position, genre_id) VALUES (\(label), \(position), \(genre))")
    }
  }

  // MARK: What people type

  /// The genre of this name, made when it is new.
  func genre(named name: String) throws -> Int64 { try genres(named: name).first ?? newGenre(name) }

  /// The genres that a person means by a name or a word, a new one when there is none.
  func genres(named name: String) throws -> [Int64] {
    let key = Folding.nameKey(name)
    if let id = genreIDs[key] { return [id] }
    let found = try findAll(key)
    if found.count > 1 { return found }
    let id: Int64
    if let only = found.first {
      id = only
    } else if let shipped = ShippedLabels.all.genres(for: key, from: "any"), !shipped.isEmpty {
      return try shipped.flatMap(genres(named:)).withoutRepeats
    } else {
      id = try newGenre(name)
    }
    genreIDs[key] = id
    return [id]
  }

  private func newGenre(_ name: String) throws -> Int64 {
    try db.run("INSERT INTO genre (name, key) VALUES (\(name), \(Folding.nameKey(name)))")
    return db.lastInsertedRowID
  }

  /// The genre that a person means by a text with this key, the first of several.
  func find(_ key: String) throws -> Int64? { try findAll(key).first }

  /// The genres that a person means by a text with this key: by its name, or by another word.
  func findAll(_ key: String) throws -> [Int64] {
    if let id = try ownName(key) { return [id] }
    if let alias = try alias(key) {
      let targets = try targets(of: alias)
      if !targets.isEmpty { return targets }
    }
    let shipped = ShippedLabels.all.genres(for: key, from: "any") ?? ShippedGenres.byKoreanKey[key].map { [$0] } ?? []
    return try shipped.compactMap { name in
      let key = Folding.nameKey(name)
      return try ownName(key) ?? alias(key).flatMap { try targets(of: $0).first }
    }.withoutRepeats
  }

  /// The genre whose own name has this key.
  private func ownName(_ key: String) throws -> Int64? { try db.value("SELECT id FROM genre WHERE key = \(key)") }

  /// The label that a person made for every source and kind.
  private func alias(_ key: String) throws -> Int64? {
    try db.value("SELECT id FROM genre_label WHERE source = 'any' AND kind = '' AND key = \(key)")
  }

  // MARK: What labels mean

  /// The names of the genres that a label stands for as the program was shipped; nil when it is unknown.
  func shippedGenres(for key: String, from source: String, of kind: Kind?) throws -> [String]? {
    try ShippedLabels.all.genres(for: key, from: source, of: kind).map(names)
  }

  /// Returns the names that shipped genres have in this catalog.
  func names(of shipped: [String]) throws -> [String] {
    try shipped.map { name in
      try find(Folding.nameKey(name)).flatMap { try db.value("SELECT name FROM genre WHERE id = \($0)") } ?? name
    }.withoutRepeats
  }

  /// Returns the meaning of a label that no item has had yet. An unknown label becomes a genre, except in sources with
  /// free tags.
  func meaning(of label: String, from source: String, of kind: Kind) throws -> Meaning {
    try knownMeaning(of: label, from: source, of: kind)
      ?? Meaning(genres: Self.freeLabelSources.contains(source) ? [] : [genre(named: label)], isKnown: false)
  }

  /// Returns the meaning of a label by the user's rules, the shipped labels or the genres' names; nil for an unknown
  /// label.
  func knownMeaning(of label: String, from source: String, of kind: Kind) throws -> Meaning? {
    if let rule = try rule(Folding.nameKey(label), source, kind) {
      return Meaning(genres: try targets(of: rule), isByHand: true)
    }
    return try shippedMeaning(of: label, from: source, of: kind)
  }

  /// Returns the same meaning without the user's rules.
  func shippedMeaning(of label: String, from source: String, of kind: Kind?) throws -> Meaning? {
    let key = Folding.nameKey(label)
    if let shipped = ShippedLabels.all.genres(for: key, from: source, of: kind) { return try meaning(shipped) }
    if let genre = try ownName(key) { return Meaning(genres: [genre]) }
    if let korean = ShippedGenres.byKoreanKey[key] { return try meaning([korean]) }
    if let shipped = ShippedLabels.all.genres(forPatternOf: label, from: source, of: kind) {
      return try meaning(shipped)
    }
    // An unlisted heading of the book trade: 'Computers / Languages / Java' is one of 'Computers'.
    guard let stroke = label.lastIndex(of: "/"), label[..<stroke].last == " " else { return nil }
    let head = label[..<stroke].trimmingBlanks
    if head.isEmpty { return nil }
    return try kind.map { try knownMeaning(of: head, from: source, of: $0) }
      ?? shippedMeaning(of: head, from: source, of: kind)
  }

  private func meaning(_ shipped: [String]) throws -> Meaning {
    Meaning(genres: try shipped.map(genre(named:)).withoutRepeats)
  }

  /// Returns the user's rule for a label of future items: for this source or all, and for one kind or all.
  private func rule(_ key: String, _ source: String, _ kind: Kind) throws -> Int64? {
    guard try saidByHand().contains(key) else { return nil }
    return try db.value(
      """
      SELECT id FROM genre_label WHERE source IN (\(source), 'any') AND kind IN ('', \(kind.rawValue)) AND key = \(key)
        AND by_hand ORDER BY source = 'any', kind = '' LIMIT 1
      """)
  }
}

extension GenreLabels {
  /// The keys of the labels that a person gave a meaning. They are few, and asked for with every new label.
  private func saidByHand() throws -> Set<String> {
    if let keysByHand { return keysByHand }
    let keys = Set(try db.values("SELECT DISTINCT key FROM genre_label WHERE by_hand", as: String.self))
    keysByHand = keys
    return keys
  }
}

extension Kind {
  /// The kind for whose things labels are understood: music is said of as of records.
  var ofLabels: Kind { self == .music ? .vinyl : self }
}
