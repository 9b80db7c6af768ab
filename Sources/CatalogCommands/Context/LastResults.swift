internal import CatalogModel
internal import Lookup

/// The results of the last search, which `r1`, `r2`, … mean until the next.
struct LastResults: Sendable {
  /// The last results in their order; empty when there was no search yet.
  var load: @Sendable () -> [Candidate]
  /// Replaces them. False when they could not be kept.
  var save: @Sendable ([Candidate]) -> Bool
  /// Keeps all that the source of one of them knows of it, so that it is not asked again.
  var complete: @Sendable (ExternalID, Record) -> Void = { _, _ in }
}
