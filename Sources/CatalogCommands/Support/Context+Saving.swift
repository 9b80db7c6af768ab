internal import CommandLineKit
internal import Glibc

/// Files that a person names to be written: a page, a picture, a copy.
extension Context {
  /// Whether a file is there that may be replaced; false when there is none.
  ///
  /// - Throws: ``Failure`` when it may not be replaced, or could not be written: its folder is missing, it is a folder
  ///   or a device, or the catalog itself.
  func mayReplace(_ target: String, catalog: String?, usualName: String, command: String) throws -> Bool {
    guard !target.isEmpty else { throw UsageError("the name of the file is empty") }
    var status = stat()
    guard stat(target, &status) == 0 else {
      let folder = target.folder
      guard stat(folder, &status) == 0 else {
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
      throw Failure("\(target.quoted) is no ordinary file, and was left alone", hint: "name another file")
    }
    var own = stat()
    if let catalog, stat(catalog, &own) == 0, own.st_dev == status.st_dev, own.st_ino == status.st_ino {
      throw Failure("\(target.quoted) is the catalog itself", hint: "name another file")
    }
    if globals.isDryRun { return true }
    guard try confirm("Replace \(target.quoted)?") else {
      throw Failure("\(target.quoted) is there already and was kept", hint: "name another file, or use --yes")
    }
    return true
  }
}

extension String {
  /// The folder of a path: `.` without one.
  var folder: String {
    guard let slash = lastIndex(of: "/") else { return "." }
    return slash == startIndex ? "/" : String(self[..<slash])
  }
}
