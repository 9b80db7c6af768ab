internal import CatalogStore
internal import CommandLineKit
internal import FoundationEssentials
internal import Git
internal import Glibc
internal import Processes

/// The files of a tree that an earlier version of the program made: people edited them there, beside the repository in
/// `.git`. A sync makes a commit of their edits, and leaves the repository alone in the folder.
///
/// It may end anywhere, and goes on with the next sync. A file goes only when a commit has it; what no commit has stays
/// where it is.
struct FormerFiles {
  private let tree: SyncTree
  private let reader: ObjectReader
  /// The documents of a commit, since another one, that the catalog cannot take.
  private let problems: (ObjectID, ObjectID?) throws -> [(path: TreePath, problem: DocumentProblem)]
  private let git: Repository

  /// The result for the files.
  struct Outcome {
    /// The commit of the edits, which is not merged yet; nil when there are none.
    var commit: ObjectID?
    /// The number of edited files in it.
    var edited = 0
    /// Files of the catalog that cannot be read, or hold what it cannot store. No commit has them.
    var damaged: [(path: String, problem: DocumentProblem)] = []
    /// A merge that a person has begun by hand: nothing is touched until it ends.
    var isMerging = false
    /// Whether this sync has left the repository alone, and the paths of the files that are still there.
    var isLeft = false
    var rest: [String] = []
  }

  /// The files that git keeps in the repository while a person merges or moves commits.
  private static let marksOfMerge = ["MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply"]
  /// The largest file that is taken, in bytes.
  private static let largest = 64 << 20

  init(
    _ tree: SyncTree, _ reader: ObjectReader,
    problems: @escaping (ObjectID, ObjectID?) throws -> [(path: TreePath, problem: DocumentProblem)]
  ) {
    (self.tree, self.reader, self.problems) = (tree, reader, problems)
    git = Repository(path: tree.gitFolder, files: tree.path)
  }

  /// Makes a commit of the edits, and takes the files away that a commit has.
  /// - Parameter isDryRun: whether all files stay.
  func leave(isDryRun: Bool) throws -> Outcome {
    var outcome = Outcome()
    // A tree of this version has none.
    guard tree.gitFolder != tree.path else { return outcome }
    if try !tree.isBare {
      outcome.isMerging = Self.marksOfMerge.contains { FileKind(of: "\(tree.gitFolder)/\($0)") != .missing }
      if outcome.isMerging { return outcome }
      try commitEdits(&outcome)
      if !isDryRun {
        try tree.setUp()
        // Puts the commits on the disk before a file goes, in case of a power cut.
        sync()
        // From here on the files are no more than what the index says of them.
        _ = try git.value(["config", "--unset-all", "core.worktree"])
        try git.run(["config", "core.bare", "true"])
      }
    }
    outcome.commit = try git.commit(SyncTree.edited)
    guard FileKind(of: index) == .file else { return outcome }
    if let commit = outcome.commit {
      let base = try git.commit("\(commit)~")
      try tree.repository.forEachChange(from: base, to: commit) { _ in outcome.edited += 1 }
    }
    if isDryRun { return outcome }
    try removeFiles()
    outcome.isLeft = true
    outcome.rest = files(in: "")
    return outcome
  }

  /// The list of the files that are to go, for git. It is there until all of them are gone.
  private var index: String { tree.gitFolder + "/catalog-files" }

  // MARK: Edits

  private func commitEdits(_ outcome: inout Outcome) throws {
    try bringBack()
    let base = try git.commit("HEAD")
    let interrupted = try interruptedCommits()
    unlink(index)
    try git.run(["read-tree", base?.rawValue ?? "--empty"], index: index)
    var (changed, gone, written): ([String], [String], [String]) = ([], [], [])
    var last: ObjectID?
    for (state, path) in try status() where state != "?" || TreePath(path) != nil {
      // A file that is gone for git, but is there, lies behind a link.
      guard FileKind(of: "\(tree.path)/\(path)") == (state == "D" ? .missing : .file) else { continue }
      let bytes: [UInt8]?
      do { bytes = try read(path) } catch {
        outcome.damaged.append((path, DocumentProblem("it cannot be read, or is larger than 64 MiB")))
        continue
      }
      // A file written by a sync that was ended is no edit.
      let object = bytes.map { ObjectReader.Object.bytes($0) } ?? .missing
      if try interrupted.contains(where: { try reader.object("\($0):\(path)") == object }) {
        written.append(path)
      } else if let bytes {
        do throws(DocumentProblem) {
          try TreePath(path)?.check(bytes)
          changed.append(path)
        } catch {
          outcome.damaged.append((path, error))
        }
      } else {
        gone.append(path)
      }
    }
    while !changed.isEmpty || !gone.isEmpty {
      let commit = try commit(changed, gone, on: base)
      try tree.requireKnownFormat(of: commit.rawValue, by: reader)
      let found = try problems(commit, base).filter { changed.contains($0.path.text) }
      guard !found.isEmpty else {
        last = commit
        break
      }
      // They are left out, and the others are tried again.
      outcome.damaged += found.map { ($0.path.text, $0.problem) }
      changed.removeAll { path in found.contains { $0.path.text == path } }
    }
    if last == nil, try git.commit(SyncTree.edited) != nil { try git.run(["update-ref", "-d", SyncTree.edited]) }
    guard let last = last ?? base else { return }
    try git.run(["read-tree", last.rawValue], index: index)
    try updateIndex(["--add", "--remove"], written.flatMap { Array($0.utf8) + [0] })
  }

  private func commit(_ changed: [String], _ gone: [String], on base: ObjectID?) throws -> ObjectID {
    let before = try git.commit(SyncTree.edited)
    let commit = try git.commit(
      to: SyncTree.edited, message: "edited by hand\n", parents: base.map { [$0] } ?? []
    ) { writer in
      for path in changed { if let bytes = try read(path) { try writer.write(path, bytes) } }
      for path in gone { try writer.remove(path) }
    }
    // The edits of an old version that is checked out have been merged already, as they are the same.
    func facts(_ commit: ObjectID) throws -> String? {
      try git.value(["log", "-1", "--format=%T %P", commit.rawValue])
    }
    guard let before, try facts(before) == facts(commit) else { return commit }
    try git.run(["update-ref", SyncTree.edited, before.rawValue])
    return before
  }

  /// The files that differ from the index, or that it does not have, with git's letter for that.
  private func status() throws -> [(state: Character, path: String)] {
    let words = ["status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames", "--ignore-submodules=all"]
    return try git.run(words, index: index).split(separator: 0).compactMap { entry in
      guard entry.count > 3, let path = String(validating: entry.dropFirst(3), as: UTF8.self) else { return nil }
      return (Character(Unicode.Scalar(entry[entry.startIndex + 1])), path)
    }
  }

  /// The bytes of a file, as git would keep them: lines of documents end in LF. Nil where there is none.
  private func read(_ path: String) throws -> [UInt8]? {
    guard let bytes = try AtomicFile.read("\(tree.path)/\(path)", atMost: Self.largest + 1) else { return nil }
    guard bytes.count <= Self.largest else { throw SystemError(EFBIG, "read \(path.quoted)") }
    let (cr, lf) = (UInt8(ascii: "\r"), UInt8(ascii: "\n"))
    guard path.hasSuffix(".json"), bytes.contains(cr) else { return bytes }
    return bytes.indices.filter { bytes[$0] != cr || $0 + 1 == bytes.count || bytes[$0 + 1] != lf }.map { bytes[$0] }
  }

  /// The commits whose files an earlier version was writing when it was ended.
  private func interruptedCommits() throws -> [ObjectID] {
    guard let bytes = try AtomicFile.read(tree.gitFolder + "/catalog-is-writing", atMost: 1 << 16) else { return [] }
    return try String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { try git.commit(String($0)) }
  }

  /// Brings the one file back that an earlier version was replacing when it was ended.
  private func bringBack() throws {
    let aside = tree.gitFolder + "/catalog-aside"
    guard FileKind(of: aside) == .file, let bytes = try AtomicFile.read(aside + ".path", atMost: 1 << 16),
      case let path = String(decoding: bytes, as: UTF8.self), !path.split(separator: "/").contains("..")
    else { return }
    let place = "\(tree.path)/\(path)"
    if FileKind(of: place) == .missing { rename(aside, place) }
  }

  // MARK: Leaving

  /// Removes the files that are as the index says. Git follows no link, and keeps files that differ.
  private func removeFiles() throws {
    do throws(Repository.Problem) { try git.run(["update-index", "-q", "--refresh"], index: index) } catch {
      // Git ends with an error when some files differ.
      guard error.reason == .other else { throw error }
    }
    try updateIndex(["--force-remove"], git.run(["diff-files", "--name-only", "-z"], index: index))
    try git.run(["read-tree", "-m", "-u", git.emptyTree().rawValue], index: index)
    // Clones begin with the branch of it.
    try git.run(["symbolic-ref", "HEAD", SyncTree.main])
    unlink(index)
  }

  /// - Parameter paths: each with a zero at its end.
  private func updateIndex(_ words: [String], _ paths: [UInt8]) throws {
    if paths.isEmpty { return }
    try git.run(["update-index"] + words + ["-z", "--stdin"], index: index, input: .file(paths))
  }

  /// The paths of all files in a folder of the tree, without the repository.
  private func files(in folder: String) -> [String] {
    let names = (try? AtomicFile.names(in: "\(tree.path)/\(folder)")) ?? []
    return names.sorted().filter { !folder.isEmpty || $0 != ".git" }.flatMap { name in
      let isFolder = FileKind(of: "\(tree.path)/\(folder)\(name)") == .folder
      return isFolder ? files(in: "\(folder)\(name)/") : ["\(folder)\(name)"]
    }
  }
}
