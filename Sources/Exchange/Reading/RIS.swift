internal import CatalogModel
internal import Lookup

/// Reads the entries of RIS, with the names of BibTeX for its tags. <https://en.wikipedia.org/wiki/RIS_(file_format)>
enum RIS {
  /// - Throws: ``ImportProblem`` for too many entries.
  static func records(in bytes: [UInt8]) throws -> [Cells] {
    var records: [Cells] = []
    // The entry that is open, and its last tag.
    var (open, last): (Cells?, String) = (nil, "")
    func close() throws {
      guard let record = open, !record.list.isEmpty else { return }
      records.append(record)
      open = nil
      try RowKeys.check(records.count)
    }
    for (number, line) in String(forgiving: bytes).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .enumerated()
    {
      guard let (tag, value) = parted(line) else {
        // A value goes on in the next line.
        if let end = open?.list.indices.last, !line.trimmed.isEmpty, !last.isEmpty {
          open?.list[end].value += " " + line.trimmed
        }
        continue
      }
      last = tag
      if tag == "TY" || tag == "ER" { try close() }
      if tag == "TY" { open = Cells(line: number + 1, list: [("type", value)]) }
      guard tag != "TY", tag != "ER", !value.isEmpty, open?.list.count ?? 10_000 < 10_000 else { continue }
      let field = name(tag, value, open)
      open?.list.append((field, text(tag, value)))
    }
    try close()
    return records
  }

  /// `AU  - Roe, Jane`
  private static func parted(_ line: Substring) -> (tag: String, value: String)? {
    let tag = line.prefix(2)
    let rest = line.dropFirst(2)
    guard tag.utf8.count == 2, tag.utf8.first.map({ (65...90).contains($0) }) ?? false,
      tag.utf8.allSatisfy({ (65...90).contains($0) || (48...57).contains($0) }), rest.hasPrefix("  -"),
      rest.dropFirst(3).first.map({ $0 == " " }) ?? true
    else { return nil }
    return (String(tag), String(rest.dropFirst(3).trimmed))
  }

  private static func name(_ tag: String, _ value: String, _ open: Cells?) -> String {
    switch tag {
    case "TI", "T1", "BT", "CT": open?.first("title") == nil ? "title" : tag
    // Pages of a part are a range.
    case "SP": value.utf8.allSatisfy { (48...57).contains($0) } ? "pagetotal" : "pages"
    case "SN": (try? ISBN(value)) != nil || value.utf8.count > 9 ? "isbn" : "issn"
    default: names[tag] ?? tag
    }
  }

  private static func text(_ tag: String, _ value: String) -> String {
    switch tag {
    case "AU", "A1", "A2", "A3", "A4", "ED":
      return BibTeX.firstNameFirst(value.split(separator: ",").map { String($0.trimmed) }.filter { !$0.isEmpty })
    // 2020/05/03/Spring
    case "PY", "Y1", "DA":
      let parts = value.split(separator: "/", omittingEmptySubsequences: false).prefix(3).prefix { !$0.isEmpty }
      return parts.count > 1 ? parts.joined(separator: "-") : parts.first.map(String.init) ?? value
    default: return value
    }
  }

  private static let names = [
    "AU": "author", "A1": "author", "A2": "editor", "ED": "editor", "A4": "translator", "PY": "date", "Y1": "date",
    "DA": "date", "PB": "publisher", "CY": "address", "PP": "address", "T2": "series", "T3": "series", "VL": "volume",
    "KW": "keyword", "LA": "language", "N1": "note", "AB": "abstract", "N2": "abstract", "UR": "url", "DO": "doi",
    "ID": "key", "ET": "edition", "M3": "medium", "ST": "shorttitle",
  ]
}
