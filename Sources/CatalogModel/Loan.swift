/// A current or past loan of a copy.
public struct Loan: Sendable, Hashable, Identifiable {
  public var id: Int64
  public var copy: CopyID
  public var item: ItemID
  /// The borrower.
  public var person: String
  /// The days of the loan, of its due date and of the return.
  public var lentOn: PartialDate
  public var dueOn: PartialDate?
  public var returnedOn: PartialDate?
  public var note: String?

  public init(
    id: Int64, copy: CopyID, item: ItemID, person: String, lentOn: PartialDate, dueOn: PartialDate? = nil,
    returnedOn: PartialDate? = nil, note: String? = nil
  ) {
    (self.id, self.copy, self.item, self.person) = (id, copy, item, person)
    (self.lentOn, self.dueOn, self.returnedOn, self.note) = (lentOn, dueOn, returnedOn, note)
  }

  /// Whether it should have been back before this day.
  public func isOverdue(on day: PartialDate) -> Bool {
    returnedOn == nil && dueOn.map { $0.description < day.description } ?? false
  }
}
