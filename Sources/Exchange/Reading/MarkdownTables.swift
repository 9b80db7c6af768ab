internal import CatalogModel
internal import Lookup

/// Reads the tables of a text in Markdown. Tables with the same headings are one.
enum MarkdownTables {
  static func read(_ file: InputFile) throws -> (file: InputFile, remarks: [Entry.Remark]) {
    let text = String(forgiving: try file.text().all(limit: Sheets.mostBytes))
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    var tables: [(name: String, header: [String], rows: [(line: Int, cells: [String], links: [String])])] = []
    var (name, place) = ("", 0)
    while place < lines.count {
      let line = lines[place].trimmed
      place += 1
      if line.hasPrefix("#") { name = String(line.drop { $0 == "#" }.trimmed) }
      guard line.contains("|"), place < lines.count, isRule(lines[place]) else { continue }
      let header = cells(of: line).map(\.text)
      var rows: [(line: Int, cells: [String], links: [String])] = []
      place += 1
      while place < lines.count, lines[place].contains("|") {
        let parts = cells(of: lines[place].trimmed)
        rows.append((place + 1, parts.map(\.text), parts.compactMap(\.link)))
        place += 1
      }
      if let same = tables.firstIndex(where: { $0.header == header }) {
        tables[same].rows += rows
      } else {
        tables.append((name, header, rows))
      }
    }
    var sheets = Sheets(wanted: file.choices.sheet)
    for table in tables {
      sheets.begin(table.name)
      // If a title is a link, the address belongs to its row.
      let links = table.rows.flatMap(\.links)
      let heads = [("imdb url", true), ("url", false)].filter { head in links.contains { isIMDb($0) == head.1 } }
      try sheets.add(table.header + heads.map(\.0))
      for row in table.rows {
        let short = Array(row.cells.prefix(table.header.count))
        let empty = Array(repeating: "", count: table.header.count - short.count)
        try sheets.add(
          short + empty + heads.map { head in row.links.first { isIMDb($0) == head.1 } ?? "" }
            + row.cells.dropFirst(table.header.count), at: row.line)
      }
    }
    let found = try sheets.read(as: file)
    return (found.file, found.remarks + (file.decoding?.remarks ?? []))
  }

  /// Whether a line is that below the headings: `|:---|---|`.
  static func isRule(_ line: Substring) -> Bool {
    line.contains("|") && line.contains("-") && line.allSatisfy { "-|: \t".contains($0) }
  }

  private static func isIMDb(_ address: String) -> Bool { ExternalID(imdbPage: address) != nil }

  private static func cells(of line: Substring) -> [(text: String, link: String?)] {
    var (cells, cell, isEscaped): ([String], String, Bool) = ([], "", false)
    for character in line {
      if character == "|", !isEscaped {
        cells.append(cell)
        cell = ""
      } else {
        if character == "|", isEscaped { cell.removeLast() }
        cell.append(character)
      }
      isEscaped = character == "\\" && !isEscaped
    }
    cells.append(cell)
    if line.hasPrefix("|") { cells.removeFirst() }
    if line.hasSuffix("|"), cells.count > 1, cells.last?.isEmpty ?? false { cells.removeLast() }
    return cells.map { cell in
      let start = cell.firstRange(of: "](http").map { cell[$0.lowerBound...].dropFirst(2) }
      let link = start.map { String($0.prefix { $0 != ")" && !$0.isWhitespace }) }
      return (PlainText.line(PlainText.text(ofMarkdown: cell)), link)
    }
  }
}
