public import CatalogModel
internal import SQLite

/// Says what a document of an item is in the words in which things come in, for a catalog that has items already.
///
/// It is kept in a catalog of its own for a moment, and read from there: so what a document means is written once.
public struct ReadingRoom {
  private let store: Store

  public init() throws { store = try Store.inMemory() }

  /// - Throws: ``DocumentProblem`` when it is no document of an item.
  public func read(_ document: Document) throws -> (entry: Entry, genres: [String], cover: Cover?) {
    guard let id = document.rows(of: "item").first?["id"]?.integer.map(ItemID.init) else {
      throw DocumentProblem("the item has no number")
    }
    var found: (entry: Entry, genres: [String], cover: Cover?)?
    do {
      try store.write {
        // The work that it is an edition of is not here, and need not be: nothing stays.
        try store.db.run("PRAGMA defer_foreign_keys = ON")
        var restoring = try Restoring(store.db)
        _ = try restoring.write(document)
        let item = try store.item(id)
        found = (try store.entry(of: item), item.genres, try store.cover(of: id))
        throw Emptied()
      }
    } catch is Emptied {
    } catch CatalogError.refused(let words) {
      throw DocumentProblem("the catalog cannot hold it: '\(words)'")
    }
    guard let found else { throw CatalogError.noItem(id) }
    return found
  }

  /// Leaves the room as it was.
  private struct Emptied: Error {}
}

@available(*, unavailable) extension ReadingRoom: Sendable {}
