public import CatalogModel
internal import SQLite

extension Store {
  /// Records the loan of a copy.
  /// - Parameters:
  ///   - day: the first day of the loan.
  ///   - due: the day on which it is due.
  /// - Throws: ``CatalogError/noCopy(_:)``, ``CatalogError/copyIsOut(_:_:)``, ``CatalogError/emptyName``,
  ///   ``CatalogError/dueBeforeLent(_:lent:)``, ``CatalogError/noteTooLong(_:)``.
  @discardableResult
  public func lend(
    _ copy: CopyID, to person: String, on day: PartialDate, due: PartialDate? = nil, note: String? = nil
  ) throws -> Loan {
    let person = try Self.checkName(person)
    let note = try Self.checkNote(note)
    if let due, due.description < day.description { throw CatalogError.dueBeforeLent(due, lent: day) }
    return try write {
      if let holder = try self.copy(copy).holder { throw CatalogError.copyIsOut(copy, holder) }
      try db.run(
        """
        INSERT INTO loan (copy_id, person, lent_on, due_on, note)
        VALUES (\(copy.rawValue), \(person), \(day.description), \(due?.description), \(note))
        """)
      return try loan(db.lastInsertedRowID)
    }
  }

  /// Records the return of a copy.
  /// - Throws: ``CatalogError/noCopy(_:)``, ``CatalogError/copyIsIn(_:)``, ``CatalogError/backBeforeLent(_:lent:)``.
  @discardableResult
  public func takeBack(_ copy: CopyID, on day: PartialDate) throws -> Loan {
    try write {
      _ = try self.copy(copy)
      guard let loan = try loans("loan.copy_id = \(copy.rawValue) AND loan.returned_on IS NULL").first else {
        throw CatalogError.copyIsIn(copy)
      }
      if day.description < loan.lentOn.description { throw CatalogError.backBeforeLent(day, lent: loan.lentOn) }
      try db.run("UPDATE loan SET returned_on = \(day.description) WHERE id = \(loan.id)")
      return try self.loan(loan.id)
    }
  }

  /// The open loans and optionally the returned ones, sorted by due date.
  public func loans(withReturned: Bool = false) throws -> [Loan] {
    try loans(withReturned ? "true" : "loan.returned_on IS NULL")
  }

  /// All borrowers, the latest first.
  public func borrowers() throws -> [String] {
    try db.values("SELECT person FROM loan GROUP BY person ORDER BY max(id) DESC")
  }

  private func loan(_ id: Int64) throws -> Loan {
    guard let loan = try loans("loan.id = \(id)").first else { throw CatalogError.refused("loan \(id)") }
    return loan
  }

  private func loans(_ condition: SQL) throws -> [Loan] {
    try db.all(
      """
      SELECT loan.*, copy.item_id FROM loan JOIN copy ON copy.id = loan.copy_id WHERE \(condition)
      ORDER BY returned_on IS NOT NULL, due_on IS NULL, due_on, loan.id
      """, Self.loan)
  }

  private static func loan(_ row: Row) throws -> Loan {
    guard let lentOn = try row.date("lent_on") else { throw CatalogError.refused("lent_on") }
    return Loan(
      id: try row.get("id"), copy: CopyID(rawValue: try row.get("copy_id")),
      item: ItemID(rawValue: try row.get("item_id")),
      person: try row.get("person"), lentOn: lentOn, dueOn: try row.date("due_on"),
      returnedOn: try row.date("returned_on"),
      note: try row.get("note"))
  }
}
