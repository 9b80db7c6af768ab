internal import CatalogStore
internal import CommandLineKit

extension Argument {
  /// The words of a query.
  static func query(
    _ path: @autoclosure @escaping LazyPath<[String]>, isRequired: Bool = false,
    help: String = "Words and field:value terms: see 'catalog help query'."
  ) -> Argument {
    .positional("query", path(), isRequired: isRequired, completion: .dynamic("query"), help: help).terms(Query.names)
  }
}
