public import CatalogModel
internal import SQLite

extension Store {
  /// What became of an addition.
  public enum Addition: Sendable, Hashable {
    case added(ItemID)
    /// It was there already, and nothing was changed.
    case exists(ItemID)
    /// Another edition of it is there, which nobody has agreed to, and nothing was changed.
    case hasEdition(ItemID)

    public var id: ItemID {
      switch self {
      case .added(let id), .exists(let id), .hasEdition(let id): id
      }
    }
  }

  /// What shall be put on its shelf.
  public struct NewItem {
    public var record: Record
    /// What a person chose; nil takes what the record's labels stand for.
    public var genres: [String]?
    public var cover: Cover?
    /// Whether the person owns it: it gets a copy, of which nothing is said yet.
    public var isOwned: Bool
    /// Whether it is added where another edition of the same work is, as one more.
    public var mayBeEdition: Bool
    /// What is written together with it, when it is new.
    public var alongside: (Store, ItemID) throws -> Void

    /// - Parameter isOwned: nil for what is usual with things of its kind.
    public init(
      _ record: Record, genres: [String]? = nil, cover: Cover? = nil, isOwned: Bool? = nil, mayBeEdition: Bool = true,
      alongside: @escaping (Store, ItemID) throws -> Void = { _, _ in }
    ) {
      (self.record, self.genres, self.cover) = (record, genres, cover)
      (self.mayBeEdition, self.alongside) = (mayBeEdition, alongside)
      self.isOwned = isOwned ?? Copy.usualKinds.contains(record.kind)
    }
  }

  /// Puts a record on its shelf, with its people, genres, ids and cover, in one transaction.
  ///
  /// A recent view of the same thing becomes a view of the item. Where another edition of it is, the two know of each other.
  /// - Parameters:
  ///   - genres: what a person chose; nil takes what the record's labels stand for.
  ///   - isOwned: whether it gets a copy; nil for what is usual with things of its kind.
  /// - Throws: ``CatalogError/emptyTitle``, ``CatalogError/notShelved(_:)``, ``CatalogError/yearOutOfRange(_:)``.
  @discardableResult
  public func add(
    _ record: Record, genres: [String]? = nil, cover: Cover? = nil, isOwned: Bool? = nil, now: Timestamp
  ) throws -> Addition {
    try add(NewItem(record, genres: genres, cover: cover, isOwned: isOwned), now: now)
  }

  /// The same for what is more than a record.
  public func add(_ item: NewItem, now: Timestamp) throws -> Addition {
    try write { try add(item, with: ItemWriter(db), now: now) }
  }

  /// Puts several on their shelves in one transaction, and says what became of each. One that is refused is left out, and the
  /// others are written all the same.
  /// - Throws: ``CatalogError`` when nothing could be written.
  public func add(_ items: [NewItem], now: Timestamp) throws -> [Result<Addition, any Error>] {
    try write {
      var writer = ItemWriter(db)
      return try items.map { item in
        do {
          return .success(try db.transaction { try add(item, with: writer, now: now) })
        } catch {
          // What failed so badly that SQLite gave everything up is said of everything.
          guard db.isInTransaction else { throw error }
          // What the writer remembers may be gone.
          writer = ItemWriter(db)
          return .failure((error as? SQLiteError).map { CatalogError($0, path: path ?? "") } ?? error)
        }
      }
    }
  }

  private func add(_ item: NewItem, with writer: ItemWriter, now: Timestamp) throws -> Addition {
    try Self.check(item.record)
    let likeness = try likeness(of: item.record)
    switch likeness {
    case .same(let id): return .exists(id)
    case .edition(let id) where !item.mayBeEdition: return .hasEdition(id)
    case .edition, nil: break
    }
    let id = try writer.insert(item.record, genres: item.genres, now: now)
    if item.isOwned { try writer.addCopy(of: id, now: now) }
    if case .edition(let other) = likeness { try join(id, to: other) }
    if let cover = item.cover { try setCover(cover, of: id) }
    try writer.adoptRecents(as: id, of: item.record.externalIDs)
    try item.alongside(self, id)
    return .added(id)
  }

  /// Adds many records in one transaction, passing over those that are there already by their ids.
  /// - Parameters:
  ///   - owned: the kinds of which each gets a copy.
  ///   - progress: called after each record; returning false stops, and what was added so far stays.
  /// - Returns: how many were added.
  public func addAll(
    _ records: some Sequence<(record: Record, genres: [String]?)>, owned: [Kind] = Copy.usualKinds, now: Timestamp,
    progress: (Int) -> Bool = { _ in true }
  ) throws -> Int {
    try makeRoomForMany()
    return try write {
      let writer = ItemWriter(db)
      writer.isPatient = true
      var added = 0
      for (record, genres) in records {
        try Self.check(record)
        if try writer.itemID(of: record) == nil {
          let id = try writer.insert(record, genres: genres, now: now)
          if owned.contains(record.kind) { try writer.addCopy(of: id, now: now) }
          added += 1
        }
        try db.passOnChanges()
        guard progress(added) else { break }
      }
      try writer.flush()
      return added
    }
  }

  /// Keeps so many MiB of pages from now on, so that indexes that are asked and filled in no order need not be read and
  /// written again and again.
  public func makeRoomForMany(_ mebibytes: Int = 32) throws {
    try db.execute(script: Array("PRAGMA cache_size = -\(mebibytes * 1024)".utf8))
  }

  /// Checks what an item would hold, before anything is done for it.
  /// - Throws: ``CatalogError/emptyTitle``, ``CatalogError/notShelved(_:)``, ``CatalogError/yearOutOfRange(_:)``,
  ///   ``CatalogError/noteTooLong(_:)``.
  public static func check(_ record: Record) throws {
    guard record.kind.isShelved else { throw CatalogError.notShelved(record.kind) }
    guard Text.line(record.title) != nil else { throw CatalogError.emptyTitle }
    if let year = record.year, year == 0 || !ReleaseYear.range.contains(year) {
      throw CatalogError.yearOutOfRange(year)
    }
    if let note = record.note?.unicodeScalars.count, note > Copy.longestNote { throw CatalogError.noteTooLong(note) }
  }

  /// The item that this record already is: the same id of a source, or the same ISBN. ``likeness(of:)`` says more.
  public func itemID(of record: Record) throws -> ItemID? { try ItemFinder(db).itemID(of: record) }
  public func itemID(of external: ExternalID) throws -> ItemID? { try ItemFinder(db).itemID(of: external) }
  public func itemID(of isbn: ISBN) throws -> ItemID? { try ItemFinder(db).itemID(of: isbn) }

  /// The records with this barcode; several pressings may share one.
  public func itemIDs(of barcode: Barcode) throws -> [ItemID] {
    try db.values(
      "SELECT item_id FROM vinyl WHERE barcode IN (\(list: Barcode.forms(of: barcode.digits))) ORDER BY item_id",
      as: Int64.self
    ).map(ItemID.init)
  }

  public func exists(_ id: ItemID) throws -> Bool {
    try db.value("SELECT 1 FROM item WHERE id = \(id.rawValue)", as: Int.self) != nil
  }

  /// Everything about one item.
  /// - Throws: ``CatalogError/noItem(_:)``.
  public func item(_ id: ItemID) throws -> Item {
    let raw = id.rawValue
    let item = try db.one("SELECT * FROM item WHERE id = \(raw)") { row in
      let kind = try Kind(rawValue: row.get("kind", as: String.self)) ?? .movie
      var record = Record(kind: kind, title: "")
      for column in Column.all(in: .item) { try column.read(row, &record) }
      return Item(
        id: id, record: record, genres: [], createdAt: Timestamp(rawValue: try row.get("created_at")),
        updatedAt: Timestamp(rawValue: try row.get("updated_at")))
    }
    guard var item else { throw CatalogError.noItem(id) }
    try readDetails(of: raw, into: &item.record)
    item.record.credits = try credits(of: raw)
    item.record.externalIDs = try db.all(
      "SELECT source, value FROM external_id WHERE item_id = \(raw) ORDER BY source, value"
    ) { ExternalID(source: try $0.get("source"), value: try $0.get("value")) }
    item.record.labels = try db.values(
      """
      SELECT label FROM item_label JOIN genre_label ON genre_label.id = label_id WHERE item_id = \(raw)
      ORDER BY position
      """)
    item.genres = try genres(of: id)
    item.favoriteSince = try db.value("SELECT added_at FROM favorite WHERE item_id = \(raw)").map(
      Timestamp.init(rawValue:))
    item.rating = try rating(of: id)
    item.wishedSince = try openWish(for: .item(id))?.createdAt
    item.tags = try db.values(
      "SELECT name FROM tag JOIN item_tag ON item_tag.tag_id = tag.id WHERE item_id = \(raw) ORDER BY key")
    item.piles = try db.values(
      "SELECT name FROM pile JOIN pile_item ON pile_item.pile_id = pile.id WHERE item_id = \(raw) ORDER BY key")
    item.hasCover = try db.value("SELECT 1 FROM cover WHERE item_id = \(raw)", as: Int.self) != nil
    return item
  }

  public func genres(of id: ItemID) throws -> [String] {
    try db.values(
      """
      SELECT genre.name FROM item_genre JOIN genre ON genre.id = genre_id WHERE item_id = \(id.rawValue)
      ORDER BY position
      """)
  }

  private func credits(of id: Int64) throws -> [Credit] {
    try db.all(
      """
      SELECT person.name, person.external_id, role, detail FROM credit JOIN person ON person.id = person_id
      WHERE item_id = \(id) ORDER BY position
      """
    ) { row in
      let external: String = try row.get("external_id")
      let parts = external.split(separator: ":", maxSplits: 1)
      return Credit(
        name: try row.get("name"), role: Credit.Role(rawValue: try row.get("role")) ?? .artist,
        detail: try row.get("detail"),
        externalID: parts.count == 2 ? ExternalID(source: String(parts[0]), value: String(parts[1])) : nil)
    }
  }

  /// What only its kind has. An item of another program's may be without.
  private func readDetails(of id: Int64, into record: inout Record) throws {
    guard let table = Table(record.kind) else { return }
    let row = try db.one("SELECT * FROM \(SQL(stringLiteral: table.rawValue)) WHERE item_id = \(id)") { $0 }
    guard let row else { return }
    for column in Column.all(in: table) { try column.read(row, &record) }
    guard record.kind == .vinyl else { return }
    record.vinyl.tracks = try db.all("SELECT position, title, seconds FROM track WHERE item_id = \(id) ORDER BY number")
    {
      Track(position: try $0.get("position"), title: try $0.get("title"), seconds: try $0.get("seconds"))
    }
  }

  /// Changes an item. `change` gets it as it is inside the write, whatever others did to it before, and only what `change`
  /// makes different is written, with who made it so. What a person typed is locked from then on, but for tags, of which no
  /// source says anything.
  /// - Parameter origin: whose values they are. The labels of a source are written too, and the genres follow them unless a
  ///   person chose them; of a person the genres are.
  /// - Returns: the item as it was, and as it is.
  /// - Throws: ``CatalogError/noItem(_:)``, what `change` throws, and what ``add(_:genres:cover:now:)`` throws of a record.
  @discardableResult
  public func change(
    _ id: ItemID, from origin: Origin = .hand, now: Timestamp, _ change: (inout Draft) throws -> Void
  ) throws -> (before: Item, after: Item) {
    try write {
      let before = try item(id)
      var draft = Draft(before)
      try change(&draft)
      try Self.check(draft.record)
      guard draft != Draft(before) else { return (before, before) }
      try changeTags(of: id, from: before.tags, to: draft.tags)
      if draft.record != before.record || draft.genres != before.genres {
        let writer = ItemWriter(db)
        try writer.update(id, from: before.record, to: draft.record, now: now)
        if origin == .hand {
          if draft.genres != before.genres { try writer.replaceGenres(of: id, with: draft.genres) }
        } else if draft.record.labels != before.record.labels {
          try writer.replaceLabels(of: id, with: draft.record)
        }
      }
      let after = try item(id)
      try noteDifferences(before, after, from: origin, now: now)
      return (before, after)
    }
  }

  /// The genres that an item's labels stand for, whatever a person chose; nil when it came without labels.
  public func labelledGenres(of id: ItemID) throws -> [String]? {
    let row = try db.one(
      "SELECT kind, EXISTS (SELECT 1 FROM item_label WHERE item_id = item.id) AS has_labels FROM item WHERE id = \(id.rawValue)"
    ) { (Kind(rawValue: try $0.get("kind", as: String.self)), try $0.get("has_labels", as: Bool.self)) }
    guard case (let kind?, true)? = row else { return nil }
    let labels = GenreLabels(db)
    let matches = try db.values(
      "SELECT label_id FROM item_label WHERE item_id = \(id.rawValue) ORDER BY position", as: Int64.self
    ).map(labels.match)
    return try ItemGenres(labels).genres(of: matches, kind: kind).compactMap {
      try db.value("SELECT name FROM genre WHERE id = \($0)")
    }
  }

  /// Whether a person chose the item's genres, so that its labels do not count.
  public func hasGenresByHand(_ id: ItemID) throws -> Bool {
    try db.value("SELECT genres_by_hand FROM item WHERE id = \(id.rawValue)") ?? false
  }

  /// Gives an item back to its labels: it has the genres that they stand for.
  public func restoreGenres(of id: ItemID) throws { try write { try ItemWriter(db).restoreGenres(of: id) } }

  /// Removes items and all that hangs on them, in one transaction.
  /// - Throws: ``CatalogError/noItem(_:)`` for the first that is not there; then none is removed.
  public func remove(_ ids: [ItemID]) throws {
    try write {
      let writer = ItemWriter(db)
      for id in ids where try !writer.remove(id) { throw CatalogError.noItem(id) }
    }
  }

  // MARK: Covers

  /// Keeps a picture as the item's cover, in place of the one it had.
  public func setCover(_ cover: Cover, of id: ItemID) throws {
    try db.run(
      """
      INSERT OR REPLACE INTO cover (item_id, bytes, media_type, width, height, source_url, etag)
      VALUES (\(id.rawValue), \(cover.bytes), \(cover.mediaType), \(cover.width), \(cover.height), \(cover.sourceURL),
        \(cover.etag))
      """)
  }

  public func cover(of id: ItemID) throws -> Cover? {
    try db.one("SELECT * FROM cover WHERE item_id = \(id.rawValue)", Cover.init(row:))
  }
}

extension Cover {
  /// A row of any table that keeps pictures.
  init(row: Row) throws {
    self.init(
      bytes: try row.get("bytes"), mediaType: try row.get("media_type"), width: try row.get("width"),
      height: try row.get("height"), sourceURL: try row.get("source_url"), etag: try row.get("etag"))
  }
}
