internal import CMD
internal import CatalogModel
internal import FoundationEssentials
internal import SQLite

/// The uids of rows, which are the same on every device.
struct UIDMap {
  private let db: Connection
  private var chance = SystemRandomNumberGenerator()

  init(_ db: Connection) { self.db = db }

  /// Gives a uid to each row without one, and a digest to each cover without one.
  mutating func assignAll(now: Timestamp) throws {
    let milliseconds = UInt64(clamping: max(0, now.date?.timeIntervalSince1970 ?? 0) * 1_000)
    var count = 0
    let insert = try db.prepare("INSERT INTO identity (uid, table_name, row_id) VALUES (?, ?, ?)")
    for table in TableSchema.identified.map(\.name).sorted() {
      let nameless = try db.values(
        """
        SELECT id FROM \(identifier: table) AS row WHERE NOT EXISTS (
          SELECT 1 FROM identity WHERE table_name = \(table) AND row_id = row.id AND is_alias = 0) ORDER BY id
        """, as: Int64.self)
      for id in nameless {
        // Other devices give numbers in this order.
        let uid = UUIDv7.make(milliseconds: milliseconds, counter: count, chance: &chance)
        count += 1
        try insert.run([.text(uid), .text(table), .integer(id)])
      }
    }
    let unknown = try db.values(
      "SELECT item_id FROM cover WHERE item_id NOT IN (SELECT item_id FROM cover_digest)", as: Int64.self)
    for item in unknown { try CoverDigest.keep(item, in: db) }
  }

  /// The row with a uid, even if it is deleted; nil for an unknown uid.
  func row(of uid: String, in table: String) throws -> Int64? {
    try db.value("SELECT row_id FROM identity WHERE uid = \(uid) AND table_name = \(table)", as: Int64.self)
  }

  /// The item with this uid, even if it is deleted; nil for an unknown uid and for an alias.
  func item(withUID uid: String) throws -> Int64? {
    try db.value(
      "SELECT row_id FROM identity WHERE uid = \(uid) AND table_name = 'item' AND is_alias = 0", as: Int64.self)
  }

  /// The existing item with this uid; an alias does not count.
  func existingItem(withUID uid: String) throws -> Int64? {
    try db.value(
      """
      SELECT item.id FROM identity JOIN item ON item.id = row_id
      WHERE uid = \(uid) AND table_name = 'item' AND is_alias = 0
      """, as: Int64.self)
  }

  /// The uid of an item; nil before it has one.
  func uid(of item: Int64) throws -> String? {
    try db.value(
      "SELECT uid FROM identity WHERE table_name = 'item' AND row_id = \(item) AND is_alias = 0", as: String.self)
  }

  /// Gives a uid to a row, also one that another row had.
  func assign(_ row: Int64, of table: String, _ uid: String) throws {
    try db.run("DELETE FROM identity WHERE table_name = \(table) AND row_id = \(row) AND is_alias = 0")
    try db.run(
      """
      INSERT INTO identity (uid, table_name, row_id) VALUES (\(uid), \(table), \(row))
      ON CONFLICT (uid) DO UPDATE SET table_name = excluded.table_name, row_id = excluded.row_id, is_alias = 0
      """)
  }

  /// The uid of another existing item with this alias.
  func uid(ofItemWithAlias alias: String, otherThan item: Int64) throws -> String? {
    try db.value(
      """
      SELECT own.uid FROM identity JOIN item ON item.id = identity.row_id
      JOIN identity AS own ON own.table_name = 'item' AND own.row_id = item.id AND own.is_alias = 0
      WHERE identity.uid = \(alias) AND identity.table_name = 'item' AND identity.is_alias = 1 AND item.id <> \(item)
      """, as: String.self)
  }

  /// Makes a uid an alias of a row.
  func alias(_ uid: String, for row: Int64, of table: String) throws {
    try db.run(
      """
      INSERT INTO identity (uid, table_name, row_id, is_alias) VALUES (\(uid), \(table), \(row), 1)
      ON CONFLICT (uid) DO UPDATE SET table_name = excluded.table_name, row_id = excluded.row_id, is_alias = 1
      """)
  }
}

/// SHA-256 (FIPS 180-4) by libmd: the toolchain has none on Linux.
public enum SHA256 {
  /// In 64 hexadecimal digits.
  public static func hexadecimal(of bytes: [UInt8]) -> String {
    // 64 digits and a terminating zero.
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 65) { digits in
      bytes.withUnsafeBufferPointer { buffer in
        _ = SHA256Data(buffer.baseAddress, buffer.count, digits.baseAddress)
      }
      return String(decoding: digits.prefix(64).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
  }
}
