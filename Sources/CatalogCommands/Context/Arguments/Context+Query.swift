internal import CatalogStore

extension Context {
  /// The query in some words; its days are those of the local clock.
  func query(_ words: [String], in store: Store) throws -> Query {
    try store.query(words, now: now(), offset: utcOffset)
  }

  /// The query in one line, as `--where` takes it.
  func query(line: String, in store: Store) throws -> Query {
    try store.query(line: line, now: now(), offset: utcOffset)
  }
}
