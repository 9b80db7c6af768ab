import CatalogModel

@testable import CatalogStore

extension Importing {
  /// Writes rows in one transaction; when one of them is rejected, in one transaction each.
  mutating func write(
    _ rows: [(row: ImportRow, placement: Placement)], isLast: Bool,
    now: Timestamp = Timestamp(rawValue: "2026-11-21T09:30:05Z")
  ) throws -> [Written] {
    let rows = rows.map {
      (row: PreparedRow($0.row, format: format, among: nil, now: now), placement: $0.placement)
    }
    func written(in part: inout Part) throws -> [Written] {
      let written = try rows.map { try part.write($0.row, $0.placement) }
      if isLast { try part.fillPiles() }
      return written
    }
    var all: [Written] = []
    do {
      try write { all = try written(in: &$0) }
    } catch is Refused {
      try write(eachByItself: true) { all = try written(in: &$0) }
    }
    return all
  }
}
