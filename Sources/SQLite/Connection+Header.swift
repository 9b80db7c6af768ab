internal import Glibc

extension Connection {
  /// The paths at which SQLite keeps what belongs to a database: <https://sqlite.org/tempfiles.html>.
  public static func companions(of path: String) -> [String] { endings.map { path + $0 } }

  private static let endings = ["-journal", "-wal", "-shm"]

  /// The path of the database of which SQLite would take a file of this name for a part; nil for other names.
  public static func owner(ofCompanion path: String) -> String? {
    // A disk may not tell capital letters from others.
    let name = path.lowercased()
    guard let ending = endings.first(where: { name.hasSuffix($0) }) else { return nil }
    return String(path.dropLast(ending.count))
  }

  /// Whether the file is a database, by its header.
  public static func isDatabase(_ path: String) -> Bool { applicationID(of: path) != nil }

  /// Reads the `PRAGMA application_id` from a file's header, without SQLite. It works for a damaged or locked database.
  /// - Returns: nil if the file is not a database, or not a readable ordinary file.
  public static func applicationID(of path: String) -> Int? {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    var header = [UInt8](repeating: 0, count: 72)
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      pread(file, &header, header.count, 0) == header.count, header.starts(with: "SQLite format 3\0".utf8)
    else { return nil }
    // https://www.sqlite.org/fileformat.html#the_database_header
    return header[68..<72].reduce(0) { $0 << 8 | Int($1) }
  }
}
