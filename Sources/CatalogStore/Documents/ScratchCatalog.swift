public import CatalogModel
internal import SQLite

/// Converts the document of an item to an ``Entry``, for a catalog that already has items.
///
/// It writes the document into an empty catalog in memory, reads the item and rolls back. So only one place defines
/// what a document means.
public struct ScratchCatalog {
  private let store: Store

  public init() throws { store = try Store.inMemory() }

  /// - Throws: ``DocumentProblem`` if it is not the document of an item.
  public func read(_ document: Document) throws -> (entry: Entry, genres: [String], cover: Cover?) {
    guard let id = document.rows(of: "item").first?["id"]?.integer.map(ItemID.init) else {
      throw DocumentProblem("the item has no number")
    }
    var found: (entry: Entry, genres: [String], cover: Cover?)?
    do {
      try store.write {
        // The work that it is an edition of is missing, and may be: nothing is committed.
        try store.db.run("PRAGMA defer_foreign_keys = ON")
        var restorer = try CatalogRestorer(store.db)
        _ = try restorer.write(document)
        let item = try store.item(id)
        found = (try store.entry(of: item), item.genres, try store.cover(of: id))
        throw Rollback()
      }
    } catch is Rollback {
    } catch CatalogError.refused(let words) {
      throw DocumentProblem("the catalog cannot store it: '\(words)'")
    }
    guard let found else { throw CatalogError.noItem(id) }
    return found
  }

  /// Rolls the transaction back.
  private struct Rollback: Error {}
}

@available(*, unavailable) extension ScratchCatalog: Sendable {}
