internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import FoundationEssentials
internal import Git
internal import Glibc
internal import Processes
internal import SQLite

extension Context {
  /// The catalog and the tree that it is synced through.
  /// - Throws: ``Failure`` when it is not.
  func synced() throws -> (store: Store, tree: SyncTree) {
    let store = try changing()
    guard store.path != nil, let path = places.tree, case let tree = SyncTree(path: path),
      case let standing = tree.standing, standing == .ours || standing == .foreign
    else {
      throw Failure(
        "this catalog is not synced",
        hint: "start with: catalog sync init REMOTE, or copy one: catalog sync clone REMOTE")
    }
    guard standing == .ours else { throw foreignTree(path) }
    try throughGit { try tree.requireKnownFormat(of: SyncTree.main) }
    return (try writable(store), tree)
  }

  private func foreignTree(_ path: String) -> Failure {
    Failure(
      "\(path.quoted) was not made by 'catalog sync', and is left unchanged",
      hint: "move it away, then start: mv \(path.shellWord) \((path + ".old").shellWord); catalog sync init REMOTE")
  }

  /// The name of this device.
  func device(of store: Store) throws -> String {
    if let name = try store.syncState("device") { return name }
    let host = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
      guard let start = buffer.baseAddress, gethostname(start, 255) == 0 else { return "device" }
      buffer[255] = 0
      return String(cString: start)
    }
    return (try? DeviceName(argument: String(host.prefix(DeviceName.longest))))?.name ?? "device"
  }

  /// Says what git said in the words of a person.
  /// - Parameter whenNothing: the words for an answer that there is nothing.
  func throughGit<T>(_ body: () throws -> T, whenNothing: (() -> Failure)? = nil) throws -> T {
    do {
      return try body()
    } catch let problem as Repository.Problem {
      throw failure(problem, whenNothing: whenNothing)
    }
  }

  private func failure(_ problem: Repository.Problem, whenNothing: (() -> Failure)? = nil) -> Failure {
    let words = problem.line.map { safe(RemoteAddress.redacted($0)) } ?? ""
    switch problem.reason {
    case .noGit:
      return Failure("the program git, which sync needs, is not installed", hint: "on Debian: sudo apt install git")
    case .noIdentity:
      return Failure(
        "git does not know your name, which every version needs",
        hint: "set it once: git config --global user.name NAME; git config --global user.email ADDRESS")
    case .ended: return Failure("the sync was stopped", hint: "to continue: catalog sync")
    case .unreachable:
      return Failure(
        "the remote cannot be reached: \(words)", hint: "see what it is: catalog sync status", status: .sourceFailed)
    case .missing:
      return Failure(
        "the remote cannot be reached: \(words)",
        hint: "the folder may not be mounted; on a host create it once: git init --bare FOLDER", status: .sourceFailed)
    case .gone:
      return Failure(
        "the remote cannot be reached: \(words)",
        hint: "the folder may not be mounted; to create the bundle again: catalog sync init BUNDLE",
        status: .sourceFailed)
    case .silent:
      return Failure(
        "the remote does not answer", hint: "your changes are kept; push them later: catalog sync",
        status: .sourceFailed)
    case .refused:
      return Failure(
        "the remote refused the push: \(words)", hint: "your changes are kept; push them later: catalog sync",
        status: .sourceFailed)
    case .noRoom:
      return Failure("there is no room left: \(words)", hint: "free some space, then go on: catalog sync")
    case .locked:
      return Failure("another git is writing to the tree: \(words)", hint: "if none is running, remove that file")
    case .rejected:
      return Failure(
        "other devices pushed first each time: \(words)", hint: "try again: catalog sync", status: .sourceFailed)
    case .other:
      if words.isEmpty, let whenNothing { return whenNothing() }
      return Failure(words.isEmpty ? "git failed and gave no reason" : "git failed: \(words)")
    }
  }

  /// Makes the tree with the place of the others, and syncs for the first time. With a remote of a newer version
  /// nothing changes.
  func beginSync(remote: String?, device: String?, hasNoCovers: Bool) throws {
    let tree = places.tree.map(SyncTree.init)
    let isNew = tree.map { FileKind(of: $0.path) == .missing } ?? false
    let url = try throughGit { try tree.flatMap { $0.exists ? try $0.remoteURL : nil } }
    try makeTree(remote: remote, device: device, hasNoCovers: hasNoCovers)
    if globals.isDryRun { return }
    do {
      try synchronize()
    } catch let failure as Failure where failure.cause is NewerFormat {
      guard let tree else { throw failure }
      try throughGit {
        try holdingTree(tree) {
          if isNew { try FileManager.default.removeItem(atPath: tree.path) } else { try tree.setRemote(url) }
        }
      }
      throw failure
    }
  }

  private func makeTree(remote: String?, device: String?, hasNoCovers: Bool) throws {
    guard let path = places.tree else { throw Failure("there is no place for the tree of this catalog") }
    let tree = SyncTree(path: path)
    let url = remote.map(remoteURL)
    if let url, url.hasPrefix("/") { try requireFree(url, of: openStore(.reading).path) }
    if tree.standing == .foreign { throw foreignTree(path) }
    if tree.exists { try throughGit { try tree.requireKnownFormat(of: SyncTree.main) } }
    if globals.isDryRun {
      return try would(
        "would sync through \(path.quoted)" + (url.map { " with \(RemoteAddress.redacted($0).quoted)" } ?? ""),
        Change(.done, [("remote", url.map { RemoteAddress.redacted($0) })]))
    }
    // The folder of a catalog that is yet to be made.
    try? FileManager.default.createDirectory(atPath: tree.path.folder, withIntermediateDirectories: true)
    try throughGit {
      try holdingTree(tree) {
        guard tree.standing != .ours else {
          GitFolder(path: tree.gitFolder).removeStaleLocks(of: tree.path)
          if let url {
            try makeRemote(url)
            try tree.setRemote(url)
          }
          return
        }
        let isFolderThere = FileKind(of: path) != .missing
        do {
          try tree.make()
          // Without a name no version can be made, now or later.
          _ = try tree.repository.identity()
          if let url {
            try makeRemote(url)
            try tree.setRemote(url)
          }
        } catch let problem as Repository.Problem where problem.reason != .ended {
          // A failed start leaves no tree behind.
          tree.unmake(keepingFolder: isFolderThere)
          throw problem
        }
      }
    }
    let store = try writing()
    try store.recording(nil).write {
      if let device { try store.setSyncState("device", to: device) }
      try store.setSyncState("covers", to: hasNoCovers ? "no" : nil)
    }
  }

  /// Whether the catalog is synced with this remote already, and nothing else.
  func hasBegun(with remote: String) throws -> Bool {
    guard !globals.isDryRun, let path = places.tree, case let tree = SyncTree(path: path), tree.exists else {
      return false
    }
    return try tree.remoteURL == remoteURL(remote)
  }

  /// A folder or file is named from where one is now, and stays it from elsewhere.
  private func remoteURL(_ remote: String) -> String {
    let isElsewhere = remote.contains("://") || remote.contains(":") && !remote.hasPrefix("/") && !remote.hasPrefix(".")
    if isElsewhere || remote.hasPrefix("/") { return remote }
    return FileManager.default.currentDirectoryPath + "/" + remote
  }

  /// Makes a repository in a folder that is to be one, or goes on where that was ended.
  private func makeRemote(_ url: String) throws {
    guard url.hasPrefix("/"), !url.hasSuffix(".bundle") else { return }
    let (folder, names) = (GitFolder(path: url), try? AtomicFile.names(in: url))
    guard names?.isEmpty ?? true || !folder.isWhole && folder.isEmpty else { return }
    folder.prepare(for: url)
    // It has all that the catalog has. Git says why it cannot be made.
    _ = PrivateFolder.make(url)
    try GitFolder.makeBare(url)
    note("made an empty repository in \(url.quoted)")
  }

  /// Calls `body` while no other sync of this catalog uses the tree.
  private func holdingTree<T>(_ tree: SyncTree, _ body: () throws -> T) throws -> T {
    do {
      return try FileLock.holding(tree.path + ".lock", body)
    } catch let error as SystemError where error.code == EWOULDBLOCK {
      var failure = Failure("another sync of this catalog is going on", hint: "wait until it ends")
      failure.cause = error
      throw failure
    }
  }

  /// Asks before a sync removes from other devices what an undone sync had brought from them.
  private func confirm(_ removals: SyncRemovals, in store: Store) throws {
    let sorts: [(table: String, words: (Int) -> Message)] = [
      ("item", { $0.counted("item", "items") }), ("card", { $0.counted("card", "cards") }),
      ("copy", { $0.counted("copy", "copies") }), ("log_entry", { $0.counted("diary entry", "diary entries") }),
      ("loan", { $0.counted("loan", "loans") }), ("wish", { $0.counted("wish", "wishes") }),
      ("pile", { $0.counted("pile", "piles") }),
    ]
    let counts: Message = sorts.compactMap { sort in removals.counts[sort.table].map(sort.words) }.joined(
      separator: ", ")
    let names =
      removals.titles.prefix(Self.mostNames).map { safe($0) } + (removals.titles.count > Self.mostNames ? ["…"] : [])
    warn("a sync was undone on this device, so this sync would remove from the other devices: \(counts)")
    if !names.isEmpty { note("  \(names.joined(separator: ", "))") }
    if globals.isDryRun { return }
    // The next change forgets what was undone.
    let canRedo = (try? store.redoable(1)) != nil
    let failure = Failure(
      "nothing was sent or removed",
      hint: canRedo
        ? "bring it back: catalog redo; or remove it everywhere: catalog sync --yes"
        : "remove it everywhere: catalog sync --yes; see what it was: catalog restore --at yesterday FILE")
    guard globals.saysYes || terminal.isInputTerminal && terminal.isErrorTerminal else { throw failure }
    guard try confirm("Remove it everywhere?") else { throw failure }
  }

  /// Syncs once, and says what became of it.
  /// - Parameter saysNothingNew: whether it says so, too, when there was nothing.
  func synchronize(saysNothingNew: Bool = true) throws {
    let (store, tree) = try synced()
    let device = try device(of: store)
    var line = WorkLine(on: errors, progressTerminal)
    defer { line.finish() }
    var synchronizer = Synchronizer(store, tree: tree, device: device) { timestamp }
    synchronizer.isDryRun = globals.isDryRun
    synchronizer.progress = { work, done, count in
      line.show(work, done, of: count)
      return !Interrupt.isRequested
    }
    synchronizer.noteFiles = { files in
      line.finish()
      tell(files)
    }
    synchronizer.confirm = { removals in
      line.finish()
      try confirm(removals, in: store)
    }
    let report: SyncReport
    do {
      report = try throughGit { try holdingTree(tree) { try synchronizer.run() } }
    } catch is Store.Stopped {
      throw Failure("the sync was stopped", hint: "to continue: catalog sync")
    } catch let problem as DocumentProblem {
      throw Failure("the data from the other devices is not consistent: \(problem.message)")
    }
    line.finish()
    try tell(report, saysNothingNew)
  }

  /// The most names of files in a line.
  private static let mostNames = 3

  /// Says what became of the files that the tree had from an earlier version.
  private func tell(_ files: FormerFiles.Outcome) {
    let tree = places.tree ?? ""
    if files.isMerging {
      note("a merge is going on in the tree: its files stay as they are")
      hint("end it: git -C \(tree.shellWord) commit, or give it up: git -C \(tree.shellWord) merge --abort")
    }
    if files.edited > 0 {
      let count = files.edited.counted("edited file", "edited files")
      note(globals.isDryRun ? "would make a commit of \(count) in the tree" : "made a commit of \(count) in the tree")
    }
    for (path, problem) in files.damaged { tellUnusable(path, problem) }
    guard files.isLeft else { return }
    note("\(tree.quoted) is a bare repository from now on; its files, to read and edit: catalog sync files DIR")
    guard !files.rest.isEmpty else { return }
    let names = files.rest.prefix(Self.mostNames).map { safe($0) } + (files.rest.count > Self.mostNames ? ["…"] : [])
    note(
      "kept in \(tree.quoted), since no commit has them: \(files.rest.count.counted("file", "files")): \(names.joined(separator: ", "))"
    )
  }

  /// Says that a file is damaged, or holds what the catalog cannot store.
  private func tellUnusable(_ path: String, _ problem: DocumentProblem, isMended: Bool = false) {
    let path = safe(path)
    switch (problem.line, isMended) {
    case (let line?, false): warn("\(path), line \(line), cannot be read and was left alone: \(problem.message)")
    case (nil, false): warn("\(path) cannot be kept and was left alone: \(problem.message)")
    case (let line?, true): warn("\(path), line \(line), cannot be read and was written anew: \(problem.message)")
    case (nil, true): warn("\(path) cannot be kept and was written anew: \(problem.message)")
    }
  }

  /// Names files that other devices sent and this catalog cannot take.
  func tellMissing(_ files: [(path: String, problem: DocumentProblem)]) {
    for (path, problem) in files { tellUnusable(path, problem) }
    if files.isEmpty { return }
    hint("on a device that has it: catalog sync; or mend it: catalog sync files DIR, then commit and push it there")
  }

  private func tell(_ report: SyncReport, _ saysNothingNew: Bool) throws {
    let applied = report.applied
    if let problem = report.settings {
      warn("your settings of git cannot be read and were left out: \(safe(RemoteAddress.redacted(problem)))")
    }
    for lock in report.removedLocks { note("removed a lock that no git process holds: \(safe(lock).quoted)") }
    for (_, conflict) in applied.conflicts { note(conflict.words(device: report.otherDevice, in: self)) }
    for (path, problem) in report.unreadable where report.mended.contains(path) {
      tellUnusable(path, problem, isMended: true)
    }
    tellMissing(
      report.unreadable.filter { !report.mended.contains($0.path) }
        + applied.rejected.map { ($0.path.text, DocumentProblem($0.reason)) })
    for path in report.strange { warn("\(safe(path)) is not a regular file, and was left unchanged") }
    if !report.kept.isEmpty {
      note(
        """
        \(report.kept.count.counted("file is", "files are")) missing on other devices without having been removed, \
        and kept
        """)
    }
    let isNew = report.exported + applied.added + applied.changed + applied.removed > 0 || report.isSent
    changes?.append(
      Change(
        globals.isDryRun ? .planned : isNew ? .done : .already,
        [
          ("files_changed_here", report.exported), ("added", applied.added), ("changed_elsewhere", applied.changed),
          ("removed", applied.removed), ("conflicts", applied.conflicts.count), ("sent", report.isSent),
        ]))
    var words: [Message] = []
    if report.exported > 0 { words.append("\(report.exported.counted("file", "files")) changed here") }
    if applied.added > 0 { words.append("\(applied.added) new") }
    if applied.changed > 0 { words.append("\(applied.changed) changed on other devices") }
    if applied.removed > 0 { words.append("\(applied.removed) removed on other devices") }
    if report.isSent { words.append("sent") }
    if words.isEmpty, saysNothingNew, report.offline == nil { words.append("nothing new") }
    if !words.isEmpty {
      let list = words.joined(separator: ", ")
      if globals.isDryRun {
        try print("would sync: \(list)")
      } else {
        try print(report.offline == nil ? "synced: \(list)" : "kept here, not sent: \(list)")
      }
    }
    if let problem = report.offline {
      throw failure(problem.isOfRemote ? problem : .init(.unreachable, problem.words))
    }
  }
}

extension Repository.Problem {
  /// Whether the cause is the remote, so that a later sync may succeed without any change here.
  var isOfRemote: Bool { [.unreachable, .missing, .gone, .rejected, .refused, .silent].contains(reason) }
}
