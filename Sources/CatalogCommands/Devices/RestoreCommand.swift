internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import FoundationEssentials
internal import Git
internal import Glibc

/// `catalog restore --at DATE FILE`: writes the catalog as of a date into a new file.
struct RestoreCommand: WritingCommand {
  static let info = CommandInfo<Self>(
    "restore", summary: "Write a copy of the catalog as of a date.",
    discussion: """
      This works for a synced catalog ('catalog help sync'), also without a remote: the tree has every version. The \
      file is a catalog like any other: 'catalog --db FILE' reads it, and 'catalog --db FILE export jsonl' exports the \
      items to restore. This catalog stays unchanged; to reverse recent commands there is 'catalog undo'.
      """,
    examples: [
      Example("catalog restore --at 2026-10-01 october.db", "The catalog at the end of that day."),
      Example("catalog restore --at yesterday before.db", "Dates are written as in other commands."),
    ],
    arguments: [
      .option("at", \.day, value: "DATE", help: "The date: the catalog as it was at the end of that day."),
      .positional(
        "file", \.file, completion: .files, help: "The file to write, which must not exist yet; '-' is standard output."
      ),
    ] + ResultOptions.arguments.lifted(\.result))

  var day: TypedDate?
  var file = ""
  var result = ResultOptions()

  func validate() throws(UsageError) {
    if day == nil { throw UsageError("which day?", hint: "for example: catalog restore --at yesterday before.db") }
    try result.requireFile(file)
  }

  func run(in context: Context) throws {
    guard let day else { return }
    let date = try context.date(day)
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
      Change(
        .done,
        [
          ("file", .text(file)), ("made_on", .text(date.description)),
          ("items", items.map { .integer(Int64($0)) } ?? .none),
        ])
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
