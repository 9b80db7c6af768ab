internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import SQLite

/// Items as a listing: from the rows that SQLite stands on to the bytes of the output.
///
/// Tab-separated lines, CSV, JSON and templates copy the bytes of each column without making a `String` of them; only
/// the table for people, who measure in cells and see stars, is made of texts.
struct Listing {
  var query: Query
  var fields: [ListingField]
  var order: [ListingOrder] = []
  var limit: Int?
  var offset = 0

  /// Writes what matches.
  /// - Returns: how many items that were.
  func write(as form: ListingForm, from store: Store, in context: Context) throws -> Int {
    switch form {
    case .format(.fitted): return try writeFitted(from: store, in: context)
    case .format(.tsv):
      return try writeLines(from: store, in: context) { row in
        for (index, field) in fields.enumerated() {
          if index > 0 { try row.output.append(byte: UInt8(ascii: "\t")) }
          try row.appendCell(field, at: index)
        }
        try row.output.append(byte: UInt8(ascii: "\n"))
      }
    case .format(.csv):
      try context.output.append(context.terminal.sanitizing.commaSeparated(fields.map(\.key)) + "\r\n")
      return try writeLines(from: store, in: context) { row in
        for (index, field) in fields.enumerated() {
          if index > 0 { try row.output.append(byte: UInt8(ascii: ",")) }
          try row.appendCommaSeparated(field, at: index)
        }
        try row.output.append("\r\n")
      }
    case .template(let template):
      return try writeLines(from: store, in: context) { row in
        try template.write(row)
        try row.output.append(byte: UInt8(ascii: "\n"))
      }
    case .format(.json):
      return try writeJSON(from: store, to: context.output, isPretty: context.terminal.isOutputTerminal)
    case .format(.jsonLines): return try writeJSONLines(from: store, to: context.output)
    }
  }

  private func forEachRow(of store: Store, _ body: (Cursor) throws -> Void) throws -> Int {
    var count = 0
    // A template may be all text.
    let columns = fields.isEmpty ? [.id] : fields.map(\.column)
    try store.list(query, columns: columns, order: order, limit: limit, offset: offset) { cursor in
      try body(cursor)
      count += 1
      return !Interrupt.isRequested
    }
    try Interrupt.check()
    return count
  }

  private func writeLines(
    from store: Store, in context: Context, _ body: (ListingRow) throws -> Void
  ) throws -> Int {
    let sanitizing = context.terminal.sanitizing
    return try forEachRow(of: store) { cursor in
      try body(ListingRow(cursor: cursor, output: context.output, sanitizing: sanitizing))
    }
  }

  // MARK: JSON

  private func writeJSON(from store: Store, to output: Output, isPretty: Bool) throws -> Int {
    var json = JSONWriter(isPretty: isPretty)
    json.beginArray()
    let count = try forEachRow(of: store) { cursor in
      write(cursor, to: &json)
      try Self.pass(&json, to: output)
    }
    json.endArray()
    json.endLine()
    try output.append(bytes: json.take())
    return count
  }

  private func writeJSONLines(from store: Store, to output: Output) throws -> Int {
    var json = JSONWriter()
    let count = try forEachRow(of: store) { cursor in
      write(cursor, to: &json)
      json.endLine()
      try Self.pass(&json, to: output)
    }
    try output.append(bytes: json.take())
    return count
  }

  /// Hands over what was written in large portions.
  private static func pass(_ json: inout JSONWriter, to output: Output) throws {
    if json.bytes.count >= 1 << 15 { try output.append(bytes: json.take()) }
  }

  private func write(_ cursor: Cursor, to json: inout JSONWriter) {
    json.beginObject()
    for (index, field) in fields.enumerated() {
      json.key(field.key)
      write(field, of: cursor, at: index, to: &json)
    }
    json.endObject()
  }

  private func write(_ field: ListingField, of cursor: Cursor, at index: Int, to json: inout JSONWriter) {
    if field.column.type == .list {
      json.beginArray()
      cursor.forEachText(index) { json.value(utf8: $0) }
      return json.endArray()
    }
    if cursor.isNull(index) { return json.null() }
    switch field {
    case .ratingScale: cursor.withRating(index) { json.value(utf8: $1) }
    case .column(.rating): cursor.withRating(index) { value, _ in json.raw(utf8: value) }
    case .column(let column):
      switch column.type {
      case .integer: json.value(cursor.integer(index))
      case .real: json.value(cursor.real(index))
      default: cursor.withText(index) { json.value(utf8: UnsafeRawBufferPointer($0)) }
      }
    }
  }

  // MARK: Tables

  private func writeFitted(from store: Store, in context: Context) throws -> Int {
    var table = Table(columns: fields.map(\.tableColumn))
    let count = try forEachRow(of: store) { cursor in
      table.rows.append(
        fields.enumerated().map { index, field in
          Table.Cell(field.shown(cursor, index), style: field.style)
        })
    }
    if count > 0 { try table.write(as: .fitted, to: context.output, terminal: context.terminal) }
    return count
  }
}

/// How a listing is written: as a table in one of its formats, or by a template.
enum ListingForm {
  case format(TableFormat)
  case template(ListingTemplate)
}

/// The row of a listing that is being written.
struct ListingRow {
  let cursor: Cursor
  let output: Output
  let sanitizing: Sanitizing

  /// Writes the value of a field as a cell of a tab-separated line, a list with commas.
  func appendCell(_ field: ListingField, at index: Int) throws {
    if sanitizing.choice == .forSpreadsheets {
      // Only the whole cell tells what it begins with.
      return try output.append(sanitizing.cell(text(of: field, at: index)))
    }
    var isFirst = true
    try forEachPart(of: field, at: index) { bytes in
      if !isFirst { try output.append(", ") }
      isFirst = false
      try output.append(cell: bytes, sanitizing)
    }
  }

  /// Writes the value of a field among the words of a template.
  func appendText(of field: ListingField, at index: Int) throws {
    var isFirst = true
    try forEachPart(of: field, at: index) { bytes in
      if !isFirst { try output.append(", ") }
      isFirst = false
      if sanitizing.copies(bytes) {
        try output.append(bytes: bytes)
      } else {
        try output.append(sanitizing.line(String(decoding: bytes, as: UTF8.self)))
      }
    }
  }

  func appendCommaSeparated(_ field: ListingField, at index: Int) throws {
    var copies = true
    var parts = 0
    try forEachPart(of: field, at: index) { bytes in
      parts += 1
      copies = copies && parts == 1 && sanitizing.copies(bytes) && !bytes.contains { $0 == 0x22 || $0 == 0x2C }
    }
    if copies {
      try forEachPart(of: field, at: index) { try output.append(bytes: $0) }
    } else {
      // Rare enough for a text.
      try output.append(sanitizing.commaSeparated([text(of: field, at: index)]))
    }
  }

  private func text(of field: ListingField, at index: Int) throws -> String {
    var text = ""
    try forEachPart(of: field, at: index) { bytes in
      text += (text.isEmpty ? "" : ", ") + String(decoding: bytes, as: UTF8.self)
    }
    return text
  }

  /// The bytes of a value: the texts of a list, one half of a rating, anything else whole.
  private func forEachPart(
    of field: ListingField, at index: Int, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    switch field {
    case .ratingScale: try cursor.withRating(index) { try body($1) }
    case .column(.rating): try cursor.withRating(index) { value, _ in try body(value) }
    case .column(let column) where column.type == .list: try cursor.forEachText(index, body)
    case .column: try cursor.withText(index) { try body(UnsafeRawBufferPointer($0)) }
    }
  }
}

extension Cursor {
  /// Calls `body` with each text of a list.
  fileprivate func forEachText(_ index: Int, _ body: (UnsafeRawBufferPointer) throws -> Void) rethrows {
    try withText(index) { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let text = rest.prefix { $0 != ListingColumn.separator }
        try body(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: text)))
        rest = rest[text.endIndex...].dropFirst()
      }
    }
  }

  /// Calls `body` with a rating's value and its scale.
  fileprivate func withRating<T>(
    _ index: Int, _ body: (_ value: UnsafeRawBufferPointer, _ scale: UnsafeRawBufferPointer) throws -> T
  ) rethrows -> T {
    try withText(index) { bytes in
      let value = bytes.prefix { $0 != UInt8(ascii: " ") }
      let scale = bytes[value.endIndex...].dropFirst()
      return try body(
        UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: value)),
        UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: scale)))
    }
  }

  /// The rating in stars, or as it was typed.
  fileprivate func stars(_ index: Int) -> String {
    let parts = text(index).split(separator: " ")
    guard parts.count == 2, let value = Int(parts[0]) else { return "" }
    // A rating that another program wrote may lie between the steps of its scale; it is shown per cent.
    let rating = Rating.Scale(rawValue: String(parts[1])).flatMap { Rating(value: value, scale: $0) }
    return (rating ?? Rating(value: value, scale: .percent))?.stars ?? ""
  }
}

extension ListingField {
  /// The value as a person sees it.
  func shown(_ cursor: Cursor, _ index: Int) -> String {
    switch self {
    case .column(.rating): cursor.stars(index)
    case .column(.favorite), .column(.added), .column(.updated): String(cursor.text(index).prefix(10))
    case .ratingScale: cursor.withRating(index) { String(decoding: $1, as: UTF8.self) }
    case .column(let column) where column.type == .list:
      cursor.text(index).split(separator: "\u{1F}").joined(separator: ", ")
    case .column: cursor.text(index)
    }
  }

  /// How a table for people shows it.
  var tableColumn: Table.Column {
    switch self {
    case .column(.id): .init(key, "", alignment: .right, importance: 9)
    case .column(.title): .init(key, "Title", isFlexible: true, minimumWidth: 24, importance: 8)
    case .column(.year): .init(key, "Year", alignment: .right, importance: 7)
    case .column(.creator): .init(key, "By", isFlexible: true, minimumWidth: 12, importance: 6)
    case .column(.rating): .init(key, "Rating", importance: 5)
    case .column(.kind): .init(key, "Kind", importance: 4)
    case .column(.genres): .init(key, "Genres", isFlexible: true, minimumWidth: 8, importance: 3)
    default:
      .init(
        key, Self.heading(key), alignment: column.type == .integer ? .right : .left, isFlexible: column.type == .text,
        minimumWidth: 6, importance: 2)
    }
  }

  var style: Style {
    switch self {
    case .column(.id): .cyan
    case .column(.title): .bold
    case .column(.rating): .yellow
    default: .plain
    }
  }

  /// `original_title` as `Original title`.
  private static func heading(_ key: String) -> String {
    let words = key.split(separator: "_").joined(separator: " ")
    return ["isbn", "url"].contains(words) ? words.uppercased() : words.prefix(1).uppercased() + words.dropFirst()
  }
}
