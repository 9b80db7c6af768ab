internal import CatalogStore
internal import CommandLineKit
internal import FoundationEssentials
internal import Git
internal import Glibc
internal import Processes

/// The files of the tree, which a person may edit at any moment, also during a sync.
///
/// A file is replaced only when it holds exactly what a commit says. What else it holds is an edit: it stays, becomes a
/// commit of its own and is merged. The person's index and branch are touched only where the tree stands at the branch
/// that all devices share.
struct TreeFiles {
  let tree: SyncTree
  let reader: ObjectReader
  /// The documents of a commit, since another one, that the catalog cannot take.
  var problems: (ObjectID, ObjectID?) throws -> [(path: TreePath, problem: DocumentProblem)] = { _, _ in [] }
  private var git: Repository { tree.repository }

  /// The version that the files are checked out from.
  enum Head: Hashable {
    /// The branch that all devices share; nil before its first commit.
    case main(ObjectID?)
    /// Another branch, or an old version that is checked out.
    case elsewhere(ObjectID?, branch: String?)
    /// A merge that a person has begun by hand.
    case merging
  }

  /// The edits that a person made to the files.
  struct Edits {
    var head: Head
    /// The commit of the edits; nil when there are none.
    var commit: ObjectID?
    /// The paths of uncommitted files that are no part of the catalog.
    var strangers: [String] = []
    /// Files that cannot be read, or are larger than a document may be.
    var unreadable: [String] = []
    /// Files of the catalog that are damaged, or hold what it cannot store. They are neither committed nor replaced.
    var left: [LeftFile] = []
    /// Commits that the files were being made when a sync was ended, and the files that say what one of them says.
    fileprivate var interrupted: [ObjectID] = []
    fileprivate var stale: [String] = []

    /// The commit whose files lie in the tree, but for what a person edits meanwhile.
    fileprivate var base: ObjectID? {
      if let commit { return commit }
      if case .main(let main) = head { return main }
      return nil
    }
  }

  /// A file that a sync leaves alone. Where others changed it, theirs takes its place and it gets another name, so that
  /// mending it takes nothing of theirs back.
  struct LeftFile {
    var path: String
    var problem: DocumentProblem
    /// Whether git has no version of it.
    var isNew: Bool
    /// Its name now, where others changed it.
    var newPath: String?
  }

  /// The largest file that is taken, in bytes.
  private static let largest = 64 << 20

  // MARK: Edits

  func head() throws -> Head {
    for name in ["MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD"]
    where FileKind(of: "\(tree.gitFolder)/\(name)") != .missing {
      return .merging
    }
    let branch = try git.value(["symbolic-ref", "--quiet", "HEAD"])
    if branch == SyncTree.main { return .main(try git.commit(SyncTree.main)) }
    return .elsewhere(try git.commit("HEAD"), branch: branch.map { String($0.trimmingPrefix("refs/heads/")) })
  }

  /// Makes a commit of what a person edited since git wrote the files.
  func edits() throws -> Edits {
    try bringBack()
    var edits = Edits(head: try head())
    edits.interrupted = try interruptedCommits()
    let base: ObjectID?
    switch edits.head {
    case .main(let commit), .elsewhere(let commit, _): base = commit
    case .merging: return edits
    }
    var (changed, gone, new): ([String], [String], Set<String>) = ([], [], [])
    for (state, path) in try status() {
      // A file in conflict after a 'git stash pop' is not read yet.
      if state.contains("U") || state == "AA" || state == "DD" {
        edits.head = .merging
        return edits
      }
      let isNew = Self.isNew(state)
      if isNew { new.insert(path) }
      var status = stat()
      if lstat("\(tree.path)/\(path)", &status) != 0 {
        guard errno == ENOENT, !isNew else { continue }
        if try isInterrupted(nil, path, edits) { edits.stale.append(path) } else { gone.append(path) }
      } else if isNew, TreePath(path) == nil {
        edits.strangers.append(path)
      } else if status.st_mode & S_IFMT == S_IFREG {
        guard let bytes = try? read(path) else {
          edits.unreadable.append(path)
          continue
        }
        if try isInterrupted(bytes, path, edits) {
          edits.stale.append(path)
        } else if let problem = Self.problem(of: bytes, path) {
          edits.left.append(LeftFile(path: path, problem: problem, isNew: isNew))
        } else {
          changed.append(path)
        }
      }
    }
    while !changed.isEmpty || !gone.isEmpty {
      edits.commit = try commit(changed, gone, on: base, isAtMain: edits.head == .main(base))
      let found = try edits.commit.map { try problems($0, base) } ?? []
      let others = changed.filter { path in !found.contains { $0.path.text == path } }
      if others.count == changed.count { break }
      // They are left out, and the others are tried again.
      edits.left += found.map { LeftFile(path: $0.path.text, problem: $0.problem, isNew: new.contains($0.path.text)) }
      (changed, edits.commit) = (others, nil)
    }
    return edits
  }

  /// Whether git has no version of a file in this state.
  private static func isNew(_ state: String) -> Bool { state == "??" || state.hasPrefix("A") }

  private static func problem(of bytes: [UInt8]?, _ path: String) -> DocumentProblem? {
    guard let bytes, let path = TreePath(path) else { return nil }
    do { try path.check(bytes) } catch { return error }
    return nil
  }

  /// The files that differ from what git wrote and are damaged. Nothing is committed.
  func damaged() throws -> [LeftFile] {
    if try head() == .merging { return [] }
    return try status().compactMap { state, path in
      Self.problem(of: (try? read(path)) ?? nil, path).map {
        LeftFile(path: path, problem: $0, isNew: Self.isNew(state))
      }
    }
  }

  /// Commits the files as they are now.
  private func commit(
    _ changed: [String], _ gone: [String], on base: ObjectID?, isAtMain: Bool
  ) throws -> ObjectID? {
    let last = try git.commit(SyncTree.edited)
    let commit = try git.commit(
      to: SyncTree.edited, message: "edited by hand\n", parents: base.map { [$0] } ?? []
    ) { writer in
      for path in changed {
        // One that went meanwhile is for the next time.
        if let bytes = try read(path) { try writer.write(path, bytes) }
      }
      for path in gone { try writer.remove(path) }
    }
    func facts(_ commit: ObjectID?) throws -> [String]? {
      try commit.flatMap { try git.value(["log", "-1", "--format=%T %P", $0.rawValue]) }?.split(separator: " ").map(
        String.init)
    }
    let said = try facts(commit)
    // Only the ends of its lines or its mode differ.
    if let base, try facts(base)?.first == said?.first { return nil }
    // An old version stays edited: the same edits are the same commit.
    guard !isAtMain, let last, try facts(last) == said else { return commit }
    try git.run(["update-ref", SyncTree.edited, last.rawValue])
    return last
  }

  /// The files that differ from git's index, with git's two status letters. The user's own index is only read.
  private func status() throws -> [(state: String, path: String)] {
    let words = ["status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames", "--ignore-submodules=all"]
    let bytes: [UInt8]
    do throws(Repository.Problem) {
      bytes = try git.run(words)
    } catch {
      guard error.reason == .other, let commit = try git.commit("HEAD") else { throw error }
      // An index that is damaged says nothing: the files themselves do.
      try git.run(["read-tree", commit.rawValue], index: index)
      bytes = try git.run(words, index: index)
    }
    return bytes.split(separator: 0).compactMap { entry in
      guard entry.count > 3, let path = String(validating: entry.dropFirst(3), as: UTF8.self) else { return nil }
      return (String(decoding: entry.prefix(2), as: UTF8.self), path)
    }
  }

  /// The bytes of a file, as git would keep them: lines of documents end in LF. Nil for what is no plain file.
  private func read(_ path: String) throws -> [UInt8]? {
    guard FileKind(of: "\(tree.path)/\(path)") == .file,
      let bytes = try AtomicFile.read("\(tree.path)/\(path)", atMost: Self.largest + 1)
    else { return nil }
    guard bytes.count <= Self.largest else { throw SystemError(EFBIG, "read \(path.quoted)") }
    return Self.normalized(bytes, path)
  }

  private static func normalized(_ bytes: [UInt8], _ path: String) -> [UInt8] {
    let (cr, lf) = (UInt8(ascii: "\r"), UInt8(ascii: "\n"))
    guard path.hasSuffix(".json"), bytes.contains(cr) else { return bytes }
    return bytes.indices.filter { bytes[$0] != cr || $0 + 1 == bytes.count || bytes[$0 + 1] != lf }.map { bytes[$0] }
  }

  /// Whether a commit that was being written says just this in a file; nil: that there is none.
  private func isInterrupted(_ bytes: [UInt8]?, _ path: String, _ edits: Edits) throws -> Bool {
    try edits.interrupted.contains { try reader.object("\($0):\(path)") == bytes.map { .bytes($0) } ?? .missing }
  }

  // MARK: Files of a commit

  /// Stands while files are being replaced, with the commits that they are made.
  private var mark: String { tree.gitFolder + "/catalog-is-writing" }
  private var index: String { tree.gitFolder + "/catalog-index" }

  private func interruptedCommits() throws -> [ObjectID] {
    guard let bytes = try AtomicFile.read(mark, atMost: 1 << 16) else { return [] }
    let names = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    // An earlier version of the program moved the branch first.
    guard !names.isEmpty else {
      return try git.value(["log", "-1", "--format=%P", SyncTree.main])?.split(separator: " ").map {
        ObjectID(rawValue: String($0))
      } ?? []
    }
    return try names.compactMap { try git.commit($0) }
  }

  /// Moves the branch to a commit, and updates the files if they are those of the branch.
  /// - Parameter edits: the edits found before.
  /// - Returns: whether everything was updated. Files edited meanwhile stay as they are, and the branch is not moved.
  func checkOut(_ commit: ObjectID, after edits: inout Edits) throws -> Bool {
    guard case .main(let main) = edits.head else {
      return try moveBranch(to: commit, from: try git.commit(SyncTree.main))
    }
    let isMarked = FileKind(of: mark) != .missing
    if main == commit, edits.commit == nil, !isMarked { return true }
    let targets = (edits.interrupted + [commit]).map(\.rawValue).joined(separator: "\n")
    try write(Array("\(targets)\n".utf8), to: mark)
    guard try replaceFiles(with: commit, after: &edits) else { return false }
    try writeIndex(of: commit)
    guard try moveBranch(to: commit, from: main) else { return false }
    unlink(mark)
    return true
  }

  /// - Returns: false if another process has moved it.
  private func moveBranch(to commit: ObjectID, from main: ObjectID?) throws -> Bool {
    if main == commit { return true }
    do throws(Repository.Problem) {
      let none = String(repeating: "0", count: commit.rawValue.count)
      try git.run(["update-ref", "-m", "catalog sync", SyncTree.main, commit.rawValue, main?.rawValue ?? none])
      return true
    } catch {
      if try git.commit(SyncTree.main) != main { return false }
      throw error
    }
  }

  /// Makes the person's index that of the commit. What a git of theirs does with it at this moment stays.
  private func writeIndex(of commit: ObjectID) throws {
    let (own, lock) = ("\(tree.gitFolder)/index", "\(tree.gitFolder)/index.lock")
    unlink(index)
    if let bytes = try? AtomicFile.read(own) {
      try write(bytes, to: index)
      // Git compares the contents of files that are as new as the index: an edit may be of the same second and size.
      var status = stat()
      if stat(own, &status) == 0 { utimensat(AT_FDCWD, index, [status.st_atim, status.st_mtim], 0) }
    }
    do throws(Repository.Problem) {
      try git.run(["read-tree", "--reset", commit.rawValue], index: index)
    } catch {
      guard error.reason == .other, FileKind(of: index) == .file else { throw error }
      unlink(index)
      try git.run(["read-tree", commit.rawValue], index: index)
    }
    // It fails when a file has been edited meanwhile: the next sync takes that edit.
    do throws(Repository.Problem) { try git.run(["update-index", "-q", "--refresh"], index: index) } catch {
      guard error.reason == .other else { throw error }
    }
    var descriptor = open(lock, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    for _ in 1..<10 where descriptor < 0 && errno == EEXIST {
      try Interrupt.wait(.milliseconds(200))
      descriptor = open(lock, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    }
    guard descriptor >= 0 else {
      if errno == EEXIST { throw Repository.Problem(.locked, "Unable to create '\(lock)': File exists.") }
      throw SystemError(errno, "write \(lock.quoted)")
    }
    close(descriptor)
    defer { unlink(lock) }
    guard rename(index, own) == 0 else { throw SystemError(errno, "write \(own.quoted)") }
  }

  /// A file to be replaced, and what git calls its contents.
  private struct Replacement {
    var path: String
    /// The object ids that the file may have now.
    var expected: [String]
    /// The object id of its new contents; nil to remove it.
    var new: String?
  }

  /// - Returns: whether no edit was in the way.
  private func replaceFiles(with commit: ObjectID, after edits: inout Edits) throws -> Bool {
    var isWhole = true
    let edited = edits
    // Removed files make room for new ones: a file may become a folder.
    for comes in [false, true] {
      var batch: [Replacement] = []
      func replaceAll() throws {
        if try !replace(batch) { isWhole = false }
        batch = []
      }
      func add(_ path: String, old: ObjectID?, new: String?) throws {
        guard (new != nil) == comes else { return }
        if let place = edits.left.firstIndex(where: { $0.path == path }) {
          edits.left[place].newPath = try TreePlace(path, in: tree.path, makesFolders: false)?.giveOtherName()
        }
        let expected = (old.map { [$0.rawValue] } ?? []) + edited.interrupted.map { "\($0):\(path)" }
        batch.append(Replacement(path: path, expected: expected, new: new))
        if batch.count >= Synchronizer.mostHeld { try replaceAll() }
      }
      try git.forEachChange(from: edited.base, to: commit) {
        try add($0.path, old: $0.old, new: ($0.new ?? $0.link)?.rawValue)
      }
      for path in edited.stale {
        let name = "\(commit):\(path)"
        let isThere = if case .bytes = try reader.object(name) { true } else { false }
        try add(path, old: nil, new: isThere ? name : nil)
      }
      try replaceAll()
    }
    return isWhole
  }

  /// Replaces files, one at a time in memory.
  /// - Returns: whether no edit was in the way.
  private func replace(_ batch: [Replacement]) throws -> Bool {
    var isWhole = true
    // The present content is read first, then the wanted one.
    var names: [(name: String, place: Int, isNew: Bool)] = []
    for (place, file) in batch.enumerated() {
      names += file.expected.map { ($0, place, false) }
      if let new = file.new { names.append((new, place, true)) }
    }
    var (expected, done) = ([[UInt8]](), 0)
    func finish(_ place: Int, _ bytes: [UInt8]?) throws {
      if Interrupt.isRequested { throw Repository.Problem(.ended, "") }
      if try !replace(batch[place].path, with: bytes, where: expected) { isWhole = false }
      (expected, done) = ([], place + 1)
    }
    try reader.forEach(names.map(\.name)) { index, object in
      let (_, place, isNew) = names[index]
      // Those before it are to go.
      while done < place, batch[done].new == nil { try finish(done, nil) }
      guard case .bytes(let bytes) = object else {
        // An object larger than a document stays in the repository.
        if isNew { (expected, done) = ([], place + 1) }
        return
      }
      if isNew { try finish(place, bytes) } else { expected.append(bytes) }
    }
    while done < batch.count, batch[done].new == nil { try finish(done, nil) }
    return isWhole
  }

  /// - Returns: false when a person has edited the file.
  private func replace(_ path: String, with bytes: [UInt8]?, where expected: [[UInt8]]) throws -> Bool {
    // Nil for a name that no file can have, and for a folder that is gone or leads elsewhere.
    guard let place = try TreePlace(path, in: tree.path, makesFolders: bytes != nil) else { return true }
    let isExpected: ([UInt8]) -> Bool = { found in
      found == bytes || expected.contains { $0 == found || $0 == Self.normalized(found, path) }
    }
    guard try place.setAside(to: aside, noting: asidePath, where: isExpected) else {
      guard place.kind == .file else { return true }
      // The user's own file has the name of an incoming one: both stay.
      guard expected.isEmpty, TreePath(path) == nil, bytes != nil else { return false }
      guard try place.giveOtherName() != nil else { return false }
      return try replace(path, with: bytes, where: expected)
    }
    guard let bytes else {
      unlink(aside)
      place.removeEmptyFolders()
      return true
    }
    do {
      let isPut = try place.put(bytes, by: aside + ".new")
      unlink(aside)
      return isPut
    } catch {
      // If there is no room for the new file, the old one comes back.
      _ = try? place.take(aside)
      throw error
    }
  }

  /// Writes a file of the repository's folder that need not outlive the machine.
  private func write(_ bytes: [UInt8], to file: String) throws {
    guard FileManager.default.createFile(atPath: file, contents: Data(bytes)) else {
      throw SystemError(errno, "write \(file.quoted)")
    }
  }

  // MARK: What was set aside

  /// The one file that is being replaced, and its path.
  private var aside: String { tree.gitFolder + "/catalog-aside" }
  private var asidePath: String { aside + ".path" }

  /// Brings a file back that was set aside when a sync was ended.
  private func bringBack() throws {
    guard FileKind(of: aside) == .file else { return }
    if let path = try AtomicFile.read(asidePath, atMost: 1 << 16).map({ String(decoding: $0, as: UTF8.self) }),
      let place = try TreePlace(path, in: tree.path, makesFolders: true)
    {
      // If the file exists again, the other one has been replaced.
      _ = try place.take(aside)
    }
    unlink(aside)
  }
}
