/// The state that a person saw when they decided on a change some time ago: a page shows it, and the command runs when
/// the form comes back. A command that would change or undo something newer is refused.
struct Seen: Sendable, Hashable {
  /// The values of the fields that were shown.
  var fields: [String: String] = [:]
  /// The number of the operation to be undone.
  var operation: Int64?
}
