public import CatalogModel
internal import SQLite

extension Store {
  /// The outcome of adding an item.
  public enum Addition: Sendable, Hashable {
    case added(ItemID)
    /// The item existed; nothing was changed.
    case exists(ItemID)
    /// Another edition of the work exists, and the user has not agreed to a second one; nothing was changed.
    case hasEdition(ItemID)

    public var id: ItemID {
      switch self {
      case .added(let id), .exists(let id), .hasEdition(let id): id
      }
    }
  }

  /// An item to add.
  public struct NewItem {
    public var record: Record
    /// The genres that the user chose; nil for those of the record's labels.
    public var genres: [String]?
    public var cover: Cover?
    /// Whether the user owns it: then it gets a copy without facts.
    public var isOwned: Bool
    /// Whether it may be added as another edition of an existing work.
    public var mayBeEdition: Bool
    /// Further writes in the same transaction, if the item is new.
    public var alongside: (Store, ItemID) throws -> Void

    /// - Parameter isOwned: nil for the default of the kind.
    public init(
      _ record: Record, genres: [String]? = nil, cover: Cover? = nil, isOwned: Bool? = nil, mayBeEdition: Bool = true,
      alongside: @escaping (Store, ItemID) throws -> Void = { _, _ in }
    ) {
      (self.record, self.genres, self.cover) = (record, genres, cover)
      (self.mayBeEdition, self.alongside) = (mayBeEdition, alongside)
      self.isOwned = isOwned ?? Copy.usualKinds.contains(record.kind)
    }
  }

  /// Adds an item with its people, genres, ids and cover, in one transaction.
  ///
  /// Recent views of the same record become views of the item. It is linked to an existing edition of the same work.
  /// - Parameters:
  ///   - genres: the genres that the user chose; nil for those of the record's labels.
  ///   - isOwned: whether it gets a copy; nil for the default of the kind.
  /// - Throws: ``CatalogError/emptyTitle``, ``CatalogError/notShelved(_:)``, ``CatalogError/yearOutOfRange(_:)``.
  @discardableResult
  public func add(
    _ record: Record, genres: [String]? = nil, cover: Cover? = nil, isOwned: Bool? = nil, now: Timestamp
  ) throws -> Addition {
    try add(NewItem(record, genres: genres, cover: cover, isOwned: isOwned), now: now)
  }

  /// Adds an item with further data and options.
  public func add(_ item: NewItem, now: Timestamp) throws -> Addition {
    try write { try add(item, with: ItemWriter(db), now: now) }
  }

  /// Adds several items in one transaction and returns the outcome of each. The failure of one does not stop the
  /// others.
  /// - Parameter isStopped: asked before each item; after a yes no further item is begun, and those have no outcome.
  /// - Throws: ``CatalogError`` if nothing could be written.
  public func add(
    _ items: [NewItem], now: Timestamp, until isStopped: () -> Bool = { false }
  ) throws -> [Result<Addition, any Error>] {
    try write {
      var writer = ItemWriter(db)
      var outcomes: [Result<Addition, any Error>] = []
      for item in items {
        if isStopped() { break }
        do {
          outcomes.append(.success(try db.transaction { try add(item, with: writer, now: now) }))
        } catch {
          // SQLite rolled everything back, so the error concerns all items.
          guard db.isInTransaction else { throw error }
          // The cached ids of the writer may be rolled back.
          writer = ItemWriter(db)
          outcomes.append(.failure((error as? SQLiteError).map { CatalogError($0, path: path ?? "") } ?? error))
        }
      }
      return outcomes
    }
  }

  private func add(_ item: NewItem, with writer: ItemWriter, now: Timestamp) throws -> Addition {
    try Self.check(item.record)
    let likeness = try likeness(of: item.record)
    switch likeness {
    case .same(let id): return .exists(id)
    case .edition(let id) where !item.mayBeEdition, .perhaps(let id) where !item.mayBeEdition: return .hasEdition(id)
    case .edition, .perhaps, nil: break
    }
    let id = try writer.insert(item.record, genres: item.genres, now: now)
    if item.isOwned { try writer.addCopy(of: id, now: now) }
    if case .edition(let other) = likeness { try addEdition(id, to: other) }
    if let cover = item.cover { try setCover(cover, of: id) }
    try writer.adoptRecents(as: id, of: item.record.externalIDs)
    try item.alongside(self, id)
    return .added(id)
  }

  /// Adds many records in one transaction. Skips records whose ids exist.
  /// - Parameters:
  ///   - owned: the kinds whose items get a copy.
  ///   - progress: called after each record; returning false ends the call and keeps the items added so far.
  /// - Returns: the number of added items.
  public func addAll(
    _ records: some Sequence<(record: Record, genres: [String]?)>, owned: [Kind] = Copy.usualKinds, now: Timestamp,
    progress: (Int) -> Bool = { _ in true }
  ) throws -> Int {
    try makeRoomForMany()
    return try write {
      let writer = ItemWriter(db)
      var added = 0
      for (record, genres) in records {
        try Self.check(record)
        if try writer.itemID(of: record) == nil {
          let id = try writer.insert(record, genres: genres, now: now)
          if owned.contains(record.kind) { try writer.addCopy(of: id, now: now) }
          added += 1
        }
        try db.flushChanges()
        guard progress(added) else { break }
      }
      return added
    }
  }

  /// Sets the size of the page cache in MiB, so that indexes with random access are not read and written repeatedly.
  public func makeRoomForMany(_ mebibytes: Int = 32) throws {
    try db.execute(script: Array("PRAGMA cache_size = -\(mebibytes * 1024)".utf8))
  }

  /// Checks the content of an item before it is written.
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

  /// The item with an id or the ISBN of the record. ``likeness(of:)`` finds more.
  public func itemID(of record: Record) throws -> ItemID? { try ItemFinder(db).itemID(of: record) }
  public func itemID(of external: ExternalID) throws -> ItemID? { try ItemFinder(db).itemID(of: external) }
  public func itemID(of isbn: ISBN) throws -> ItemID? { try ItemFinder(db).itemID(of: isbn) }

  /// The item with this page: its address, with or without a slash at its end.
  public func itemID(ofPage address: String) throws -> ItemID? {
    let address = address.hasSuffix("/") ? String(address.dropLast()) : address
    return try db.value("SELECT id FROM item WHERE url IN (\(address), \(address + "/")) ORDER BY id", as: Int64.self)
      .map(ItemID.init)
  }

  /// The records with this barcode. Several pressings may share one.
  public func itemIDs(of barcode: Barcode) throws -> [ItemID] {
    try db.values(
      "SELECT item_id FROM vinyl WHERE barcode IN (\(list: Barcode.forms(of: barcode.digits))) ORDER BY item_id",
      as: Int64.self
    ).map(ItemID.init)
  }

  public func exists(_ id: ItemID) throws -> Bool {
    try db.value("SELECT 1 FROM item WHERE id = \(id.rawValue)", as: Int.self) != nil
  }

  /// Returns an item with all its fields.
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

  /// Reads the fields that only its kind has. An item from another program may lack them.
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

  /// Changes an item. `change` receives the item as it is within the transaction. Only differences are written, with
  /// their origin. Fields that the user changes are locked, except tags, which no source gives.
  /// - Parameter origin: the origin of the new values. From a source, labels are written too, and the genres follow
  ///   unless the user chose them. From the user, the genres are written.
  /// - Returns: the item before and after the change.
  /// - Throws: ``CatalogError/noItem(_:)``, the errors of `change`, and those of ``add(_:genres:cover:now:)`` for the
  ///   record.
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

  /// The ids that items have at a source.
  public func externalIDs(at source: String) throws -> [ExternalID] {
    try db.values("SELECT value FROM external_id WHERE source = \(source) ORDER BY value", as: String.self)
      .map { ExternalID(source: source, value: $0) }
  }

  /// The genres of an item's labels, even if the user chose others; nil for an item without labels.
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

  /// Whether the user chose the item's genres, so that its labels do not count.
  public func hasGenresByHand(_ id: ItemID) throws -> Bool {
    try db.value("SELECT genres_by_hand FROM item WHERE id = \(id.rawValue)") ?? false
  }

  /// Replaces the genres of an item with those of its labels.
  public func restoreGenres(of id: ItemID) throws { try write { try ItemWriter(db).restoreGenres(of: id) } }

  /// Removes items and all rows that belong to them, in one transaction.
  /// - Throws: ``CatalogError/noItem(_:)`` for the first missing item; then none is removed.
  public func remove(_ ids: [ItemID]) throws {
    try write {
      let writer = ItemWriter(db)
      for id in ids where try !writer.remove(id) { throw CatalogError.noItem(id) }
    }
  }

  // MARK: Covers

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
  /// Reads a cover from a row of any table with images.
  init(row: Row) throws {
    self.init(
      bytes: try row.get("bytes"), mediaType: try row.get("media_type"), width: try row.get("width"),
      height: try row.get("height"), sourceURL: try row.get("source_url"), etag: try row.get("etag"))
  }
}
