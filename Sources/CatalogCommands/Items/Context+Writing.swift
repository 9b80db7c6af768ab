internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

extension Context {
  /// Does something to the item that a reference means. A mere result is put on its shelf first, as `add` does, in the
  /// same transaction, and that is said. It gets no copy: it is known by then, and nobody said that it is owned.
  /// - Parameter store: the catalog of ``changing()``; afterwards the one that was written.
  /// - Returns: the item; nil when nothing was written: it would have been added, or another edition is on the shelf.
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
      case .exists(let known): id = known
      // Of an edition that nobody agreed to nothing is said; a card would stand on the other one.
      case .hasEdition, nil: return nil
      }
    }
    let writable = try writable(store)
    try writable.write { try body(writable, id) }
    store = writable
    return id
  }
}
