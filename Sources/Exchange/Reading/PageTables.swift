internal import CatalogModel
internal import Lookup
internal import Processes

/// Reads the tables of a page in HTML, as web sites give them under the name of a workbook. The tags may be careless.
struct PageTables {
  private struct Table {
    var rows: [[String]] = []
    var cell: [UInt8]?
    /// The number of empty cells behind the open one.
    var span = 0

    mutating func endCell() {
      guard let bytes = cell else { return }
      if rows.isEmpty { rows.append([]) }
      rows[rows.count - 1].append(PlainText.text(ofHTML: String(forgiving: bytes)))
      rows[rows.count - 1] += Array(repeating: "", count: span)
      (cell, span) = (nil, 0)
    }
  }

  private var done: [Table] = []
  private var open: [Table] = []

  static func read(_ file: InputFile) throws -> (file: InputFile, remarks: [Entry.Remark]) {
    var page = PageTables()
    try page.read(source(of: file).all(limit: Sheets.mostBytes))
    var sheets = Sheets(wanted: nil)
    // A layout is a table of few rows around the true one.
    let tables = page.done.enumerated().sorted {
      ($1.element.rows.count, $0.offset) < ($0.element.rows.count, $1.offset)
    }
    for (_, table) in tables.prefix(100) {
      guard table.rows.count(where: { row in row.count { !$0.isEmpty } > 1 }) > 1 else { continue }
      sheets.begin("")
      for row in table.rows { try sheets.add(row) }
    }
    guard !sheets.list.isEmpty else { throw ImportProblem(.unknown, "this is a page of the web, not an export") }
    return try sheets.read(as: file)
  }

  /// The page in UTF-8. Where its bytes do not show their encoding, it is as the page says.
  private static func source(of file: InputFile) throws -> ByteSource {
    switch file.decoding {
    case .utf8?, .utf16?, nil: return try file.text()
    default: break
    }
    let head = String(forgiving: try file.bytes().beginning(4_096)).lowercased()
    guard file.content == nil, let mark = head.firstRange(of: "charset=") else { return try file.text() }
    let name = head[mark.upperBound...].drop { "\"' ".contains($0) }
      .prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) }
    guard !name.isEmpty, !name.hasPrefix("-"), !["utf-8", "utf8"].contains(name) else { return try file.text() }
    let path = file.path.hasPrefix("-") ? "./" + file.path : file.path
    // Korean pages mean the larger set of Windows.
    let charset = ["euc-kr", "ks_c_5601-1987"].contains(name) ? "CP949" : String(name)
    return try ByteSource(program: ["iconv", "-c", "-f", charset, "-t", "UTF-8", path], package: "libc-bin") { _ in }
  }

  private mutating func read(_ bytes: [UInt8]) throws {
    var place = 0
    while place < bytes.count {
      guard bytes[place] == UInt8(ascii: "<") else {
        add(bytes[place])
        place += 1
        continue
      }
      if bytes[place...].starts(with: "<!--".utf8) {
        place = Self.end(of: "-->", in: bytes, from: place + 4)
        continue
      }
      let isEnd = place + 1 < bytes.count && bytes[place + 1] == UInt8(ascii: "/")
      let start = place + (isEnd ? 2 : 1)
      let letters = bytes[min(start, bytes.count)...].prefix(10).prefix { (97...122).contains($0 | 0x20) }
      let name = String(decoding: letters, as: UTF8.self).lowercased()
      if name == "script" || name == "style", !isEnd {
        place = Self.end(of: "</\(name)", in: bytes, from: start)
        continue
      }
      guard ["table", "tr", "td", "th"].contains(name) else {
        add(bytes[place])
        place += 1
        continue
      }
      let close = bytes[start...].firstIndex(of: UInt8(ascii: ">")) ?? bytes.count
      try take(name, isEnd: isEnd, bytes[start..<close])
      place = close + 1
    }
    while let last = open.popLast() { finish(last) }
  }

  private mutating func take(_ name: String, isEnd: Bool, _ tag: ArraySlice<UInt8>) throws {
    if name == "table" {
      if !isEnd {
        guard open.count < 64 else { throw ImportProblem.tooMuch("the tables of the page are nested too deeply") }
        open.append(Table())
      } else if let last = open.popLast() {
        finish(last)
      }
      return
    }
    guard let last = open.indices.last else { return }
    open[last].endCell()
    guard !isEnd else { return }
    if name == "tr" {
      open[last].rows.append([])
    } else {
      open[last].cell = []
      let words = String(forgiving: Array(tag.prefix(1_000))).lowercased()
      let span = words.firstRange(of: "colspan=").map { words[$0.upperBound...].drop { "\"' ".contains($0) } }
      open[last].span = max(0, min(span.flatMap { Int($0.prefix(while: \.isNumber)) } ?? 1, 100) - 1)
    }
  }

  private mutating func finish(_ table: Table) {
    var table = table
    table.endCell()
    done.append(table)
  }

  private mutating func add(_ byte: UInt8) {
    guard let last = open.indices.last else { return }
    open[last].cell?.append(byte)
  }

  /// The place of the first byte behind a mark.
  private static func end(of mark: String, in bytes: [UInt8], from start: Int) -> Int {
    let mark = Array(mark.utf8)
    var place = start
    while place + mark.count <= bytes.count {
      if zip(bytes[place...], mark).allSatisfy({ $0 | 0x20 == $1 | 0x20 }) { return place + mark.count }
      place += 1
    }
    return bytes.count
  }
}
