public import CatalogModel
internal import SQLite

/// A conflict of a sync, as recorded in the catalog.
public struct SyncConflict: Sendable, Hashable, Identifiable {
  public var id: Int64
  public var at: Timestamp
  public var path: TreePath?
  public var details: MergeConflict
  public var device: String?

  init(_ row: Row) throws {
    id = try row.get("id")
    at = Timestamp(rawValue: try row.get("at"))
    path = TreePath(try row.get("path", as: String.self))
    func value(_ column: String) throws -> JSON? {
      try row.get(column, as: String?.self).flatMap { try? Document(parsing: Array($0.utf8))["value"] }
    }
    details = MergeConflict(
      title: try row.get("title"), row: try row.get("row"), part: try row.get("part"), ours: try value("here"),
      theirs: try value("there"), resolution: MergeConflict.Resolution(rawValue: try row.get("kept")) ?? .both)
    device = try row.get("device")
  }
}

extension Store {
  /// The conflicts of past syncs, the newest first.
  public func syncConflicts(all: Bool = false) throws -> [SyncConflict] {
    try db.all(
      "SELECT * FROM sync_conflict WHERE settled_at IS NULL OR \(all) ORDER BY id DESC", SyncConflict.init)
  }

  /// Resolves a conflict with the value of one side, or with both.
  ///
  /// Only the conflicting part changes; later changes to other parts stay.
  /// - Throws: ``CatalogError/noConflict(_:)``, ``CatalogError/changedMeanwhile`` if the part is gone, and
  ///   ``DocumentProblem`` if the catalog cannot hold the result.
  public func resolveConflict(_ id: Int64, with resolution: MergeConflict.Resolution, now: Timestamp) throws {
    try write {
      guard let conflict = try syncConflicts(all: true).first(where: { $0.id == id }) else {
        throw CatalogError.noConflict(id)
      }
      guard let path = conflict.path else { throw CatalogError.changedMeanwhile }
      var incoming = IncomingChanges(commit: "") { _ in [] }
      incoming.cover = { digest, _ in try cover(digest: digest) }
      var applier = try SyncApplier(self, now: now, of: incoming)
      if let document = try applier.currentDocument(path), resolution != .both || conflict.details.resolution != .both {
        guard let resolved = document.resolved(conflict.details, with: resolution) else {
          throw CatalogError.changedMeanwhile
        }
        try applier.write(path, resolved)
      } else if resolution != .both {
        throw CatalogError.changedMeanwhile
      }
      try db.run(
        "UPDATE sync_conflict SET settled_at = \(now.rawValue), kept = \(resolution.rawValue) WHERE id = \(id)")
    }
  }
}

extension Document {
  /// The document with the chosen value of a part; nil if the part is gone.
  fileprivate func resolved(_ conflict: MergeConflict, with resolution: MergeConflict.Resolution) -> Document? {
    let value: JSON?
    switch resolution {
    case .ours: value = conflict.ours
    case .theirs: value = conflict.theirs
    case .both:
      guard case .text(let ours)? = conflict.ours, case .text(let theirs)? = conflict.theirs else { return nil }
      value = .text(ours + "\n\n" + theirs)
    }
    let names = conflict.row.split(separator: " ", maxSplits: 1).map(String.init)
    guard let table = names.first else {
      // A conflict about the whole item: it stays or goes.
      return value == nil ? PortableDocuments.tombstone(at: Timestamp(rawValue: ""), title: title) : self
    }
    guard names.count == 2 else {
      if conflict.part.isEmpty { return with(table, value) }
      return self[table]?.object.map { with(table, .object($0.with(fields: conflict.part, value))) }
    }
    let rule = TableSchema.MergeRule.of(table)
    func isIt(_ row: Document) -> Bool {
      rule.key(of: row).joined(separator: " ") == names[1] || row["name"]?.text == names[1]
    }
    var found = rows(of: table)
    if conflict.part.isEmpty {
      found.removeAll(where: isIt)
      if case .object(let row)? = value { found.append(row) }
    } else {
      guard let place = found.firstIndex(where: isIt) else { return nil }
      found[place] = found[place].with(fields: conflict.part, value)
    }
    return with(table, found.isEmpty ? nil : .list(found.map(JSON.object)))
  }

  /// The document with other values of linked fields: `rating, scale`.
  private func with(fields part: String, _ value: JSON?) -> Document {
    let keys = part.split(separator: ",").map { String($0.drop { $0 == " " }) }
    return keys.reduce(self) { $0.with($1, keys.count == 1 ? value : value?.object?[$1]) }
  }
}
