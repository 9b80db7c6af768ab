public import CatalogModel
internal import SQLite

extension Store {
  /// Adds a wish. An open wish for the same subject stays, and only differences in its limit and note are written.
  /// - Returns: the wish before the change, if there was one, and after it.
  /// - Throws: ``CatalogError/noItem(_:)``, ``CatalogError/emptyWish``, ``CatalogError/noteTooLong(_:)``, and the
  ///   errors of `change`.
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

  /// The open wishes and optionally the fulfilled ones, the newest first.
  public func wishes(withFulfilled: Bool = false) throws -> [Wish] {
    try wishes(withFulfilled ? "true" : "fulfilled_at IS NULL")
  }

  /// The wishes for items that a query selects, and those whose words it selects as a title.
  public func wishes(matching query: Query, withFulfilled: Bool) throws -> [Wish] {
    let all = try wishes(withFulfilled: withFulfilled)
    guard !query.isEverything else { return all }
    let ids = try Set(ids(query))
    let titles = all.compactMap { wish -> Record? in
      guard case .words(let words, let kind?) = wish.subject else { return nil }
      return Record(kind: kind, title: words)
    }
    var isMatch = try Store.matches(of: query, among: titles)[...]
    return all.filter { wish in
      switch wish.subject {
      case .item(let id): ids.contains(id)
      case .words(_, let kind): kind != nil && isMatch.popFirst() == true
      }
    }
  }

  /// The open wish for this subject. Words are compared without case, accents and punctuation.
  public func openWish(for subject: Wish.Subject) throws -> Wish? {
    switch subject {
    case .item(let item): return try wishes("item_id = \(item.rawValue) AND fulfilled_at IS NULL").first
    case .words(let words, let kind):
      let key = Folding.nameKey(words)
      return try openWords().first { wish in
        guard case .words(let others, let other) = wish.subject else { return false }
        return Folding.nameKey(others) == key && (other == kind || other == nil || kind == nil)
      }
    }
  }

  /// The open wishes in words that contain all these words, oldest first.
  public func openWishes(matching words: String) throws -> [Wish] {
    let parts = words.split(whereSeparator: \.isWhitespace).map { "catalog_contains(words, \(String($0)))" as SQL }
    guard !parts.isEmpty else { return [] }
    return try openWords(parts.joined(separator: " AND ")).reversed()
  }

  /// The open wishes in words that fit a record: all their words occur in its titles and names.
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
    // The index of open wishes finds them by their missing item.
    try wishes("item_id IS NULL AND fulfilled_at IS NULL AND \(condition)")
  }

  private func wishes(_ condition: SQL) throws -> [Wish] {
    try db.all("SELECT * FROM wish WHERE \(condition) ORDER BY created_at DESC, id DESC", Self.wish)
  }

  /// Removes the wishes that still equal the given ones, in one transaction.
  /// - Returns: the removed wishes. Wishes that are gone or have changed are left out.
  @discardableResult
  public func removeWishes(_ seen: [Wish]) throws -> [Wish] {
    try write {
      try seen.filter { wish in
        guard try wishes("id = \(wish.id.rawValue)").first == wish else { return false }
        return try db.run("DELETE FROM wish WHERE id = \(wish.id.rawValue)") > 0
      }
    }
  }

  /// Turns a wish in words into one for an item. If the item is owned, the wish is fulfilled.
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

  /// Whether the item has a copy.
  public func isOwned(_ item: ItemID) throws -> Bool {
    try db.value("SELECT EXISTS (SELECT 1 FROM copy WHERE item_id = \(item.rawValue))") ?? false
  }

  /// Checks the terms of a wish before they are written.
  /// - Returns: the terms in their stored form.
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

  /// The items of which ``Query/Condition/isMereWish`` holds, found by their wishes.
  private static let mereWishes: SQL = """
    SELECT item_id FROM wish WHERE item_id IS NOT NULL AND fulfilled_at IS NULL
      AND NOT EXISTS (SELECT 1 FROM copy WHERE copy.item_id = wish.item_id)
      AND NOT EXISTS (SELECT 1 FROM event WHERE event.item_id = wish.item_id AND event.outcome = 'done')
    """

  /// A condition on `item`: it is on a shelf, not merely wished for.
  static let isNoMereWish: SQL = "item.id NOT IN (\(mereWishes))"

  /// The items that are only wished for.
  public func idsOfMereWishes() throws -> Set<ItemID> {
    Set(try db.values("SELECT item_id FROM (\(Self.mereWishes))", as: Int64.self).map { ItemID(rawValue: $0) })
  }

  func hasMereWishes() throws -> Bool { try db.value("SELECT EXISTS (\(Self.mereWishes))", as: Bool.self) ?? false }
}
