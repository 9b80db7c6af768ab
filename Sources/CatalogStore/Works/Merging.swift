public import CatalogModel

/// What becomes of two items that are one.
public struct Merging: Sendable, Hashable {
  /// The one that stays, as it was.
  public var kept: Item
  /// The one that goes.
  public var gone: Item
  /// What the one that stays lacks, and gets: fields in their order, with the values.
  public var fields: [Filled]
  /// What hangs on the one that goes, and from then on on the other: how many of each, none left out.
  public var moves: [Move]

  public struct Filled: Sendable, Hashable {
    public var field: Field
    public var value: FieldValue
  }

  public struct Move: Sendable, Hashable {
    public var thing: Thing
    public var count: Int
  }

  /// What can hang on an item.
  public enum Thing: String, CaseIterable, Sendable {
    case cards, copies, log, wishes, tags, piles, favorite, cover, representative, editions
  }
}
