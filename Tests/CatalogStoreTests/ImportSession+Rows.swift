import CatalogModel

@testable import CatalogStore

extension ImportSession {
  /// Writes rows in one transaction; when one of them is rejected, in one transaction each.
  mutating func write(
    _ rows: [(row: ImportRow, target: RowTarget)], isLast: Bool,
    now: Timestamp = Timestamp(rawValue: "2026-11-21T09:30:05Z")
  ) throws -> [RowResult] {
    let rows = rows.map {
      (row: PreparedRow($0.row, format: format, among: nil, lastDay: "2026-11-22"), target: $0.target)
    }
    func results(in transaction: inout Transaction) throws -> [RowResult] {
      let results = try rows.map { try transaction.write($0.row, $0.target) }
      if isLast { try transaction.fillPiles() }
      return results
    }
    var all: [RowResult] = []
    do {
      try write { all = try results(in: &$0) }
    } catch is Refused {
      try write(eachByItself: true) { all = try results(in: &$0) }
    }
    return all
  }
}
