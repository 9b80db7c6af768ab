internal import Glibc

/// The search for programs in the `PATH`.
///
/// ``Spawn`` uses it instead of `posix_spawnp`, which reads an empty or relative element of `PATH` as the working
/// folder: a `curl` in an unpacked archive must not run because the user works there.
public enum Executable {
  /// The search path without `PATH`.
  public static let usualPath = "/usr/local/bin:/usr/bin:/bin"

  /// The path of a program: the first executable file of this name in the absolute folders of `path`.
  ///
  ///     try Executable.path(of: "curl", along: environment["PATH"])      // /usr/bin/curl
  ///
  /// A name with a slash is a path, and is returned unchanged.
  ///
  /// - Parameter path: the value of `PATH`; nil when it is not set.
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
