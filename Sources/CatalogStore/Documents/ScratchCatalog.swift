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
  public func entry(of document: Document) throws -> Entry {
    struct Rollback: Error {}
    var entry: Entry?
    do {
      try store.write {
        // The work that it is an edition of is missing, and may be: nothing is committed.
        try store.db.run("PRAGMA defer_foreign_keys = ON")
        var restorer = try CatalogRestorer(store)
        entry = try restorer.write(document).map { try store.entry(of: $0) }
        throw Rollback()
      }
    } catch is Rollback {
    } catch CatalogError.refused(let words) {
      throw DocumentProblem("the catalog cannot store it: '\(words)'")
    }
    guard let entry else { throw DocumentProblem("the item has no number") }
    return entry
  }
}

@available(*, unavailable) extension ScratchCatalog: Sendable {}
