public import FoundationEssentials
internal import SQLite
internal import Synchronization

/// Pictures that were seen, by their addresses: in the cache's file from run to run, or in memory while a program runs.
/// Both follow the rules of ``PictureTable``.
public struct PictureCache: Sendable {
  /// How much pictures may take in the file, and in memory, when nothing else is set, in bytes.
  public static let usualLimit = 400 << 20
  public static let usualLimitInMemory = 10 << 20

  private enum Place: Sendable {
    case file(CacheDatabase)
    case memory(MemoryDatabase)
  }

  private let place: Place
  private let limit: @Sendable () -> Int

  /// Pictures in the file of the cache.
  /// - Parameter limit: in bytes. It is asked for at each use, so that what uses no picture reads no setting.
  public init(in cache: CacheDatabase, limit: @escaping @Sendable () -> Int = { usualLimit }) {
    (place, self.limit) = (.file(cache), limit)
  }

  /// Pictures in memory, for a program that shows the same ones again and again.
  public init(inMemoryUpTo limit: Int = usualLimitInMemory) {
    (place, self.limit) = (.memory(MemoryDatabase()), { limit })
  }

  /// How much the pictures may take just now.
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

  /// The picture, or what else was kept by this name. To find it is to use it.
  public func bytes(for name: String, now: Date) -> [UInt8]? {
    use { try $0.use(name, now: now)?.bytes } ?? nil
  }

  public func keep(_ bytes: [UInt8], for name: String, now: Date) {
    _ = use { try $0.keep(bytes, for: name, now: now) }
  }

  // MARK: Looking after it

  /// How many there are, counted anew.
  public func totals(now: Date) -> PictureTotals { use { try $0.totals(now: now) } ?? PictureTotals() }

  /// Removes what has expired, and what is more than the limit allows.
  /// - Parameter isOnlyAsked: nothing is removed.
  /// - Returns: what goes, in the order in which it goes.
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
