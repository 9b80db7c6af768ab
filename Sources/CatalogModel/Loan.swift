/// A copy that somebody has, or had.
public struct Loan: Sendable, Hashable, Identifiable {
  public var id: Int64
  public var copy: CopyID
  public var item: ItemID
  /// Who has it.
  public var person: String
  /// The days on which it was lent, is to be back, and came back.
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
