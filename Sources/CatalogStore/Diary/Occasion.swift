public import CatalogModel

/// What a person says of a time that they watched, read or played something.
public struct Occasion: Sendable, Hashable {
  public var outcome: LogEntry.Outcome
  /// When it was finished or dropped; nil is today. What is ongoing has no end.
  public var endedOn: PartialDate?
  /// Nobody knows when it was finished or dropped; of what is ongoing, when it was begun.
  public var isUndated: Bool
  /// When it was begun; nil leaves what is known. What is ongoing from now on was begun today.
  public var startedOn: PartialDate?
  /// Where the reader of a book is, or stopped.
  public var page: Int?
  public var note: String?
  /// Stands on a card of its own, as do the words.
  public var rating: Rating?
  public var comment: String?
  /// Whether it is another time than the one that is in progress.
  public var isAnother: Bool

  public init(
    _ outcome: LogEntry.Outcome = .done, endedOn: PartialDate? = nil, isUndated: Bool = false,
    startedOn: PartialDate? = nil, page: Int? = nil, note: String? = nil, rating: Rating? = nil, comment: String? = nil,
    isAnother: Bool = false
  ) {
    (self.outcome, self.endedOn, self.isUndated, self.startedOn) = (outcome, endedOn, isUndated, startedOn)
    (self.page, self.note, self.rating, self.comment, self.isAnother) = (page, note, rating, comment, isAnother)
  }

  /// What the entry of it is.
  /// - Parameter before: the entry that is in progress, which this goes on with or ends.
  func entry(after before: LogEntry?, of item: ItemID, now: Timestamp) -> LogEntry {
    let today = PartialDate(now.day)
    var entry =
      before ?? LogEntry(id: LogEntryID(rawValue: 0), item: item, outcome: outcome, createdAt: now)
    entry.outcome = outcome
    entry.startedOn = startedOn ?? entry.startedOn
    entry.note = Self.adding(note, behind: entry.note)
    switch outcome {
    case .ongoing:
      if before == nil, startedOn == nil, !isUndated { entry.startedOn = today }
      entry.page = page ?? entry.page
    case .done, .dropped:
      entry.endedOn = isUndated ? nil : endedOn ?? today
      // Whoever is through is on no page.
      entry.page = outcome == .done ? page : page ?? entry.page
    }
    return entry
  }

  /// What was written before stays, and more is a paragraph behind it.
  static func adding(_ text: String?, behind before: String?) -> String? {
    guard let text = Text.lines(text) else { return before }
    return before.map { "\($0)\n\n\(text)" } ?? text
  }
}
