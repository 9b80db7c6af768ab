public import CatalogModel
internal import SQLite

extension Store {
  /// The uid of an item; nil before its first export.
  public func uid(of item: ItemID) throws -> String? {
    try UIDMap(db).uid(of: item.rawValue)
  }
}

/// Duplicates: documents of one work that two devices have added.
extension Store {
  /// Returns a function that finds the local duplicates of an item's document, the surest first: by an external id, by
  /// ISBN, or as one row of a file that both devices have imported.
  ///
  /// The last two count only if both items are new: an ISBN may belong to several editions, and rows may be equal by
  /// chance.
  public func findingDuplicates() throws -> (_ document: Document) throws -> [(uid: String, isByCode: Bool)] {
    let portable = try PortableDocuments(db)
    return { try self.duplicates(of: $0, portable) }
  }

  private func duplicates(
    of document: Document, _ portable: PortableDocuments
  ) throws -> [(uid: String, isByCode: Bool)] {
    guard let row = document.rows(of: "item").first, let own = row[TableSchema.uid]?.text else { return [] }
    func uids(_ items: [Int64], isByCode: Bool) throws -> [(uid: String, isByCode: Bool)] {
      try items.compactMap(UIDMap(db).uid).filter { $0 != own }.map { ($0, isByCode) }
    }
    for row in document.rows(of: "external_id") {
      let items = try db.values(
        "SELECT item_id FROM external_id WHERE source = \(row["source"]?.text) AND value = \(row["value"]?.text)",
        as: Int64.self)
      let found = try uids(items, isByCode: false)
      if !found.isEmpty { return found }
    }
    guard let keys = WorkIdentity(document) else { return [] }
    let sameCode = try db.values(
      "SELECT item_id FROM book WHERE isbn13 = \(keys.isbn) ORDER BY item_id", as: Int64.self)
    let sameSecond = try db.values(
      """
      SELECT id FROM item WHERE title = \(row["title"]?.text) COLLATE NOCASE AND title = \(row["title"]?.text)
        AND kind = \(keys.kind.rawValue) AND created_at = \(row["created_at"]?.text)
      ORDER BY year IS NOT \(keys.year.map(Int64.init)), id
      """, as: Int64.self)
    let sameRow = try sameSecond.filter { id in
      try self.identity(of: ItemID(rawValue: id)).isOneRow(as: keys) {
        var isSame = false
        try portable.forEachItem([id]) { isSame = !$2.contradicts(document) }
        return isSame
      }
    }
    return try uids(sameCode + sameRow.filter { !sameCode.contains($0) }, isByCode: true)
  }
}

extension WorkIdentity {
  /// The identity of an item's document; nil for other documents.
  init?(_ document: Document) {
    guard let item = document.rows(of: "item").first, let title = item["title"]?.text,
      let kind = item["kind"]?.text.flatMap(Kind.init(rawValue:))
    else { return nil }
    let main = Credit.Role(main: kind).rawValue
    let details = document.rows(of: kind.rawValue).first
    self.init(
      kind: kind, titles: [title, item["original_title"]?.text].compactMap(\.self),
      otherTitles: item["other_titles"]?.text.map(Text.parts) ?? [],
      year: item["year"]?.integer.flatMap(Int.init(exactly:)),
      makers: document.rows(of: "credit").filter { $0["role"]?.text == main }.compactMap {
        $0["person"]?.object?["name"]?.text
      },
      tracks: document.rows(of: "track").compactMap { $0["title"]?.text },
      externalIDs: document.rows(of: "external_id").compactMap { row in
        guard let source = row["source"]?.text, let value = row["value"]?.text else { return nil }
        return ExternalID(source: source, value: value)
      }, isbn: details?["isbn13"]?.text, barcode: details?["barcode"]?.text,
      catalogNumber: details?["catalog_number"]?.text, series: details?["series"]?.text)
  }

  /// Whether two items with the same title and creation time are one row of a file that both devices have imported. Two
  /// films of one title are not.
  /// - Parameter agreesElsewhere: whether all other values are equal, for items without a maker.
  func isOneRow(as other: WorkIdentity, agreesElsewhere: () throws -> Bool) rethrows -> Bool {
    let found = compare(with: other)
    // A year apart: a festival before the release. Any years apart: editions of a book.
    guard found.outcome != .other, !found.isToldApart, kind == .book || found.years ?? 0 <= (kind == .movie ? 1 : 0)
    else { return false }
    switch found.makers {
    case .some: return found.outcome == .same
    case .unreadable: return found.years == 0
    case .unknown where makers.isEmpty && other.makers.isEmpty: return try agreesElsewhere()
    case .unknown: return kind == .movie && found.years == 0
    case .near, .none: return false
    }
  }
}

extension Document {
  /// Merges two duplicates into one item with all rows of both and the smaller uid.
  /// - Parameter known: the document of our item on the other device. Rows that it keeps apart from `theirs` are not
  ///   joined.
  /// - Returns: the item, the document for the file of its alias, and the conflicts.
  public static func mergingDuplicates(
    _ ours: Document, _ theirs: Document, known: Document? = nil
  ) -> (document: Document, uid: String, alias: String, pointer: Document, conflicts: [MergeConflict])? {
    guard let ourUID = ours.uid, let theirUID = theirs.uid else { return nil }
    let (uid, alias) = ourUID.utf8.lexicographicallyPrecedes(theirUID.utf8) ? (ourUID, theirUID) : (theirUID, ourUID)
    // Both devices may do this at once and must get the same result: rows have the uids of the smaller item's side.
    let (first, second) =
      uid == ourUID
      ? (ours, theirs.adoptingUIDs(of: ours, but: known)) : (ours.adoptingUIDs(of: theirs, but: known), theirs)
    var (document, conflicts) = ThreeWayMerge.merge(base: nil, ours: first.named(uid), theirs: second.named(uid))
    let aliases = Set([ours, theirs].flatMap(\.aliases) + [alias]).subtracting([uid])
    document = document.with(PortableDocuments.aliases, .list(aliases.sorted().map(JSON.text)))
    conflicts.insert(
      MergeConflict(
        title: document.title ?? "", row: "", part: "uid", ours: .text(ourUID), theirs: .text(theirUID),
        resolution: .both),
      at: 0)
    return (document, uid, alias, Document([.init(PortableDocuments.same, .text(uid))]), conflicts)
  }

  /// Applies the edits of an item to the item that it was merged into on the other side.
  /// - Parameters:
  ///   - base: the common ancestor of both sides.
  ///   - edited: the edited version.
  ///   - now: the item that it was merged into.
  ///   - isOurs: whether the edits are ours.
  ///   - others: reads the editing side's documents of the item's other uids. Rows found there were moved, not removed.
  public static func rebased(
    from base: Document?, _ edited: Document, to now: Document, isOurs: Bool, others: () throws -> [Document]
  ) rethrows -> (document: Document, conflicts: [MergeConflict]) {
    guard let uid = now.uid else { return (now, []) }
    // External ids are compared without a base: one may have moved between the items before they were merged.
    var base = base.flatMap { $0.isGone ? nil : $0.named(uid).without("external_id") }
    if let known = base {
      let missing = known.ownableRows.subtracting(edited.ownableRows)
      if !missing.isEmpty {
        base = known.without(rows: try others().reduce(Set()) { $0.union($1.ownableRows) }.intersection(missing))
      }
    }
    let edited = edited.named(uid)
    return isOurs
      ? ThreeWayMerge.merge(base: base, ours: edited, theirs: now)
      : ThreeWayMerge.merge(base: base, ours: now, theirs: edited)
  }

  /// The uids of the rows that a merge moves from one item to another.
  var ownableRows: Set<String> {
    Set(ThreeWayMerge.ownableTables.flatMap { rows(of: $0.name).compactMap { $0[TableSchema.uid]?.text } })
  }

  /// The document without the rows that have these uids.
  func without(rows names: Set<String>) -> Document {
    func isOne(_ value: JSON) -> Bool { value.object?[TableSchema.uid]?.text.map(names.contains) ?? false }
    return Document(
      members.map { member in
        guard case .list(let rows) = member.value else { return member }
        return .init(member.key, .list(rows.filter { !isOne($0) }))
      })
  }

  /// The uid of the item that this one was merged into; nil if it was not merged.
  public var movedTo: String? { self[PortableDocuments.same]?.text }

  /// The item's uid; nil for other documents.
  public var uid: String? { rows(of: "item").first?[TableSchema.uid]?.text }

  /// The item's kind; nil for other documents.
  var kind: String? { rows(of: "item").first?["kind"]?.text }

  public var aliases: [String] { (self[PortableDocuments.aliases]?.list ?? []).compactMap(\.text) }

  /// The digest of the cover and its file ending.
  public var cover: (digest: String, ending: String)? {
    guard let row = rows(of: "cover").first, let digest = row[DocumentTable.digest]?.text else { return nil }
    return (digest, Self.ending(ofCover: row))
  }

  static func ending(ofCover row: Document) -> String {
    switch row["media_type"]?.text {
    case "image/jpeg": "jpg"
    case "image/png": "png"
    case "image/webp": "webp"
    case "image/gif": "gif"
    default: "bin"
    }
  }

  public static let coverEndings = ["jpg", "png", "webp", "gif", "bin"]

  /// The document with the uids that equal rows of another document have, as after importing one file twice.
  /// - Parameter known: its rows keep their uids, and no other row gets these.
  private func adoptingUIDs(of other: Document, but known: Document?) -> Document {
    var names: [String: String] = [:]
    func renamed(_ row: Document) -> Document {
      Document(
        row.members.map { member in
          guard let name = member.value.text.flatMap({ names[$0] }) else { return member }
          return .init(member.key, .text(name))
        })
    }
    var document = self
    // Rows that others refer to come first.
    for table in ThreeWayMerge.ownableTables.map(\.name) {
      let apart = Set((known?.rows(of: table) ?? []).compactMap { $0[TableSchema.uid]?.text })
      func isApart(_ row: Document) -> Bool { row[TableSchema.uid]?.text.map(apart.contains) ?? false }
      var free = other.rows(of: table).filter { !isApart($0) }
      let rows = document.rows(of: table).map { row -> Document in
        let row = renamed(row)
        guard !isApart(row), let own = row[TableSchema.uid]?.text,
          let place = free.firstIndex(where: {
            $0.without(TableSchema.uid).isSame(as: row.without(TableSchema.uid))
          }),
          let name = free.remove(at: place)[TableSchema.uid]?.text
        else { return row }
        names[own] = name
        return renamed(row)
      }
      if !rows.isEmpty { document = document.with(table, .list(rows.map(JSON.object))) }
    }
    return document
  }

  /// Whether two documents disagree about the work. A value that one of them lacks is no disagreement, nor is a later
  /// edit or refresh.
  func contradicts(_ other: Document) -> Bool {
    let later: Set = [
      TableSchema.uid, "updated_at", "genres_by_hand", "note", "description", "url", "public_rating", "public_votes",
    ]
    return TableSchema.ofItemItself.contains { table in
      guard let row = rows(of: table).first, let others = other.rows(of: table).first else { return false }
      return row.members.contains { member in
        !later.contains(member.key) && others[member.key].map { !member.value.isSame(as: $0) } == true
      }
    }
  }

  private func named(_ uid: String) -> Document {
    guard let item = self["item"]?.object else { return self }
    return with("item", .object(item.with(TableSchema.uid, .text(uid))))
  }
}
