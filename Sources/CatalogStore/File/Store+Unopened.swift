internal import Migrations
internal import SQLite

/// Queries about a catalog file that is not opened: nothing is created, migrated or written.
extension Store {
  /// Whether the file at `path` has the application id of a catalog, in any state.
  public static func isCatalog(at path: String) -> Bool {
    Connection.applicationID(of: path) == Migration.applicationID
  }

  /// The number of items in the catalog at `path`, of any version; nil if it cannot be read.
  public static func itemCount(at path: String) -> Int? {
    guard isCatalog(at: path),
      let db = try? Connection.ofOthers(path, isInterrupted: { false })
    else { return nil }
    return try? db.value("SELECT count(*) FROM item")
  }

  /// Calls `body` with an exclusive lock on the catalog at `path`, so that it can be moved away. A file that SQLite
  /// cannot use is not locked.
  /// - Throws: ``CatalogError`` if others use the file for longer than `busyTimeout` milliseconds, and the errors of
  ///   `body`.
  public static func withoutOthers(at path: String, busyTimeout: Int = 5_000, _ body: () throws -> Void) throws {
    let db = try? Connection(.file(path), mode: .readWrite, busyTimeout: busyTimeout)
    do { try db?.run("BEGIN EXCLUSIVE") } catch let error as SQLiteError where error.isBusy {
      throw CatalogError.locked(path)
    } catch {}
    defer { _ = try? db?.run("ROLLBACK") }
    try body()
  }
}
