public import CatalogModel

/// Reads documents, one per line, from chunks of bytes. It holds at most one line in memory.
///
///     var reader = DocumentReader { try file.read(upToCount: 1 << 16) }
///     while let (line, document) = try reader.next() { … }
public struct DocumentReader {
  /// A line has at most so many bytes, nearly all of them those of a cover, which has 8 MiB at most.
  public static let longestLine = 16 << 20

  private let read: () throws -> [UInt8]
  private var waiting: [UInt8] = []
  /// The start of the bytes that were not returned yet.
  private var start = 0
  /// The end of the bytes that were searched for a line end.
  private var searched = 0
  private var isAtEnd = false
  private var line = 0

  /// - Parameter read: returns the next bytes; none at the end.
  public init(_ read: @escaping () throws -> [UInt8]) { self.read = read }

  /// Whether a file is an export of a catalog, judged by the beginning of its first line.
  public static func recognizes(_ beginning: some Sequence<UInt8>) -> Bool {
    Array(beginning).withoutMark.filter { !($0 == 0x20 || $0 == 0x09) }.starts(with: #"{"catalog":"#.utf8)
  }

  /// Returns the next document with the number of its line; nil at the end. Skips empty lines.
  /// - Throws: ``DocumentProblem`` for an unreadable line, and the errors of `read`.
  public mutating func next() throws -> (line: Int, document: Document)? {
    while let bytes = try nextLine() {
      line += 1
      if bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { continue }
      do {
        return (line, try Document(parsing: line == 1 ? bytes.withoutMark : bytes))
      } catch {
        throw DocumentProblem(error.message, line: line)
      }
    }
    return nil
  }

  private mutating func nextLine() throws -> [UInt8]? {
    while true {
      if let end = waiting[searched...].firstIndex(of: 0x0A) {
        defer { (start, searched) = (end + 1, end + 1) }
        return Array(waiting[start..<end])
      }
      searched = waiting.count
      guard waiting.count - start <= Self.longestLine else {
        throw DocumentProblem("it is longer than 16 MiB", line: line + 1)
      }
      if isAtEnd {
        defer { (waiting, start, searched) = ([], 0, 0) }
        return start < waiting.count ? Array(waiting[start...]) : nil
      }
      let more = try read()
      isAtEnd = more.isEmpty
      waiting.removeFirst(start)
      searched -= start
      start = 0
      waiting += more
    }
  }
}

extension [UInt8] {
  /// The bytes behind a byte order mark, which means nothing in UTF-8.
  fileprivate var withoutMark: [UInt8] { starts(with: [0xEF, 0xBB, 0xBF]) ? Array(dropFirst(3)) : self }
}
