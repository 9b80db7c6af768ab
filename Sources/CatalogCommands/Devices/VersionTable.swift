internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Git

/// What became of an item on all devices, the newest first: the versions of its file in the tree.
struct VersionTable {
  let table: Table

  init(of item: ItemID, limit: Int?, in context: Context) throws {
    let (store, tree) = try context.synced()
    guard let uid = try store.uid(of: item) else {
      throw Failure("nobody but this device knows the item yet", hint: "send it: catalog sync")
    }
    let path = TreePath.item(uid).text
    let rows = try context.throughGit {
      let versions = try tree.repository.versions(of: path, in: SyncTree.main, trailer: "Device")
      let files = try versions.map { try tree.repository.files([path], in: $0.commit)[path] }
      var documents: [ObjectID: Document] = [:]
      try tree.repository.contents(of: files.compactMap(\.self)) { id, bytes in
        documents[id] = bytes.flatMap { try? DocumentReader.read($0) }
      }
      return versions.indices.map { index -> [Table.Cell] in
        let version = versions[index]
        let new = files[index].flatMap { documents[$0] }
        let old = files.indices.contains(index + 1) ? files[index + 1].flatMap { documents[$0] } : nil
        return [
          .init(String(version.time.prefix(16)).replacing("T", with: " ")),
          .init(version.trailer.isEmpty ? nil : version.trailer), .init(version.subject),
          .init(Self.changes(from: old, to: new)),
        ]
      }
    }
    table = Table(
      columns: [
        .init("at", "When", importance: 7), .init("device", "Device", importance: 8), .init("version", isHidden: true),
        .init("changes", "Changed", isFlexible: true, minimumWidth: 20, importance: 9),
      ], rows: Array(rows.prefix(limit ?? rows.count)))
  }

  /// `year: 1995 → 1996`, a part each.
  private static func changes(from old: Document?, to new: Document?) -> [String] {
    guard let new else { return ["-"] }
    guard let old else { return ["+"] }
    return Document.differences(old, new).map { "\($0.part): \($0.old?.shown ?? "-") → \($0.new?.shown ?? "-")" }
  }
}
