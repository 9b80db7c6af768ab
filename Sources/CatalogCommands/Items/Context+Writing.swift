internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

extension Context {
  /// Runs `body` on the item of a target. A result is added first, in the same transaction, and without a copy: it is
  /// not known to be owned.
  /// - Parameter store: the catalog from ``changing()``; afterwards the one that was written.
  /// - Returns: the item; nil when nothing was written: in a dry run, or because another edition is on the shelf.
  @discardableResult
  func write(
    to target: ResolvedReference, in store: inout Store, _ body: @escaping (Store, ItemID) throws -> Void
  ) throws -> ItemID? {
    let id: ItemID
    switch target {
    case .item(let known): id = known
    case .candidate(let candidate):
      var adder = ItemAdder(ItemAdder.Request(isOwned: false), to: store, in: self, alongside: body)
      let added = try adder.shelve(candidate)
      store = adder.store
      switch added {
      case .added(let id): return id
      case .exists(let known): id = known
      // Without consent nothing is written: a card would belong to the other edition.
      case .hasEdition, nil: return nil
      }
    }
    let writable = try writable(store)
    try writable.write { try body(writable, id) }
    store = writable
    return id
  }
}
