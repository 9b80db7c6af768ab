internal import CatalogModel

// The rules of the file, which a merged document may break.
extension ThreeWayMerge {
  /// Repairs a merged document that breaks a rule of the file: two open rows of one owner, two references to a row that
  /// only one may have, lost references, and rings of genres.
  mutating func repaired(_ document: Document) -> Document {
    var document = repairedGenres(document)
    for table in TableSchema.identified {
      switch table.open?.merge {
      case .combined: document = combined(document, table)
      case .ended(let column): document = ended(document, table, at: column)
      case nil: break
      }
    }
    for table in TableSchema.identified { document = withoutLostRows(document, table) }
    if document["item"] != nil {
      document.members.removeAll { if case .list(let values) = $0.value { values.isEmpty } else { false } }
    }
    return document
  }

  /// Combines the open rows of an item.
  private mutating func combined(_ document: Document, _ table: TableSchema) -> Document {
    let rows = document.rows(of: table.name)
    let open = rows.filter { table.open?.holds(for: $0) == true }
    guard open.count > 1, document["item"] != nil, let one = combineRows(table.name, open) else { return document }
    return document.saying(rows.filter { !open.contains($0) } + [one], of: table.name)
  }

  /// Ends all open rows of an owner but the last one, at the time when that began.
  private mutating func ended(_ document: Document, _ table: TableSchema, at column: String) -> Document {
    guard let state = table.open, let owner = table.ownerTable?.name else { return document }
    let rows = document.rows(of: table.name)
    let open = Dictionary(grouping: rows.filter { state.holds(for: $0) }) { $0[owner]?.text ?? "" }
    guard open.values.contains(where: { $0.count > 1 }) else { return document }
    func began(_ row: Document) -> [String] { [row[column]?.word ?? "", row.ownName] }
    let ended = rows.map { row -> Document in
      guard state.holds(for: row), let rivals = open[row[owner]?.text ?? ""],
        let last = rivals.max(by: { Self.order(began($0), began($1)) }), last != row
      else { return row }
      recordConflict("\(table.name) \(row.ownName)", state.column, .object(row), nil, .both)
      return Document(row.members + [.init(state.column, last[column] ?? .null)])
    }
    return document.saying(ended, of: table.name)
  }

  /// Clears references to rows that are gone or that another row has, and removes the rows of owners that are gone.
  private mutating func withoutLostRows(_ document: Document, _ table: TableSchema) -> Document {
    var document = document
    for link in table.links {
      var named = Set(document.rows(of: link.table).map(\.ownName))
      let rows = document.rows(of: table.name)
      let lost = rows.filter { row in
        guard let name = row[link.key]?.text else { return false }
        return link.isExclusive ? named.remove(name) == nil : !named.contains(name)
      }
      for row in lost {
        recordConflict("\(table.name) \(row.ownName)", link.key, row[link.key], nil, .theirs)
      }
      if !lost.isEmpty {
        document = document.saying(
          rows.map { lost.contains($0) ? $0.without(link.key) : $0 }, of: table.name)
      }
    }
    if let owner = table.ownerTable?.name {
      let owners = Set(document.rows(of: owner).map(\.ownName))
      let rows = document.rows(of: table.name)
      let kept = rows.filter { $0[owner]?.text.map(owners.contains) ?? true }
      if kept.count < rows.count { document = document.saying(kept, of: table.name) }
    }
    return document
  }

  private mutating func repairedGenres(_ document: Document) -> Document {
    var document = document
    func rows() -> [Document] { document.rows(of: "genre") }
    func set(_ rows: [Document]) { document = document.saying(rows, of: "genre") }
    // One side has put a genre below another that the other side removed.
    func key(_ row: Document, _ column: String) -> String? { row[column]?.text.map(Folding.nameKey) }
    let genres = Set(rows().compactMap { key($0, "name") })
    func isUnderNone(_ genre: Document) -> Bool { key(genre, "parent").map { !genres.contains($0) } == true }
    if rows().contains(where: isUnderNone) {
      for genre in rows().filter(isUnderNone) {
        recordConflict(
          "genre \(key(genre, "name") ?? "")", "parent", genre["parent"], nil, .theirs, called: genre["name"]?.text)
      }
      set(rows().map { isUnderNone($0) ? $0.without("parent") : $0 })
    }
    // Each side has put one genre below the other. The first genre of such a ring, by name, loses its parent.
    var above = Dictionary(
      rows().compactMap { row in key(row, "parent").map { (key(row, "name") ?? "", $0) } }
    ) { first, _ in first }
    for genre in rows().sorted(by: { Self.order([key($0, "name") ?? ""], [key($1, "name") ?? ""]) }) {
      guard let own = key(genre, "name"), let parent = genre["parent"] else { continue }
      var (place, seen) = (above[own], Set<String>())
      while let other = place, other != own, seen.insert(other).inserted { place = above[other] }
      guard place == own else { continue }
      above[own] = nil
      recordConflict("genre \(own)", "parent", parent, parent, .both, called: genre["name"]?.text)
      set(rows().map { key($0, "name") == own ? $0.without("parent") : $0 })
    }
    return document
  }

  /// Combines rows into one with the smallest uid and the values of all.
  private mutating func combineRows(_ table: String, _ rows: [Document]) -> Document? {
    let rows = rows.sorted { Self.order([$0[TableSchema.uid]?.word ?? ""], [$1[TableSchema.uid]?.word ?? ""]) }
    guard let first = rows.first else { return nil }
    let empty = Document()
    return rows.dropFirst().reduce(first) { merged, other in
      row(
        table, "\(table) \(first[TableSchema.uid]?.word ?? "")", nil, merged,
        other.with(TableSchema.uid, merged[TableSchema.uid]), Sides(base: nil, ours: empty, theirs: empty))
    }
  }
}
