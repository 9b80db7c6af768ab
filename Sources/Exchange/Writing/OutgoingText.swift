public import CatalogModel

/// A text format with a separate piece for each item. Each format has its own file and a line in ``all``.
public struct OutgoingText: Sendable {
  /// The id in lower case, for `export`: `bibtex`.
  public let id: String
  public let name: String
  public let kind: Kind
  private let write: @Sendable (Outgoing, _ clean: (String) -> String) -> String

  init(
    _ id: String, _ name: String, of kind: Kind,
    write: @escaping @Sendable (Outgoing, _ clean: (String) -> String) -> String
  ) {
    (self.id, self.name, self.kind, self.write) = (id, name, kind, write)
  }

  /// The piece of an item, with its terminator.
  /// - Parameter clean: makes a value harmless where the piece is shown. What a value leaves open must end with it:
  ///   behind it stands the syntax of the format.
  public func text(of item: Outgoing, clean: (String) -> String) -> String { write(item, clean) }

  public static let all = [bibtex, ris]
}
