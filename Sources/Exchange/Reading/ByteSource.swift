internal import CatalogModel
internal import Glibc
internal import Processes

/// A stream of bytes from a file, a program or another source.
///
/// A class, because it holds resources to close: a file or a running program.
public final class ByteSource {
  /// The maximum size of a chunk in bytes.
  static let pieceSize = 64 << 10

  private let read: () throws -> [UInt8]
  private let close: () -> Void
  private var first: [UInt8]?

  /// - Parameter read: returns the next chunk; empty at the end.
  init(read: @escaping () throws -> [UInt8], close: @escaping () -> Void = {}) {
    (self.read, self.close) = (read, close)
  }

  deinit { close() }

  /// Returns the next bytes; empty at the end.
  /// - Throws: ``ImportProblem``, `Interrupted`.
  public func next() throws -> [UInt8] {
    if let piece = first {
      first = nil
      return piece
    }
    try Interrupt.check()
    return try read()
  }

  /// Puts bytes back, before all other bytes.
  func putBack(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    first = bytes + (first ?? [])
  }

  /// Returns the first bytes, at most `count`, without consuming them.
  public func beginning(_ count: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      let piece = try next()
      if piece.isEmpty { break }
      bytes += piece
    }
    putBack(bytes)
    return Array(bytes.prefix(count))
  }

  /// Returns all bytes.
  /// - Throws: ``ImportProblem`` if there are more than `limit` bytes.
  func all(limit: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    while case let piece = try next(), !piece.isEmpty {
      bytes += piece
      guard bytes.count <= limit else { throw ImportProblem.tooMuch("it is too large to read at once") }
    }
    return bytes
  }
}

extension ByteSource {
  convenience init(bytes: [UInt8]) {
    var rest: [UInt8]? = bytes
    self.init(read: {
      defer { rest = nil }
      return rest ?? []
    })
  }

  /// Opens a file.
  /// - Throws: ``ImportProblem`` if it does not exist or is unreadable.
  public convenience init(path: String) throws(ImportProblem) {
    // Opening a pipe without a writer would block forever.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      throw ImportProblem(
        .missing, errno == ENOENT ? "there is no file '\(path)'" : "'\(path)' cannot be read: \(Self.reason())")
    }
    var status = stat()
    fstat(descriptor, &status)
    guard status.st_mode & S_IFMT == S_IFREG else {
      Glibc.close(descriptor)
      let isFolder = status.st_mode & S_IFMT == S_IFDIR
      throw ImportProblem(
        .missing, isFolder ? "'\(path)' is a folder" : "'\(path)' is not a file",
        hint: isFolder ? "name a file in it, the original archive, or a folder of Markdown notes" : nil)
    }
    self.init(descriptor: descriptor, words: path, close: { Glibc.close(descriptor) })
  }

  /// Reads the output of a program, which is ended if the output is not read to its end.
  /// - Parameter check: receives the exit status once the output has been read.
  convenience init(
    program words: [String], package: String, environment: Spawn.Environment = .adding(["LC_ALL": "C.UTF-8"]),
    check: @escaping (ExitStatus?) throws -> Void
  ) throws(ImportProblem) {
    let child: Child
    do {
      child = try Spawn.start(words, environment: environment, input: .null, output: .pipe, error: .null)
    } catch {
      throw error.isMissingProgram
        ? .lacks(words.first ?? "", package: package) : ImportProblem(.missing, Message(verbatim: error.description))
    }
    guard let output = child.output else { throw .damaged("a program printed nothing") }
    var isOver = false
    func end(isRead: Bool) -> ExitStatus? {
      guard !isOver else { return nil }
      isOver = true
      Glibc.close(output)
      // After the end of its output, the program exits by itself. Polling would take longer than the program.
      return isRead ? child.wait() : child.waitOrEnd(after: 0)
    }
    self.init(
      read: {
        if isOver { return [] }
        let piece = try Self.piece(of: output, words: words.first ?? "")
        if piece.isEmpty { try check(end(isRead: true)) }
        return piece
      }, close: { _ = end(isRead: false) })
  }

  private convenience init(descriptor: Int32, words: String, close: @escaping () -> Void) {
    self.init(read: { try Self.piece(of: descriptor, words: words) }, close: close)
  }

  private static func piece(of descriptor: Int32, words: String) throws -> [UInt8] {
    while true {
      var count = 0
      let piece = [UInt8](unsafeUninitializedCapacity: pieceSize) { buffer, filled in
        count = Glibc.read(descriptor, buffer.baseAddress, pieceSize)
        filled = max(0, count)
      }
      if count >= 0 { return piece }
      guard errno == EINTR else { throw ImportProblem.damaged("'\(words)' cannot be read: \(reason())") }
      try Interrupt.check()
    }
  }

  private static func reason() -> String { String(cString: strerror(errno)) }
}
