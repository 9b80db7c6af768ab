internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import FoundationEssentials
internal import Git
internal import Glibc
internal import Processes

/// `catalog restore BACKUP`: puts a backup in the place of the catalog. With `--at DATE` it writes the catalog as of a
/// date into a new file.
struct RestoreCommand: WritingCommand {
  static let info = CommandInfo<Self>(
    "restore", summary: "Go back to a backup, or write a copy of the catalog as of a date.",
    discussion: """
      A file that 'catalog backup' wrote, or another catalog, takes the place of this one, after a question. It is \
      checked first, and converted if an older version wrote it. The catalog as it was is kept beside it, and the \
      command says how to go back to it. Other programs may use the catalog meanwhile; a crash leaves the one or the \
      other. After that, a sync removes nothing on any device: it puts together what was restored and what the other \
      devices have, and what was removed since the backup is there again.

      With --at, it writes the catalog as of a date into a new file, and this one stays unchanged. This works for a \
      synced catalog ('catalog help sync'), also without a remote: the tree has every version. The file is a catalog \
      like any other: 'catalog --db FILE' reads it, 'catalog --db FILE export jsonl' exports the items to restore, and \
      'catalog restore FILE' goes back to it. To reverse recent commands there is 'catalog undo'.
      """,
    examples: [
      Example("catalog restore catalog-2026-11-21.db", "Goes back to that backup, after a question."),
      Example("gzip -dc catalog.db.gz | catalog restore - --yes", "Through a pipe."),
      Example("catalog restore --at 2026-10-01 october.db", "The catalog at the end of that day."),
      Example("catalog restore --at yesterday before.db", "Dates are written as in other commands."),
    ],
    arguments: [
      .option("at", \.day, value: "DATE", help: "The date: the catalog as it was at the end of that day."),
      .positional(
        "file", \.file, completion: .files,
        help: """
          The backup; '-' is standard input. With --at the file to write, which must not exist yet; '-' is standard \
          output.
          """),
    ])

  var day: TypedDate?
  var file = ""
  var result = ResultOptions()

  func validate() throws(UsageError) {
    if day != nil { try result.requireFile(file) }
  }

  func run(in context: Context) throws {
    if let day { return try write(day, in: context) }
    guard let pipe = PipedFile.descriptor(of: file) else { return try putBack(file, called: file, in: context) }
    try PipedFile.with(pipe, in: context) { try putBack($0, called: context.text("standard input"), in: context) }
  }

  // MARK: Backups

  /// Puts the backup at a path in the place of the catalog.
  private func putBack(_ backup: String, called name: String, in context: Context) throws {
    let path = try context.places.requiredCatalog
    guard !context.isOneFile(backup, path) else {
      throw Failure("\(name.quoted) is the catalog itself", hint: "name a backup of it: catalog restore FILE")
    }
    if Context.isMissing(path) { try context.requireNoJournal(of: path) }
    var progress = Progress("Copying", total: nil, on: context.errors, terminal: context.progressTerminal)
    defer { try? progress.finish() }
    func report(_ remaining: Int, _ total: Int) {
      progress.total = total
      try? progress.update(done: total - remaining)
    }
    let store: Store
    do {
      store = try Store.ofOthers(at: backup, called: name, progress: report) { Interrupt.isRequested }
    } catch let error as CatalogError {
      throw failure(error, of: name)
    }
    let items = try store.count(Query())
    func change(_ kept: String? = nil) -> Change {
      Change(.done, [("file", name), ("items", items), ("kept_file", kept)])
    }
    let count = items.counted("item", "items")
    try progress.finish()
    if context.globals.isDryRun {
      return try context.would("would put \(name.quoted), with \(count), in the place of \(path.quoted)", change())
    }
    if !Context.isMissing(path) {
      let now: Message = Store.itemCount(at: path)?.counted("item", "items") ?? "unreadable"
      try context.ask(
        "Put \(name.quoted) in the place of the catalog?",
        about: [context.text("the backup: \(count)"), context.text("the catalog, of which a copy is kept: \(now)")])
    }
    let kept = try store.replace(
      catalogAt: path, busyTimeout: BusyTimeout(context.environment).milliseconds
    ) {
      report($0, $1)
      return !Interrupt.isRequested
    }
    try progress.finish()
    try context.did("restored \(count) from \(context.safe(name))", change(kept))
    if let tree = context.places.tree, SyncTree(path: tree).standing == .ours {
      context.note(
        """
        the next sync removes nothing: what the other devices have stays, and what was removed since the backup is \
        there again
        """)
    }
    if let kept {
      context.note("the catalog as it was is kept as \(kept.quoted)")
      // A damaged one is no way back.
      if Store.itemCount(at: kept) != nil { context.hint("to go back: catalog restore \(kept.shellWord)") }
    }
  }

  /// The error of a file that is to be put in the place of the catalog.
  private func failure(_ error: CatalogError, of name: String) -> Failure {
    switch error {
    case .unreachable(_, ENOENT):
      Failure("there is no file \(name.quoted)", hint: "see what there is: ls -l \(name.folder.shellWord)")
    case .isFolder: Failure("\(name.quoted) is a folder", hint: "name a file in it")
    case .notDatabase, .foreign:
      Failure(
        "\(name.quoted) is no backup of a catalog",
        hint: """
          a packed one: gzip -dc FILE.gz | catalog restore -; an export goes back with: catalog import FILE
          """)
    case .damaged: Failure("the backup \(name.quoted) is damaged", hint: "name an older one: catalog restore FILE")
    case .readOnly:
      Failure(
        "another program has not finished writing \(name.quoted)",
        hint: "open it once, which finishes it: catalog --db \(name.shellWord) list")
    default: Failure(error)
    }
  }

  // MARK: Dates

  /// Writes the catalog of the end of a day.
  private func write(_ day: TypedDate, in context: Context) throws {
    let date = try context.date(day, mayBeToCome: true)
    guard date.day != nil else {
      throw UsageError("invalid date \(date.description.quoted)", hint: "write it as 2026-10-01, today or -2w")
    }
    let (own, tree) = try context.synced()
    let stream = StreamTarget(file)
    if stream == nil {
      try context.requireFree(file, of: own.path)
      try context.requireNoJournal(of: file)
    }
    // The last second of the day; git takes a commit of that second, too.
    let last = Timestamp((context.localTime.end(of: date).date ?? context.now()).addingTimeInterval(-1))
    let commit = try context.throughGit { try tree.repository.commit(in: SyncTree.main, before: last.rawValue) }
    guard let commit else {
      throw Failure("the tree begins later than \(date)", hint: "see what it has: git -C \(tree.path.shellWord) log")
    }
    var status = stat()
    guard stream != nil || lstat(file, &status) != 0 else {
      throw Failure("\(file.quoted) already exists", hint: "name another file")
    }
    func change(_ items: Int?) -> Change {
      Change(.done, [("file", file), ("made_on", date.description), ("items", items)])
    }
    let plan: Message = "would write the catalog of \(date) to \(file.quoted)"
    if context.globals.isDryRun { return try context.would(plan, change(nil)) }
    // In memory first: the file appears whole or not at all.
    let store = try Store.inMemory()
    let applied = try context.throughGit {
      try Synchronizer(store, tree: tree, device: "", now: { context.timestamp }).restore(commit)
    }
    context.tellMissing(applied.rejected.map { ($0.path.text, DocumentProblem($0.reason)) })
    try store.forgetSyncs()
    if let stream {
      return try context.write(
        databaseTo: stream, named: file, plan: plan, command: "catalog restore --at \(date)"
      ) { _ = try store.backup(to: $0) }
    }
    _ = try store.backup(to: file)
    try context.did(
      "wrote \(applied.added.counted("item", "items")) as of \(date) to \(context.safe(file))", change(applied.added))
  }
}
