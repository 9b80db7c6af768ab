public import CatalogModel
internal import SQLite

extension Store {
  /// The uid of an item; nil before its first export.
  public func uid(of item: ItemID) throws -> String? {
    try UIDMap(db).uid(of: item.rawValue)
  }
}

/// Two documents that were made on two devices and are about one thing.
extension Store {
  /// The uid of the item here that has one of the identifiers of a document, or its ISBN; nil when there is none, or when it is the same.
  ///
  /// An identifier belongs to one thing. An ISBN does to one edition, of which a person may know several, and a title of a second may be
  /// chance: these count only where both were new.
  public func uid(ofDuplicateOf document: Document) throws -> (uid: String, isByCode: Bool)? {
    guard let own = document.rows(of: "item").first?[DocumentTable.uid]?.text else { return nil }
    func uid(_ item: Int64?) throws -> String? { try item.flatMap(UIDMap(db).uid) }
    for row in document.rows(of: "external_id") {
      let item = try db.value(
        "SELECT item_id FROM external_id WHERE source = \(row["source"]?.text) AND value = \(row["value"]?.text)",
        as: Int64.self)
      if let uid = try uid(item), uid != own { return (uid, false) }
    }
    if let isbn = document.rows(of: "book").first?["isbn13"]?.text {
      let item = try db.value("SELECT min(item_id) FROM book WHERE isbn13 = \(isbn)", as: Int64.self)
      if let uid = try uid(item), uid != own { return (uid, true) }
    }
    // One file that was copied to another device before either has synced.
    if let row = document.rows(of: "item").first, let title = row["title"]?.text {
      let item = try db.value(
        """
        SELECT min(id) FROM item WHERE title = \(title) COLLATE NOCASE AND title = \(title) AND kind = \(row["kind"]?.text)
          AND created_at = \(row["created_at"]?.text)
        """, as: Int64.self)
      if let uid = try uid(item), uid != own { return (uid, true) }
    }
    return nil
  }
}

extension Document {
  /// The two documents of one thing that two devices have made: one item with everything of both, and the smaller name.
  /// - Parameter known: what the device of `theirs` says of our thing. What it tells apart from `theirs` is not one file that was copied.
  /// - Returns: the item, what the other name's file says, and what both said differently.
  public static func mergingDuplicates(
    _ ours: Document, _ theirs: Document, known: Document? = nil
  ) -> (document: Document, uid: String, alias: String, pointer: Document, conflicts: [MergeConflict])? {
    guard let ourUID = ours.uid, let theirUID = theirs.uid else { return nil }
    let (uid, alias) = ourUID.utf8.lexicographicallyPrecedes(theirUID.utf8) ? (ourUID, theirUID) : (theirUID, ourUID)
    // Both devices, when they do this at once, must come to the same: the names of rows are those of the smaller uid's side.
    let (first, second) =
      uid == ourUID
      ? (ours, theirs.adoptingUIDs(of: ours, but: known)) : (ours.adoptingUIDs(of: theirs, but: known), theirs)
    var (document, conflicts) = ThreeWayMerge.merge(base: nil, ours: first.named(uid), theirs: second.named(uid))
    let aliases = Set([ours, theirs].flatMap(\.aliases) + [alias]).subtracting([uid])
    document = document.without(PortableDocuments.aliases)
    document.members.append(.init(PortableDocuments.aliases, .list(aliases.sorted().map(JSON.text))))
    conflicts.insert(
      MergeConflict(
        title: document.title ?? "", row: "", part: "uid", ours: .text(ourUID), theirs: .text(theirUID),
        resolution: .both),
      at: 0)
    return (document, uid, alias, Document([.init(PortableDocuments.same, .text(uid))]), conflicts)
  }

  /// Applies the edits of an item to the item that it was merged into on the other side.
  /// - Parameters:
  ///   - base: the version that both sides come from.
  ///   - said: the edited version.
  ///   - now: the item that it was merged into.
  ///   - isOurs: whether the edits are ours.
  ///   - others: reads the editing side's documents of the item's other uids. Rows found there were moved, not removed.
  public static func rebased(
    from base: Document?, _ edited: Document, to now: Document, isOurs: Bool, others: () throws -> [Document]
  ) rethrows -> (document: Document, conflicts: [MergeConflict]) {
    guard let uid = now.uid else { return (now, []) }
    // It is known by all identifiers that either had: one may have gone from the one to the other before they were one.
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

  /// The names of the rows that a merge moves from one item to another.
  var ownableRows: Set<String> {
    Set(ThreeWayMerge.ownableTables.flatMap { rows(of: $0.name).compactMap { $0[DocumentTable.uid]?.text } })
  }

  /// The document without the rows of these names.
  func without(rows names: Set<String>) -> Document {
    func isOne(_ value: JSON) -> Bool { value.object?[DocumentTable.uid]?.text.map(names.contains) ?? false }
    return Document(
      members.map { member in
        guard case .list(let rows) = member.value else { return member }
        return .init(member.key, .list(rows.filter { !isOne($0) }))
      })
  }

  /// The name of what it was made one with; nil for what is a thing of its own.
  public var movedTo: String? { self[PortableDocuments.same]?.text }

  /// Merges two versions of a file against the one that both come from.
  public static func merged(
    base: Document?, ours: Document, theirs: Document
  ) -> (document: Document, conflicts: [MergeConflict]) {
    ThreeWayMerge.merge(base: base, ours: ours, theirs: theirs)
  }

  /// The item's uid; nil for a document of anything else.
  public var uid: String? { rows(of: "item").first?[DocumentTable.uid]?.text }

  /// The other uids of the item.
  public var aliases: [String] { (self[PortableDocuments.aliases]?.list ?? []).compactMap(\.text) }

  /// The digest of its cover, and the ending of its file.
  public var cover: (digest: String, ending: String)? {
    guard let row = rows(of: "cover").first, let digest = row[DocumentTable.digest]?.text else { return nil }
    return (digest, Self.ending(ofCover: row))
  }

  /// The file ending of a cover, by its media type.
  static func ending(ofCover row: Document) -> String {
    switch row["media_type"]?.text {
    case "image/jpeg": "jpg"
    case "image/png": "png"
    case "image/webp": "webp"
    case "image/gif": "gif"
    default: "bin"
    }
  }

  /// All that files of covers end in.
  public static let coverEndings = ["jpg", "png", "webp", "gif", "bin"]

  /// With the names that another document has for rows that say the same: one file that was copied has them twice.
  /// - Parameter known: its rows keep their names, and nothing else gets them.
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
    // Rows to which others refer go first.
    for table in ThreeWayMerge.ownableTables.map(\.name) {
      let apart = Set((known?.rows(of: table) ?? []).compactMap { $0[DocumentTable.uid]?.text })
      func isApart(_ row: Document) -> Bool { row[DocumentTable.uid]?.text.map(apart.contains) ?? false }
      var free = other.rows(of: table).filter { !isApart($0) }
      let rows = document.rows(of: table).map { row -> Document in
        let row = renamed(row)
        guard !isApart(row), let own = row[DocumentTable.uid]?.text,
          let place = free.firstIndex(where: {
            $0.without(DocumentTable.uid).isSame(as: row.without(DocumentTable.uid))
          }),
          let name = free.remove(at: place)[DocumentTable.uid]?.text
        else { return row }
        names[own] = name
        return renamed(row)
      }
      document.members = document.members.map {
        $0.key == table ? .init(table, .list(rows.map(JSON.object))) : $0
      }
    }
    return document
  }

  private func named(_ uid: String) -> Document {
    Document(
      members.map { member in
        guard member.key == "item", case .object(let row) = member.value else { return member }
        return .init(
          "item", .object(Document([.init(DocumentTable.uid, .text(uid))] + row.without(DocumentTable.uid).members)))
      })
  }
}
