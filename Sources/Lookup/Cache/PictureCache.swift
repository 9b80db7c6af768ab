public import FoundationEssentials
internal import SQLite
internal import Synchronization

/// A cache of pictures by address, in the cache file or in memory while the program runs. Both follow the rules of
/// ``PictureTable``.
public struct PictureCache: Sendable {
  /// The default limits in the file and in memory, in bytes.
  public static let usualLimit = 400 << 20
  public static let usualLimitInMemory = 10 << 20

  private enum Place: Sendable {
    case file(CacheDatabase)
    case memory(MemoryDatabase)
  }

  private let place: Place
  private let limit: @Sendable () -> Int

  /// Pictures in the cache file.
  /// - Parameter limit: in bytes. Called at each use, so that a command without pictures reads no setting.
  public init(in cache: CacheDatabase, limit: @escaping @Sendable () -> Int = { usualLimit }) {
    (place, self.limit) = (.file(cache), limit)
  }

  /// Pictures in memory, for a program that shows the same ones repeatedly.
  public init(inMemoryUpTo limit: Int = usualLimitInMemory) {
    (place, self.limit) = (.memory(MemoryDatabase()), { limit })
  }

  /// The maximum size of the pictures at this moment, in bytes.
  public var byteLimit: Int { limit() }

  /// Runs `body` in one transaction.
  /// - Returns: nil when the cache cannot be used.
  func use<T: Sendable>(_ body: @Sendable (PictureTable) throws -> T) -> T? {
    let limit = limit()
    switch place {
    case .file(let cache): return cache.use { try body(PictureTable(db: $0, limit: limit)) }
    case .memory(let memory): return memory.use { try body(PictureTable(db: $0, limit: limit)) }
    }
  }

  /// The bytes stored by this name. Counts as a use.
  public func bytes(for name: String, now: Date) -> [UInt8]? {
    use { try $0.use(name, now: now)?.bytes } ?? nil
  }

  public func keep(_ bytes: [UInt8], for name: String, now: Date) {
    _ = use { try $0.keep(bytes, for: name, now: now) }
  }

  // MARK: Looking after it

  /// The number and size of the pictures, counted anew.
  public func totals(now: Date) -> PictureTotals { use { try $0.totals(now: now) } ?? PictureTotals() }

  /// Removes expired pictures, and pictures beyond the limit.
  /// - Parameter isOnlyAsked: only reports the pictures, without removing them.
  /// - Returns: the removed pictures, in the order of removal.
  public func collect(now: Date, isOnlyAsked: Bool = false) -> [PictureDeparture] {
    struct Undone: Error {}
    let gone = use { table in
      guard isOnlyAsked else {
        let gone = try table.collect(now: now)
        try table.db.execute(script: "PRAGMA incremental_vacuum")
        return gone
      }
      var gone: [PictureDeparture] = []
      do {
        try table.db.transaction {
          gone = try table.collect(now: now)
          throw Undone()
        }
      } catch is Undone {}
      return gone
    }
    return gone ?? []
  }
}

/// A database that lives as long as the value.
private final class MemoryDatabase: Sendable {
  private let connection = Mutex<Connection?>(nil)

  func use<T: Sendable>(_ body: @Sendable (Connection) throws -> T) -> T? {
    connection.withLock { connection in
      if connection == nil {
        guard let new = try? Connection(.memory), (try? new.execute(script: PictureTable.schema)) != nil else {
          return nil
        }
        connection = new
      }
      guard let db = connection else { return nil }
      return try? db.transaction { try body(db) }
    }
  }
}
