internal import CatalogModel
internal import Lookup

/// The results of the last search, named `r1`, `r2`, … until the next.
struct LastResults: Sendable {
  /// Returns the results in their order; empty before the first search.
  var load: @Sendable () -> [Candidate]
  /// Replaces the results. Returns false when they could not be saved.
  var save: @Sendable ([Candidate]) -> Bool
  /// Saves the full record of a result, so that its source is not asked again.
  var complete: @Sendable (ExternalID, Record) -> Void = { _, _ in }
}
