public import CatalogModel

/// The input for a diary entry: one time of watching, reading or playing.
public struct Occasion: Sendable, Hashable {
  public var outcome: LogEntry.Outcome
  /// The end; nil means today. An ongoing entry has no end.
  public var endedOn: PartialDate?
  /// Whether the end is unknown; for an ongoing entry, whether the start is unknown.
  public var isUndated: Bool
  /// The start; nil keeps the known start. A new ongoing entry starts today.
  public var startedOn: PartialDate?
  /// The page that the reader of a book has reached, or where they stopped.
  public var page: Int?
  public var note: String?
  /// The rating, which goes on a card together with the comment.
  public var rating: Rating?
  public var comment: String?
  /// Whether it is a new entry, even if another one is in progress.
  public var isAnother: Bool

  public init(
    _ outcome: LogEntry.Outcome = .done, endedOn: PartialDate? = nil, isUndated: Bool = false,
    startedOn: PartialDate? = nil, page: Int? = nil, note: String? = nil,
    rating: Rating? = nil, comment: String? = nil, isAnother: Bool = false
  ) {
    (self.outcome, self.endedOn, self.isUndated, self.startedOn) = (outcome, endedOn, isUndated, startedOn)
    (self.page, self.note, self.rating, self.comment, self.isAnother) = (page, note, rating, comment, isAnother)
  }

  /// Returns the diary entry.
  /// - Parameter before: the entry in progress, which this continues or ends.
  func entry(after before: LogEntry?, of item: ItemID, at localTime: LocalTime, now: Timestamp) -> LogEntry {
    let today = localTime.date(of: now)
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
      // A finished book has no current page.
      entry.page = outcome == .done ? page : page ?? entry.page
    }
    return entry
  }

  /// Appends a text as a paragraph to the previous one.
  static func adding(_ text: String?, behind before: String?) -> String? {
    guard let text = Text.lines(text) else { return before }
    return before.map { "\($0)\n\n\(text)" } ?? text
  }
}
