internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

extension Context {
  /// Does something to the item that a reference means. A mere result is put on its shelf first, as `add` does, in the
  /// same transaction, and that is said.
  /// - Returns: the item; nil when nothing is to be changed and it would have been added.
  @discardableResult
  func write(to target: Target, _ body: @escaping (Store, ItemID) throws -> Void) throws -> ItemID? {
    switch target {
    case .item(let id):
      let store = try writing()
      try store.write { try body(store, id) }
      return id
    case .candidate(let candidate):
      switch try Addition(context: self, alongside: body).shelve(candidate) {
      case .added(let id): return id
      case .exists(let id): return try write(to: .item(id), body)
      case nil: return nil
      }
    }
  }
}
