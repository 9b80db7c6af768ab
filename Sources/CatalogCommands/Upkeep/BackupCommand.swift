internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import FoundationEssentials
internal import Processes
internal import SQLite

/// `catalog backup [FILE]`: writes a consistent copy while the catalog is in use.
struct BackupCommand: WritingCommand {
  static let info = CommandInfo<Self>(
    "backup", summary: "Copy the catalog into another file.",
    discussion: """
      The copy is consistent even while another program writes, and is on the disk and checked before it gets its \
      name. It has the permissions of the catalog. It is a catalog like any other: 'catalog --db FILE' reads it. \
      Without FILE it is written beside the catalog, with today's date in its name; '-' is standard output.
      """,
    examples: [
      Example("catalog backup", "Writes catalog-2026-11-21.db beside the catalog."),
      Example("catalog backup /mnt/stick/catalog.db --yes", "Replaces the existing copy."),
      Example("catalog backup - | gzip > catalog.db.gz", "Through a pipe."),
    ],
    arguments: [.positional("file", \.file, completion: .files, help: "The file to write the copy to.")])

  var file: String?
  var result = ResultOptions()

  func validate() throws(UsageError) {
    if let file { try result.requireFile(file) }
  }

  func run(in context: Context) throws {
    let store = try context.opened(for: .reading)
    guard let path = store.path else {
      throw Failure(
        "there is no catalog to copy yet" + (context.places.catalog.map { ": \($0.quoted)" } ?? ""),
        hint: "look something up: catalog search dune")
    }
    let usual = Self.usualTarget(of: path, day: context.day)
    let target = file ?? usual
    if let stream = StreamTarget(target) {
      return try context.write(
        databaseTo: stream, named: target, plan: "would copy \(path.quoted) to \(target.quoted)",
        command: "catalog backup"
      ) { _ = try store.backup(to: $0) { _, _ in !Interrupt.isRequested } }
    }
    let replaces = try context.mayReplace(
      target, catalog: path, usualName: usual.split(separator: "/").last.map(String.init) ?? "catalog.db",
      command: "catalog backup")
    try context.requireNoJournal(of: target)
    func change(_ more: Change.Members = []) -> Change {
      Change(.done, [("file", target)] + more)
    }
    if context.globals.isDryRun { return try context.would("would copy \(path.quoted) to \(target.quoted)", change()) }
    var progress = Progress("Copying", total: nil, on: context.errors, terminal: context.progressTerminal)
    defer { try? progress.finish() }
    do {
      let (items, bytes) = try store.backup(to: target, replaces: replaces) { remaining, total in
        progress.total = total
        try? progress.update(done: total - remaining)
        return !Interrupt.isRequested
      }
      try progress.finish()
      try context.did(
        "copied \(items.counted("item", "items")) to \(context.safe(target)) (\(bytes.size))",
        change([("items", items), ("bytes", bytes)]))
    } catch CatalogError.diskFull {
      throw Failure(
        "the disk is full: no copy was made", hint: "make room, or copy to another disk: catalog backup FILE")
    } catch CatalogError.tooLarge {
      throw Failure("\(target.quoted) cannot grow: no copy was made", hint: "see what the limit is: ulimit -f")
    } catch CatalogError.cannotOpen, CatalogError.readOnly {
      throw Failure(
        "\(target.quoted) cannot be written", hint: "check who may write there: ls -ld \(target.folder.shellWord)")
    } catch CatalogError.io {
      throw Failure("copying to \(target.quoted) failed: do not rely on that file", hint: "check the disks")
    }
  }

  /// `catalog-2026-11-21.db` for `catalog.db`.
  private static func usualTarget(of path: String, day: String) -> String {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return "\(path)-\(day)" }
    return path.dropLast(name.count) + "\(name[..<dot])-\(day)\(name[dot...])"
  }
}
