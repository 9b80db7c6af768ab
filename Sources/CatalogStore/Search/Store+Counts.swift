internal import SQLite

extension Query {
  /// A term for the whole of a value: `creator:="Miles Davis"`.
  public static func term(_ field: String, _ value: String) -> String {
    "\(field):=\"\(value.replacing("\"", with: "\"\""))\""
  }
}

extension Store {
  /// The number of items that match a query, then of those that match each of the others, too; in one scan.
  public func counts(_ query: Query, with others: [Query]) throws -> [Int] {
    let counts = try others.map { ", count(*) FILTER (WHERE \(try condition($0)))" as SQL }.joined(separator: "")
    var found: [Int] = []
    try db.forEach("SELECT count(*)\(counts) FROM item WHERE \(try condition(query))") { row in
      found = (0...others.count).map { Int(clamping: row.integer($0)) }
      return false
    }
    return found
  }

  /// A number that changes when this connection or another has written into the file.
  public func version() throws -> Int {
    let others = try db.value("PRAGMA data_version", as: Int.self) ?? 0
    return try (db.value("SELECT total_changes()", as: Int.self) ?? 0) &+ others &* 1_000_003
  }
}
