internal import Glibc

/// Where a program is that is to be started.
///
/// ``Spawn`` asks here instead of `posix_spawnp`, which takes an empty or relative element of `PATH` for
/// the working folder: whoever unpacks an archive with a `curl` in it and works there must not run that one.
public enum Executable {
  /// Where programs are looked for when `PATH` is not set.
  public static let usualPath = "/usr/local/bin:/usr/bin:/bin"

  /// The path of the program of this name: the first file in the absolute folders of `path` that may be run.
  ///
  ///     try Executable.path(of: "curl", along: environment["PATH"])      // /usr/bin/curl
  ///
  /// A name with a slash is a path, and stays as it is.
  ///
  /// - Parameter path: what `PATH` says; nil when it is not set.
  /// - Throws: ``NotFound``.
  public static func path(of name: String, along path: String?) throws(NotFound) -> String {
    if name.contains("/") { return name }
    var isRefused = false
    for folder in (path ?? usualPath).split(separator: ":") where folder.hasPrefix("/") && !name.isEmpty {
      let file = "\(folder)/\(name)"
      var status = stat()
      guard stat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
      if access(file, X_OK) == 0 { return file }
      isRefused = true
    }
    throw NotFound(code: isRefused ? EACCES : ENOENT)
  }

  /// There is no such program, or none that may be run.
  public struct NotFound: Error, Hashable, Sendable {
    /// From errno.h: `ENOENT` or `EACCES`.
    public var code: Int32
  }
}
