/// The number of a wish, written `w3` to distinguish it from the number of an item.
public struct WishID: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  public var rawValue: Int64
  public init(rawValue: Int64) { self.rawValue = rawValue }
  public var description: String { "w\(rawValue)" }

  /// Parses `w3`, in any case. Nil for anything else.
  public init?(_ text: String) {
    let digits = text.dropFirst()
    guard text.first == "w" || text.first == "W", (1...15).contains(digits.utf8.count),
      digits.utf8.allSatisfy({ (48...57).contains($0) }), let number = Int64(digits), number > 0
    else { return nil }
    self.init(rawValue: number)
  }
}

/// An item that the user wants and does not own.
public struct Wish: Sendable, Hashable, Identifiable {
  /// The wanted item.
  public enum Subject: Sendable, Hashable {
    case item(ItemID)
    /// A description of an item unknown to the sources, with its kind if known.
    case words(String, Kind?)
  }

  /// The fields of a wish that a user edits.
  public struct Terms: Sendable, Hashable {
    /// The maximum price.
    public var limit: Price?
    /// At most ``Copy/longestNote`` characters.
    public var note: String?

    public init(limit: Price? = nil, note: String? = nil) { (self.limit, self.note) = (limit, note) }
  }

  public var id: WishID
  public var subject: Subject
  public var terms: Terms
  public var createdAt: Timestamp
  /// The time at which a copy was added or, for a movie, at which it was seen.
  public var fulfilledAt: Timestamp?

  public init(id: WishID, subject: Subject, terms: Terms, createdAt: Timestamp, fulfilledAt: Timestamp? = nil) {
    (self.id, self.subject, self.terms, self.createdAt, self.fulfilledAt) = (id, subject, terms, createdAt, fulfilledAt)
  }
}
