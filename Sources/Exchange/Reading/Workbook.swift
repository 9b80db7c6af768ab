internal import CatalogModel
internal import Lookup

/// Reads workbooks of Excel (.xlsx). <https://ecma-international.org/publications-and-standards/standards/ecma-376/>
struct Workbook {
  private let archive: ZipArchive
  /// The texts of cells, which refer to them by number: the ends of each in one buffer.
  private var strings: [UInt8] = []
  private var ends: [Int] = []
  private var styles: [Style] = []
  /// The day number of the day 0.
  private var epoch = -25_569

  /// The meaning of the number of a cell.
  private enum Style { case number, percent, day }

  static func read(_ file: InputFile) throws -> (file: InputFile, remarks: [Entry.Remark]) {
    var book = Workbook(archive: try ZipArchive(path: file.path))
    var sheets = Sheets(wanted: file.choices.sheet)
    for (name, member) in try book.list(of: &sheets) {
      sheets.begin(name)
      guard file.choices.sheet == nil || !sheets.list.isEmpty && sheets.list.last?.name == name else { continue }
      try book.elements(["row"], in: member) { try sheets.add(book.cells(of: $0), at: $0["r"].flatMap { Int($0) }) }
    }
    return try sheets.read(as: file)
  }

  private init(archive: ZipArchive) { self.archive = archive }

  /// The names and members of the visible sheets, with what their cells need read before.
  private mutating func list(of sheets: inout Sheets) throws -> [(name: String, member: String)] {
    var targets: [String: String] = [:]
    try elements(["Relationship"], in: "xl/_rels/workbook.xml.rels") { element in
      guard let id = element["Id"], let target = element["Target"] else { return }
      targets[id] = target.hasPrefix("/") ? String(target.dropFirst()) : "xl/" + target
    }
    var list: [(String, String)] = []
    var is1904 = false
    try elements(["sheet", "workbookPr"], in: "xl/workbook.xml") { element in
      if element.name == "workbookPr" { is1904 = ["1", "true"].contains(element["date1904"]) }
      guard let name = element["name"], element["state"] ?? "visible" == "visible" else { return }
      if let member = element["id"].flatMap({ targets[$0] }), list.count < 1_000 { list.append((name, member)) }
    }
    if is1904 { epoch += 1_462 }
    try readStrings()
    try readStyles()
    return list
  }

  private mutating func readStrings() throws {
    var (strings, ends): ([UInt8], [Int]) = ([], [])
    try elements(["si"], in: "xl/sharedStrings.xml") { element in
      strings += Self.text(of: element).utf8
      ends.append(strings.count)
      guard strings.count <= Sheets.mostBytes, ends.count <= Sheets.mostBytes >> 3 else {
        throw ImportProblem.tooMuch("the workbook has more than \(Sheets.mostBytes >> 20) MiB of text")
      }
    }
    (self.strings, self.ends) = (strings, ends)
  }

  private mutating func readStyles() throws {
    var (formats, styles, section): ([String: Style], [Style], String) = ([:], [], "")
    try elements(["numFmt", "xf"], in: "xl/styles.xml", begin: { section = $0.name }) { element in
      guard let id = element["numFmtId"] else { return }
      if element.name == "numFmt" {
        formats[id] = Self.style(of: element["formatCode"] ?? "")
      } else if section == "cellXfs", styles.count < 100_000 {
        styles.append(formats[id] ?? Self.builtIn(Int(id) ?? 0))
      }
    }
    self.styles = styles
  }

  private static func builtIn(_ id: Int) -> Style {
    switch id {
    case 9, 10: .percent
    case 14...22, 27...36, 45...47, 50...58: .day
    default: .number
    }
  }

  /// The style that a format has by its signs outside of quotes, brackets and `\x`.
  private static func style(of code: String) -> Style {
    var (signs, end, isEscaped): (String, Character?, Bool) = ("", nil, false)
    for character in code.lowercased() {
      if isEscaped {
        isEscaped = false
      } else if let closing = end {
        if character == closing { end = nil }
      } else if character == "\"" || character == "[" {
        end = character == "[" ? "]" : character
      } else if character == "\\" || character == "_" || character == "*" {
        isEscaped = true
      } else {
        signs.append(character)
      }
    }
    if signs.contains(where: { "yd年월年月".contains($0) }) || signs.contains("h:mm") { return .day }
    return signs.contains("%") ? .percent : .number
  }

  // MARK: Cells

  private func cells(of row: XMLElement) throws -> [String] {
    var cells: [String] = []
    for cell in row.children where cell.name == "c" {
      let place = cell["r"].flatMap(Self.column) ?? cells.count
      let text = text(of: cell)
      guard !text.isEmpty else { continue }
      guard place < Sheets.mostColumns else {
        throw ImportProblem.tooMuch("a row of the sheet has more than \(Sheets.mostColumns) cells")
      }
      while cells.count <= place { cells.append("") }
      cells[place] = text
    }
    return cells
  }

  /// 1 for `B7`.
  private static func column(_ name: String) -> Int? {
    let letters = name.utf8.prefix { (65...90).contains($0) }
    guard (1...3).contains(letters.count) else { return nil }
    return letters.reduce(0) { $0 * 26 + Int($1) - 64 } - 1
  }

  private func text(of cell: XMLElement) -> String {
    let value = cell.children.first { $0.name == "v" }?.text ?? ""
    switch cell["t"] ?? "n" {
    case "s":
      guard let place = Int(value.trimmed), ends.indices.contains(place) else { return "" }
      return String(decoding: strings[(place == 0 ? 0 : ends[place - 1])..<ends[place]], as: UTF8.self)
    case "inlineStr": return cell.children.first { $0.name == "is" }.map(Self.text) ?? ""
    case "b": return value.trimmed == "1" ? "true" : value.isEmpty ? "" : "false"
    case "e": return ""
    case "d": return String(value.prefix(10))
    case "n":
      let style = cell["s"].flatMap { Int($0) }.flatMap { styles.indices.contains($0) ? styles[$0] : nil }
      return number(value.trimmed, style ?? .number)
    default: return value
    }
  }

  private func number(_ text: String, _ style: Style) -> String {
    guard let number = Double(text), number.isFinite else { return text }
    switch style {
    case .day where number >= 0 && number < 1:
      let minutes = Int(clamping: (number * 1_440).rounded())
      return number == 0 ? "" : "\(minutes / 60):\(minutes % 60 < 10 ? "0" : "")\(minutes % 60)"
    case .day where number >= 1 && number < 3e6:
      // 29 February 1900, which did not exist, has a number.
      let day = Int(clamping: number) + (epoch == -25_569 && number < 60 ? 1 : 0)
      return PartialDate(dayNumber: day + epoch)?.description ?? text
    case .percent: return Sheets.number(number * 100) + "%"
    case .day, .number: return Sheets.number(number)
    }
  }

  /// The text of a string, without its readings.
  private static func text(of string: XMLElement) -> String { string.words { $0.name == "rPh" ? "" : nil } }

  /// - Parameter begin: receives the elements around.
  private func elements(
    _ names: Set<String>, in member: String, begin: ((XMLElement) -> Void)? = nil, _ each: (XMLElement) throws -> Void
  ) throws {
    // Some programs leave members out.
    guard archive.members.contains(member) else { return }
    let source = try archive.read(member)
    let outer = begin.map { begin in
      { (element: XMLElement) in
        begin(element); return true
      }
    }
    try XMLElements(source: source).forEach(named: names, begin: outer) { element in
      try each(element)
      return true
    }
  }
}

extension Sheets {
  /// A number as a person writes it: `9780306406157`, not `9.780306406157E+12`.
  static func number(_ number: Double) -> String {
    let rounded = (number * 1e9).rounded() / 1e9
    if let whole = Int(exactly: number), whole.magnitude < 1 << 53 { return "\(whole)" }
    return rounded.isFinite && abs(number) < 1e6 ? "\(rounded)" : "\(number)"
  }
}
