internal import CatalogStore
internal import CommandLineKit
internal import Glibc
internal import Processes

/// Writes files that a person names: a page, a picture, a copy.
extension Context {
  /// Writes bytes to a file atomically and prints its name. A stream, such as `-` for standard output or a pipe, gets
  /// them as they come.
  ///
  /// An existing file is replaced after a question, which `--yes` answers. Only ordinary files are replaced, and never
  /// the catalog.
  /// - Parameters:
  ///   - usualName: a name for hints, such as `genres.html`.
  ///   - command: the command line before the name, for hints.
  func save(_ bytes: [UInt8], to target: String, usualName: String, command: String) throws {
    try save(to: target, usualName: usualName, command: command) { try $0.output.append(bytes: bytes) }
  }

  /// Writes the output of `body` to a file in the same way. The context passed to `body` has the file as its output.
  func save(to target: String, usualName: String, command: String, _ body: (Context) throws -> Void) throws {
    if let stream = StreamTarget(target) { return try write(to: stream, named: target, body) }
    let catalog = try opened(for: .reading).path
    _ = try mayReplace(target, catalog: catalog, usualName: usualName, command: command)
    if globals.isDryRun { return try print("would write \(target.quoted)") }
    var count = 0
    try explainingLoss(of: target) {
      count = try AtomicFile.write(to: target) { file in
        var context = self
        context.output = file
        context.terminal.isOutputTerminal = false
        context.terminal.usesColor = false
        try body(context)
      }
    }
    try print("wrote \(safe(target)) (\(count.size))")
  }

  /// Writes text to a file in the same way.
  func save(_ text: String, to target: String, usualName: String, command: String) throws {
    try save(Array(text.utf8), to: target, usualName: usualName, command: command)
  }

  /// Whether a file exists and may be replaced; false when there is none.
  ///
  /// - Throws: ``Failure`` when the file may not be replaced or cannot be written: its folder is missing, it is a
  ///   folder or a disk, or something of this program's own. A ``StreamTarget`` is none.
  func mayReplace(_ target: String, catalog: String?, usualName: String, command: String) throws -> Bool {
    guard !target.isEmpty else { throw UsageError("the name of the file is empty") }
    try requireFree(target, of: catalog)
    var status = stat()
    guard stat(target, &status) == 0 else {
      // Any error but "no such file" hides whether the file exists.
      guard [ENOENT, ENOTDIR].contains(errno) else { throw SystemError(errno, "reach \(target.quoted)") }
      let folder = target.folder
      guard stat(folder, &status) == 0 else {
        guard errno == ENOENT else { throw SystemError(errno, "reach \(folder.quoted)") }
        throw Failure("the folder \(folder.quoted) does not exist", hint: "make it: mkdir -p \(folder.shellWord)")
      }
      return false
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR:
      let file = (target.hasSuffix("/") ? target : target + "/") + usualName
      throw Failure("\(target.quoted) is a folder", hint: "name a file in it: \(command) \(file.shellWord)")
    default:
      throw Failure("\(target.quoted) is not a regular file, and was left unchanged", hint: "name another file")
    }
    if globals.isDryRun { return true }
    guard try confirm("Replace \(target.quoted)?") else {
      throw Failure("\(target.quoted) already exists, and was not replaced", hint: "name another file, or use --yes")
    }
    return true
  }
}

extension String {
  /// The folder of a path; `.` for a bare name.
  var folder: String {
    guard let slash = lastIndex(of: "/") else { return "." }
    return slash == startIndex ? "/" : String(self[..<slash])
  }
}
