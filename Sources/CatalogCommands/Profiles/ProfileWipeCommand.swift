internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Glibc
internal import Processes

/// `catalog profile wipe [NAME]`: removes a profile from this device.
struct ProfileWipeCommand: WritingCommand {
  static let info = CommandInfo<Self>(
    "wipe", summary: "Remove a profile from this device, with all its data.",
    discussion: """
      It first shows what would be removed: the catalog, the backups beside it, its local tree, and with the last \
      profile also the cache, the results of the last search, the settings and the keys, which all profiles share. \
      Then it asks for the name of the profile. Without NAME it is the one in use; --all is every profile, and the \
      shared data.

      The remote of the catalog and catalogs elsewhere are not touched; a link is removed, not its target; and files \
      of other programs stay, and all in which another folder or file system is mounted. This cannot be undone: \
      'catalog backup FILE' makes a copy elsewhere first. If it is stopped half-way, the same command continues.
      """,
    examples: [
      Example("catalog profile wipe club --dry-run", "What would be removed."),
      Example("catalog profile wipe club --confirm club", "Without a question."),
      Example("catalog profile wipe --all", "All data of this program on this device, after a question."),
    ],
    arguments: [
      .positional("name", \.profile, help: "Which one."),
      .flag("all", short: "a", \.takesAll, help: "Every profile, and their shared data."),
      .option("confirm", \.confirmation, value: "NAME", help: "Answer the question with this name: 'all' with --all."),
      .flag("keep-tree", \.keepsTree, help: "Leave the local tree where it is."),
    ])

  var profile: Profile?
  var takesAll = false
  var confirmation: String?
  var keepsTree = false
  var result = ResultOptions()
  var isAboutMany: Bool { true }

  func validate() throws(UsageError) {
    if takesAll, profile != nil { throw UsageError("'--all' cannot be combined with NAME") }
  }

  func run(in context: Context) throws {
    let places = context.places
    let known = try places.profiles()
    let profiles = takesAll ? known : [try profile ?? inUse(places)]
    let others = known.filter { !profiles.contains($0) && ProfileRemoval.mayFind($0, in: places) }
    let word = takesAll ? Profile.all : profiles.map(\.name).joined()
    let namesakes = profiles.flatMap { places.folders(of: $0).dropFirst() }
    func look() throws(SystemError) -> ProfileRemoval {
      try ProfileRemoval(
        profiles, withShared: others.isEmpty && namesakes.isEmpty, keepsTree: keepsTree, in: places)
    }
    let removal = try look()
    guard !removal.things.isEmpty else {
      guard removal.held.isEmpty else {
        warn(of: removal, beside: others, namesakes, context)
        throw SilentFailure(status: .failed)
      }
      throw nothing(of: word, known)
    }
    if let confirmation, confirmation != word {
      throw UsageError("--confirm names \(confirmation.quoted), but \(word.quoted) would be removed")
    }

    if context.globals.isDryRun {
      for thing in removal.things {
        try context.would("would remove \(line(of: thing, in: context))", Self.change(thing))
      }
      return warn(of: removal, beside: others, namesakes, context)
    }
    if confirmation == nil {
      guard context.terminal.isInputTerminal, context.terminal.isErrorTerminal else {
        throw Failure(
          "asking for the name to remove needs a terminal",
          hint: "see what would be removed with --dry-run, then: --confirm \(word)", status: .misused)
      }
      for thing in removal.things { context.note("goes: \(line(of: thing, in: context))") }
      warn(of: removal, beside: others, namesakes, context)
      let answer = try context.prompt.ask(
        "This cannot be undone. Type \(word.quoted) to remove it from this device:", option: "--confirm")
      guard answer?.trimmingBlanks == word else {
        context.warn("nothing was changed")
        throw SilentFailure(status: .failed)
      }
      // While the question was open, files may have changed.
      guard isAgreed(to: try look(), as: removal) else {
        throw Failure(
          "it was changed in the meantime, and nothing was removed", hint: "run the same command again to check it")
      }
    } else {
      warn(of: removal, beside: others, namesakes, context)
    }
    try remove(removal, profiles, others, context)
  }

  private static func change(_ thing: ProfileRemoval.Thing) -> Change {
    Change(.done, [("file", thing.path), ("bytes", thing.bytes)])
  }

  private func inUse(_ places: Places) throws -> Profile {
    if let problem = places.problem { throw problem }
    guard let profile = places.profile else {
      throw Failure(
        "no profile is in use: the catalog file is named directly", hint: "name one: catalog profile wipe default",
        status: .misused)
    }
    return profile
  }

  private func nothing(of word: String, _ known: [Profile]) -> Failure {
    if takesAll { return Failure("there is nothing to remove on this device") }
    guard let profile, !known.contains(profile) else {
      return Failure("this device has no data of the profile \(word.quoted)")
    }
    let guess = Suggestion.phrase(for: word, among: known.map(\.name))
    return Failure("there is no profile \(word.quoted)\(guess)", hint: "see them all: catalog profile list")
  }

  /// Whether the same files with the same number of items are there as were shown.
  private func isAgreed(to now: ProfileRemoval, as shown: ProfileRemoval) -> Bool {
    now.things.map(\.path) == shown.things.map(\.path) && now.things.map(\.items) == shown.things.map(\.items)
  }

  private func remove(_ removal: ProfileRemoval, _ profiles: [Profile], _ others: [Profile], _ context: Context) throws
  {
    // The lines are made first, while the files exist.
    let lines = removal.things.map { line(of: $0, in: context) }
    var isWhole = removal.held.isEmpty
    try removal.withoutOthers {
      if !others.isEmpty, let profile = context.places.profile, profiles.contains(profile), profile != .first,
        let choice = context.places.choice, unlink(choice) == 0
      {
        context.note("the profile \(Profile.first.name) is in use from now on")
      }
      for (thing, line) in zip(removal.things, lines) {
        try Interrupt.check()
        // A shared file belongs to the rest as well.
        if !isWhole, thing.isShared { continue }
        do throws(SystemError) {
          try ProfileRemoval.remove(thing)
          try? context.did("removed \(line)", Self.change(thing))
        } catch {
          isWhole = false
          context.warn("not removed: \(thing.path.quoted): \(error.reason)")
        }
      }
    }
    removal.removeFolders()
    guard !isWhole else { return }
    if others.isEmpty { context.note("cache, settings and keys stay until the rest is removed") }
    throw SilentFailure(status: .failed)
  }

  // MARK: Words

  /// Prints warnings before the question.
  private func warn(
    of removal: ProfileRemoval, beside others: [Profile], _ namesakes: [String], _ context: Context
  ) {
    for path in removal.strangers { context.note("left, since it is not part of a profile: \(path.quoted)") }
    for (path, mount) in removal.held {
      context.warn("\(path.quoted) stays, since something else is mounted at \(mount.quoted)")
      context.hint("if it should go: umount \(mount.shellWord), and the same command again")
    }
    for path in namesakes {
      context.warn("\(path.quoted) stays: it is another profile of the same name")
      context.hint("the same command again removes it")
    }
    if !others.isEmpty {
      let names = others.map(\.name).joined(separator: ", ")
      context.note("cache, settings and keys stay: they are shared with \(names)")
    }
    for thing in removal.things where thing.kind == .tree {
      let tree = SyncTree(path: thing.path)
      switch (tree.unpushed, tree.shownRemote) {
      case (0, .some): break
      case (let count?, .some):
        context.warn(
          Message(
            counting: count, one: "\(count) change of the tree was never pushed",
            many: "\(count) changes of the tree were never pushed"))
        context.hint("push them first: catalog sync")
      case (_?, nil): context.warn("the tree has no remote: its contents are nowhere else")
      case (nil, _): context.warn("it is not known whether all of the tree was pushed")
      }
    }
  }

  private func line(of thing: ProfileRemoval.Thing, in context: Context) -> Message {
    let path = context.safe(thing.path).quoted
    let size = thing.bytes.size
    let items = thing.items?.counted("item", "items")
    switch thing.kind {
    case .catalog:
      return items.map { "the catalog \(path): \($0), \(size)" } ?? "the catalog \(path): \(size)"
    case .copy:
      return items.map { "the copy \(path): \($0), \(size)" } ?? "the copy \(path): \(size)"
    case .draft: return "unfinished files: \(path), \(size)"
    case .tree: return "the local tree \(path): \(size)"
    case .browsers: return "the browsers that are paired: \(path)"
    case .leftover: return "the rest of a tree: \(path), \(size)"
    case .link(let target): return "the link \(path), not what it leads to: \(context.safe(target).quoted)"
    case .cache: return "answers, pictures and results of searches: \(path), \(size)"
    case .settings where thing.path == context.places.choice: return "profile in use: \(path)"
    case .settings: return "settings and keys: \(path)"
    }
  }
}
