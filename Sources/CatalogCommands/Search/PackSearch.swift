internal import CatalogModel
internal import CatalogStore
internal import Lookup

/// Searches the starter pack with the same index as the shelf: the pack becomes a catalog in memory.
struct PackSearch {
  static let name = "Built-in pack"

  private let entries: [Candidate]
  private let store: Store

  /// - Parameter kinds: what will be looked for.
  init(kinds: [Kind]) throws {
    entries = StarterPack.candidates.filter { kinds.contains($0.record.kind) }
    store = try Store.inMemory()
    _ = try store.addAll(
      entries.map { (record: $0.record, genres: nil) }, now: Timestamp(rawValue: "2000-01-01T00:00:00Z"))
  }

  /// The entries of one kind that match, best first; at most 200.
  func candidates(_ words: String, kind: Kind) throws -> [Candidate] {
    try store.search(words, kinds: [kind], limit: 200).compactMap { id in
      // An empty catalog numbers its items from 1, in order.
      let index = Int(id.rawValue) - 1
      return entries.indices.contains(index) ? entries[index] : nil
    }
  }

  /// A page of them.
  func section(_ words: String, kind: Kind, page: Int, limit: Int) throws -> SearchSection {
    let found = try candidates(words, kind: kind)
    let start = min((page - 1) * limit, found.count)
    let shown = found[start...].prefix(limit)
    return SearchSection(
      words: words, kind: kind, source: Self.name, candidates: Array(shown), total: found.count,
      hasMore: start + shown.count < found.count)
  }
}
