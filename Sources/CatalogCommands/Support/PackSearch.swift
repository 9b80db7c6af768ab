internal import CatalogModel
internal import CatalogStore
internal import Lookup

/// Searches the starter pack with the same index as the shelf: the pack becomes a catalog in memory.
enum PackSearch {
  /// The entries of one kind that match, best first; at most 200.
  static func candidates(_ words: String, kind: Kind) throws -> [Candidate] {
    let entries = StarterPack.candidates.filter { $0.record.kind == kind }
    let store = try Store.inMemory()
    _ = try store.addAll(
      entries.map { (record: $0.record, genres: nil) }, now: Timestamp(rawValue: "2000-01-01T00:00:00Z"))
    return try store.search(words, limit: 200).compactMap { id in
      // An empty catalog numbers its items from 1, in order.
      let index = Int(id.rawValue) - 1
      return entries.indices.contains(index) ? entries[index] : nil
    }
  }
}
