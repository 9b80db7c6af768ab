internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

extension Context {
  /// Does something to the item that a reference means. A mere result is put on its shelf first, as `add` does, in the
  /// same transaction, and that is said. It gets no copy: it is known by then, and nobody said that it is owned.
  /// - Parameter store: the catalog of ``changing()``; afterwards the one that was written.
  /// - Returns: the item; nil when nothing is to be changed and it would have been added.
  @discardableResult
  func write(
    to target: Target, in store: inout Store, _ body: @escaping (Store, ItemID) throws -> Void
  ) throws -> ItemID? {
    let id: ItemID
    switch target {
    case .item(let known): id = known
    case .candidate(let candidate):
      var addition = Addition(Addition.Request(isOwned: false), to: store, in: self, alongside: body)
      let added = try addition.shelve(candidate)
      store = addition.store
      switch added {
      case .added(let id): return id
      case .exists(let known), .hasEdition(let known): id = known
      case nil: return nil
      }
    }
    let writable = try writable(store)
    try writable.write { try body(writable, id) }
    store = writable
    return id
  }
}
