internal import CatalogModel
internal import Glibc
public import Processes

extension ByteSource {
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
    self.init(calling: path, ByteSource(descriptor: descriptor, attempt: ""))
  }

  /// Reads the output of a program, which is ended if the output is not read to its end.
  /// - Parameter check: receives the exit status once the output has been read.
  convenience init(
    program words: [String], package: String, check: @escaping (ExitStatus?) throws -> Void
  ) throws(ImportProblem) {
    do {
      self.init(calling: words.first ?? "", try ByteSource(program: words, check: check))
    } catch {
      throw error.isMissingProgram
        ? .lacks(words.first ?? "", package: package) : ImportProblem(.missing, Message(verbatim: error.description))
    }
  }

  /// The same bytes, with an error of the system in the words of a person.
  private convenience init(calling name: String, _ source: ByteSource) {
    self.init(read: {
      do {
        return try source.next()
      } catch let error as SystemError {
        throw ImportProblem.damaged("'\(name)' cannot be read: \(error.reason)")
      }
    })
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

  private static func reason() -> String { String(cString: strerror(errno)) }
}
