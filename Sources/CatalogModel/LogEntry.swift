/// The number of an entry in the diary.
public struct LogEntryID: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  public var rawValue: Int64
  public init(rawValue: Int64) { self.rawValue = rawValue }
  public var description: String { "\(rawValue)" }
}

/// A diary entry: one time of watching, reading or playing an item.
public struct LogEntry: Sendable, Hashable, Identifiable {
  /// The outcome of a viewing or reading.
  public enum Outcome: String, CaseIterable, Sendable {
    case done, dropped
    /// Not finished yet. An item has at most one such entry.
    case ongoing
  }

  public var id: LogEntryID
  public var item: ItemID
  /// As precise as known.
  public var startedOn: PartialDate?
  /// The day on which it was finished or dropped; nil when unknown or ongoing.
  public var endedOn: PartialDate?
  public var outcome: Outcome
  /// The current or last page of a book's reader, from 1.
  public var page: Int?
  /// The place, the company and the like; opinions belong on a card. At most ``Copy/longestNote`` characters.
  public var note: String?
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
