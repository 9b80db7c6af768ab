/// The output format of a table.
public enum TableFormat: Hashable, Sendable {
  /// With headings, color and cut columns, fitted to the width of the terminal.
  case fitted
  /// Tab-separated lines without a header.
  case tsv
  /// RFC 4180, with a header of keys.
  case csv
  /// One array of objects.
  case json
  /// One object per line.
  case jsonLines
}

/// The options `--json[=FIELDS]`, `--jsonl`, `--csv` and `--tsv`, for every command that lists something.
public struct TableOptions: OptionGroup {
  /// The requested format; nil decides by the output.
  public var format: TableFormat?
  /// The requested fields.
  public var fields = FieldSelection.all

  /// The argument of `--json`, which sets the format and the fields.
  var json: FieldSelection? {
    get { format == .json ? fields : nil }
    set {
      // Named twice, the fields of both are meant.
      if format == .json, case .only(let keys) = fields, case .only(let more) = newValue {
        fields = .only(keys + more)
      } else {
        fields = newValue ?? .all
      }
      format = .json
    }
  }

  /// The four options.
  public static var arguments: [Argument<TableOptions>] {
    [
      .option("json", \.json, implied: .all, help: "Print JSON, with all fields or only these."),
      .flag("jsonl", \.format, sets: .jsonLines, help: "Print one JSON object a line."),
      .flag("csv", \.format, sets: .csv, help: "Print comma-separated values with a header."),
      .flag("tsv", \.format, sets: .tsv, help: "Print tab-separated lines without a header."),
    ]
  }

  /// Nothing asked for.
  public init() {}

  /// The requested format; by default, a fitted table on a terminal and tab-separated lines in a pipe.
  public func format(on terminal: Terminal) -> TableFormat {
    format ?? (terminal.isOutputTerminal ? .fitted : .tsv)
  }
}

extension Table {
  /// Writes the table in the requested format.
  public func write(_ options: TableOptions, to output: Output, terminal: Terminal) throws {
    try selecting(options.fields).write(as: options.format(on: terminal), to: output, terminal: terminal)
  }

  public func write(as format: TableFormat, to output: Output, terminal: Terminal) throws {
    switch format {
    case .fitted: try writeFitted(to: output, terminal: terminal)
    case .tsv: try writeTabSeparated(to: output, terminal: terminal)
    case .csv: try writeCommaSeparated(to: output, terminal: terminal)
    case .json: try writeJSON(to: output, isPretty: terminal.isOutputTerminal)
    case .jsonLines: try writeJSONLines(to: output)
    }
  }

  private func writeTabSeparated(to output: Output, terminal: Terminal) throws {
    let places = columns.indices.filter { !columns[$0].isHidden }
    for row in rows {
      for (index, place) in places.enumerated() {
        if index > 0 { try output.append("\t") }
        guard row.indices.contains(place) else { continue }
        let text = terminal.sanitizing.cell(row[place].value.text)
        try output.append(terminal.stylesLines ? style(of: row, index, place)(text, on: terminal) : text)
      }
      try output.append("\n")
    }
  }

  /// The style of a cell in a line. Of a row without any, the first cell is set off.
  private func style(of row: [Cell], _ index: Int, _ place: Int) -> Style {
    index == 0 && row.allSatisfy { $0.style == .plain } ? .bold : row[place].style
  }

  private func writeCommaSeparated(to output: Output, terminal: Terminal) throws {
    try output.append(terminal.sanitizing.commaSeparated(columns.map(\.key)) + "\r\n")
    for row in rows {
      let texts = columns.indices.map { row.indices.contains($0) ? row[$0].value.text : "" }
      try output.append(terminal.sanitizing.commaSeparated(texts) + "\r\n")
    }
  }

  private func writeJSON(to output: Output, isPretty: Bool) throws {
    var json = JSONWriter(isPretty: isPretty)
    try json.array { json in
      for row in rows {
        write(row, to: &json)
        try output.append(bytes: json.take())
      }
    }
    json.endLine()
    try output.append(bytes: json.take())
  }

  private func writeJSONLines(to output: Output) throws {
    var json = JSONWriter()
    for row in rows {
      write(row, to: &json)
      json.endLine()
      try output.append(bytes: json.take())
    }
  }

  fileprivate func write(_ row: [Cell], to json: inout JSONWriter) {
    json.object { json in
      for (place, column) in columns.enumerated() {
        let value = row.indices.contains(place) ? row[place].value : .none
        if value == .none, column.isLeftOutIfEmpty { continue }
        json.key(column.key)
        json.value(value)
      }
    }
  }
}

extension JSONWriter {
  /// A member with the rows of a table, an object each.
  public mutating func member(_ key: String, _ table: Table) {
    self.key(key)
    value(.table(table))
  }

  /// The value of a cell.
  public mutating func value(_ value: Table.Value) {
    switch value {
    case .none: null()
    case .text(let text): self.value(text)
    case .integer(let number): self.value(number)
    case .number(let number): self.value(number)
    case .flag(let flag): self.value(flag)
    case .list(let texts): self.value(texts)
    case .numbers(let numbers): array { json in for number in numbers { json.value(number) } }
    case .amount(let amount): self.value(amount)
    case .amounts(let amounts): array { json in for amount in amounts { json.value(amount) } }
    case .table(let table): array { json in for row in table.rows { table.write(row, to: &json) } }
    case .row(let table): table.rows.first.map { table.write($0, to: &self) } ?? null()
    }
  }

  /// Money: `{"amount":12.50,"currency":"EUR"}`.
  public mutating func value(_ amount: Table.Amount) {
    object { json in
      json.key("amount")
      json.raw(amount.number)
      json.member("currency", amount.currency)
    }
  }
}
