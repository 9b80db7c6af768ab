internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

extension Context {
  /// The query in some words; its days are those of the local clock.
  ///
  /// A kind before the words and a year behind them are read as such where no item has all the words; a note tells it.
  func query(_ words: [String], in store: Store) throws -> Query {
    let query = try store.query(words, now: now())
    let typed = words.joined(separator: " ")
    // A single word has neither.
    guard typed.utf8.contains(0x20), !query.words.isEmpty else { return query }
    let readings = SearchWords(typed).qualified
    guard !readings.isEmpty, try store.ids(query, limit: 1).isEmpty else { return query }
    for reading in readings {
      let terms =
        (reading.kind.map { ["kind:\($0.rawValue)"] } ?? []) + (reading.year.map { ["year:\($0)"] } ?? [])
        + reading.text.split(whereSeparator: \.isWhitespace).map(String.init)
      guard let meant = try? store.query(terms, now: now()), try !store.ids(meant, limit: 1).isEmpty
      else { continue }
      note("\(typed.quoted) taken for \(terms.joined(separator: " ").quoted)")
      return meant
    }
    return query
  }

  /// The query in one line, as `--where` takes it.
  func query(line: String, in store: Store) throws -> Query {
    try store.query(line: line, now: now())
  }
}
