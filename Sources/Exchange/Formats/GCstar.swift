internal import CatalogModel
internal import Lookup

extension TableFormat {
  /// A collection of GCstar: films, books or records, alone or in its archive. Its days are written 31/12/2024.
  static let gcstar = TableFormat(
    "gcstar", "GCstar", nil, records: .elements(["item"], member: ".gcs"),
    isOurs: { shape in
      switch shape {
      case .xml("collection", let inside): inside.contains("item") || inside.contains("information")
      case .zip(let members): members.contains { $0.hasSuffix(".gcs") }
      default: false
      }
    },
    own: ["page": page, "borrower": borrower],
    finish: { facts, cells in
      // A name in each line, and the role in the next cell of the line.
      for line in cells.lines("actors") where facts.credits.count < 30 {
        guard let name = line.first?.nonEmpty else { continue }
        facts.credits.append(Credit(name: name, role: .cast, detail: line.dropFirst().first?.nonEmpty))
      }
      facts.owned = 1
      if facts.rating != nil, facts.status == nil { facts.status = .done }
    },
    key: { cells, facts in cells.first("id").map { "\($0) \(Cells.key(facts.title ?? ""))" } }
  ).prepared { file, format in
    format.columns = format.columns.mapValues(\.asTold)
    var type = ""
    let source =
      if case .zip(let members) = file.shape, let member = members.first(where: { $0.hasSuffix(".gcs") }) {
        try ZipArchive(path: file.path).read(member)
      } else {
        try file.bytes()
      }
    try XMLElements(source: source).forEach(
      named: [],
      begin: { element in
        type = element["type"] ?? ""
        return false
      }, { _ in false })
    switch type.lowercased() {
    case "gcfilms": format.kind = .movie
    case "gcbooks": format.kind = .book
    case "gcmusics": format.kind = .vinyl
    default:
      let kind = type
      format.finish = { _, _ throws(ImportRow.Rejection) in
        throw ImportRow.Rejection.otherKind(kind)
      }
    }
  }

  /// `https://example.org/##its name`
  private static let page = ColumnMapping("url", "page on the web") { text, facts in
    let address = text.firstRange(of: "##").map { String(text[..<$0.lowerBound]) } ?? text
    if let id = ExternalID(imdbPage: address) { facts.externalIDs.append(id) }
    return ColumnMapping.url.read(address, &facts)
  }

  private static let borrower = ColumnMapping("lent-to", "loan") { text, facts in
    if !["none", "unknown"].contains(text.lowercased()) { facts.holder = text }
    return true
  }
}

extension Cells {
  /// The name and the role in each line of a list. An empty role is a cell, too.
  fileprivate func lines(_ name: String) -> [[String]] {
    let cells = list.filter { $0.name == "\(name).line.col" }.map(\.value)
    return stride(from: 0, to: cells.count, by: 2).map { Array(cells[$0..<min($0 + 2, cells.count)]) }
  }
}
