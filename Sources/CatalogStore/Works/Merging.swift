public import CatalogModel

/// A merge of two items.
public struct Merging: Sendable, Hashable {
  /// The item that stays, before the merge.
  public var kept: Item
  /// The item that is removed.
  public var gone: Item
  /// The empty fields of the kept item that the merge fills, in field order.
  public var fields: [Filled]
  /// The numbers of rows that move from the removed item to the kept one.
  public var moves: [Move]

  public struct Filled: Sendable, Hashable {
    public var field: Field
    public var value: FieldValue
  }

  public struct Move: Sendable, Hashable {
    public var thing: Thing
    public var count: Int
  }

  /// The types of rows that can move.
  public enum Thing: String, CaseIterable, Sendable {
    case cards, copies, log, wishes, tags, piles, favorite, cover, representative, editions
  }
}
