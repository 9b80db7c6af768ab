internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import FoundationEssentials
internal import Git

/// The history of an item on all devices, the newest first: the versions of its file in the sync tree.
struct VersionTable {
  let table: Table

  init(of item: ItemID, limit: Int?, in context: Context) throws {
    let (store, tree) = try context.synced()
    guard let uid = try store.uid(of: item) else {
      throw Failure("only this device has the item so far", hint: "send it: catalog sync")
    }
    let path = TreePath.item(uid)
    let rows = try context.throughGit {
      let versions = try tree.repository.versions(of: path.text, in: SyncTree.main, trailer: "Device")
      // Each version and its parents.
      let commits = versions.flatMap { [$0.commit] + $0.parents }
      var documents: [Document?] = []
      try ObjectReader(tree.repository).forEach(commits.map { $0.name(of: path) }) { _, object in
        if case .bytes(let bytes) = object {
          documents.append(try? Document(parsing: bytes))
        } else {
          documents.append(nil)
        }
      }
      var rest = documents[...]
      return versions.compactMap { version -> [Table.Cell]? in
        let new = rest.popFirst() ?? nil
        let old = Array(rest.prefix(version.parents.count))
        rest = rest.dropFirst(old.count)
        let changes = Self.changes(from: old, to: new)
        let words = changes.map { context.safe($0.words(in: context)) }
        // A merge commit that only combines changes is left out.
        if changes.isEmpty { return nil }
        let time = Timestamp(Date(timeIntervalSince1970: TimeInterval(version.time)))
        return [
          .init(value: .text(time.rawValue), shown: context.localTime.minute(of: time)),
          .init(version.trailer.isEmpty ? nil : version.trailer), .init(version.subject),
          .init(changes.map(\.text), shown: words.joined(separator: ", ")),
        ]
      }
    }
    table = Table(
      columns: [
        .init("done_at", "When", importance: 7), .init("device", "Device", importance: 8),
        .init("version", isHidden: true),
        .init("changes", "Changed", isFlexible: true, minimumWidth: 20, importance: 9),
      ], rows: Array(rows.prefix(limit ?? rows.count)))
  }

  /// A change of a part of the item's file; of the whole, if it has no name.
  private struct Change {
    var part: String
    var old: JSON?
    var new: JSON?

    /// As programs read it: `year: 1995 → 1996`.
    var text: String { part.isEmpty ? sign : "\(part): \(old?.shown ?? "-") → \(new?.shown ?? "-")" }

    func words(in context: Context) -> String {
      if part.isEmpty { return sign }
      return "\(context.text(Message(part: part))): \(old?.shown ?? "–") → \(new?.shown ?? "–")"
    }

    private var sign: String { old == nil ? "+" : "-" }
  }

  /// The changes, one for each part; for a merge, the changes from all parents.
  private static func changes(from parents: [Document?], to new: Document?) -> [Change] {
    let known = parents.compactMap(\.self)
    guard let new else { return known.count == parents.count ? [Change(part: "", old: .null)] : [] }
    guard let old = known.first else { return [Change(part: "")] }
    let others = known.dropFirst().map { Document.differences($0, new) }
    return Document.differences(old, new).filter { change in
      others.allSatisfy { $0.contains { $0.part == change.part && $0.new == change.new } }
    }.map { Change(part: $0.part, old: $0.old, new: $0.new) }
  }
}
