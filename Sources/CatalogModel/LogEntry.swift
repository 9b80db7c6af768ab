/// The number of an entry in the diary.
public struct LogEntryID: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  public var rawValue: Int64
  public init(rawValue: Int64) { self.rawValue = rawValue }
  public var description: String { "\(rawValue)" }
}

/// One time that a person watched, read or played an item.
public struct LogEntry: Sendable, Hashable, Identifiable {
  /// What became of it.
  public enum Outcome: String, CaseIterable, Sendable {
    case done, dropped
    /// Not over yet. An item has at most one such entry.
    case ongoing
  }

  public var id: LogEntryID
  public var item: ItemID
  /// As precise as it is known.
  public var startedOn: PartialDate?
  /// When it was finished or dropped; nil when nobody knows, or when it is not over.
  public var endedOn: PartialDate?
  public var outcome: Outcome
  /// Where the reader of a book is, or stopped; from 1 on.
  public var page: Int?
  /// Where, with whom: what is no opinion, which stands on a card. At most ``Copy/longestNote`` characters.
  public var note: String?
  /// The card that was written of it.
  public var card: CardID?
  public var createdAt: Timestamp

  public init(
    id: LogEntryID, item: ItemID, startedOn: PartialDate? = nil, endedOn: PartialDate? = nil, outcome: Outcome,
    page: Int? = nil, note: String? = nil, card: CardID? = nil, createdAt: Timestamp
  ) {
    self.id = id
    self.item = item
    self.startedOn = startedOn
    self.endedOn = endedOn
    self.outcome = outcome
    self.page = page
    self.note = note
    self.card = card
    self.createdAt = createdAt
  }
}
