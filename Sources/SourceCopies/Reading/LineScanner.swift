internal import Processes

/// A reader of the records of a file, one by one.
protocol RecordScanner {
  /// The number of records so far that could not be given, and the reason.
  var leftOut: Int { get }
  var reason: LeftOut { get }
  /// Whether the file ended too early.
  var isCut: Bool { get }
  /// Calls `body` with the next record.
  /// - Returns: false at the end.
  mutating func next(_ body: (Bytes) throws -> Void) throws -> Bool
}

/// Reads the lines of a stream in place, without their ends; or rows of CSV, whose quoted cells may contain line ends.
///
/// A line that is too long is left out and counted. A row whose quotation mark is not closed is left out with its first
/// line alone.
struct LineScanner: RecordScanner {
  /// The maximum length of a line in bytes, and of a row of CSV.
  private static let (longest, longestRow) = (16 << 20, 1 << 20)

  private let window: ByteWindow
  private let isCSV: Bool
  private(set) var leftOut = 0
  /// Whether the stream ended within a line, or within a quoted cell.
  private(set) var isCut = false
  private var taken = 0

  init(_ source: ByteSource, isCSV: Bool = false) { (window, self.isCSV) = (ByteWindow(source), isCSV) }

  var reason: LeftOut { isCSV ? .damaged : .tooLong }

  mutating func next(_ body: (Bytes) throws -> Void) throws -> Bool {
    guard let line = try next() else { return false }
    try body(line)
    return true
  }

  /// Returns the next line, or the next row that is not empty; nil at the end.
  mutating func next() throws -> Bytes? {
    while let line = try nextLine() {
      if !isCSV || !line.isEmpty { return line }
    }
    return nil
  }

  private mutating func nextLine() throws -> Bytes? {
    window.advance(taken)
    taken = 0
    var (searched, isQuoted) = (0, false)
    while true {
      let bytes = window.bytes
      while let end = bytes.index(of: 0x0A, from: searched), end <= longest {
        isQuoted = isQuoted != hasQuote(bytes.part(searched, end))
        searched = end + 1
        guard !isQuoted else { continue }
        taken = searched
        return bytes.part(0, end > 0 && bytes[end - 1] == 0x0D ? end - 1 : end)
      }
      if bytes.count > longest {
        try leaveOut()
        (searched, isQuoted) = (0, false)
      } else if try !window.grow() {
        let rest = bytes.part(searched, bytes.count)
        isCut = isCut || !(isCSV && isQuoted == hasQuote(rest)) && !bytes.isEmpty
        // The last row may lack its end.
        taken = bytes.count
        return isCut || bytes.isEmpty ? nil : bytes
      } else if !isCSV {
        searched = bytes.count
      }
    }
  }

  private var longest: Int { isCSV ? Self.longestRow : Self.longest }

  /// Whether a quoted cell begins in a part of a row, or ends.
  private func hasQuote(_ part: Bytes) -> Bool {
    isCSV && !part.count { $0 == UInt8(ascii: "\"") }.isMultiple(of: 2)
  }

  /// Moves behind the end of a line that is too long.
  private mutating func leaveOut() throws {
    leftOut += 1
    while true {
      let bytes = window.bytes
      if let end = bytes.index(of: 0x0A) { return window.advance(end + 1) }
      window.advance(bytes.count)
      guard try window.grow() else {
        isCut = !isCSV
        return
      }
    }
  }
}

/// The cells of a line between tabs, or of a row of CSV.
struct Cells {
  private var cells: [Bytes] = []

  /// - Parameter most: the most cells. What is behind their separators is in the last one.
  init(_ row: Bytes, isCSV: Bool = false, most: Int = .max) {
    let separator = UInt8(ascii: isCSV ? "," : "\t")
    var (start, isQuoted) = (0, false)
    for place in 0...row.count {
      if place == row.count || row[place] == separator && !isQuoted && cells.count < most - 1 {
        let cell = row.part(start, place)
        let hasMarks = isCSV && cell.count >= 2 && cell.first == UInt8(ascii: "\"") && cell.last == UInt8(ascii: "\"")
        cells.append(hasMarks ? cell.part(1, cell.count - 1) : cell)
        start = place + 1
      } else if isCSV, row[place] == UInt8(ascii: "\"") {
        isQuoted.toggle()
      }
    }
  }

  var count: Int { cells.count }

  /// The places of the cells with these texts, as in the first row; -1 for one that is missing.
  func places(of names: [String]) -> [Int] {
    let all = cells.map { $0.text.filter { $0 != "\u{FEFF}" && $0 != "\"" } }
    return names.map { all.firstIndex(of: $0) ?? -1 }
  }

  /// A cell as it is written between its quotes; no bytes where there is none, or where it is `\N`, which is NULL.
  subscript(index: Int) -> Bytes {
    guard cells.indices.contains(index), !cells[index].equals("\\N") else { return .none }
    return cells[index]
  }
}
