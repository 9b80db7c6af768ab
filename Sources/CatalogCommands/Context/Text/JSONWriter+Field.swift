internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

extension JSONWriter {
  /// Writes the value of a field.
  mutating func value(_ value: FieldValue) {
    switch value {
    case .none: null()
    case .text(let text): self.value(text)
    case .integer(let number): self.value(number)
    case .real(let number): self.value(number)
    case .flag(let flag): self.value(flag)
    case .list(let texts): self.value(texts)
    case .money(let price): self.value(.amount(Table.Amount(price)))
    }
  }

  /// A member with an amount of money, or null.
  mutating func member(_ key: String, _ price: Price?) {
    self.key(key)
    value(Table.Value(price))
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
