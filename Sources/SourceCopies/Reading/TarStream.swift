internal import CatalogModel
internal import Processes

/// Reads the files in a tar archive one after the other, without keeping them.
///
/// POSIX.1-1988 (ustar), with the long names of GNU tar and of POSIX.1-2001 (pax).
final class TarStream {
  struct Member: Hashable {
    var name: String
    var size: Int
  }

  private static let block = 512
  /// The maximum length of a name in an entry of its own.
  private static let longestName = 1 << 16

  private let source: ByteSource
  private var rest: ArraySlice<UInt8> = []
  /// The number of bytes that were read of the archive.
  private var consumed = 0
  /// The bytes of the current member that were not read, and the zeros behind them.
  private var (left, padding) = (0, 0)

  init(_ source: ByteSource) { self.source = source }

  /// The place of the current member's content in the archive.
  private(set) var offset = 0

  /// Whether bytes look like the beginning of an archive.
  static func recognizes(_ beginning: [UInt8]) -> Bool {
    beginning.count >= 265 && beginning[257..<262].elementsEqual("ustar".utf8)
  }

  /// Moves to the next file.
  /// - Returns: nil at the end of the archive.
  /// - Throws: ``DumpProblem`` when the archive is damaged or ends too early.
  func next() throws -> Member? {
    var longName: String?
    while true {
      try skip(left + padding)
      (left, padding) = (0, 0)
      let header = try take(Self.block)
      guard header.count == Self.block else { throw damaged }
      if header.allSatisfy({ $0 == 0 }) {
        // The bytes behind the end must be read, or the program that unpacks them fails.
        while try !piece().isEmpty {}
        return nil
      }
      guard Self.checks(header), let size = Self.number(header[124..<136]) else { throw damaged }
      (left, padding) = (size, (Self.block - size % Self.block) % Self.block)
      switch header[156] {
      case UInt8(ascii: "L"), UInt8(ascii: "x"):
        guard size <= Self.longestName else { throw damaged }
        let content = try take(size)
        left -= content.count
        longName = header[156] == UInt8(ascii: "L") ? Self.text(content[...]) : Self.path(in: content) ?? longName
      case 0, UInt8(ascii: "0"):
        offset = consumed
        let folder = Self.text(header[345..<500])
        let name = Self.text(header[0..<100])
        let isUstar = header[257..<263].elementsEqual(Array("ustar".utf8) + [0])
        return Member(name: longName ?? (isUstar && !folder.isEmpty ? "\(folder)/\(name)" : name), size: size)
      default: longName = nil
      }
    }
  }

  /// The bytes of the current member.
  func content() -> ByteSource { ByteSource(read: { [self] in try contentPiece() }) }

  private func contentPiece() throws -> [UInt8] {
    guard left > 0 else { return [] }
    let bytes = try piece()
    guard !bytes.isEmpty else { throw damaged }
    let taken = bytes.prefix(left)
    rest = bytes[taken.endIndex...]
    left -= taken.count
    consumed += taken.count
    return taken.count == bytes.count && taken.startIndex == 0 ? Array(bytes) : Array(taken)
  }

  private var damaged: DumpProblem {
    DumpProblem(
      .damaged, "the archive is cut off or damaged", hint: "download it again and compare its checksum")
  }

  /// The next bytes as they come; empty at the end.
  private func piece() throws -> ArraySlice<UInt8> {
    if !rest.isEmpty {
      defer { rest = [] }
      return rest
    }
    return try source.next()[...]
  }

  private func take(_ count: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      let piece = try piece()
      if piece.isEmpty { break }
      let part = piece.prefix(count - bytes.count)
      bytes += part
      consumed += part.count
      rest = piece[part.endIndex...]
    }
    return bytes
  }

  private func skip(_ count: Int) throws {
    var count = count
    while count > 0 {
      let piece = try piece()
      if piece.isEmpty { throw damaged }
      let part = piece.prefix(count)
      count -= part.count
      consumed += part.count
      rest = piece[part.endIndex...]
    }
  }

  /// Whether the sum in a header is that of its bytes, with blanks in the place of the sum.
  private static func checks(_ header: [UInt8]) -> Bool {
    let sum = header.enumerated().reduce(0) { $0 + ((148..<156).contains($1.offset) ? 0x20 : Int($1.element)) }
    return number(header[148..<156]) == sum
  }

  /// A number in octal digits, or in binary when the first bit is set.
  private static func number(_ field: ArraySlice<UInt8>) -> Int? {
    if field.first == 0x80 {
      guard field.dropFirst().dropLast(8).allSatisfy({ $0 == 0 }) else { return nil }
      let value = field.suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      return value < 1 << 50 ? Int(value) : nil
    }
    let digits = field.drop { $0 == 0x20 }.prefix { $0 != 0x20 && $0 != 0 }
    return digits.isEmpty ? 0 : Int(String(decoding: digits, as: UTF8.self), radix: 8).flatMap { $0 >= 0 ? $0 : nil }
  }

  private static func text(_ field: ArraySlice<UInt8>) -> String {
    String(decoding: field.prefix { $0 != 0 }, as: UTF8.self)
  }

  /// The value of `path` in the lines `LENGTH KEY=VALUE` of a pax header.
  private static func path(in content: [UInt8]) -> String? {
    for line in String(decoding: content, as: UTF8.self).split(separator: "\n") {
      if let pair = line.split(separator: " ", maxSplits: 1).last, pair.hasPrefix("path=") {
        return String(pair.dropFirst("path=".count))
      }
    }
    return nil
  }
}
