public import CatalogModel
internal import SQLite

extension Store {
  /// Writes that the person owns a copy of an item. Where it was wished for, the wish is fulfilled.
  /// - Throws: ``CatalogError/noItem(_:)``, ``CatalogError/noteTooLong(_:)``, ``CatalogError/sleeveOnly(_:)``.
  public func addCopy(_ facts: Copy.Facts = Copy.Facts(), of item: ItemID, now: Timestamp) throws -> Copy {
    let facts = try Self.check(facts)
    return try write {
      guard try exists(item) else { throw CatalogError.noItem(item) }
      return try copy(ItemWriter(db).own(item, facts, now: now))
    }
  }

  /// Changes what is said of a copy. `change` gets it as it is inside the write, and only what it makes different is written.
  /// - Returns: the copy as it was, and as it is.
  /// - Throws: ``CatalogError/noCopy(_:)``, what `change` throws, and what ``addCopy(_:of:now:)`` throws.
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

  /// Removes copies, all that are as they were seen, in one transaction. Their items stay, and are known, not owned, without
  /// any other copy.
  /// - Returns: those that were removed. A copy that is gone by then, or says something else, is none of them.
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

  /// The copies of all items that match, in the order in which they were added.
  /// - Parameter count: only so many, those that were added last.
  public func copies(of query: Query = Query(), newest count: Int? = nil) throws -> [Copy] {
    let condition = try condition(query)
    guard let count else { return try copies("\(condition) ORDER BY copy.id") }
    return try copies("\(condition) ORDER BY copy.id DESC LIMIT \(count)").reversed()
  }

  /// - Parameter condition: on `copy` and its `item`, and their order.
  private func copies(_ condition: SQL) throws -> [Copy] {
    try db.all(
      """
      SELECT copy.*, loan.person, loan.lent_on, loan.due_on FROM copy JOIN item ON item.id = copy.item_id
      LEFT JOIN loan ON loan.copy_id = copy.id AND loan.returned_on IS NULL WHERE \(condition)
      """, Self.copy)
  }

  /// A copy with what it is a copy of, as lists have it.
  public struct ListedCopy: Sendable, Hashable {
    public var copy: Copy
    public var kind: String
    public var title: String
    /// Those who made it, in a line.
    public var creator: String?
  }

  /// The copies of all items that match, those that were added last first.
  public func listedCopies(of query: Query = Query()) throws -> [ListedCopy] {
    try db.all(
      """
      SELECT copy.*, loan.person, loan.lent_on, loan.due_on, item.kind, item.title, item_creator.creator
      FROM copy JOIN item ON item.id = copy.item_id JOIN item_creator ON item_creator.item_id = item.id
      LEFT JOIN loan ON loan.copy_id = copy.id AND loan.returned_on IS NULL
      WHERE \(try condition(query)) ORDER BY copy.created_at DESC, copy.id DESC
      """
    ) { row in
      ListedCopy(
        copy: try Self.copy(row), kind: try row.get("kind"), title: try row.get("title"),
        creator: try row.get("creator"))
    }
  }

  /// What is said of copies in words of the person's own.
  public enum CopyWords: String, Sendable {
    case place, format
    case acquiredFrom = "acquired_from"
    case currency
  }

  /// What was said of copies so far, the most frequent first; at most a hundred.
  public func saidOfCopies(_ words: CopyWords) throws -> [String] {
    let column: SQL = "\(identifier: words.rawValue)"
    return try db.values(
      "SELECT \(column) FROM copy WHERE \(column) IS NOT NULL GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 100")
  }

  /// How many records the person owns: those with a copy.
  public func ownedRecords() throws -> Int {
    try db.value("SELECT count(*) FROM vinyl WHERE item_id IN (SELECT item_id FROM copy)") ?? 0
  }

  /// What was paid for all these copies together, of each currency on its own, by the name of the currency.
  public static func totals(of copies: [Copy]) -> [Price] {
    var sums: [String: Int] = [:]
    for price in copies.compactMap(\.facts.price) {
      // What no wallet holds another program wrote.
      let (sum, isTooMuch) = (sums[price.currency] ?? 0).addingReportingOverflow(price.minorUnits)
      sums[price.currency] = isTooMuch ? .max : sum
    }
    return sums.sorted { $0.key < $1.key }.map { Price(minorUnits: $0.value, currency: $0.key) }
  }

  /// Checks what would be said of a copy, before anything is done for it.
  /// - Returns: the facts as they would be kept.
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
