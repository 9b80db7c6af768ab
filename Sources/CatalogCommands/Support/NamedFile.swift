internal import CommandLineKit
internal import Glibc

/// A file that a person names with `--save`.
struct NamedFile {
  var path: String

  /// - Throws: ``Failure`` when nothing can be kept there, or the person keeps what is there.
  init(_ path: String, in context: Context) throws {
    self.path = path
    guard !path.isEmpty, !path.utf8.contains(0) else { throw UsageError("the name of the file is empty") }
    var status = stat()
    guard stat(path, &status) == 0 else {
      let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
      guard stat(folder, &status) == 0 else {
        throw Failure("the folder \(folder.quoted) does not exist", hint: "make it: mkdir -p \(folder.shellWord)")
      }
      return
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw Failure("\(path.quoted) is no file that can be replaced", hint: "name another file")
    }
    guard try context.globals.isDryRun || context.confirm("Replace \(path.quoted)?") else {
      throw Failure("\(path.quoted) is there already and was kept", hint: "name another file, or use --yes")
    }
  }

  /// Writes the file whole or not at all, and says so.
  func save(_ bytes: [UInt8], in context: Context) throws {
    if context.globals.isDryRun { return try context.print("would save \(context.safe(path)) (\(bytes.count.size))") }
    try WholeFile.write(bytes, to: path, mode: 0o666)
    try context.print("saved \(context.safe(path)) (\(bytes.count.size))")
  }
}
