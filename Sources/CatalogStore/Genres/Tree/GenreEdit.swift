public import CatalogModel

/// A change to the genres of the catalog. Genres are given by name or alias.
public enum GenreEdit: Sendable, Hashable {
  /// Renames the genre. Its old name becomes an alias.
  case rename(String, to: String)
  /// Merges these genres into another one, which gets their items, their labels and the genres below them. Their names
  /// become aliases.
  case merge([String], into: String)
  /// Maps a label to these genres, or to none if it is noise: for one source or all, and for items of one kind or all.
  case alias(String, source: String?, kind: Kind? = nil, genres: [String])
  /// Moves the genre below another one, or to the root.
  case move(String, below: String?)
}

/// The changes that an edit of the genres makes.
public struct GenreChange: Sendable, Hashable {
  public struct Step: Sendable, Hashable {
    /// The label that gets another meaning; nil where a genre changes.
    public var label: Label?
    /// The value before: the path of a moved genre, the name of a renamed or merged one, or the genres of a label.
    public var before: [String]
    public var after: [String]
  }

  public struct Label: Sendable, Hashable {
    /// `any` for a word that holds for every source.
    public var source: String
    /// The only kind that it holds for; nil for all.
    public var kind: Kind?
    public var label: String

    public init(source: String, kind: Kind? = nil, label: String) {
      (self.source, self.kind, self.label) = (source, kind, label)
    }
  }

  public var steps: [Step] = []
  /// The labels that lead to the genres that change.
  public var labels: [Label] = []
  /// The genres that move along because the one above them goes.
  public var children: [String] = []
  /// Items that get other genres, or one of whose genres gets another name or place.
  public var items = 0
  /// Items that carry the label and stay as they are, because a person chose their genres.
  public var itemsByHand = 0

  /// Nothing changes: all is as the edit wants it.
  public var isEmpty: Bool { steps.isEmpty }
}
