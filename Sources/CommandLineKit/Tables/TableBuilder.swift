/// A table in the making, with a row for each element.
///
///     var table = TableBuilder(of: genres)
///     table.add(.init("genre", "Genre", isFlexible: true)) { .init($0.name) }
///     if showsShares { table.add(.init("share", "Share", alignment: .right)) { .init($0.share) } }
public struct TableBuilder<Element> {
  public private(set) var table: Table
  private let elements: [Element]

  public init(of elements: some Sequence<Element>, hasHeadings: Bool = true) {
    self.elements = Array(elements)
    table = Table(columns: [], rows: self.elements.map { _ in [] })
    table.hasHeadings = hasHeadings
  }

  /// Adds a column at the right, with the cell that `cell` makes for each element.
  public mutating func add(_ column: Table.Column, _ cell: (Element) -> Table.Cell) {
    table.columns.append(column)
    for (place, element) in elements.enumerated() { table.rows[place].append(cell(element)) }
  }
}
