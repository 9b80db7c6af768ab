internal import Glibc

extension Connection {
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
