public import CatalogModel

/// The relation of a record to an existing item, independent of the source.
public enum Likeness: Sendable, Hashable {
  /// The same work: the same id, ISBN or pressing; a movie with the same title, director and year.
  case same(ItemID)
  /// Another edition of the same work: a pressing, a translation, a cut.
  case edition(ItemID)

  public var id: ItemID {
    switch self {
    case .same(let id), .edition(let id): id
    }
  }
}

/// The relation of two records or items, which ``IdentityKeys`` determines.
enum Relation: Hashable {
  case same, edition
}
