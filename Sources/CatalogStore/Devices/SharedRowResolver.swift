internal import CatalogModel

/// The documents of items that share rows, once each row belongs to only one of them.
///
/// One device has merged two items, which moves rows between them, while another kept changing both. A moved row may
/// belong to a third item too, so the items are separated pair by pair until no row moves.
struct SharedRowResolver {
  /// The resulting document of each item, by its uid. Items without shared rows keep their own document.
  private(set) var documents: [String: Document]
  /// The items whose document changes, and the first item; empty if no row moved.
  private(set) var changed = Set<String>()
  private(set) var conflicts: [(path: TreePath, conflict: MergeConflict)] = []

  /// - Parameters:
  ///   - own: the uid of the first item.
  ///   - neighbours: finds the other items with rows that a document names.
  ///   - document: reads the document of another item; nil for none.
  ///   - origins: finds the base documents of two items, each given by all its uids.
  init(
    of own: String, saying document: Document, neighbours: (Document) throws -> Set<String>,
    document read: (_ uid: String) throws -> Document?,
    origins: (_ one: [String], _ other: [String]) throws -> [Document]
  ) rethrows {
    documents = [own: document]
    var (known, waiting): (Set<String>, Set<String>) = ([own], [own])
    // Nothing is written before all documents are known: a row may move on to a third item.
    while let one = waiting.min(), var document = documents[one] {
      waiting.remove(one)
      known.formUnion(try neighbours(document))
      for uid in known.sorted() where uid != one {
        guard let neighbour = try documents[uid] ?? read(uid), !ThreeWayMerge.areDisjoint(neighbour, document) else {
          continue
        }
        let assigned = ThreeWayMerge.assignSharedRows(
          bases: try origins([uid] + neighbour.aliases, [one] + document.aliases), ours: neighbour, theirs: document)
        for (uid, now, before) in [(uid, assigned.ours, neighbour), (one, assigned.theirs, document)]
        where !now.isSame(as: before) {
          changed.insert(uid)
          waiting.insert(uid)
        }
        conflicts += assigned.conflicts.map { (.item(one), $0) }
        (documents[uid], document) = (assigned.ours, assigned.theirs)
      }
      documents[one] = document
    }
    if !changed.isEmpty { changed.insert(own) }
  }
}
