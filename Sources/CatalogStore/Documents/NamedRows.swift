internal import CatalogModel
internal import SQLite

/// Finds the rows that documents name by words, and inserts those that are missing.
struct NamedRows {
  private let db: Connection
  /// The numbers of the rows found so far, except of people, who are too many.
  private var numbers: [DocumentTable.Naming: [[String]: Int64]] = [:]

  init(_ db: Connection) { self.db = db }

  /// Returns the number of the row with this name. Inserts the row if it is missing.
  /// - Throws: ``DocumentProblem``.
  mutating func number(of value: JSON, by naming: DocumentTable.Naming) throws -> Int64 {
    let words: [String]
    var wanted: Int64?
    switch value {
    case .text(let word) where naming.isWord: words = [word]
    case .object(let name) where !naming.isWord:
      words = naming.columns.map { name[$0]?.text ?? "" }
      wanted = try name["id"]?.checked("\(naming.table).id").integer
    default: throw DocumentProblem("a '\(naming.table)' has a wrong name")
    }
    // A word in another spelling names the same row.
    let (columns, key) =
      naming.isWord ? (["key"], words.map(Folding.nameKey)) : (naming.columns, Array(words.prefix(naming.keyCount)))
    if let known = numbers[naming]?[key] { return known }
    let condition = zip(columns, key).map { "\(identifier: $0) = \($1)" as SQL }.joined(separator: " AND ")
    let number =
      try db.value("SELECT id FROM \(identifier: naming.table) WHERE \(condition)", as: Int64.self)
      ?? make(words, wanted: wanted, by: naming)
    if naming.table != "person" { numbers[naming, default: [:]][key] = number }
    return number
  }

  private func make(_ words: [String], wanted: Int64?, by naming: DocumentTable.Naming) throws -> Int64 {
    var columns = naming.columns
    var values = words.map { Value.text($0) }
    if naming.isWord {
      columns.append("key")
      values.append(.text(Folding.nameKey(words[0])))
    }
    if let wanted,
      try db.value("SELECT 1 FROM \(identifier: naming.table) WHERE id = \(wanted)", as: Int.self) == nil
    {
      columns.append("id")
      values.append(.integer(wanted))
    }
    let names = columns.map { "\(identifier: $0)" as SQL }.joined(separator: ", ")
    try db.run("INSERT INTO \(identifier: naming.table) (\(names)) VALUES (\(list: values))")
    return db.lastInsertedRowID
  }
}
