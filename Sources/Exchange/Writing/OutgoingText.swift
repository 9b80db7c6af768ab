public import CatalogModel

/// A format of text in which each item is a piece of its own: one file a format, and one line in ``all``.
public struct OutgoingText: Sendable {
  /// In lower case, as `export` takes it: `bibtex`.
  public let id: String
  public let name: String
  public let kind: Kind
  private let write: @Sendable (Outgoing) -> String

  init(_ id: String, _ name: String, of kind: Kind, write: @escaping @Sendable (Outgoing) -> String) {
    (self.id, self.name, self.kind, self.write) = (id, name, kind, write)
  }

  /// The piece of an item, with its end.
  public func text(of item: Outgoing) -> String { write(item) }

  public static let all = [bibtex, ris]
}
