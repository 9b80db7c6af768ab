internal import CatalogModel
internal import Glibc
internal import Processes

/// The packing of a file, by its first bytes.
enum Packing: Hashable, Sendable {
  case none, gzip, bzip2, xz, zstd

  init(_ beginning: [UInt8]) {
    let magics: [(Packing, [UInt8])] = [
      (.gzip, [0x1F, 0x8B]), (.bzip2, Array("BZh".utf8)), (.xz, [0xFD] + Array("7zXZ".utf8)),
      (.zstd, [0x28, 0xB5, 0x2F, 0xFD]),
    ]
    self = magics.first { beginning.starts(with: $0.1) }?.0 ?? .none
  }

  /// The programs that unpack it with `-dc` from their input to their output, the fastest first.
  var programs: [String] {
    switch self {
    case .none: []
    case .gzip: ["igzip", "pigz", "gzip"]
    case .bzip2: ["lbzip2", "pbzip2", "bzip2"]
    case .xz: ["xz"]
    case .zstd: ["zstd"]
    }
  }
}

/// An open file of a dump, unpacked by a program beside this one.
final class DumpFile {
  let path: String
  /// The size of the file as it lies on the disk, in bytes.
  let size: Int
  /// The second at which the file was last changed.
  let changed: Int
  let packing: Packing
  private let descriptor: Int32

  /// - Throws: ``DumpProblem`` if the file does not exist or is unreadable.
  init(path: String) throws(DumpProblem) {
    // Opening a pipe without a writer would block forever.
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      throw DumpProblem(
        .missing,
        errno == ENOENT ? "there is no file '\(path)'" : "'\(path)' cannot be read: \(String(cString: strerror(errno)))"
      )
    }
    var status = stat()
    fstat(descriptor, &status)
    guard status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw DumpProblem(
        .missing, status.st_mode & S_IFMT == S_IFDIR ? "'\(path)' is a folder" : "'\(path)' is not a file")
    }
    var magic = [UInt8](repeating: 0, count: 8)
    let count = pread(descriptor, &magic, magic.count, 0)
    (self.path, size, changed) = (path, Int(status.st_size), Int(status.st_mtim.tv_sec))
    packing = Packing(Array(magic.prefix(max(0, count))))
  }

  deinit { close(descriptor) }

  /// The number of bytes that were read of the file. The program that unpacks it shares our place in it.
  var position: Int { max(0, Int(lseek(descriptor, 0, SEEK_CUR))) }

  /// Whether the file is text in the old encoding of Korean, EUC-KR or its extension CP949: of the lines that are not
  /// ASCII, most are not UTF-8 either, and no byte is zero. A damaged byte in UTF-8 does not make a file Korean.
  private func isKorean() -> Bool {
    var bytes = [UInt8](repeating: 0, count: 64 << 10)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    let beginning = bytes.prefix(max(0, count))
    let whole = beginning.lastIndex(of: 0x0A).map { beginning[...$0] } ?? beginning
    guard !whole.contains(0) else { return false }
    let lines = whole.split(separator: 0x0A).filter { $0.contains { $0 >= 0x80 } }
    return lines.count { String(validating: $0, as: UTF8.self) == nil } * 2 > lines.count
  }

  /// Whether the file has bytes that are not Korean text, though the rest is. With `-c`, iconv says nothing of them, so
  /// it reads the file once more without.
  func hasStrayBytes() throws -> Bool {
    guard packing == .none, isKorean() else { return false }
    lseek(descriptor, 0, SEEK_SET)
    var isWhole = false
    let source = try ByteSource(program: ["iconv", "-f", "CP949", "-t", "UTF-8"], input: .descriptor(descriptor)) {
      status in isWhole = status == .exited(0)
    }
    while try !source.next().isEmpty {}
    return !isWhole
  }

  /// The unpacked bytes, from the beginning.
  /// - Parameter members: the files that are read of an archive. Before each of their lines stand their path and a tab.
  /// - Throws: ``DumpProblem`` when no program is installed that unpacks the file, and at the end of the bytes when the
  ///   file is cut off or damaged.
  func unpacked(_ members: [String] = []) throws -> ByteSource {
    lseek(descriptor, 0, SEEK_SET)
    var words: [String] = []
    if packing != .none {
      let folders = getenv("PATH").map { String(cString: $0) }
      let program = packing.programs.first { (try? Executable.path(of: $0, along: folders)) != nil }
      guard let program else {
        let package = packing == .xz ? "xz-utils" : packing.programs.last ?? ""
        throw DumpProblem(
          .lacksProgram, "no program is installed that unpacks '\(path)'", hint: "sudo apt install \(package)")
      }
      words = [program, "-dc"]
    } else if members.isEmpty, isKorean() {
      // Bytes that are not Korean text are left out: hasStrayBytes().
      return try ByteSource(program: ["iconv", "-c", "-f", "CP949", "-t", "UTF-8"], input: .descriptor(descriptor)) {
        _ in
      }
    }
    if !members.isEmpty {
      let names = members.joined(separator: "|")
      let command = #"case $TAR_FILENAME in \#(names)) awk '{print ENVIRON["TAR_FILENAME"] "\t" $0}';; esac"#
      words =
        ["tar", "-x", "-f", "-", "--to-command", command]
        + (words.isEmpty ? [] : ["-I", words.joined(separator: " ")])
    }
    guard let program = words.first else {
      let copy = dup(descriptor)
      _ = fcntl(copy, F_SETFD, FD_CLOEXEC)
      return ByteSource(descriptor: copy, attempt: "read '\(path)'")
    }
    let path = path
    return try ByteSource(program: words, input: .descriptor(descriptor), pieceSize: 256 << 10) { status in
      // With 2, gzip only warns of bytes behind the end.
      guard status == .exited(0) || status == .exited(2) && program.hasSuffix("gzip") else {
        throw DumpProblem(
          .damaged, "'\(path)' is cut off or damaged: '\(program)' cannot unpack it to its end",
          hint: "download it again and compare its checksum")
      }
    }
  }
}
