internal import Foundation

/// The permissions of files, which root may ignore. Scripts/test runs the tests that need them once more without that
/// right; it finds them by the start of their names: `where modes hold`.
public enum Modes {
  /// Whether permissions apply to this process.
  public static let hold: Bool = {
    guard let folder = try? TemporaryFolder() else { return false }
    let path = folder.path("closed")
    return FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0])
      && FileHandle(forReadingAtPath: path) == nil
  }()
}
