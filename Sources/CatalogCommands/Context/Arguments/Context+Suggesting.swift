internal import CatalogStore
internal import CommandLineKit

extension Context {
  /// Adds a suggestion to the error about an unknown tag, pile or saved query.
  func suggesting<T>(in store: Store, _ body: () throws -> T) throws -> T {
    do { return try body() } catch let error as CatalogError {
      let (name, names): (String, [String])
      switch error {
      case .noTag(let typed): (name, names) = (typed, try store.tags().map(\.name))
      case .noPile(let typed): (name, names) = (typed, try store.piles().map(\.name))
      case .noSavedQuery(let typed): (name, names) = (typed, try store.savedQueries().names)
      default: throw error
      }
      var failure = Failure(error)
      failure.message += Suggestion.phrase(for: name, among: names)
      throw failure
    }
  }
}
