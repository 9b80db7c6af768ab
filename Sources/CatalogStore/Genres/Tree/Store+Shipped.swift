internal import CatalogModel
internal import SQLite

// The shipped data of a version of the program: its tree of genres and its labels.

extension Store {
  /// Gives the catalog what this version ships and it has not got yet, each in a transaction of its own. Programs that
  /// start at once do it once.
  /// - Returns: how many items have other genres now.
  func takeShipped() throws -> Int {
    if try read(hasAllShipped) { return 0 }
    try seedGenres()
    return try followLabels()
  }

  private func hasAllShipped() throws -> Bool {
    try shipped("genres") == ShippedGenres.fingerprint && shipped("labels") == ShippedLabels.fingerprint
  }

  // MARK: Genres

  /// Gives the catalog the shipped genres that it does not have yet. What a person changed stays: a genre that was
  /// renamed or merged is known by its old name, and one that was moved stays where it is.
  func seedGenres() throws {
    let fingerprint = ShippedGenres.fingerprint
    guard try shipped("genres") != fingerprint else { return }
    try db.transaction {
      guard try shipped("genres") != fingerprint else { return }
      try seed(ShippedGenres.all.genres)
      try setShipped("genres", fingerprint)
    }
  }

  func seed(_ genres: [ShippedGenres.Genre]) throws {
    let insert = try db.prepare("INSERT INTO genre (name, key, parent_id) VALUES (?, ?, ?) ON CONFLICT DO NOTHING")
    let words = try db.all(
      """
      SELECT key, (SELECT genre_id FROM genre_label_target WHERE label_id = genre_label.id ORDER BY position) AS genre_id
      FROM genre_label WHERE source = 'any' AND kind = ''
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
        let key = Folding.nameKey(genre.name)
        guard ids[key] == nil else { continue }
        try insert.run(
          .text(genre.name), .text(key), .optional(genre.parent.flatMap { ids[Folding.nameKey($0)] ?? nil }))
        ids[key] = db.lastInsertedRowID
      }
    }
    /// Moves genres that came from unknown labels to their places in the tree.
    func placeUnknown() throws {
      for genre in genres {
        guard let parent = genre.parent, let above = ids[Folding.nameKey(parent)] ?? nil else { continue }
        try db.run(
          """
          UPDATE genre SET parent_id = \(above)
          WHERE key = \(Folding.nameKey(genre.name)) AND parent_id IS NULL AND id <> \(above) AND id IN (
            SELECT genre_id FROM genre_label_target JOIN genre_label ON genre_label.id = label_id WHERE NOT is_known)
          """)
      }
    }
    // A new catalog gets a tree without cycles, and no item has a genre: the triggers would take longer than the rest.
    if isNew { return try db.withoutTriggers(insertMissing) }
    try insertMissing()
    try placeUnknown()
  }

  // MARK: Labels

  /// Lets the labels that have come mean what this version knows of them, but for those that a person gave a meaning,
  /// and the items follow, but for those whose genres a person chose.
  private func followLabels() throws -> Int {
    let fingerprint = ShippedLabels.fingerprint
    guard try shipped("labels") != fingerprint else { return 0 }
    return try write {
      let before = try shipped("labels")
      guard before != fingerprint else { return 0 }
      let labels = GenreLabels(db)
      if before == nil { try tellByHand(labels) }
      try learn(labels)
      let taught = GenreLabels(db)
      try taught.readAll()
      let itemGenres = ItemGenres(taught)
      let changes = try itemGenres.changes()
      try itemGenres.write(changes)
      try removeOrphans()
      try setShipped("labels", fingerprint)
      return changes.count
    }
  }

  /// Gives each label the meaning that it has in this version.
  private func learn(_ labels: GenreLabels) throws {
    try labels.readAll()
    let tree = Set(ShippedGenres.all.genres.map { Folding.nameKey($0.name) })
    for label in try comeLabels("NOT by_hand") {
      // A label that is still unknown keeps its first meaning.
      guard let meaning = try labels.knownMeaning(of: label.text, from: label.source, of: label.kind) else { continue }
      let isSame = try labels.match(label.id).genres == meaning.genres
      // The genre made from an unknown label is no evidence. Unknown noise has no genre in either case.
      let isOwn = !meaning.genres.isEmpty && !tree.contains(Folding.nameKey(label.text))
      if isSame, !meaning.isByHand, label.isKnown || isOwn { continue }
      if !isSame { try labels.setTargets(of: label.id, to: meaning.genres) }
      try db.run("UPDATE genre_label SET is_known = 1, by_hand = \(meaning.isByHand) WHERE id = \(label.id)")
    }
  }

  /// Clears the user mark of labels whose meaning is the shipped one. Earlier versions did not record who set a
  /// meaning.
  private func tellByHand(_ labels: GenreLabels) throws {
    for label in try comeLabels("by_hand") {
      let shipped = try labels.shippedMeaning(of: label.text, from: label.source, of: label.kind)
      if try shipped?.genres == labels.targets(of: label.id) {
        try db.run("UPDATE genre_label SET by_hand = 0 WHERE id = \(label.id)")
      }
    }
  }

  /// A label that items may come with.
  private struct ComeLabel {
    var id: Int64
    var source: String
    var kind: Kind
    var text: String
    var isKnown: Bool
  }

  private func comeLabels(_ condition: SQL) throws -> [ComeLabel] {
    try db.all(
      "SELECT id, source, kind, label, is_known FROM genre_label WHERE source <> 'any' AND kind <> '' AND \(condition)"
    ) {
      ComeLabel(
        id: try $0.get("id"), source: try $0.get("source"), kind: Kind(rawValue: try $0.get("kind")) ?? .movie,
        text: try $0.get("label"), isKnown: try $0.get("is_known"))
    }
  }

  /// Removes unused genres that came from labels which were unknown then.
  private func removeOrphans() throws {
    let shipped = Set(ShippedGenres.all.genres.map { Folding.nameKey($0.name) })
    let orphans = try db.all(
      """
      SELECT id, key FROM genre WHERE parent_id IS NULL
        AND key IN (SELECT key FROM genre_label WHERE source <> 'any' AND is_known AND NOT by_hand)
        AND id NOT IN (SELECT genre_id FROM item_genre) AND id NOT IN (SELECT genre_id FROM genre_label_target)
        AND id NOT IN (SELECT parent_id FROM genre WHERE parent_id IS NOT NULL)
      """
    ) { (try $0.get("id", as: Int64.self), try $0.get("key", as: String.self)) }
    for (id, key) in orphans where !shipped.contains(key) { try db.run("DELETE FROM genre WHERE id = \(id)") }
  }

  // MARK: What the catalog has got

  private func shipped(_ name: String) throws -> String? {
    try db.value("SELECT value FROM setting WHERE name = \(name)")
  }

  private func setShipped(_ name: String, _ fingerprint: String) throws {
    try db.run(
      """
      INSERT INTO setting (name, value) VALUES (\(name), \(fingerprint))
      ON CONFLICT (name) DO UPDATE SET value = excluded.value
      """)
  }
}
