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
    let path = TreePath.item(uid)
    let rows = try context.throughGit {
      let versions = try tree.repository.versions(of: path.text, in: SyncTree.main, trailer: "Device")
      var documents: [Document?] = []
      try ObjectReader(tree.repository).forEach(versions.map { $0.commit.name(of: path) }) { _, object in
        if case .bytes(let bytes) = object {
          documents.append(try? DocumentReader.read(bytes))
        } else {
          documents.append(nil)
        }
      }
      return zip(versions, zip(documents, documents.dropFirst() + [nil])).map { version, change -> [Table.Cell] in
        [
          .init(String(version.time.prefix(16)).replacing("T", with: " ")),
          .init(version.trailer.isEmpty ? nil : version.trailer), .init(version.subject),
          .init(Self.changes(from: change.1, to: change.0)),
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
