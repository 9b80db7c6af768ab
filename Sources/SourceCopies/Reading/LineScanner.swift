/// Reads the lines of a stream in place, without their ends.
struct LineScanner {
  /// The maximum length of a line in bytes. A longer one is left out and counted.
  static let longest = 16 << 20

  let window: ByteWindow
  /// Whether the last line of a whole file has an end, as all lines before it.
  let endsLastLine: Bool
  /// The number of lines that were too long.
  private(set) var tooLong = 0
  /// Whether the stream ended within a line, though the last line should have an end.
  private(set) var isCut = false
  private var taken = 0

  init(_ window: ByteWindow, endsLastLine: Bool = true) { (self.window, self.endsLastLine) = (window, endsLastLine) }

  /// The place in the stream behind the current line.
  var offset: Int { window.offset + taken }

  /// Moves to a place in the stream. False when the stream ends before it.
  mutating func skip(to place: Int) throws -> Bool {
    taken = 0
    return try window.skip(to: place)
  }

  /// Returns the next line; nil at the end.
  mutating func next() throws -> Bytes? {
    window.advance(taken)
    taken = 0
    var searched = 0
    while true {
      let bytes = window.bytes
      if let end = bytes.index(of: 0x0A, from: searched) {
        taken = end + 1
        guard end <= Self.longest else {
          try leaveOut()
          searched = 0
          continue
        }
        return bytes.part(0, end > 0 && bytes[end - 1] == 0x0D ? end - 1 : end)
      }
      searched = bytes.count
      if bytes.count > Self.longest {
        try leaveOut()
        searched = 0
      } else if try !window.grow() {
        guard !bytes.isEmpty else { return nil }
        guard !endsLastLine else {
          isCut = true
          return nil
        }
        taken = bytes.count
        return bytes
      }
    }
  }

  /// Moves behind the end of a line that is too long.
  private mutating func leaveOut() throws {
    tooLong += 1
    taken = 0
    while true {
      let bytes = window.bytes
      if let end = bytes.index(of: 0x0A) { return window.advance(end + 1) }
      window.advance(bytes.count)
      guard try window.grow() else {
        isCut = endsLastLine
        return
      }
    }
  }
}

/// The cells of a line between tabs.
struct TabbedCells {
  /// The place behind the end of each cell.
  private var ends: [Int] = []
  private var line = Bytes.none

  var count: Int { ends.count }

  mutating func split(_ line: Bytes) {
    self.line = line
    ends.removeAll(keepingCapacity: true)
    var place = 0
    while let end = line.index(of: 0x09, from: place) {
      ends.append(end)
      place = end + 1
    }
    ends.append(line.count)
  }

  /// A cell; no bytes where there is none, or where it is `\N`, which is NULL.
  subscript(index: Int) -> Bytes {
    guard index >= 0, index < ends.count else { return .none }
    let cell = line.part(index == 0 ? 0 : ends[index - 1] + 1, ends[index])
    return cell.equals("\\N") ? .none : cell
  }
}
