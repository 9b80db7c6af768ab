internal import CatalogStore
internal import CommandLineKit

extension Context {
  /// Adds a suggestion to the error about an unknown tag, pile or saved query.
  func suggesting<T>(in store: Store, _ body: () throws -> T) throws -> T {
    do { return try body() } catch let error as CatalogError {
      throw try absence(error, in: store) ?? error
    }
  }

  /// The failure for an unknown tag, pile or saved query, with a suggestion; nil for another error.
  func absence(_ error: CatalogError, in store: Store) throws -> Failure? {
    let (name, names): (String, [String])
    switch error {
    case .noTag(let typed): (name, names) = (typed, try store.tags().map(\.name))
    case .noPile(let typed): (name, names) = (typed, try store.piles().map(\.name))
    case .noSavedQuery(let typed): (name, names) = (typed, try store.savedQueries().names)
    default: return nil
    }
    var failure = Failure(error)
    failure.message += Suggestion.phrase(for: name, among: names)
    return failure
  }

  /// Tells which saved queries still ask for a tag or pile that is gone.
  func tellQueries(asking field: Field, for name: String, in store: Store) throws {
    for query in try store.queries(asking: field, for: name) {
      note(
        Failure(
          "the saved query \(("@" + query.name).quoted) still asks for \((field.word + ":" + name).quoted)",
          hint: "change it: catalog shelf save \(query.name.shellWord) QUERY --yes"))
    }
  }
}
