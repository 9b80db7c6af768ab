internal import CatalogModel
internal import CatalogStore
internal import Lookup
internal import Synchronization

extension Source {
  /// The built-in pack. It stands in for sources that cannot be reached, and is asked by its name.
  static let pack = Source.pack { search throws(SourceError) in
    do {
      return try PackIndex.made.withLock { made in
        let index = try made[search.kind] ?? PackIndex(search.kind)
        made[search.kind] = index
        return try index.page(of: search)
      }
    } catch {
      throw .unreadable("nothing that can be searched")
    }
  }

  /// Every source that a person can name.
  static var offered: [Source] { all + [pack] }
}

/// Searches one kind of the starter pack with the same index as the shelf: the pack becomes a catalog in memory.
private struct PackIndex {
  /// Those that were needed so far in this run. Each is made once, and searched by one thread at a time.
  static let made = Mutex<[Kind: PackIndex]>([:])

  private let entries: [Candidate]
  private let store: Store

  init(_ kind: Kind) throws {
    entries = StarterPack.candidates.filter { $0.record.kind == kind }
    store = try Store.inMemory()
    _ = try store.addAll(
      entries.map { (record: $0.record, genres: nil) }, owned: [], now: Timestamp(rawValue: "2000-01-01T00:00:00Z"))
  }

  /// A page of the entries that match, best first; at most 200 in all.
  func page(of search: Search) throws -> Page {
    let found = try store.search(search.words, kinds: [search.kind], limit: 200).compactMap { id in
      // An empty catalog numbers its items from 1, in order.
      let index = Int(id.rawValue) - 1
      return entries.indices.contains(index) ? entries[index] : nil
    }
    let start = min((search.page - 1) * search.pageSize, found.count)
    let shown = found[start...].prefix(search.pageSize)
    return Page(candidates: Array(shown), total: found.count, hasMore: start + shown.count < found.count)
  }
}
