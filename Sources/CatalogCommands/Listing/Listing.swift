internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Processes
internal import SQLite

/// A listing of items, from the rows of SQLite to the bytes of the output.
///
/// Tab-separated lines, CSV, JSON and templates copy the bytes of each column without making a `String`. Only the table
/// for people uses strings.
struct Listing {
  var query: Query
  var fields: [Field]
  var order: [ListingOrder] = []
  var limit: Int?
  var offset = 0

  /// Writes the items that match.
  /// - Returns: the number of items.
  func write(as form: ListingForm, from store: Store, in context: Context) throws -> Int {
    switch form {
    case .format(.fitted): return try writeFitted(from: store, in: context)
    case .format(.tsv):
      let forms = fields.map(\.form)
      let styles = context.terminal.stylesLines ? fields.map(\.style.start) : []
      return try writeLines(from: store, in: context) { row, line in
        for (index, form) in forms.enumerated() {
          if index > 0 { line.append(UInt8(ascii: "\t")) }
          let isStyled = styles.indices.contains(index) && !styles[index].isEmpty
          if isStyled { line.append(text: styles[index]) }
          line.appendCell(form, of: row, at: index)
          if isStyled { line.append(text: Style.end) }
        }
        line.append(UInt8(ascii: "\n"))
      }
    case .format(.csv):
      try context.output.append(context.terminal.sanitizing.commaSeparated(fields.map(\.name)) + "\r\n")
      let forms = fields.map(\.form)
      return try writeLines(from: store, in: context) { row, line in
        for (index, form) in forms.enumerated() {
          if index > 0 { line.append(UInt8(ascii: ",")) }
          line.appendCommaSeparated(form, of: row, at: index)
        }
        line.append("\r\n")
      }
    case .template(let template):
      return try writeLines(from: store, in: context) { row, line in
        template.write(row, to: &line)
        line.append(UInt8(ascii: "\n"))
      }
    case .format(.json):
      return try writeJSON(from: store, to: context.output, isPretty: context.terminal.isOutputTerminal)
    case .format(.jsonLines): return try writeJSONLines(from: store, to: context.output)
    }
  }

  private func forEachRow(of store: Store, _ body: (Cursor) throws -> Void) throws -> Int {
    var count = 0
    // A template may have no fields.
    try store.list(query, fields: fields.isEmpty ? [.id] : fields, order: order, limit: limit, offset: offset) {
      cursor in
      try body(cursor)
      count += 1
      return !Interrupt.isRequested
    }
    try Interrupt.check()
    return count
  }

  /// Calls `body` for each row of a long listing. In a listing of everything, scans beside the rows give some values.
  private func forEachRow(of store: Store, _ body: (Cursor, [FieldScan]) throws -> Void) throws {
    guard query.isEverything, order == [ListingOrder(.id)], limit == nil, offset == 0 else {
      _ = try forEachRow(of: store) { try body($0, []) }
      return
    }
    try store.listAll(fields) { cursor, scans in
      try body(cursor, scans)
      return !Interrupt.isRequested
    }
    try Interrupt.check()
  }

  private func writeLines(
    from store: Store, in context: Context, _ body: (Cursor, inout ListingLine) -> Void
  ) throws -> Int {
    var line = ListingLine(sanitizing: context.terminal.sanitizing)
    return try forEachRow(of: store) { row in
      body(row, &line)
      try context.output.append(bytes: line.bytes)
      line.bytes.removeAll(keepingCapacity: true)
    }
  }

  // MARK: JSON

  private func writeJSON(from store: Store, to output: Output, isPretty: Bool) throws -> Int {
    var json = JSONWriter(isPretty: isPretty)
    json.beginArray()
    let members = Members(of: fields)
    let count = try forEachRow(of: store) { cursor in
      Self.write(members, of: cursor, to: &json)
      try Self.pass(&json, to: output)
    }
    json.endArray()
    json.endLine()
    try output.append(bytes: json.take())
    return count
  }

  /// Writes the only row as an object.
  func writeObject(from store: Store, in context: Context) throws {
    let members = Members(of: fields)
    try context.printJSON { json in
      _ = try forEachRow(of: store) { Self.write(members, of: $0, to: &json) }
    }
  }

  /// Writes all matches as one JSON list, in two threads: one reads rows while the other writes them.
  func writeLongJSON(from store: Store, to output: Output) throws {
    let members = Members(of: fields)
    let writer = try RowsWriter {
      var json = JSONWriter()
      json.beginArray()
      return { rows in
        guard let rows else {
          json.endArray()
          json.endLine()
          return json.take()
        }
        rows.forEach { Self.write(members, of: $0, to: &json) }
        return json.take()
      }
    }
    var rows = CopiedRows(of: members.forms)
    func put(_ next: CopiedRows?) throws { if let bytes = try writer.put(next) { try output.append(bytes: bytes) } }
    try forEachRow(of: store) { cursor, scans in
      try rows.append(cursor, scans)
      guard rows.count == 50 else { return }
      try put(rows)
      rows = CopiedRows(of: members.forms)
    }
    try put(rows)
    try put(nil)
    while let bytes = try writer.take() { try output.append(bytes: bytes) }
  }

  private func writeJSONLines(from store: Store, to output: Output) throws -> Int {
    var json = JSONWriter()
    let members = Members(of: fields)
    let count = try forEachRow(of: store) { cursor in
      Self.write(members, of: cursor, to: &json)
      json.endLine()
      try Self.pass(&json, to: output)
    }
    try output.append(bytes: json.take())
    return count
  }

  /// Appends the output in large portions.
  private static func pass(_ json: inout JSONWriter, to output: Output) throws {
    if json.bytes.count >= 1 << 15 { try output.append(bytes: json.take()) }
  }

  /// The keys and forms of the fields, computed once for all rows.
  private struct Members {
    let keys: JSONWriter.Keys
    let forms: [FieldType.Form]

    init(of fields: [Field]) {
      keys = JSONWriter.Keys(fields.map(\.name))
      forms = fields.map(\.form)
    }
  }

  private static func write(_ members: Members, of row: some ListedRow, to json: inout JSONWriter) {
    json.beginObject()
    for (index, form) in members.forms.enumerated() {
      if !form.isList, row.isNull(index) {
        json.nullMember(index, of: members.keys)
      } else {
        json.key(index, of: members.keys)
        write(form, of: row, at: index, to: &json)
      }
    }
    json.endObject()
  }

  private static func write(
    _ form: FieldType.Form, of row: some ListedRow, at index: Int, to json: inout JSONWriter
  ) {
    switch form {
    case .integer: json.value(row.integer(index))
    case .real: json.value(row.real(index))
    case .flag: json.value(row.integer(index) != 0)
    case .rating: row.withRating(index) { json.raw(utf8: $0) }
    case .text: row.withText(index) { json.value(utf8: UnsafeRawBufferPointer($0)) }
    case .list:
      json.beginArray()
      row.forEachText(index) { json.value(utf8: $0) }
      json.endArray()
    case .money: row.withText(index) { json.value(money: $0) }
    case .moneys:
      json.beginArray()
      row.forEachText(index) { text in json.value(money: text) }
      json.endArray()
    }
  }

  // MARK: Tables

  private func writeFitted(from store: Store, in context: Context) throws -> Int {
    let table = try table(from: store, in: context)
    if !table.rows.isEmpty { try table.write(as: .fitted, to: context.output, terminal: context.terminal) }
    return table.rows.count
  }

  /// The matches as a table for people.
  func table(from store: Store, in context: Context) throws -> Table {
    var table = Table(columns: fields.map(\.tableColumn))
    let language = context.language
    // An item that is only wished for is marked after its title.
    let (id, title) = (fields.firstIndex(of: .id), fields.firstIndex(of: .title))
    let wished = id != nil && title != nil ? try store.idsOfMereWishes() : []
    _ = try forEachRow(of: store) { cursor in
      var row = fields.enumerated().map { index, field in
        Table.Cell(field.shown(cursor, index, in: language, at: context.localTime), style: field.style)
      }
      if let id, let title, wished.contains(ItemID(rawValue: Int64(cursor.integer(id)))) {
        row[title].shown = context.text("\(row[title].text) (wished)")
      }
      table.rows.append(row)
    }
    return table
  }
}

extension Listing {
  init(of id: ItemID, fields: [Field]) {
    self.init(query: Query(.field(.id, [.numbers(Int(id.rawValue)...Int(id.rawValue))])), fields: fields)
  }
}

/// The form of a listing: a format of tables, or a template.
enum ListingForm {
  case format(TableFormat)
  case template(ListingTemplate)
}

/// A line of a listing that is being written.
struct ListingLine {
  let sanitizing: Sanitizing
  fileprivate(set) var bytes: [UInt8] = []

  /// Separates several values in a cell for programs; documented in docs/output.md.
  private static let separator: StaticString = "; "

  /// Appends text unchanged.
  mutating func append(text: String) { bytes.append(contentsOf: text.utf8) }

  /// Appends a separator or line end without making a string.
  mutating func append(_ byte: UInt8) { bytes.append(byte) }

  mutating func append(_ text: StaticString) { text.withUTF8Buffer { bytes.append(contentsOf: $0) } }

  /// Appends a value as a cell of a tab-separated line.
  mutating func appendCell(_ form: FieldType.Form, of row: Cursor, at index: Int) {
    // Only the whole cell shows its first character.
    if sanitizing.choice == .forSpreadsheets { return append(text: sanitizing.cell(text(form, of: row, at: index))) }
    var isFirst = true
    row.forEachPart(form, at: index) { part in
      if !isFirst { append(Self.separator) }
      isFirst = false
      sanitizing.append(cell: part, to: &bytes)
    }
  }

  /// Appends a value to the text of a template, which is for people.
  mutating func appendText(_ form: FieldType.Form, of row: Cursor, at index: Int) {
    var isFirst = true
    row.forEachPart(form, at: index) { part in
      if !isFirst { append(", ") }
      isFirst = false
      if sanitizing.copies(part) {
        bytes.append(contentsOf: part)
      } else {
        append(text: sanitizing.line(String(decoding: part, as: UTF8.self)))
      }
    }
  }

  mutating func appendCommaSeparated(_ form: FieldType.Form, of row: Cursor, at index: Int) {
    var copies = true
    var parts = 0
    row.forEachPart(form, at: index) { part in
      parts += 1
      copies = copies && parts == 1 && sanitizing.copies(part) && !part.contains { $0 == 0x22 || $0 == 0x2C }
    }
    if copies {
      row.forEachPart(form, at: index) { bytes.append(contentsOf: $0) }
    } else {
      // Rare enough to use a string.
      append(text: sanitizing.commaSeparated([text(form, of: row, at: index)]))
    }
  }

  private func text(_ form: FieldType.Form, of row: Cursor, at index: Int) -> String {
    var text = ""
    row.forEachPart(form, at: index) { part in
      text += (text.isEmpty ? "" : "\(Self.separator)") + String(decoding: part, as: UTF8.self)
    }
    return text
  }
}

extension JSONWriter {
  /// An amount of money, from `12.50 EUR`.
  fileprivate mutating func value(money text: some Sequence<UInt8>) {
    let parts = String(decoding: Array(text), as: UTF8.self).split(separator: " ", maxSplits: 1)
    guard let number = parts.first, let currency = parts.dropFirst().first else { return null() }
    value(Table.Amount(String(number), String(currency)))
  }
}

extension ListedRow {
  /// Calls `body` with each text of a list.
  fileprivate func forEachText(_ index: Int, _ body: (UnsafeRawBufferPointer) throws -> Void) rethrows {
    try withText(index) { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let text = rest.prefix { $0 != FieldType.separator }
        try body(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: text)))
        rest = rest[text.endIndex...].dropFirst()
      }
    }
  }

  /// Calls `body` with a rating's value, without its scale.
  fileprivate func withRating<T>(_ index: Int, _ body: (UnsafeRawBufferPointer) throws -> T) rethrows -> T {
    try withText(index) { bytes in
      try body(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes.prefix { $0 != UInt8(ascii: " ") })))
    }
  }
}

extension Cursor {
  /// Calls `body` with the bytes of a value: each text of a list, a rating without its scale, or any other value whole.
  fileprivate func forEachPart(_ form: FieldType.Form, at index: Int, _ body: (UnsafeRawBufferPointer) -> Void) {
    switch form {
    case .rating: withRating(index, body)
    case .list, .moneys: forEachText(index, body)
    case .flag:
      var word = integer(index) != 0 ? "true" : "false"
      word.withUTF8 { body(UnsafeRawBufferPointer($0)) }
    case .text, .integer, .real, .money: withText(index) { body(UnsafeRawBufferPointer($0)) }
    }
  }

  /// The rating in stars, or in the scale in which it was typed.
  fileprivate func stars(_ index: Int) -> String {
    let parts = text(index).split(separator: " ")
    guard parts.count == 2, let value = Int(parts[0]) else { return "" }
    return Rating(kept: value, scale: parts[1])?.stars ?? ""
  }
}

extension Field {
  /// The value as a person sees it.
  /// - Parameters:
  ///   - language: the language for the names of genres.
  ///   - localTime: what decides of which day a moment is.
  func shown(_ cursor: Cursor, _ index: Int, in language: String = "en", at localTime: LocalTime) -> String {
    func list(_ shown: (String) -> String = { $0 }) -> String {
      cursor.text(index).split(separator: "\u{1F}").map { shown(String($0)) }.joined(separator: ", ")
    }
    return switch type {
    case .rating: cursor.stars(index)
    case .moment: cursor.isNull(index) ? "" : localTime.day(of: Timestamp(rawValue: cursor.text(index)))
    case .flag: cursor.integer(index) != 0 ? "yes" : ""
    case .genres: list { Store.genreName($0, in: language) }
    case _ where form.isList: list()
    default: cursor.text(index)
    }
  }

  /// Whether the values are words of the program, to be translated.
  private var hasWords: Bool {
    switch type {
    case .kind, .choice, .flag: true
    default: false
    }
  }

  /// The column of the field in a table for people.
  var tableColumn: Table.Column {
    let heading = Message(words: heading)
    let isNumber = [.integer, .real, .money].contains(form)
    let isDate = [.date, .moment].contains(type)
    return switch self {
    case .id: .init(name, heading, alignment: .right, importance: 9)
    case .title: .init(name, heading, isFlexible: true, minimumWidth: 24, importance: 8)
    case .year: .init(name, heading, alignment: .right, importance: 7)
    case .creator: .init(name, heading, isFlexible: true, minimumWidth: 12, importance: 6)
    case .rating: .init(name, heading, importance: 5)
    case .kind: .init(name, heading, importance: 4, isWord: true)
    case .genres: .init(name, heading, isFlexible: true, minimumWidth: 12, importance: 3)
    default:
      .init(
        name, heading, alignment: isNumber ? .right : .left, isFlexible: !isNumber && !isDate, minimumWidth: 6,
        importance: 2,
        isWord: hasWords)
    }
  }

  var style: Style {
    switch self {
    case .id: .cyan
    case .title: .bold
    case .rating: .yellow
    default: .plain
    }
  }
}
