internal import CatalogModel
internal import Lookup
internal import Processes

/// The sheets of a file, or the tables of a page, each as CSV: a line a row, so that a line has the number of its row.
struct Sheets {
  /// The limits of all sheets together, in bytes of CSV, and of a row, in columns.
  static let mostBytes = 32 << 20
  static let mostColumns = 1_000
  /// The number of rows among which the headings stand.
  private static let mostRowsAbove = 30

  struct Sheet {
    var name: String
    var csv: [UInt8] = []
    /// The rows with cells.
    var count = 0
    /// The first of them, with their lines.
    var first: [(line: Int, cells: [String])] = []
    fileprivate var line = 0
    fileprivate var width = 0
  }

  private(set) var list: [Sheet] = []
  /// The name of the only sheet that is read.
  let wanted: String?
  private var isLeft = true
  private var bytes = 0
  /// The names of all visible sheets.
  private var names: [String] = []

  init(wanted: String?) { self.wanted = wanted }

  mutating func begin(_ name: String) {
    isLeft = wanted.map { Folding.fold($0.trimmed) != Folding.fold(name.trimmed) } ?? false
    names.append(name)
    if !isLeft { list.append(Sheet(name: name)) }
  }

  /// Adds a row to the last sheet.
  /// - Parameter row: its number in the sheet, from 1; nil for the next one.
  mutating func add(_ cells: [String], at row: Int? = nil) throws {
    guard !isLeft, let last = list.indices.last else { return }
    let line = list[last].line
    let next = max(line + 1, min(row ?? 0, line + (1 << 20)))
    let cells = cells.map { $0.replacing("\r\n", with: "\n").trimmed }
    let end = cells.lastIndex { !$0.isEmpty }.map { $0 + 1 } ?? 0
    // An empty row is the beginning of the next one.
    guard end > 0 else { return }
    guard end <= Self.mostColumns else {
      throw ImportProblem.tooMuch("a row of the sheet has more than \(Self.mostColumns) cells")
    }
    var text = [UInt8](repeating: 0x0A, count: next - line - 1)
    for (place, cell) in cells[..<end].enumerated() {
      guard cell.utf8.count <= DelimitedReader.longestCell else {
        throw ImportProblem.tooMuch("row \(next) has a cell of more than a million letters")
      }
      if place > 0 { text.append(UInt8(ascii: ",")) }
      let isPlain = !cell.utf8.contains { $0 == 0x22 || $0 == 0x2C || $0 == 0x0A || $0 == 0x0D }
      text += isPlain ? Array(cell.utf8) : Array("\"\(cell.replacing("\"", with: "\"\""))\"".utf8)
    }
    text.append(0x0A)
    bytes += text.count
    guard bytes <= Self.mostBytes else {
      throw ImportProblem(
        .tooMuch, "the sheets have more than \(Self.mostBytes >> 20) MiB of text",
        hint: "save it as CSV, and import that")
    }
    list[last].csv += text
    list[last].line = next
    list[last].count += 1
    list[last].width = max(list[last].width, end)
    if list[last].count <= Self.mostRowsAbove { list[last].first.append((next, Array(cells[..<end]))) }
  }

  /// The file as the table of one sheet: the first with headings that the program knows, or else the first with rows.
  func read(as file: InputFile) throws -> (file: InputFile, remarks: [Entry.Remark]) {
    let full = list.filter { $0.count > 0 }
    if let wanted, list.isEmpty {
      throw ImportProblem(
        .misuse, "'\(file.path)' has no sheet '\(wanted)'", hint: "one of: \(names.joined(separator: ", "))")
    }
    guard let sheet = full.first(where: { $0.heading != nil }) ?? full.first else {
      throw ImportProblem(.unknown, "'\(file.path)' is empty")
    }
    var file = file
    (file.content, file.isOfRows) = (sheet.csv, true)
    if let heading = sheet.heading ?? sheet.likelyHeading {
      file.shape = .table(header: heading.cells, delimiter: UInt8(ascii: ","), line: heading.line)
    } else {
      if sheet.width == 1 { file.content = try sheet.lines() }
      file.shape = try Shape(text: file.text(), .utf8(mark: 0), path: file.path)
    }
    let others = full.filter { $0.name != sheet.name }.map { PlainText.line($0.name) }.filter { !$0.isEmpty }
    guard !others.isEmpty else { return (file, []) }
    let remark = Entry.Remark(
      """
      of its sheets only '\(PlainText.line(sheet.name))' is read; --sheet NAME chooses another: \
      \(others.joined(separator: ", "))
      """)
    return (file, [remark])
  }
}

extension Sheets.Sheet {
  /// The first row that a format knows as headings.
  fileprivate var heading: (line: Int, cells: [String])? {
    first.first { row in
      let shape = Shape.table(header: row.cells, delimiter: UInt8(ascii: ","), line: row.line)
      return row.cells.count { !$0.isEmpty } > 1 && Formats.all.contains { !($0 is PlainList) && $0.recognizes(shape) }
    }
  }

  /// The cells of its only column, each in a line.
  fileprivate func lines() throws -> [UInt8] {
    var reader = DelimitedReader(ByteSource(bytes: csv), delimiter: UInt8(ascii: ","), hasRows: true)
    var lines: [String] = []
    while let row = try reader.next() {
      lines += Array(repeating: "", count: row.line - lines.count - 1) + [PlainText.line(row.cells.first ?? "")]
    }
    return Array(lines.joined(separator: "\n").utf8)
  }

  /// The first row of several texts, above another of several cells.
  fileprivate var likelyHeading: (line: Int, cells: [String])? {
    zip(first, first.dropFirst()).first { row, next in
      let texts = row.cells.count { !$0.isEmpty && Double($0) == nil }
      return texts > 1 && texts * 2 > next.cells.count && next.cells.count { !$0.isEmpty } > 1
    }?.0
  }
}
