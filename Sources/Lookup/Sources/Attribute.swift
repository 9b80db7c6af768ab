public import CatalogModel

/// A category of its own by which a source narrows a search. A search uses exactly one of those of its kind.
public struct Attribute: Sendable, Hashable {
  /// The word that a user types: `actor`.
  public var word: String
  /// The source's name of the category: `actorTerm`. Nil for ``all``.
  public var parameter: String?
  /// The searched part of a record, for the help.
  public var help: String

  public init(_ word: String, _ parameter: String?, _ help: String) {
    (self.word, self.parameter, self.help) = (word, parameter, help)
  }

  /// The category that narrows nothing.
  public static let all = Attribute("all", nil, "everywhere")

  public var scope: Search.Scope? { parameter.map(Search.Scope.attribute) }

  /// Whether `name` means this category: its word or the source's name, in any case.
  public func isCalled(_ name: String) -> Bool {
    let name = name.lowercased()
    return name == word || name == parameter?.lowercased()
  }
}

extension Source {
  public var kindsWithAttributes: [Kind] { kinds.filter { !attributes($0).isEmpty } }

  /// The category of a kind that is called so.
  public func attribute(_ name: String, of kind: Kind) -> Attribute? {
    attributes(kind).first { $0.isCalled(name) }
  }
}
