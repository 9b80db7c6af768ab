internal import Foundation

/// What the modes of files forbid, which root may do all the same. Scripts/test runs what is tested of them once more
/// without that right, and finds it by the start of its name: `where modes hold`.
public enum Modes {
  /// Whether this process may not open what the modes of files forbid.
  public static let hold: Bool = {
    guard let folder = try? TemporaryFolder() else { return false }
    let path = folder.path("closed")
    return FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0])
      && FileHandle(forReadingAtPath: path) == nil
  }()
}
