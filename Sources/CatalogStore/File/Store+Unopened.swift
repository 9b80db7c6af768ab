internal import Migrations
internal import SQLite

/// What is asked of a catalog file without opening it as one: nothing is made, brought up to date or written.
extension Store {
  /// Whether the file at `path` says of itself that it is a catalog of this program's, in whatever state it is.
  public static func isCatalog(at path: String) -> Bool {
    Connection.applicationID(of: path) == Migration.applicationID
  }

  /// How many items the catalog at `path` holds, of whatever version it is; nil when that cannot be told.
  public static func itemCount(at path: String) -> Int? {
    guard isCatalog(at: path),
      let db = try? Connection(.file(path), mode: .readOnly, busyTimeout: 1_000)
    else { return nil }
    return try? db.value("SELECT count(*) FROM item")
  }

  /// Calls `body` while nobody else reads or writes the catalog at `path`, so that it can be taken away. A file that SQLite cannot
  /// use is used by nobody.
  /// - Throws: ``CatalogError`` when others use it for longer than `busyTimeout` milliseconds, and what `body` throws.
  public static func withoutOthers(at path: String, busyTimeout: Int = 5_000, _ body: () throws -> Void) throws {
    let db = try? Connection(.file(path), mode: .readWrite, busyTimeout: busyTimeout)
    do { try db?.run("BEGIN EXCLUSIVE") } catch let error as SQLiteError where error.isBusy {
      throw CatalogError.locked(path)
    } catch {}
    defer { _ = try? db?.run("ROLLBACK") }
    try body()
  }
}
