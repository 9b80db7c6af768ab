internal import Glibc

/// A folder for the files of one person: the catalog, the settings, the cache.
package enum PrivateFolder {
  /// Makes the folder, and those above it that are missing, for their owner alone, whatever the mask of the process. A
  /// folder that exists keeps its mode.
  /// - Returns: the `errno` of the failure; 0 if the folder exists now.
  package static func make(_ path: String) -> Int32 {
    var missing: [String] = []
    var place = path[...]
    var status = stat()
    while !place.isEmpty, stat(String(place), &status) != 0 {
      guard errno == ENOENT else { return errno }
      missing.append(String(place))
      place = place.lastIndex(of: "/").map { place[..<$0] } ?? ""
      while place.count > 1, place.last == "/" { place.removeLast() }
    }
    for folder in missing.reversed() {
      if mkdir(folder, 0o700) == 0 { chmod(folder, 0o700) } else if errno != EEXIST { return errno }
    }
    guard stat(path, &status) == 0 else { return errno }
    return status.st_mode & S_IFMT == S_IFDIR ? 0 : ENOTDIR
  }
}
