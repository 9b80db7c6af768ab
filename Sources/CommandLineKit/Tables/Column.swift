/// A column with the cell of each row: what a listing or a JSON object tells of something is declared once.
///
///     let columns: [Column<Genre>] = [
///       .init("genre", "Genre", isFlexible: true, style: .bold, \.name),
///       .init("share", "Share", alignment: .right, \.share, shown: { "\($0.share * 100) %" }),
///       .list("months", \.months, [.init("month", \.number), .init("items", \.items)]),
///     ]
///     try Table(genres, columns).write(as: .fitted, to: output, terminal: terminal)
public struct Column<Row> {
  fileprivate var head: Table.Column
  fileprivate let cell: (Row) throws -> Table.Cell

  /// A column for people and programs.
  /// - Parameters:
  ///   - style: the style of cells that have none of their own.
  ///   - value: the value for programs, or a whole cell.
  ///   - shown: the text for people; nil is the value.
  public init(
    _ key: String, _ title: Message, alignment: Alignment = .left, isFlexible: Bool = false, minimumWidth: Int = 8,
    importance: Int = 1, isHidden: Bool = false, isReference: Bool = false, isWord: Bool = false,
    style: Style = .plain, _ value: @escaping (Row) throws -> some CellContent, shown: ((Row) throws -> String?)? = nil
  ) {
    head = Table.Column(
      key, title, alignment: alignment, isFlexible: isFlexible, minimumWidth: minimumWidth, importance: importance,
      isHidden: isHidden, isReference: isReference, isWord: isWord)
    cell = { row in
      var cell = try value(row).cell
      if cell.style == .plain { cell.style = style }
      if let shown { cell.shown = try shown(row) }
      return cell
    }
  }

  /// A column of a table, or a member of an object, that only programs read.
  public init(_ key: String, _ value: @escaping (Row) throws -> some CellContent) {
    (head, cell) = (Table.Column(key), { try value($0).cell })
  }

  /// A column that people do not see, beside others that they do.
  /// - Parameter isHidden: whether that is so now.
  public static func hidden(
    _ key: String, if isHidden: Bool = true, isReference: Bool = false,
    _ value: @escaping (Row) throws -> some CellContent
  ) -> Column {
    var column = Column(key, value)
    (column.head.isHidden, column.head.isReference) = (isHidden, isReference)
    return column
  }

  /// A member with a list of objects; null for nil.
  public static func list<Parts: Sequence>(
    _ key: String, _ parts: @escaping (Row) throws -> Parts?, _ columns: [Column<Parts.Element>]
  ) -> Column {
    Column(key) { try parts($0).map { Table.Value.table(try Table($0, columns)) } }
  }

  /// A member with one object; null for nil.
  public static func object<Part>(
    _ key: String, _ part: @escaping (Row) throws -> Part?, _ columns: [Column<Part>]
  ) -> Column {
    Column(key) { try part($0).map { Table.Value.row(try Table([$0], columns)) } }
  }

  /// The same, but no member of an object where it is empty.
  public var leftOutIfEmpty: Column {
    var column = self
    column.head.isLeftOutIfEmpty = true
    return column
  }

  fileprivate init(_ head: Table.Column, _ cell: @escaping (Row) throws -> Table.Cell) {
    (self.head, self.cell) = (head, cell)
  }
}

extension Array {
  /// The columns of a part, as columns of the whole.
  public func lifted<Part, Whole>(_ part: @escaping (Whole) throws -> Part) -> [Column<Whole>]
  where Element == Column<Part> {
    map { column in Column<Whole>(column.head) { try column.cell(part($0)) } }
  }
}

extension Table {
  /// A table with a row for each element.
  /// - Parameter columns: the columns, in one list or several.
  public init<Row>(
    _ rows: some Sequence<Row>, _ columns: [CommandLineKit.Column<Row>]..., hasHeadings: Bool = true
  ) throws {
    let columns = columns.flatMap(\.self)
    self.init(columns: columns.map(\.head), rows: try rows.map { row in try columns.map { try $0.cell(row) } })
    self.hasHeadings = hasHeadings
  }
}

extension JSONWriter {
  /// Writes an object with a member for each column.
  public mutating func value<Row>(_ row: Row, _ columns: [Column<Row>]) throws {
    value(.row(try Table([row], columns)))
  }
}

/// A value that can be in a cell.
public protocol CellContent {
  var cell: Table.Cell { get }
}

extension Table.Cell: CellContent {
  public var cell: Table.Cell { self }
}

extension Table.Value: CellContent {
  public var cell: Table.Cell { .init(value: self) }
}

extension Table: CellContent {
  public var cell: Cell { .init(value: .table(self)) }
}

extension String: CellContent {
  public var cell: Table.Cell { .init(value: .text(self)) }
}

extension Int: CellContent {
  public var cell: Table.Cell { .init(value: .integer(Int64(self))) }
}

extension Int64: CellContent {
  public var cell: Table.Cell { .init(value: .integer(self)) }
}

extension Double: CellContent {
  public var cell: Table.Cell { .init(value: .number(self)) }
}

extension Bool: CellContent {
  public var cell: Table.Cell { .init(value: .flag(self)) }
}

extension [String]: CellContent {
  public var cell: Table.Cell { .init(value: .list(self)) }
}

extension Optional: CellContent where Wrapped: CellContent {
  public var cell: Table.Cell { map(\.cell) ?? .init(value: .none) }
}

extension CellContent where Self: RawRepresentable, RawValue == String {
  public var cell: Table.Cell { rawValue.cell }
}

extension CellContent where Self: RawRepresentable, RawValue == Int64 {
  public var cell: Table.Cell { rawValue.cell }
}
