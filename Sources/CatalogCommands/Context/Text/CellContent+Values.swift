public import CatalogModel
public import CatalogStore
public import CommandLineKit

extension Kind: CellContent {}
extension Timestamp: CellContent {}
extension Rating.Scale: CellContent {}
extension ItemID: CellContent {}
extension CardID: CellContent {}
extension LogEntryID: CellContent {}

extension CopyID: CellContent {
  public var cell: Table.Cell { description.cell }
}

extension WishID: CellContent {
  public var cell: Table.Cell { description.cell }
}

extension ExternalID: CellContent {
  public var cell: Table.Cell { description.cell }
}

extension PartialDate: CellContent {
  public var cell: Table.Cell { description.cell }
}

extension Grade: CellContent {
  /// Grades do not sort by their letters.
  public var cell: Table.Cell { rawValue.cell.ranked(by: rank.map(Double.init)) }
}

extension Rating: CellContent {
  public var cell: Table.Cell { .init(value, shown: stars, style: .yellow) }
}

extension Price: CellContent {
  public var cell: Table.Cell { .init(self) }
}

extension FieldValue: CellContent {
  public var cell: Table.Cell {
    switch self {
    case .none: Table.Value.none.cell
    case .text(let text): text.cell
    case .integer(let number): number.cell
    case .real(let number): number.cell
    case .flag(let flag): flag.cell
    case .list(let texts): texts.cell
    case .money(let price): price.cell
    }
  }
}

extension Table.Amount {
  init(_ price: Price) { self.init(price.amount, price.currency) }
}

extension Table.Value {
  init(_ price: Price?) { self = price.map { .amount(Table.Amount($0)) } ?? .none }
  init(_ prices: [Price]) { self = .amounts(prices.map { Table.Amount($0) }) }
}

extension Table.Cell {
  /// A cell with an amount of money, empty for nil, sorted by the amount.
  init(_ price: Price?, shown: String? = nil) {
    self = Table.Cell(value: Table.Value(price), shown: shown).ranked(by: price.map { Double($0.thousandths) })
  }
}

extension Column {
  /// The columns that tell programs which work a row is about.
  static func work(_ record: @escaping (Row) throws -> Record) -> [Column] {
    [
      .init("kind") { try record($0).kind }, .init("title") { try record($0).title },
      .init("creators") { try record($0).creators }, .init("year") { try record($0).year },
    ]
  }
}
