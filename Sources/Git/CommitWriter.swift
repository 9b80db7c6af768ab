internal import Glibc
internal import Processes

/// Writes a commit file by file through `git fast-import`. The commit exists only when all files are written.
public struct CommitWriter: ~Copyable {
  private let child: Child
  private var waiting: [UInt8] = []
  private var isOpen = true
  /// The number of files written or removed.
  public private(set) var count = 0

  fileprivate init(
    in repository: Repository, reference: String, identity: String, message: String, parents: [ObjectID]
  ) throws(Repository.Problem) {
    do {
      child = try Spawn.start(
        ["git"] + repository.place + ["fast-import", "--quiet", "--force", "--done", "--date-format=raw"],
        environment: repository.settings.own, input: .pipe, output: .null, error: .pipe)
    } catch {
      throw Repository.Problem(startingFailed: error)
    }
    line("commit \(reference)")
    line("committer \(identity)")
    data(Array(message.utf8))
    if let first = parents.first { line("from \(first)") }
    for parent in parents.dropFirst() { line("merge \(parent)") }
    if parents.isEmpty { line("deleteall") }
  }

  deinit {
    guard isOpen else { return }
    if let input = child.input { close(input) }
    kill(child.process, SIGKILL)
    _ = child.errorWords()
    _ = child.wait()
  }

  /// Writes a file.
  public mutating func write(_ path: String, _ bytes: [UInt8]) throws(Repository.Problem) {
    line("M 100644 inline \(Self.quoted(path))")
    data(bytes)
    try added()
  }

  /// Writes a file with an object that the repository has already.
  public mutating func write(_ path: String, _ id: ObjectID) throws(Repository.Problem) {
    line("M 100644 \(id) \(Self.quoted(path))")
    try added()
  }

  public mutating func remove(_ path: String) throws(Repository.Problem) {
    line("D \(Self.quoted(path))")
    try added()
  }

  private mutating func added() throws(Repository.Problem) {
    count += 1
    if waiting.count > 1 << 16 { try flush() }
  }

  fileprivate mutating func finish() throws(Repository.Problem) {
    line("done")
    try flush()
    if let problem = end() { throw problem }
  }

  /// Closes git's input and waits for its end.
  /// - Returns: the reason of a failure, in git's words.
  private mutating func end() -> Repository.Problem? {
    isOpen = false
    if let input = child.input { close(input) }
    let words = child.errorWords()
    guard child.wait() != .exited(0) else { return nil }
    return words.isEmpty ? Self.unexplained : Repository.Problem(words)
  }

  private static let unexplained = Repository.Problem(.other, "git fast-import gave no reason")

  private mutating func line(_ text: String) { waiting += Array(text.utf8) + [UInt8(ascii: "\n")] }

  private mutating func data(_ bytes: [UInt8]) {
    line("data \(bytes.count)")
    waiting += bytes
    waiting.append(UInt8(ascii: "\n"))
  }

  private mutating func flush() throws(Repository.Problem) {
    guard let input = child.input else { return }
    var start = 0
    while start < waiting.count {
      if Interrupt.isRequested { throw Repository.Problem(.ended, "") }
      let count = waiting.withUnsafeBytes { bytes in
        send(input, bytes[start...])
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw end() ?? Self.unexplained }
      start += count
    }
    waiting.removeAll(keepingCapacity: true)
  }

  private func send(_ descriptor: Int32, _ bytes: Slice<UnsafeRawBufferPointer>) -> Int {
    let rest = UnsafeRawBufferPointer(rebasing: bytes)
    return Glibc.write(descriptor, rest.baseAddress, rest.count)
  }

  /// A path as git-fast-import(1) wants it.
  private static func quoted(_ path: String) -> String {
    var text = "\""
    for scalar in path.unicodeScalars {
      switch scalar {
      case "\"", "\\": text += "\\\(scalar)"
      case "\n": text += "\\n"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }
}

extension Child {
  /// The program's standard error, at most 64 KiB. Closes the pipe.
  fileprivate func errorWords() -> String {
    guard let error else { return "" }
    defer { close(error) }
    var (bytes, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 4096))
    while true {
      let count = read(error, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
      if bytes.count < 1 << 16 { bytes += buffer.prefix(count) }
    }
  }
}

extension Repository {
  /// Makes a commit and points `reference` at it.
  /// - Parameters:
  ///   - reference: `refs/heads/main`.
  ///   - parents: the parents. The commit has the files of the first, apart from those that `body` writes.
  /// - Throws: ``Problem``, and the errors of `body`; then there is no commit.
  public func commit(
    to reference: String, message: String, parents: [ObjectID], _ body: (inout CommitWriter) throws -> Void
  ) throws -> ObjectID {
    var writer = try CommitWriter(
      in: self, reference: reference, identity: try identity(last: reference), message: message, parents: parents)
    try body(&writer)
    try writer.finish()
    guard let commit = try commit(reference) else { throw Problem(.other, "the commit does not exist") }
    return commit
  }

  /// The committer's name, address and the current time, from the user's own settings. If git cannot read these, the
  /// last commit's name and address are used.
  /// - Parameter last: the reference of that commit.
  /// - Throws: ``Problem`` if git does not know the committer.
  public func identity(last: String? = nil) throws(Problem) -> String {
    let question = ["var", "GIT_COMMITTER_IDENT"]
    guard let problem = settings.unreadable() else {
      guard let line = try lines(question, reaches: true).first else { throw Problem(.noIdentity, "") }
      return line
    }
    var known = ["-c", "user.useConfigOnly=true"]
    for reference in [last, "HEAD"] {
      guard let reference, let commit = try commit(reference) else { continue }
      let words = try lines(["log", "-1", "--format=%cn%n%ce", commit.rawValue])
      if words.count == 2 { known += ["-c", "user.name=\(words[0])", "-c", "user.email=\(words[1])"] }
      break
    }
    guard let line = try value(known + question) else { throw Problem(.other, problem) }
    return line
  }
}
