public import CatalogModel

/// The relation of a record to an existing item, independent of the source.
public enum Likeness: Sendable, Hashable {
  /// The same work: the same id, ISBN or pressing; a movie with the same title, director and year.
  case same(ItemID)
  /// Another edition of the same work: a pressing, a translation, a cut.
  case edition(ItemID)
  /// Perhaps the same work: only a person can tell.
  case perhaps(ItemID)

  public var id: ItemID {
    switch self {
    case .same(let id), .edition(let id), .perhaps(let id): id
    }
  }

  /// Nil for another work, and for a film of one title and year by other people. Two books or records of one work are
  /// editions until a code says that they are one.
  init?(_ found: WorkIdentity.Comparison, _ kind: Kind, _ id: ItemID) {
    switch found.outcome {
    case .same where found.code == .edition || kind == .movie && found.years == 0: self = .same(id)
    case .same, .edition: self = .edition(id)
    case .perhaps where kind == .movie && found.code == .none && found.makers == .none: return nil
    case .perhaps: self = .perhaps(id)
    case .other: return nil
    }
  }
}
