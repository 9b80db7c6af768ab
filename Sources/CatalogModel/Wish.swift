/// The number of a wish, written `w3`, so that nobody takes it for the number of an item.
public struct WishID: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  public var rawValue: Int64
  public init(rawValue: Int64) { self.rawValue = rawValue }
  public var description: String { "w\(rawValue)" }

  /// Reads `w3`, in any case. Nil for anything else.
  public init?(_ text: String) {
    let digits = text.dropFirst()
    guard text.first == "w" || text.first == "W", (1...15).contains(digits.utf8.count),
      digits.utf8.allSatisfy({ (48...57).contains($0) }), let number = Int64(digits), number > 0
    else { return nil }
    self.init(rawValue: number)
  }
}

/// Something that a person wants and does not own.
public struct Wish: Sendable, Hashable, Identifiable {
  /// What is wished for.
  public enum Subject: Sendable, Hashable {
    case item(ItemID)
    /// What no source knows, and perhaps of which kind it is.
    case words(String, Kind?)
  }

  /// What a person says of it.
  public struct Terms: Sendable, Hashable {
    /// The most it may cost.
    public var limit: Price?
    /// At most ``Copy/longestNote`` characters.
    public var note: String?

    public init(limit: Price? = nil, note: String? = nil) { (self.limit, self.note) = (limit, note) }
  }

  public var id: WishID
  public var subject: Subject
  public var terms: Terms
  public var createdAt: Timestamp
  /// When a copy of it came, or, of a movie, when it was seen.
  public var fulfilledAt: Timestamp?

  public init(id: WishID, subject: Subject, terms: Terms, createdAt: Timestamp, fulfilledAt: Timestamp? = nil) {
    (self.id, self.subject, self.terms, self.createdAt, self.fulfilledAt) = (id, subject, terms, createdAt, fulfilledAt)
  }
}
