public import CatalogModel

/// What of the shelf something is, whichever source tells of it.
public enum Likeness: Sendable, Hashable {
  /// The same thing: the same id, ISBN or pressing; a movie of one title, director and year.
  case same(ItemID)
  /// Another edition of the same work: a pressing, a translation, a cut.
  case edition(ItemID)

  public var id: ItemID {
    switch self {
    case .same(let id), .edition(let id): id
    }
  }
}

/// What two things have to do with each other. ``WorkSigns`` says which.
enum Relation: Hashable {
  case same, edition
}
