internal import CatalogModel

// Rows that two items share, because one device has merged the items while another kept changing both.
extension ThreeWayMerge {
  static let ownableTables = TableSchema.all.filter(\.isOwnable)

  /// Whether two items share no row, and no row of one refers to a row of the other.
  static func areDisjoint(_ one: Document, _ other: Document) -> Bool {
    func names(_ item: Document) -> Set<String> {
      ownableTables.reduce(into: item.ownableRows) { names, table in
        for link in table.links { names.formUnion(item.rows(of: table.name).compactMap { $0[link.key]?.text }) }
      }
    }
    return names(one).isDisjoint(with: names(other))
  }

  /// Assigns each shared row to the item with the smaller uid, merged from both, together with the rows that refer to
  /// it.
  /// - Parameter bases: the base documents of the two items, as far as they are known.
  static func assignSharedRows(
    bases: [Document], ours: Document, theirs: Document
  ) -> (ours: Document, theirs: Document, conflicts: [MergeConflict]) {
    var merge = ThreeWayMerge()
    merge.title = theirs.title ?? ""
    merge.times = (ours.time, theirs.time)
    let areOursFirst = order([ours.uid ?? ""], [theirs.uid ?? ""])
    var (owner, other) = areOursFirst ? (ours, theirs) : (theirs, ours)
    let sides = Sides(base: nil, ours: ours, theirs: theirs)
    func byName(_ rows: [Document]) -> [String: Document] {
      Dictionary(rows.map { ($0.ownName, $0) }) { first, _ in first }
    }
    for schema in ownableTables {
      let table = schema.name
      let (base, others) = (byName(bases.flatMap { $0.rows(of: table) }), byName(theirs.rows(of: table)))
      let both = byName(ours.rows(of: table)).compactMap { name, row in
        others[name].map { (name, ours: row, theirs: $0) }
      }
      let uids = Set(both.map(\.0))
      let merged = both.sorted { order([$0.0], [$1.0]) }.map { name, ours, theirs in
        let (base, title) = (base[name], "\(table) \(name)")
        if base != nil { return merge.row(table, title, base, ours, theirs, sides) }
        let (ourEnd, theirEnd) = (ended(ours, as: theirs, of: schema), ended(theirs, as: ours, of: schema))
        return merge.row(table, title, nil, ourEnd, theirEnd, sides)
      }
      owner = owner.saying(owner.rows(of: table).filter { !uids.contains($0.ownName) } + merged, of: table)
      other = other.saying(other.rows(of: table).filter { !uids.contains($0.ownName) }, of: table)
    }
    func move(_ table: String, _ hangs: (Document) -> Bool) {
      let rows = other.rows(of: table)
      owner = owner.saying(owner.rows(of: table) + rows.filter(hangs), of: table)
      other = other.saying(rows.filter { !hangs($0) }, of: table)
    }
    for table in ownableTables {
      for link in table.links {
        let named = Set(owner.rows(of: table.name).compactMap { $0[link.key]?.text })
        move(link.table) { named.contains($0.ownName) }
      }
    }
    for table in ownableTables {
      guard let other = table.ownerTable else { continue }
      let owners = Set(owner.rows(of: other.name).map(\.ownName))
      move(table.name) { owners.contains($0[other.name]?.text ?? "") }
    }
    (owner, other) = (merge.repaired(owner), merge.repaired(other))
    return (areOursFirst ? owner : other, areOursFirst ? other : owner, merge.conflicts)
  }

  /// An open row, ended as in another version: its device did not know of the end.
  private static func ended(_ row: Document, as other: Document, of table: TableSchema) -> Document {
    guard let open = table.open, open.holds(for: row), !open.holds(for: other) else { return row }
    let group = TableSchema.group(of: open.column, in: table.name)
    return Document(
      row.members.filter { !group.contains($0.key) } + other.members.filter { group.contains($0.key) })
  }
}
