internal import CatalogModel
internal import CommandLineKit
internal import Lookup

/// The choice of `--attribute NAME`: a category of the source that has such, and the kinds to search in it.
struct AttributeChoice {
  var source: Source
  var kinds: [Kind]
  /// The scope of the search; nil for `all`, which has no limit.
  var scope: Search.Scope?
  /// The name of the category for people; nil for `all`.
  var word: String?

  /// - Parameters:
  ///   - attribute: the name of the category: `actor`, `actorTerm`.
  ///   - kinds: the kinds that the person chose; each must have the category.
  ///   - usual: the default kinds, if each has the category; without them the name must fit just one kind.
  ///   - wanted: the source that the person chose.
  init(
    _ attribute: AttributeName, kinds: [Kind]?, usual: [Kind]?, source wanted: Source?, in context: Context
  ) throws {
    let owners = context.sources.filter { !$0.kindsWithAttributes.isEmpty }
    guard let source = owners.first(where: { wanted == nil || $0.id == wanted?.id }) else {
      throw UsageError(
        "\(wanted?.name ?? "no source") has no attributes",
        hint: "\(owners.map(\.name).joined(separator: ", ")) has some: leave --source out")
    }
    self.source = source
    let name = attribute.name
    let all = source.kindsWithAttributes
    let fitting = all.filter { source.attribute(name, of: $0) != nil }
    if let kinds {
      let others = kinds.filter { !fitting.contains($0) }
      guard others.isEmpty else {
        throw UsageError(
          "\(name.quoted) is not an attribute of \(others.plurals)",
          hint: "it is one of \(fitting.plurals); \(Self.hint)")
      }
      self.kinds = kinds
    } else if let usual, usual.allSatisfy(fitting.contains) {
      self.kinds = usual
    } else if fitting.count == 1 {
      self.kinds = fitting
    } else {
      throw UsageError(
        "\(name.quoted) is an attribute of \(fitting.plurals)",
        hint: "say which with --kind \(fitting.map(\.rawValue).joined(separator: ","))")
    }
    // A category has the same name for all kinds that have it.
    let attribute = self.kinds.first.flatMap { source.attribute(name, of: $0) }
    scope = attribute?.scope
    word = scope == nil ? nil : attribute?.word
  }

  private static let hint = "'catalog help itunes' lists them all"
}
