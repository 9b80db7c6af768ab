public import CatalogModel

/// One import of a file.
public struct ImportBatch: Sendable, Hashable, Identifiable {
  public var id: Int64
  /// The name of the format, such as `letterboxd`.
  public var format: String
  /// The name of the file, without its folder.
  public var file: String
  public var at: Timestamp
  /// The number of rows with each outcome.
  public var counts: [ImportedRow.Outcome: Int]

  public var rows: Int { counts.values.reduce(0, +) }
}

/// A row of an imported file and its outcome.
public struct ImportedRow: Sendable, Hashable {
  public enum Outcome: String, CaseIterable, Sendable {
    /// It became a new item.
    case added
    /// An existing item got values that it lacked.
    case joined
    /// It was left out, by the user or for the given reason.
    case skipped
    /// It cannot be stored.
    case rejected
  }

  public var batch: Int64
  public var line: Int
  /// The format, a blank, and the key of the row in the other program.
  public var key: String
  /// The row in a few words: `Heat (1995)`.
  public var words: String
  public var outcome: Outcome
  /// The item that the row matched or became, while it exists.
  public var item: ItemID?
  /// The reason why it was skipped or rejected, or the values that differ.
  public var reason: String?
  /// The number of copies in the row.
  var copies: Int
  /// The values that a newer export may change; nil without such values, or if an earlier version imported the row.
  var said: SaidBefore?
  var fingerprint: Int64
}

/// The decision about a row of a file.
public enum RowTarget: Sendable, Hashable {
  /// An existing item, which gets the values that it lacks.
  case item(ItemID)
  /// A new item.
  case new
  /// A new item that is another edition of an existing one.
  /// - Parameter entry: the record of the work from a local source.
  case edition(ItemID, entry: Record?)
  /// A new item with a record from a local source.
  case entry(Record)
  /// Left out, for a reason in the user's words.
  case left(String)
}

/// The data of an imported item with which sources can be queried.
public struct UnaskedThing: Sendable, Hashable {
  public var kind: Kind
  /// The sources of its ids.
  public var sources: [String]
  /// Whether its ISBN or barcode is known.
  public var hasCode: Bool
  public var hasYear: Bool
  /// Whether its director, author or artist is known.
  public var hasCreator: Bool

  public init(kind: Kind, sources: [String], hasCode: Bool, hasYear: Bool, hasCreator: Bool) {
    (self.kind, self.sources) = (kind, sources)
    (self.hasCode, self.hasYear, self.hasCreator) = (hasCode, hasYear, hasCreator)
  }
}
