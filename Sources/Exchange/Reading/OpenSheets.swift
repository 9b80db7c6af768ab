internal import CatalogModel
internal import Lookup
internal import Processes

/// Reads sheets that stand in one XML: those of LibreOffice (.ods), and of Excel 2003.
enum OpenSheets {
  private static let mostRows = 1 << 21
  typealias Result = (file: InputFile, remarks: [Entry.Remark])

  /// <https://docs.oasis-open.org/office/OpenDocument/v1.3/os/part3-schema/OpenDocument-v1.3-os-part3-schema.html>
  static func readOpenDocument(_ file: InputFile) throws -> Result {
    let source = try ZipArchive(path: file.path).read("content.xml")
    return try read(file, source, sheet: "table", row: "table-row") { row in
      (row["number-rows-repeated"].flatMap { Int($0) }, nil, cells(ofOpenDocument: row))
    }
  }

  /// <https://learn.microsoft.com/previous-versions/office/developer/office-xp/aa140066(v=office.10)>
  static func readExcel2003(_ file: InputFile) throws -> Result {
    try read(file, file.bytes(), sheet: "Worksheet", row: "Row") { row in
      (nil, row["Index"].flatMap { Int($0) }, cells(ofExcel2003: row))
    }
  }

  /// - Parameter cells: gives how often a row is there, its number and its cells.
  private static func read(
    _ file: InputFile, _ source: ByteSource, sheet: String, row: String,
    _ cells: (XMLElement) -> (times: Int?, number: Int?, cells: [String])
  ) throws -> Result {
    var sheets = Sheets(wanted: file.choices.sheet)
    var (line, begun) = (0, [String]())
    try XMLElements(source: source).forEach(
      named: [row],
      begin: { element in
        if element.name == sheet { begun.append(element["name"] ?? "") }
        return true
      },
      { element in
        for name in begun {
          sheets.begin(name)
          line = 0
        }
        begun = []
        let (told, number, cells) = cells(element)
        let times = max(1, min(told ?? 1, Self.mostRows))
        line = number.map { min($0, Self.mostRows) } ?? line + 1
        // A row that is the same down to the end of the sheet is filled there, and not written.
        for again in 0..<min(times, 1_000) where cells.contains(where: { !$0.isEmpty }) {
          try sheets.add(cells, at: line + again)
        }
        line += times - 1
        return line < Self.mostRows * 2
      })
    return try sheets.read(as: file)
  }

  private static func cells(ofOpenDocument row: XMLElement) -> [String] {
    var cells: [String] = []
    for cell in row.children where cell.name == "table-cell" || cell.name == "covered-table-cell" {
      let text = text(ofOpenDocument: cell)
      let times = cell["number-columns-repeated"].flatMap { Int($0) } ?? 1
      cells += Array(repeating: text, count: max(1, min(times, Sheets.mostColumns - cells.count)))
    }
    return cells
  }

  private static func text(ofOpenDocument cell: XMLElement) -> String {
    let value = cell["value"].flatMap { Double($0) }.map(Sheets.number)
    switch cell["value-type"] {
    case "date": return String((cell["date-value"] ?? "").prefix(10))
    case "float": if let value { return value }
    case "currency": if let value { return [value, cell["currency"]].compactMap(\.self).joined(separator: " ") }
    case "percentage":
      if let number = cell["value"].flatMap({ Double($0) }) { return Sheets.number(number * 100) + "%" }
    case "boolean": return cell["boolean-value"] ?? ""
    default: break
    }
    return cell.children.filter { $0.name == "p" }.map { paragraph in
      paragraph.words { part in
        switch part.name {
        case "s": String(repeating: " ", count: max(1, min(part["c"].flatMap { Int($0) } ?? 1, 1_000)))
        case "tab": "\t"
        case "line-break": "\n"
        case "annotation", "note": ""
        default: nil
        }
      }
    }.joined(separator: "\n")
  }

  private static func cells(ofExcel2003 row: XMLElement) -> [String] {
    var cells: [String] = []
    for cell in row.children where cell.name == "Cell" {
      let place = (cell["Index"].flatMap { Int($0) } ?? 0) - 1
      while cells.count < min(place, Sheets.mostColumns) { cells.append("") }
      let data = cell.children.first { $0.name == "Data" }
      let text = data?.words() ?? ""
      switch data?["Type"] {
      case "DateTime": cells.append(String(text.prefix(10)))
      case "Number": cells.append(Double(text.trimmed).map(Sheets.number) ?? text)
      case "Boolean": cells.append(text.trimmed == "1" ? "true" : "false")
      case "Error": cells.append("")
      default: cells.append(text)
      }
      let merged = max(0, min(cell["MergeAcross"].flatMap { Int($0) } ?? 0, Sheets.mostColumns - cells.count))
      cells += Array(repeating: "", count: merged)
    }
    return cells
  }
}
