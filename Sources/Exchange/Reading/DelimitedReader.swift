internal import CatalogModel
internal import Processes

/// Reads rows of delimited cells: RFC 4180 and the variants of other programs.
///
/// Lines end in LF, CR or both. A quoted cell may contain delimiters and line ends; quotation marks in it are doubled.
/// Text after the closing mark belongs to the cell (`"Heroes" live`); blanks around the quotes do not. Empty lines are
/// skipped.
struct DelimitedReader {
  struct Row: Hashable {
    /// The line where the row begins, from 1.
    var line: Int
    var cells: [String]
    /// The remarks on guesses about the row.
    var remarks: [Entry.Remark] = []
  }

  /// The maximum length of a cell in bytes. A longer one means another kind of file or an unclosed quotation mark.
  static let longestCell = 1 << 20
  static let mostCells = 10_000

  let delimiter: UInt8
  private let source: ByteSource
  private var piece: [UInt8] = []
  private var place = 0
  private var line = 1
  /// The number of cells in the previous row.
  private var width = 0
  /// Whether the previous byte was CR: an LF after it does not end another line.
  private var isBehindCR = false
  /// Whether a line end in a cell begins no other line: the lines are the rows of a sheet.
  private let hasRows: Bool

  init(_ source: ByteSource, delimiter: UInt8, hasRows: Bool = false) {
    (self.source, self.delimiter, self.hasRows) = (source, delimiter, hasRows)
  }

  /// Returns the next row; nil at the end.
  /// - Throws: ``ImportProblem`` for a cell or a row that is too long, and for an unclosed quotation mark.
  mutating func next() throws -> Row? {
    var cells: [String] = []
    cells.reserveCapacity(width)
    var cell: [UInt8] = []
    var start = line
    var size = 0
    // Outside quotes; inside quotes; after a mark that closes them or is the first of two.
    enum State { case plain, quoted, mark }
    var state = State.plain
    var wasQuoted = false
    // The line where the quotes begin, and the number of blanks after the closing mark.
    var (opening, blanks) = (line, 0)
    var (isMended, isOpen) = (false, false)

    func text() -> String { String(forgiving: cell, isMended: &isMended) }
    func row() -> Row {
      let remarks = [isMended ? Entry.Remark.strayBytes : nil, isOpen ? .openQuote : nil].compactMap(\.self)
      return Row(line: start, cells: cells, remarks: remarks)
    }

    while let byte = try step() {
      if isBehindCR {
        isBehindCR = false
        if byte == 0x0A {
          if state == .quoted { cell.append(byte) }
          continue
        }
      }
      let isEnd = byte == 0x0A || byte == 0x0D
      if isEnd {
        if !hasRows || state != .quoted { line += 1 }
        isBehindCR = byte == 0x0D
      }
      switch (state, byte) {
      case (.quoted, UInt8(ascii: "\"")): state = .mark
      case (.quoted, _):
        cell.append(byte)
        if !isEnd { size += takeLetters(into: &cell) }
      case (.mark, UInt8(ascii: "\"")) where blanks == 0:
        cell.append(byte)
        state = .quoted
      case (.mark, 0x20) where delimiter != 0x20: blanks += 1
      case (_, delimiter), (_, 0x0A), (_, 0x0D):
        state = .plain
        if isEnd, cells.isEmpty, cell.isEmpty, !wasQuoted {
          start = line
          continue
        }
        guard cells.count < Self.mostCells else {
          throw ImportProblem.tooMuch("line \(start) has more than \(Self.mostCells) cells")
        }
        cells.append(text())
        if isEnd {
          width = cells.count
          return row()
        }
        cell.removeAll(keepingCapacity: true)
        (wasQuoted, blanks) = (false, 0)
      case (.mark, _):
        // The mark did not close the cell, so the opening mark belongs to the text.
        isOpen = isOpen || opening < line
        cell = [UInt8(ascii: "\"")] + cell + [UInt8(ascii: "\"")] + Array(repeating: 0x20, count: blanks) + [byte]
        (state, blanks) = (.plain, 0)
      case (.plain, UInt8(ascii: "\"")) where !wasQuoted && cell.allSatisfy({ $0 == 0x20 }):
        cell.removeAll(keepingCapacity: true)
        (state, wasQuoted, opening) = (.quoted, true, line)
      default:
        cell.append(byte)
        if !isEnd { size += takeLetters(into: &cell) }
      }
      size += 1
      guard cell.count <= Self.longestCell, size <= Self.longestCell * 4 else {
        throw ImportProblem.tooMuch(
          state == .quoted
            ? "line \(start) has a cell of more than a million letters: a quotation mark in it is not closed"
            : "line \(start) has a cell of more than a million letters")
      }
    }
    guard state != .quoted else {
      throw ImportProblem.damaged(
        "the quotation mark in line \(opening) is not closed: everything below it would be one cell")
    }
    guard !cells.isEmpty || !cell.isEmpty || wasQuoted else { return nil }
    cells.append(text())
    return row()
  }

  /// Appends plain text up to the next special byte, the end of the chunk, or the maximum length.
  /// - Returns: the number of bytes.
  private mutating func takeLetters(into cell: inout [UInt8]) -> Int {
    let rest = piece[place..<min(piece.count, place + max(0, Self.longestCell - cell.count))]
    let letters = rest.prefix { $0 != delimiter && $0 != 0x0A && $0 != 0x0D && $0 != UInt8(ascii: "\"") }
    cell += letters
    place += letters.count
    return letters.count
  }

  private mutating func step() throws -> UInt8? {
    if place == piece.count {
      piece = try source.next()
      place = 0
      if piece.isEmpty { return nil }
    }
    defer { place += 1 }
    return piece[place]
  }
}
