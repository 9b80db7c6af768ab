/// The number of a copy, written `c7` to distinguish it from the number of an item.
public struct CopyID: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  public var rawValue: Int64
  public init(rawValue: Int64) { self.rawValue = rawValue }
  public var description: String { "c\(rawValue)" }

  /// Parses `c7`, in any case. Nil for anything else. `c0` is accepted, although no copy has this number.
  public init?(_ text: String) {
    let digits = text.dropFirst()
    guard text.first == "c" || text.first == "C", (1...15).contains(digits.utf8.count),
      digits.utf8.allSatisfy({ (48...57).contains($0) }), let number = Int64(digits)
    else { return nil }
    self.init(rawValue: number)
  }
}

/// A physical copy of an item that the user owns.
public struct Copy: Sendable, Hashable, Identifiable {
  /// A note has at most this many characters, of a copy as of a wish, a loan and an entry of the diary.
  public static let longestNote = 10_000
  /// The kinds whose items are owned by default: movies are seen, not owned.
  public static let usualKinds: [Kind] = [.book, .vinyl]

  public var id: CopyID
  public var item: ItemID
  public var facts: Facts
  public var createdAt: Timestamp
  /// The person who has borrowed the copy.
  public var holder: Holder?

  public init(id: CopyID, item: ItemID, facts: Facts, createdAt: Timestamp, holder: Holder? = nil) {
    (self.id, self.item, self.facts, self.createdAt, self.holder) = (id, item, facts, createdAt, holder)
  }

  /// The fields of a copy that a user edits.
  public struct Facts: Sendable, Hashable {
    /// The format in one line: `LP, 180 g`.
    public var format: String?
    /// The grade of the record itself, one of ``Grade/ordered``.
    public var media: Grade?
    public var sleeve: Grade?
    /// The place on the shelf: `K2/3`.
    public var place: String?
    /// The price paid.
    public var price: Price?
    public var acquiredOn: PartialDate?
    public var acquiredFrom: String?
    public var note: String?

    public init(
      format: String? = nil, media: Grade? = nil, sleeve: Grade? = nil, place: String? = nil, price: Price? = nil,
      acquiredOn: PartialDate? = nil, acquiredFrom: String? = nil, note: String? = nil
    ) {
      (self.format, self.media, self.sleeve, self.place) = (format, media, sleeve, place)
      (self.price, self.acquiredOn, self.acquiredFrom, self.note) = (price, acquiredOn, acquiredFrom, note)
    }

    /// Both grades as sellers write them: `VG+/VG`, of the sleeve alone `–/VG`, of the record alone `VG+`.
    public var grades: String? {
      guard media != nil || sleeve != nil else { return nil }
      return (media?.rawValue ?? "–") + (sleeve.map { "/\($0.rawValue)" } ?? "")
    }
  }

  /// The borrower of a copy.
  public struct Holder: Sendable, Hashable {
    public var person: String
    /// The day of the loan.
    public var since: PartialDate?
    /// The day on which the copy is due.
    public var due: PartialDate?

    public init(person: String, since: PartialDate? = nil, due: PartialDate? = nil) {
      (self.person, self.since, self.due) = (person, since, due)
    }
  }
}
