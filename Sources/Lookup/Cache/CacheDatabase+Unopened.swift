internal import SQLite

extension CacheDatabase {
  /// Whether the file at ``path`` says of itself that it is a cache of this program's.
  public var isOurs: Bool { Connection.applicationID(of: path) == Self.applicationID }
}
