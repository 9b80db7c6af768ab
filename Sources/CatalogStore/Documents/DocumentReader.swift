internal import CatalogModel

/// Reads documents from bytes that come piece by piece, one a line, holding no more than a line.
///
///     var reader = DocumentReader { try file.read(upToCount: 1 << 16) }
///     while let (line, document) = try reader.next() { … }
public struct DocumentReader {
  /// A line has at most so many bytes, nearly all of them those of a cover, which has 8 MiB at most.
  public static let longestLine = 16 << 20

  private let read: () throws -> [UInt8]
  private var waiting: [UInt8] = []
  /// Where what was not returned yet begins.
  private var start = 0
  /// Up to where no line end was found.
  private var searched = 0
  private var isAtEnd = false
  private var line = 0

  /// - Parameter read: the next bytes, none at the end.
  public init(_ read: @escaping () throws -> [UInt8]) { self.read = read }

  /// A document that is a file of its own.
  /// - Throws: ``DocumentProblem``, with the line where it ends to be one.
  public static func read(_ bytes: [UInt8]) throws(DocumentProblem) -> Document { try DocumentParser.read(bytes) }

  /// Whether a file is ours: what its first line, or the beginning of it, holds.
  public static func recognizes(_ beginning: some Sequence<UInt8>) -> Bool {
    Array(beginning).withoutMark.filter { !($0 == 0x20 || $0 == 0x09) }.starts(with: #"{"catalog":"#.utf8)
  }

  /// The next document with the number of its line; nil at the end. Empty lines are passed over.
  /// - Throws: ``DocumentProblem`` for a line that cannot be read, and what `read` throws.
  public mutating func next() throws -> (line: Int, document: Document)? {
    while let bytes = try nextLine() {
      line += 1
      if bytes.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { continue }
      do {
        return (line, try DocumentParser.read(line == 1 ? bytes.withoutMark : bytes))
      } catch {
        throw DocumentProblem(error.words, line: line)
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
  /// The bytes behind a byte order mark, which says nothing of UTF-8.
  fileprivate var withoutMark: [UInt8] { starts(with: [0xEF, 0xBB, 0xBF]) ? Array(dropFirst(3)) : self }
}
