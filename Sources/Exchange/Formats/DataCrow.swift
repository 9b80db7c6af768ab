internal import CatalogModel
internal import Lookup
internal import Processes

extension TableFormat {
  /// The XML of Data Crow: albums, movies and books.
  static let dataCrow = TableFormat(
    "datacrow", "Data Crow", nil, records: .other(things),
    isOurs: { shape in
      guard case .xml(let root, _) = shape else { return false }
      return root == "data-crow-objects"
    },
    own: ["element": element, "playlength": playlength, "state": state],
    finish: { facts, _ in facts.owned = 1 },
    key: { cells, _ in cells.first("id") })

  /// Reads the records without the details of their lists, such as `authors.author.name` beside `authors-list`.
  @Sendable private static func things(_ file: InputFile, _ each: (Cells) throws -> Bool) throws {
    let elements = XMLElements(source: try file.bytes())
    try Records.cells(of: elements, named: ["music-album", "movie", "book", "audio-cd"]) { cells in
      var cells = cells
      let lists = cells.list.filter { !$0.name.contains(".") }
      cells.list.removeAll { cell in
        guard let dot = cell.name.firstIndex(of: "."), !cell.name.hasPrefix("music-track") else { return false }
        let list = cell.name[..<dot]
        return lists.contains { ($0.name == "\(list)-list" || $0.name == list) && !$0.value.isEmpty }
      }
      return try each(cells)
    }
  }

  /// Seconds, or `2:13:00` in version 4.
  private static let playlength = ColumnMapping("minutes", "running time") { text, facts in
    guard facts.kind == .movie else { return true }
    guard let seconds = Int(text) else { return ColumnMapping.minutes.read(text, &facts) }
    return seconds < 60 || ColumnMapping.minutes.read("\(seconds / 60)", &facts)
  }

  /// `Read` and `Seen` are statuses; any other state describes the copy.
  private static let state = ColumnMapping("status", "status") { text, facts in
    ColumnMapping.status.read(text, &facts) || ColumnMapping.copyNote.read(text, &facts)
  }

  private static let element = ColumnMapping("kind", "kind") { text, facts in
    facts.kind = text == "movie" ? .movie : text == "book" ? .book : .vinyl
    return true
  }
}
