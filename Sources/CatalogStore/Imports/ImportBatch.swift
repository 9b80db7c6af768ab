public import CatalogModel

/// One import of a file.
public struct ImportBatch: Sendable, Hashable, Identifiable {
  public var id: Int64
  /// `letterboxd`.
  public var format: String
  /// The name of the file, without its folder.
  public var file: String
  public var at: Timestamp
  /// How many of its rows became what.
  public var counts: [ImportedRow.Outcome: Int]

  public var rows: Int { counts.values.reduce(0, +) }
}

/// A row of a file that was imported, and what became of it.
public struct ImportedRow: Sendable, Hashable {
  public enum Outcome: String, CaseIterable, Sendable {
    /// It became a new item.
    case added
    /// An item that was there got what it lacked.
    case joined
    /// It was left out, by a person or for a reason that is told.
    case skipped
    /// It cannot be kept.
    case rejected
  }

  public var batch: Int64
  public var line: Int
  /// The format, a blank, and what the other program calls the row.
  public var key: String
  /// The row in a few words: `Heat (1995)`.
  public var words: String
  public var outcome: Outcome
  /// What it was taken for, while that is there.
  public var item: ItemID?
  /// Why it was skipped or rejected, or what is said otherwise here.
  public var reason: String?
  /// How many copies the row spoke of.
  var copies: Int
  /// What it said that a newer export may say otherwise; nil where it said nothing of that, or came by an earlier version.
  var said: SaidBefore?
  var fingerprint: Int64
}

/// What a row of a file is taken for.
public enum Placement: Sendable, Hashable {
  /// Something on the shelf, which gets what it lacks.
  case item(ItemID)
  /// A new item.
  case new
  /// A new item, and another edition of one that is on the shelf.
  /// - Parameter entry: what a source that needs no network says of the work.
  case edition(ItemID, entry: Record?)
  /// A new item, of which a source that needs no network says this.
  case entry(Record)
  /// It is left out, for a reason in a person's words.
  case left(String)
}

/// By what sources can be asked about a thing that came by an import.
public struct UnaskedThing: Sendable, Hashable {
  public var kind: Kind
  /// Those that have an id for it.
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
