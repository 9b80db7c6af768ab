public import CatalogModel

/// One of the categories by which a source of its own narrows a search. Of those of a kind exactly one is chosen.
public struct Attribute: Sendable, Hashable {
  /// What people type: `actor`.
  public var word: String
  /// What the source calls it: `actorTerm`. Nil for the one that narrows nothing.
  public var parameter: String?
  /// Where the words are looked for.
  public var help: String

  public init(_ word: String, _ parameter: String?, _ help: String) {
    (self.word, self.parameter, self.help) = (word, parameter, help)
  }

  /// The one that narrows nothing.
  public static let all = Attribute("all", nil, "everywhere")

  /// What a search is narrowed to by it.
  public var scope: Search.Scope? { parameter.map(Search.Scope.attribute) }

  /// Whether a person means this one: by its word, or by what the source calls it, in any case.
  public func isCalled(_ name: String) -> Bool {
    let name = name.lowercased()
    return name == word || name == parameter?.lowercased()
  }
}

extension Source {
  /// The kinds that have categories.
  public var kindsWithAttributes: [Kind] { kinds.filter { !attributes($0).isEmpty } }

  /// The category of a kind that is called so.
  public func attribute(_ name: String, of kind: Kind) -> Attribute? {
    attributes(kind).first { $0.isCalled(name) }
  }
}
