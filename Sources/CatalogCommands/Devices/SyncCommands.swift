internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import FoundationEssentials
internal import Git
internal import Glibc
internal import Processes

/// `catalog sync …`: the same catalog on several devices.
enum SyncCommands {
  static let group = CommandNode<Context>.group(
    CommandGroup(
      "sync", summary: "Keep the same catalog on several devices, through git.",
      discussion: """
        Each device works on its own, with or without a network. A sync commits the changes of this device, merges \
        them with those of the others, applies theirs, and pushes the result. No change is lost: conflicts are \
        reported, and 'catalog sync conflicts' lists them later. The repository beside the catalog has it as plain \
        text: 'catalog sync files DIR' writes the files to read and edit.
        """,
      examples: [
        Example("catalog sync init catalog.git", "Starts, with a folder that the devices share."),
        Example("catalog sync clone catalog.git", "On another device: copies everything."),
        Example("catalog sync", "Pulls and pushes changes."),
      ],
      default: AnyCommand(SyncRunCommand.self),
      [
        .command(SyncRunCommand.self), .command(SyncInitCommand.self), .command(SyncCloneCommand.self),
        .command(SyncStatusCommand.self), .command(SyncConflictsCommand.self), .command(SyncFilesCommand.self),
        .command(SyncJoinCommand.self),
      ]))
}

/// `catalog sync [--every TIME]`.
struct SyncRunCommand: WritingCommand {
  static let info = CommandInfo<Self>(
    "run", summary: "Pull changes from the other devices, and push your own.",
    discussion: """
      Without a network your changes stay a commit, and are pushed with the next sync. With --dry-run it shows what \
      would be pushed and pulled, and changes nothing; with '--every 15m' it repeats until Ctrl-C, also while the \
      remote cannot be reached, and prints only news. 'catalog undo' undoes the changes that were pulled.
      """,
    examples: [
      Example("catalog sync", "Once."),
      Example("catalog sync --dry-run", "Shows what would happen."),
    ],
    arguments: [.option("every", \.pause, value: "TIME", help: "Repeat at this interval: 30s, 15m, 2h.")])

  var pause: PauseLength?
  var result = ResultOptions()

  func validate() throws(UsageError) {
    if pause != nil, result.isJSON { throw UsageError("--json prints one document: leave out --every") }
  }

  func run(in context: Context) throws {
    guard let pause else { return try context.synchronize() }
    // A failure that lasts is reported once.
    var last: Failure?
    var isFirst = true
    while true {
      do {
        try context.synchronize(saysNothingNew: isFirst)
        last = nil
      } catch let failure as Failure where failure.mayPass {
        if failure != last { context.note(failure) }
        context.tellHeldNotes()
        last = failure
      }
      isFirst = false
      try context.pause(.seconds(pause.seconds))
    }
  }
}

extension Failure {
  /// Whether a later sync may succeed: the remote could not be reached, or another process holds the lock.
  fileprivate var mayPass: Bool {
    status == .sourceFailed || (cause as? SystemError)?.code == EWOULDBLOCK
  }
}

/// A time between two things: `15m`.
struct PauseLength: ArgumentValue {
  var seconds: Int

  init(argument: String) throws {
    let units = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]
    guard let unit = argument.last.flatMap({ units[String($0)] }), let count = Int(argument.dropLast()), count > 0,
      count <= 10_000
    else { throw UsageError("invalid interval \(argument.quoted)", hint: "write it as 30s, 15m, 2h or 1d") }
    seconds = count * unit
  }

  static var valueName: String? { "TIME" }
}

/// `catalog sync init [REMOTE]`.
struct SyncInitCommand: WritingCommand {
  static let info = CommandInfo<Self>(
    "init", summary: "Start syncing this catalog, with or without a remote.",
    discussion: """
      REMOTE is anything that git accepts: git@host:path, https://…, a folder on a USB stick or a NAS, where a \
      repository is created if there is none, or a file that ends in .bundle. Without one the tree is a backup with a \
      history. If the remote already has a catalog, it is merged with this one.
      """,
    examples: [
      Example("catalog sync init", "A history of versions, on this device alone."),
      Example("catalog sync init catalog.git", "With a folder elsewhere."),
    ],
    arguments: [
      .positional("remote", \.remote, help: "The remote that the devices share."),
      .flag("no-covers", \.hasNoCovers, help: "Neither push nor pull pictures."),
      .option("device", \.device, help: "The name of this device; its host name by default."),
    ])

  static var mayBegin: Bool { true }

  var remote: SyncRemote?
  var hasNoCovers = false
  var device: DeviceName?
  var result = ResultOptions()

  func run(in context: Context) throws {
    try context.beginSync(remote: remote?.address, device: device?.name, hasNoCovers: hasNoCovers)
  }
}

/// `catalog sync clone REMOTE`.
struct SyncCloneCommand: WritingCommand {
  static let info = CommandInfo<Self>(
    "clone", summary: "Copy a synced catalog to a device that has none.",
    discussion: "On a device that already has a catalog, 'catalog sync init REMOTE' merges the two.",
    examples: [Example("catalog sync clone catalog.git", "Everything, with its history.")],
    arguments: [
      .positional("remote", \.remote, help: "The remote that the other device pushes to."),
      .flag("no-covers", \.hasNoCovers, help: "Neither push nor pull pictures."),
      .option("device", \.device, help: "The name of this device; its host name by default."),
    ])

  static var mayBegin: Bool { true }

  var remote = SyncRemote()
  var hasNoCovers = false
  var device: DeviceName?
  var result = ResultOptions()

  func run(in context: Context) throws {
    let remote = remote.address
    let isEmpty = try context.opened(for: .reading).isEmpty()
    // One that was ended goes on.
    if try context.hasBegun(with: remote) {
      return try isEmpty
        ? context.beginSync(remote: remote, device: device?.name, hasNoCovers: hasNoCovers) : context.synchronize()
    }
    guard isEmpty else {
      throw Failure(
        "this device already has a catalog",
        hint: "to merge it with the other: catalog sync init \(remote.shellWord)")
    }
    _ = try context.throughGit {
      try Repository.runOutside(
        ["ls-remote", "--exit-code", "--", remote, SyncTree.main], reaches: true, silence: SyncTree.silence)
    } whenNothing: {
      Failure(
        "there is no catalog at \(RemoteAddress.redacted(remote).quoted) yet",
        hint: "on the other device: catalog sync init \(remote.shellWord)")
    }
    if context.globals.isDryRun {
      return try context.would(
        "would copy the catalog from \(RemoteAddress.redacted(remote).quoted)",
        Change(.done, [("remote", RemoteAddress.redacted(remote))]))
    }
    try context.beginSync(remote: remote, device: device?.name, hasNoCovers: hasNoCovers)
  }
}

/// `catalog sync status`.
struct SyncStatusCommand: Command {
  static let info = CommandInfo<Self>(
    "status", summary: "Show where this catalog is synced to, and what is not pushed yet.",
    examples: [Example("catalog sync status", "Uses no network.")])

  func run(in context: Context) throws {
    let (store, tree) = try context.synced()
    try context.throughGit { try tree.requireKnownFormat(of: SyncTree.remote) }
    var changes = 0
    struct Rollback: Error {}
    do {
      try store.recording(nil).write {
        _ = try store.exportChanges(now: context.timestamp) { _ in changes += 1 }
        throw Rollback()
      }
    } catch is Rollback {}
    try context.print("tree      \(context.safe(tree.path))")
    try context.print(
      "remote    \(tree.shownRemote.map { Message(verbatim: context.safe($0)) } ?? "none")")
    try context.print("device    \(context.safe(try context.device(of: store)))")
    let ahead = try tree.repository.value(["rev-list", "--count", SyncTree.main, "--not", SyncTree.remote]) ?? "0"
    let last = try tree.repository.value(
      ["log", "-1", "--format=%cs %(trailers:key=Device,valueonly,separator=%x20)%n%s", SyncTree.main])
    let lines = (last ?? "").split(separator: "\n").map { context.safe(String($0)).trimmingBlanks }
    // A commit by hand names no device.
    let words: Message? = lines.first.map { first in
      first.contains(" ")
        ? "\(String(first.prefix(10))), from \(String(first.dropFirst(11)))"
        : Message(verbatim: lines.joined(separator: " "))
    }
    try context.print("last      \(words ?? "never")")
    try context.print("changed   \(changes.counted("file", "files")) since")
    try context.print("to send   \((Int(ahead) ?? 0).counted("commit", "commits"))")
    let conflicts = try store.syncConflicts().count
    try context.print(conflicts == 0 ? "conflicts none" : "conflicts \(conflicts): catalog sync conflicts")
    try context.throughGit {
      guard let main = try tree.repository.commit(SyncTree.main) else { return }
      let synchronizer = Synchronizer(store, tree: tree, device: "") { context.timestamp }
      context.tellMissing(
        try synchronizer.problems(in: main, since: main, of: store.leftFiles()).map { ($0.path.text, $0.problem) })
    }
  }
}

/// `catalog sync join BASE OURS THEIRS`: the merge driver that git calls (gitattributes(5)).
struct SyncJoinCommand: WritingCommand {
  static let info = CommandInfo<Self>(
    "join", summary: "Merge two versions of a file, for git.",
    discussion: """
      Git runs it when you pull in a folder of 'catalog sync files': the second file becomes the merged version. The \
      first is the common ancestor of both. Conflicts go to standard error.
      """,
    examples: [Example("catalog sync join base.json ours.json theirs.json", "Writes ours.json.")],
    arguments: [
      .positional("base", \.base, completion: .files, help: "The common ancestor of both; may be empty."),
      .positional("ours", \.ours, completion: .files, help: "The version of this device; the result is written here."),
      .positional("theirs", \.theirs, completion: .files, help: "The version of the other device."),
    ])

  var base = ""
  var ours = ""
  var theirs = ""
  var result = ResultOptions()

  func run(in context: Context) throws {
    // A file, and the one beside the folders that names the format.
    func refuseNewer(_ path: String) throws {
      let data = FileManager.default.contents(atPath: path)
      if data.map({ Document.isOfNewerFormat(Array($0)) }) ?? false { throw NewerFormat.failure(path) }
    }
    for path in [ours, theirs] { try refuseNewer(path) }
    var folder = ours.hasPrefix("/") ? ours : "\(FileManager.default.currentDirectoryPath)/\(ours)"
    for _ in 0..<3 where folder != "/" {
      folder = folder.folder
      try refuseNewer("\(folder)/\(TreePath.catalog.text)")
    }
    func read(_ path: String) throws -> Document {
      guard let data = try AtomicFile.read(path) else { throw Failure("\(path.quoted) cannot be read") }
      do { return try Document(parsing: data) } catch {
        let line = error.line ?? 1
        throw Failure("\(path.quoted), line \(line): \(error.message)")
      }
    }
    try context.requireFree(ours)
    let before = try? read(base)
    let (document, conflicts) = ThreeWayMerge.merge(base: before, ours: try read(ours), theirs: try read(theirs))
    if !context.globals.isDryRun {
      _ = try AtomicFile.write(to: ours) { try $0.append(bytes: document.text) }
    }
    context.changes?.append(
      Change(context.globals.isDryRun ? .planned : .done, [("file", ours), ("conflicts", conflicts.count)]))
    for conflict in conflicts { context.note(conflict.words(device: nil, in: context)) }
  }
}
