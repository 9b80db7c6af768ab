public import CatalogModel

/// A change to the genres of the catalog. A genre is named as people name it: by its name, or by another word for it.
public enum GenreEdit: Sendable, Hashable {
  /// The genre is called otherwise from now on. Its old name stays another word for it.
  case rename(String, to: String)
  /// These genres become one with another: their items, their labels and the genres below them go there, and their
  /// names stay other words for it.
  case merge([String], into: String)
  /// A label stands for these genres from now on, for none when it is noise: in the words of one source, or of all; for
  /// things of one kind, or of all.
  case alias(String, source: String?, kind: Kind? = nil, genres: [String])
  /// The genre stands below another one, or at the root.
  case move(String, below: String?)
}

/// What an edit of the genres changes.
public struct GenreChange: Sendable, Hashable {
  public struct Step: Sendable, Hashable {
    /// The label that gets another meaning; nil where a genre changes.
    public var label: Label?
    /// What it was: the path of a genre that moves, the name of one that is renamed or merged, the genres of a label.
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
