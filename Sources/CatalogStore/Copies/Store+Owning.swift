public import CatalogModel
internal import SQLite

extension Store {
  /// Adds a copy of an item. An open wish for the item is fulfilled.
  /// - Throws: ``CatalogError/noItem(_:)``, ``CatalogError/noteTooLong(_:)``, ``CatalogError/sleeveOnly(_:)``.
  public func addCopy(_ facts: Copy.Facts = Copy.Facts(), of item: ItemID, now: Timestamp) throws -> Copy {
    let facts = try Self.check(facts)
    return try write {
      guard try exists(item) else { throw CatalogError.noItem(item) }
      return try copy(ItemWriter(db).addCopy(of: item, facts, now: now))
    }
  }

  /// Changes the facts of a copy. `change` receives them as they are within the transaction. Only differences are
  /// written.
  /// - Returns: the copy before and after the change.
  /// - Throws: ``CatalogError/noCopy(_:)``, the errors of `change`, and those of ``addCopy(_:of:now:)``.
  @discardableResult
  public func changeCopy(
    _ id: CopyID, _ change: (inout Copy.Facts) throws -> Void
  ) throws -> (before: Copy, after: Copy) {
    try write {
      let before = try copy(id)
      var facts = before.facts
      try change(&facts)
      facts = try Self.check(facts)
      let old = before.facts
      var changes: [SQL] = []
      if facts.format != old.format { changes.append("format = \(facts.format)") }
      if facts.media != old.media { changes.append("media_grade = \(facts.media?.rawValue)") }
      if facts.sleeve != old.sleeve { changes.append("sleeve_grade = \(facts.sleeve?.rawValue)") }
      if facts.place != old.place { changes.append("place = \(facts.place)") }
      if facts.price != old.price {
        changes.append("price = \(facts.price?.minorUnits), currency = \(facts.price?.currency)")
      }
      if facts.acquiredOn != old.acquiredOn { changes.append("acquired_on = \(facts.acquiredOn?.description)") }
      if facts.acquiredFrom != old.acquiredFrom { changes.append("acquired_from = \(facts.acquiredFrom)") }
      if facts.note != old.note { changes.append("note = \(facts.note)") }
      guard !changes.isEmpty else { return (before, before) }
      try db.run("UPDATE copy SET \(changes.joined(separator: ", ")) WHERE id = \(id.rawValue)")
      return (before, try copy(id))
    }
  }

  /// Removes the copies that still equal the given ones, in one transaction. Their items stay. An item without copies
  /// is known but not owned.
  /// - Returns: the removed copies. Copies that are gone or have changed are left out.
  @discardableResult
  public func removeCopies(_ seen: [Copy]) throws -> [Copy] {
    try write {
      try seen.filter { copy in
        guard try copies("copy.id = \(copy.id.rawValue)").first == copy else { return false }
        return try db.run("DELETE FROM copy WHERE id = \(copy.id.rawValue)") > 0
      }
    }
  }

  /// - Throws: ``CatalogError/noCopy(_:)``.
  public func copy(_ id: CopyID) throws -> Copy {
    guard let copy = try copies("copy.id = \(id.rawValue)").first else { throw CatalogError.noCopy(id) }
    return copy
  }

  /// The copies of one item, in the order in which they were added.
  public func copies(of item: ItemID) throws -> [Copy] {
    try copies("copy.item_id = \(item.rawValue) ORDER BY copy.id")
  }

  /// The copies of all matching items, in the order in which they were added.
  /// - Parameter count: limits the result to the copies added last.
  public func copies(of query: Query = Query(), newest count: Int? = nil) throws -> [Copy] {
    let condition = try condition(query)
    guard let count else { return try copies("\(condition) ORDER BY copy.id") }
    return try copies("\(condition) ORDER BY copy.id DESC LIMIT \(count)").reversed()
  }

  /// - Parameter condition: a condition on `copy` and its `item`, with an order.
  private func copies(_ condition: SQL) throws -> [Copy] {
    try db.all(
      """
      SELECT copy.*, loan.person, loan.lent_on, loan.due_on FROM copy JOIN item ON item.id = copy.item_id
      LEFT JOIN loan ON loan.copy_id = copy.id AND loan.returned_on IS NULL WHERE \(condition)
      """, Self.copy)
  }

  /// A copy with the data of its item for lists.
  public struct ListedCopy: Sendable, Hashable {
    public var copy: Copy
    public var kind: String
    public var title: String
    /// The makers of the item.
    public var creators: [String]
  }

  /// The copies of all matching items, the latest first.
  public func listedCopies(of query: Query = Query()) throws -> [ListedCopy] {
    try db.all(
      """
      SELECT copy.*, loan.person, loan.lent_on, loan.due_on, item.kind, item.title,
        \(Field.creator.listed) AS creators
      FROM copy JOIN item ON item.id = copy.item_id
      LEFT JOIN loan ON loan.copy_id = copy.id AND loan.returned_on IS NULL
      WHERE \(try condition(query)) ORDER BY copy.created_at DESC, copy.id DESC
      """
    ) { row in
      ListedCopy(
        copy: try Self.copy(row), kind: try row.get("kind"), title: try row.get("title"),
        creators: try row.texts("creators"))
    }
  }

  /// The fields of copies in which the user types free text.
  public enum CopyWords: String, Sendable {
    case place, format
    case acquiredFrom = "acquired_from"
    case currency
  }

  /// The values of a field of copies so far, the most frequent first, at most a hundred.
  public func saidOfCopies(_ words: CopyWords) throws -> [String] {
    let column: SQL = "\(identifier: words.rawValue)"
    return try db.values(
      "SELECT \(column) FROM copy WHERE \(column) IS NOT NULL GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 100")
  }

  /// The number of records with a vinyl copy: not those owned only as CDs, cassettes or files.
  public func ownedRecords() throws -> Int {
    let formats = try db.values(
      """
      SELECT DISTINCT coalesce(copy.format, vinyl.format) AS format FROM copy JOIN vinyl USING (item_id)
      WHERE coalesce(copy.format, vinyl.format) IS NOT NULL
      """, as: String.self)
    let others = formats.filter { !RecordFormat.isVinyl($0) }
    return try db.value(
      """
      SELECT count(DISTINCT item_id) FROM copy JOIN vinyl USING (item_id)
      WHERE ifnull(coalesce(copy.format, vinyl.format) NOT IN (\(list: others)), true)
      """) ?? 0
  }

  /// The total price of copies for each currency, sorted by the code of the currency.
  public static func totals(of copies: [Copy]) -> [Price] {
    var sums: [String: Int] = [:]
    for price in copies.compactMap(\.facts.price) {
      // Another program may have written absurd amounts.
      let (sum, isTooMuch) = (sums[price.currency] ?? 0).addingReportingOverflow(price.minorUnits)
      sums[price.currency] = isTooMuch ? .max : sum
    }
    return sums.sorted { $0.key < $1.key }.map { Price(minorUnits: $0.value, currency: $0.key) }
  }

  /// Checks the facts of a copy before they are written.
  /// - Returns: the facts in their stored form.
  /// - Throws: ``CatalogError/noteTooLong(_:)``, ``CatalogError/sleeveOnly(_:)``.
  public static func check(_ facts: Copy.Facts) throws -> Copy.Facts {
    var facts = facts
    if let media = facts.media, !media.isOfMedia { throw CatalogError.sleeveOnly(media) }
    facts.format = try checkLine(facts.format)
    facts.place = try checkLine(facts.place)
    facts.acquiredFrom = try checkLine(facts.acquiredFrom)
    facts.note = try checkNote(facts.note)
    return facts
  }

  private static func copy(_ row: Row) throws -> Copy {
    func grade(_ column: String) throws -> Grade? {
      try row.get(column, as: String?.self).flatMap(Grade.init(rawValue:))
    }
    let facts = Copy.Facts(
      format: try row.get("format"), media: try grade("media_grade"), sleeve: try grade("sleeve_grade"),
      place: try row.get("place"), price: try row.price("price"), acquiredOn: try row.date("acquired_on"),
      acquiredFrom: try row.get("acquired_from"), note: try row.get("note"))
    let (since, due) = (try row.date("lent_on"), try row.date("due_on"))
    return Copy(
      id: CopyID(rawValue: try row.get("id")), item: ItemID(rawValue: try row.get("item_id")), facts: facts,
      createdAt: Timestamp(rawValue: try row.get("created_at")),
      holder: try row.get("person", as: String?.self).map { Copy.Holder(person: $0, since: since, due: due) })
  }
}
