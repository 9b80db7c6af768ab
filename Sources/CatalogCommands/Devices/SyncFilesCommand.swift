internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import FoundationEssentials
internal import Git
internal import Processes

/// `catalog sync files DIR`: the files of the synced catalog, in a clone of the repository beside it.
struct SyncFilesCommand: WritingCommand {
  static let info = CommandInfo<Self>(
    "files", summary: "Write the files of the synced catalog to a folder, to read and edit.",
    discussion: """
      DIR becomes a clone of the repository beside the catalog, as of the last sync. Edit the files there, commit \
      them with 'git -C DIR commit -a' and hand them over with 'git -C DIR push'; the next sync merges that. The same \
      command brings the folder up to date. It never touches what you have edited and not committed.
      """,
    examples: [Example("catalog sync files shelf", "Writes the files to 'shelf', or updates them.")],
    arguments: [
      .positional("dir", \.folder, completion: .files, help: "A new folder, an empty one, or an earlier clone.")
    ])

  var folder = ""
  var result = ResultOptions()

  func run(in context: Context) throws {
    let (store, tree) = try context.synced()
    guard try tree.isBare else {
      throw Failure("the files are still in \(tree.path.quoted)", hint: "a sync makes a repository of it: catalog sync")
    }
    guard try tree.repository.commit(SyncTree.main) != nil else {
      throw Failure("nothing was synced yet", hint: "catalog sync")
    }
    let path = folder.hasPrefix("/") ? folder : "\(FileManager.default.currentDirectoryPath)/\(folder)"
    let target = AtomicFile.target(of: path)
    try context.requireFree(target, of: store.path)
    let clone = Repository(path: target + "/.git", files: target)
    let kind = FileKind(of: target)
    let isNew = try kind == .missing || kind == .folder && AtomicFile.names(in: target).isEmpty
    let origin = isNew ? nil : try clone.value(["config", "--get", "remote.origin.url"])
    guard isNew || origin.map({ context.isOneFile($0, tree.path) }) == true else {
      throw Failure(
        "\(folder.quoted) is not empty, and no clone of this catalog's files", hint: "name another folder")
    }
    let change = Change(.done, [("file", target)])
    if context.globals.isDryRun { return try context.would("would write the files to \(folder.quoted)", change) }
    try context.throughGit { try isNew ? write(to: target, from: tree) : update(clone, in: context) }
    try context.did("wrote the files to \(context.safe(folder).quoted)", change)
  }

  private func write(to target: String, from tree: SyncTree) throws {
    // Nothing of what comes is a link, whatever it says.
    let settings = (SyncTree.settings + [("core.symlinks", "false")]).flatMap { ["-c", "\($0.0)=\($0.1)"] }
    try Repository.runOutside(
      ["clone", "--quiet", "--template=", "--branch", SyncTree.branch] + settings + ["--", tree.path, target])
  }

  /// Brings a clone to the last version, if nothing can be lost by that.
  private func update(_ clone: Repository, in context: Context) throws {
    let word = folder.shellWord
    let branch = try clone.value(["symbolic-ref", "--quiet", "--short", "HEAD"])
    guard branch == SyncTree.branch else {
      throw Failure(
        "the files in \(folder.quoted) are of another branch or version, and stay as they are",
        hint: "back to what is synced: git -C \(word) switch \(SyncTree.branch)")
    }
    let words = ["status", "--porcelain=v1", "-z", "--untracked-files=no", "--no-renames"]
    let edited = try clone.run(words).split(separator: 0)
    guard edited.isEmpty else {
      throw Failure(
        "\(edited.count.counted("edited file", "edited files")) in \(folder.quoted): the files stay as they are",
        hint: "hand the edits over: git -C \(word) commit -a && git -C \(word) push; catalog sync")
    }
    try clone.run(["fetch", "--quiet", "origin"])
    let theirs = "refs/remotes/origin/\(SyncTree.branch)"
    if try clone.value(["rev-list", "-1", "\(theirs)..HEAD"]) == nil {
      try clone.run(["merge", "--quiet", "--ff-only", theirs])
    } else if try clone.value(["rev-list", "-1", "HEAD..\(theirs)"]) == nil {
      context.note("your commits in \(folder.quoted) are not pushed yet")
      context.hint("git -C \(word) push; catalog sync")
    } else {
      throw Failure(
        "the commits in \(folder.quoted) are not merged with what was synced since",
        hint: "git -C \(word) pull --no-rebase && git -C \(word) push; catalog sync")
    }
  }
}
