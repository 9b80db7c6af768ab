internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// The order and number of listed items.
struct OrderOptions: OptionGroup {
  static var arguments: [Argument<OrderOptions>] { [sort, limit] }

  static var sort: Argument<OrderOptions> {
    .option(
      "sort", short: "s", \.order, separator: ",", value: "FIELDS",
      help: "Sort by these fields; a '-' at one reverses it: year-,title. See 'catalog help fields'."
    )
    .dashed(\.isSortWord)
  }

  static var limit: Argument<OrderOptions> { .option("limit", short: "l", \.limit, help: "List at most this many.") }

  var order: [ListingOrder] = []
  var limit: Count?

  /// The options as typed.
  var typed: [String] {
    order.isEmpty ? [] : ["--sort", order.map { $0.field.word + ($0.isDescending ? "-" : "") }.joined(separator: ",")]
  }
}

/// The order and number of the rows in any other table.
struct RowOptions: OptionGroup {
  static var arguments: [Argument<RowOptions>] {
    [
      .option(
        "sort", short: "s", \.order, separator: ",", value: "FIELDS",
        help: "Sort by these fields, named as in JSON; a '-' at one reverses it: title,item-."
      )
      .dashed(\.isSortWord),
      .option("limit", short: "l", \.limit, help: "List at most this many."),
    ]
  }

  var order: [RowOrder] = []
  var limit: Count?
}

/// A sort column of a table, ascending or descending.
struct RowOrder: ArgumentValue, Hashable {
  var key: String
  var isDescending: Bool

  init(argument word: String) throws {
    let word = word.lowercased().sortWord
    isDescending = word.hasSuffix("-")
    key = word.hasSuffix("-") || word.hasSuffix("+") ? String(word.dropLast()) : word
    if key.isEmpty { throw UsageError("the list of fields is empty") }
  }
}

extension String {
  /// The normal form of an order: `year-` for `-year`.
  var sortWord: String { hasPrefix("-") ? dropFirst() + "-" : self }

  /// Whether a word after `--sort` is an order that begins with a dash, not an option: `-year`, `-rating,title`.
  fileprivate var isSortWord: Bool {
    let name = dropFirst()
    return name.count > 1 && name.first?.isLetter == true && name.allSatisfy { $0.isLetter || "_,+-".contains($0) }
  }
}

extension Table {
  /// The table sorted and limited by the options.
  /// - Throws: ``UsageError`` for an unknown column.
  func ordered(by options: RowOptions) throws(UsageError) -> Table {
    var table = self
    // The headings of sections belong to the old order.
    if !options.order.isEmpty { table.sections = [:] }
    table.rows = try numbers(orderedBy: options).map { rows[$0] }
    return table
  }

  /// The indices of the rows, sorted and limited by the options.
  /// - Throws: ``UsageError`` for an unknown column.
  func numbers(orderedBy options: RowOptions) throws(UsageError) -> [Int] {
    var places: [(place: Int, isDescending: Bool)] = []
    for order in options.order {
      let beginning = columns.indices.filter { columns[$0].key.hasPrefix(order.key) }
      let isNamed = columns.contains { $0.key == order.key }
      places.append((!isNamed && beginning.count == 1 ? beginning[0] : try place(of: order.key), order.isDescending))
    }
    let most = options.limit?.number ?? rows.count
    if places.isEmpty { return Array(rows.indices.prefix(most)) }
    let sorted = rows.indices.sorted { one, other in
      for (place, isDescending) in places {
        if let precedes = rows[one][place].precedes(rows[other][place], isDescending) { return precedes }
      }
      return one < other
    }
    return Array(sorted.prefix(most))
  }
}

extension Table.Cell {
  /// Whether the cell sorts before another; nil when they are equal. Empty cells come last in both directions.
  fileprivate func precedes(_ other: Table.Cell, _ isDescending: Bool) -> Bool? {
    switch (value, other.value) {
    case (.none, .none): return nil
    case (.none, _): return false
    case (_, .none): return true
    default: break
    }
    if let one = number, let two = other.number {
      return one == two ? nil : (one < two) != isDescending
    }
    let (one, two) = (SortKey.of(value.text), SortKey.of(other.value.text))
    return one == two ? nil : (one < two) != isDescending
  }

  private var number: Double? {
    if let rank { return rank }
    return switch value {
    case .integer(let number): Double(number)
    case .number(let number): number
    case .flag(let flag): flag ? 1 : 0
    default: nil
    }
  }
}

extension Context {
  /// Writes a listing in the format, order and number of the options.
  func write(_ listing: Table, _ options: TableOptions, _ rows: RowOptions, below note: Footnote? = nil) throws {
    try write(listing.ordered(by: rows), options, below: note)
  }
}
