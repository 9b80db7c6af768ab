import SQLite

@testable import CatalogStore

extension Store {
  /// An empty catalog in memory: a copy of one that is made once, since every test needs one.
  static func empty() throws -> Store {
    let db = try Connection(.memory)
    try template.get().db.backup(into: db)
    let store = Store(db: db, path: nil, isWritable: true)
    try store.prepareForWriting()
    return store
  }

  // Tests run one at a time.
  private nonisolated(unsafe) static let template = Result { try inMemory() }
}
