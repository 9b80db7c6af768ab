internal import CatalogModel
internal import Lookup
internal import Processes

/// A kind of file in which a table or a list stands in a form of its own. Once it is read, the file is like any other
/// table or list.
enum Container: Sendable, Hashable {
  /// A workbook of Excel, of LibreOffice, of Excel 2003 in XML.
  case workbook, openDocument, excel2003
  /// A page of the web with a table.
  case page
  /// The entries of a bibliography.
  case bibtex, ris
  case yaml
  /// The table of Booklog, which has no headings.
  case booklog
  /// The tables in a text.
  case markdown
  /// Texts that are not read.
  case toml, org

  /// The container of an archive with these members.
  init?(of archive: ZipArchive) throws {
    if archive.members.contains("xl/workbook.xml") {
      self = .workbook
    } else if archive.members.contains("content.xml"), archive.members.contains("mimetype"),
      String(forgiving: try archive.read("mimetype").beginning(100)).contains("opendocument.spreadsheet")
    {
      self = .openDocument
    } else {
      return nil
    }
  }

  /// The container of a text in XML or HTML.
  init?(markup bytes: [UInt8]) {
    let text = String(forgiving: Array(bytes.filter { $0 != 0 }.prefix(2_000))).lowercased()
    let start = text.unicodeScalars.drop { $0.properties.isWhitespace || $0 == "\u{FEFF}" || $0 == "ÿ" || $0 == "þ" }
    let begins = ["<html", "<!doctype html", "<table", "<head", "<meta", "<body", "<style", "<div"]
    guard begins.contains(where: { String(start).hasPrefix($0) }) else { return nil }
    self = .page
  }

  /// The language of a text that is no list of titles: its lines have a form that no titles have.
  init?(text bytes: [UInt8]) {
    let all = String(forgiving: Array(bytes.prefix(16 << 10))).split(whereSeparator: \.isNewline)
    let lines = all.map(\.trimmed).filter { !$0.isEmpty && !$0.hasPrefix("%") }.prefix(60)
    func count(_ isSign: (Substring) -> Bool) -> Int { lines.count(where: isSign) }
    func isName(_ text: Substring) -> Bool {
      !text.isEmpty && text.utf8.allSatisfy { (97...122).contains($0 | 0x20) || (48...57).contains($0) || $0 == 0x5F }
    }
    func beginsEntry(_ line: Substring) -> Bool {
      guard line.hasPrefix("@"), let mark = line.firstIndex(where: { "{(".contains($0) }) else { return false }
      return isName(line[..<mark].dropFirst().trimmed)
    }
    let rules = zip(all, all.dropFirst()).contains { $0.contains("|") && MarkdownTables.isRule($1) }
    let heads = count { $0.hasPrefix("* ") || $0.hasPrefix("** ") }
    let values = count { line in line.firstRange(of: " = ").map { isName(line[..<$0.lowerBound]) } ?? false }
    let tables = count { $0.hasPrefix("[") && $0.hasSuffix("]") && isName($0.drop { $0 == "[" }.prefix { $0 != "]" }) }
    // A colon in a title has a word before it that begins with a capital.
    let keys = count { line in
      let line = line.hasPrefix("- ") ? line.dropFirst(2).drop { $0 == "{" }.trimmed : line
      guard let colon = line.firstIndex(of: ":") else { return false }
      let (key, rest) = (line[..<colon], line[colon...].dropFirst())
      return isName(key) && (rest.isEmpty || rest.first == " ") && key.first?.isLowercase ?? false
    }
    if Self.isBooklog(bytes) {
      self = .booklog
    } else if lines.first.map(beginsEntry) ?? false || lines.contains(where: { beginsEntry($0) && $0.hasSuffix(",") }) {
      self = .bibtex
    } else if lines.first?.hasPrefix("TY  -") ?? false {
      self = .ris
    } else if rules {
      self = .markdown
    } else if heads > 0,
      lines.first?.hasPrefix("#+") ?? false
        || count({ $0.hasPrefix(":") && $0.hasSuffix(":") || $0.hasPrefix("CLOSED:") }) > 0
    {
      self = .org
    } else if values > 0, tables > 0, (values + tables) * 2 > lines.count {
      self = .toml
    } else if keys > 1, keys * 2 > lines.count || lines.first == "---" {
      self = .yaml
    } else {
      return nil
    }
  }

  /// 17 cells, of which the third is an ISBN or nothing, and two are moments.
  private static func isBooklog(_ bytes: [UInt8]) -> Bool {
    var reader = DelimitedReader(ByteSource(bytes: bytes), delimiter: UInt8(ascii: ","))
    guard let cells = try? reader.next()?.cells, cells.count == headingsOfBooklog.count else { return false }
    func isMoment(_ text: String) -> Bool {
      text.utf8.count == 19 && text.utf8.allSatisfy { (48...57).contains($0) || "-: ".utf8.contains($0) }
    }
    return isMoment(cells[9]) && (cells[10].isEmpty || isMoment(cells[10]))
      && (cells[2].isEmpty || (try? ISBN(cells[2])) != nil)
  }

  /// Headings as tables have them. <https://booklog.jp/export>
  private static let headingsOfBooklog = [
    "Service", "Item id", "ISBN", "Category", "Rating", "Status", "Review", "Tags", "Private Notes", "Added",
    "Date Read", "Title", "Author", "Publisher", "Year", "Type", "Pages",
  ]

  /// The file as a table or as records, with the remarks on how it is read.
  func read(_ file: InputFile) throws -> (file: InputFile, remarks: [Entry.Remark]) {
    switch self {
    case .workbook: try Workbook.read(file)
    case .openDocument: try OpenSheets.readOpenDocument(file)
    case .excel2003: try OpenSheets.readExcel2003(file)
    case .page: try PageTables.read(file)
    case .bibtex: try records(of: file, BibTeX.records)
    case .ris: try records(of: file, RIS.records)
    case .yaml:
      try list(
        try records(of: file) { bytes in
          // A note has a text below its properties.
          let note = FrontMatter(String(forgiving: bytes))
          if let note, !note.body.trimmed.isEmpty,
            ((try? YAML.documents(in: Array(note.body.utf8))) ?? [.text("")]).contains(where: { $0.text != nil })
          {
            let name = file.path.split(separator: "/").last.map { $0.prefix { $0 != "." } } ?? ""
            return [Cells(note, number: 1, name: "\(name).md")]
          }
          return YAML.records(of: try YAML.documents(in: bytes))
        })
    case .booklog: try booklog(file)
    case .markdown: try MarkdownTables.read(file)
    case .toml, .org:
      throw ImportProblem(
        .unknown, "'\(file.path)' is \(words), and holds no list that can be read",
        hint: "save it as CSV, and import that")
    }
  }

  /// The table with headings above its first row.
  private func booklog(_ file: InputFile) throws -> (file: InputFile, remarks: [Entry.Remark]) {
    var sheets = Sheets(wanted: nil)
    sheets.begin("")
    try sheets.add(Self.headingsOfBooklog)
    var reader = DelimitedReader(try file.text(), delimiter: UInt8(ascii: ","))
    while let row = try reader.next() {
      try sheets.add(row.cells.map { $0 == "0000-00-00 00:00:00" || $0 == "-" ? "" : $0 })
    }
    let found = try sheets.read(as: file)
    return (found.file, file.decoding?.remarks ?? [])
  }

  /// The bytes of a text that is read at once.
  private static let mostBytes = 16 << 20

  private func records(
    of file: InputFile, _ read: ([UInt8]) throws -> [Cells]
  ) throws -> (file: InputFile, remarks: [Entry.Remark]) {
    var found = file
    found.records = try read(file.text().all(limit: Self.mostBytes))
    return (found, file.decoding?.remarks ?? [])
  }

  /// Records with names of their own are like the elements of JSON.
  private func list(
    _ found: (file: InputFile, remarks: [Entry.Remark])
  ) throws -> (file: InputFile, remarks: [Entry.Remark]) {
    var found = found
    var names: Set<String> = []
    for cells in found.file.records ?? [] {
      for cell in cells.list where names.count < 1_000 { names.insert(cell.name) }
    }
    found.file.shape = .json(names: names, layout: .list)
    return found
  }

  var words: Message {
    switch self {
    case .workbook, .excel2003: "an Excel file"
    case .openDocument: "a file of LibreOffice"
    case .page: "a page of the web"
    case .bibtex: "BibTeX"
    case .ris: "RIS"
    case .yaml: "YAML"
    case .booklog: "a table of Booklog"
    case .markdown: "a table in Markdown"
    case .toml: "TOML"
    case .org: "org text"
    }
  }
}
