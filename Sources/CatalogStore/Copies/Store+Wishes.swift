public import CatalogModel
internal import SQLite

extension Store {
  /// Wishes for something. What is wished for already keeps its wish; only what `change` makes different of its limit and its
  /// note is written.
  /// - Returns: the wish as it was, when there was one, and as it is.
  /// - Throws: ``CatalogError/noItem(_:)``, ``CatalogError/emptyWish``, ``CatalogError/noteTooLong(_:)``, what `change` throws.
  @discardableResult
  public func wish(
    for subject: Wish.Subject, now: Timestamp, _ change: (inout Wish.Terms) throws -> Void = { _ in }
  ) throws -> (before: Wish?, after: Wish) {
    try write {
      let before = try openWish(for: subject)
      var terms = before?.terms ?? Wish.Terms()
      try change(&terms)
      terms = try Self.check(terms)
      if let before {
        guard terms != before.terms else { return (before, before) }
        try db.run(
          """
          UPDATE wish SET price_limit = \(terms.limit?.minorUnits), currency = \(terms.limit?.currency), note = \(terms.note)
          WHERE id = \(before.id.rawValue)
          """)
        return (before, try wish(before.id))
      }
      var (item, words, kind): (ItemID?, String?, Kind?)
      switch subject {
      case .item(let id):
        guard try exists(id) else { throw CatalogError.noItem(id) }
        item = id
      case .words(let text, let of):
        guard let line = try Self.checkLine(text) else { throw CatalogError.emptyWish }
        if let of, !of.isShelved { throw CatalogError.notShelved(of) }
        (words, kind) = (line, of)
      }
      try db.run(
        """
        INSERT INTO wish (item_id, words, kind, price_limit, currency, note, created_at)
        VALUES (\(item?.rawValue), \(words), \(kind?.rawValue), \(terms.limit?.minorUnits), \(terms.limit?.currency),
          \(terms.note), \(now.rawValue))
        """)
      return (nil, try wish(WishID(rawValue: db.lastInsertedRowID)))
    }
  }

  /// - Throws: ``CatalogError/noWish(_:)``.
  public func wish(_ id: WishID) throws -> Wish {
    guard let wish = try wishes("id = \(id.rawValue)").first else { throw CatalogError.noWish(id) }
    return wish
  }

  /// Those that are open, and perhaps those that were fulfilled, the newest first.
  public func wishes(withFulfilled: Bool = false) throws -> [Wish] {
    try wishes(withFulfilled ? "true" : "fulfilled_at IS NULL")
  }

  /// The wish for this that is open. Words are the same without regard to case, accents and signs.
  public func openWish(for subject: Wish.Subject) throws -> Wish? {
    switch subject {
    case .item(let item): return try wishes("item_id = \(item.rawValue) AND fulfilled_at IS NULL").first
    case .words(let words, let kind):
      let key = Folding.labelKey(words)
      return try openWords().first { wish in
        guard case .words(let others, let other) = wish.subject else { return false }
        return Folding.labelKey(others) == key && (other == kind || other == nil || kind == nil)
      }
    }
  }

  /// The open wishes by words that have all these, in the order in which they were made.
  public func openWishes(matching words: String) throws -> [Wish] {
    let parts = words.split(whereSeparator: \.isWhitespace).map { "catalog_contains(words, \(String($0)))" as SQL }
    guard !parts.isEmpty else { return [] }
    return try openWords(parts.joined(separator: " AND ")).reversed()
  }

  /// The open wishes by words that a thing may be meant by: all their words are in its titles and names.
  public func wishes(fitting record: Record) throws -> [Wish] {
    let wishes = try openWords()
    guard !wishes.isEmpty else { return [] }
    let texts = [record.title, record.originalTitle].compactMap(\.self) + record.otherTitles + record.creators
    let known = Folding.fold(texts.joined(separator: " "))
    return wishes.filter { wish in
      guard case .words(let words, let kind) = wish.subject, kind == nil || kind == record.kind else { return false }
      return Folding.fold(words).split(separator: " ").allSatisfy { SearchText.hasWords(known, String($0)) }
    }
  }

  private func openWords(_ condition: SQL = "true") throws -> [Wish] {
    // Words have no item, by which the index of open wishes finds them.
    try wishes("item_id IS NULL AND fulfilled_at IS NULL AND \(condition)")
  }

  private func wishes(_ condition: SQL) throws -> [Wish] {
    try db.all("SELECT * FROM wish WHERE \(condition) ORDER BY created_at DESC, id DESC", Self.wish)
  }

  /// Removes wishes, all that are as they were seen, in one transaction.
  /// - Returns: those that were removed. A wish that is gone by then, or says something else, is none of them.
  @discardableResult
  public func removeWishes(_ seen: [Wish]) throws -> [Wish] {
    try write {
      try seen.filter { wish in
        guard try wishes("id = \(wish.id.rawValue)").first == wish else { return false }
        return try db.run("DELETE FROM wish WHERE id = \(wish.id.rawValue)") > 0
      }
    }
  }

  /// Makes a wish by words one for an item. Of an item that is owned it is fulfilled.
  /// - Throws: ``CatalogError/noWish(_:)``, ``CatalogError/noItem(_:)``, ``CatalogError/wishIsTied(_:)``,
  ///   ``CatalogError/wishedAlready(_:by:)``.
  @discardableResult
  public func tie(_ id: WishID, to item: ItemID, now: Timestamp) throws -> Wish {
    try write {
      guard case .words = try wish(id).subject else { throw CatalogError.wishIsTied(id) }
      guard try exists(item) else { throw CatalogError.noItem(item) }
      if let other = try openWish(for: .item(item)) { throw CatalogError.wishedAlready(item, by: other.id) }
      try db.run(
        """
        UPDATE wish SET item_id = \(item.rawValue), words = NULL, kind = NULL,
          fulfilled_at = CASE WHEN \(try isOwned(item)) THEN coalesce(fulfilled_at, \(now.rawValue)) ELSE fulfilled_at END
        WHERE id = \(id.rawValue)
        """)
      return try wish(id)
    }
  }

  /// Whether there is a copy of an item.
  public func isOwned(_ item: ItemID) throws -> Bool {
    try db.value("SELECT EXISTS (SELECT 1 FROM copy WHERE item_id = \(item.rawValue))") ?? false
  }

  /// Checks what would be said of a wish, before anything is done for it.
  /// - Returns: the terms as they would be kept.
  /// - Throws: ``CatalogError/noteTooLong(_:)``.
  @discardableResult
  public static func check(_ terms: Wish.Terms) throws -> Wish.Terms {
    var terms = terms
    terms.note = try checkNote(terms.note)
    return terms
  }

  private static func wish(_ row: Row) throws -> Wish {
    let kind = try row.get("kind", as: String?.self).flatMap(Kind.init(rawValue:))
    return Wish(
      id: WishID(rawValue: try row.get("id")),
      subject: try row.get("item_id", as: Int64?.self).map { .item(ItemID(rawValue: $0)) }
        ?? .words(try row.get("words", as: String?.self) ?? "", kind),
      terms: Wish.Terms(limit: try row.price("price_limit"), note: try row.get("note")),
      createdAt: Timestamp(rawValue: try row.get("created_at")),
      fulfilledAt: try row.get("fulfilled_at", as: String?.self).map(Timestamp.init(rawValue:)))
  }

  // MARK: Mere wishes

  /// The items that are wished for and neither owned nor ever watched, read or played.
  private static let mereWishes: SQL = """
    SELECT item_id FROM wish WHERE item_id IS NOT NULL AND fulfilled_at IS NULL
      AND NOT EXISTS (SELECT 1 FROM copy WHERE copy.item_id = wish.item_id)
      AND NOT EXISTS (SELECT 1 FROM event WHERE event.item_id = wish.item_id AND event.outcome = 'done')
    """

  /// Whether an item is on a shelf and no mere wish: a condition on `item`.
  static let isNoMereWish: SQL = "item.id NOT IN (\(mereWishes))"

  /// The items that are only wished for.
  public func idsOfMereWishes() throws -> Set<ItemID> {
    Set(try db.values("SELECT item_id FROM (\(Self.mereWishes))", as: Int64.self).map { ItemID(rawValue: $0) })
  }

  func hasMereWishes() throws -> Bool { try db.value("SELECT EXISTS (\(Self.mereWishes))", as: Bool.self) ?? false }
}
