internal import SQLite

extension CacheDatabase {
  /// Whether the header of the file at ``path`` identifies a cache of this program.
  public var isOurs: Bool { Connection.applicationID(of: path) == Self.applicationID }
}
