internal import CatalogModel

/// Reads rows of comma-separated cells in place. A quoted cell may contain commas and line ends; quotation marks in it
/// are doubled.
///
/// A row whose quotation mark is not closed within ``longest`` is left out with its first line alone, and counted.
struct CSVScanner {
  /// The maximum length of a row in bytes.
  static let longest = 1 << 20

  let window: ByteWindow
  /// The number of rows that were left out.
  private(set) var damaged = 0
  /// Whether the file ended within a quoted cell.
  private(set) var isCut = false
  private var taken = 0
  private var row = Bytes.none
  private var cells: [(start: Int, end: Int)] = []

  init(_ window: ByteWindow) { self.window = window }

  /// The place in the stream behind the current row.
  var offset: Int { window.offset + taken }

  /// The number of cells in the current row.
  var count: Int { cells.count }

  /// Moves to a place in the stream. False when the stream ends before it.
  mutating func skip(to place: Int) throws -> Bool {
    taken = 0
    return try window.skip(to: place)
  }

  /// A cell of the current row as it is written between its quotes; no bytes where there is none.
  subscript(index: Int) -> Bytes {
    guard cells.indices.contains(index) else { return .none }
    let cell = row.part(cells[index].start, cells[index].end)
    guard cell.count >= 2, cell.first == UInt8(ascii: "\""), cell.last == UInt8(ascii: "\"") else { return cell }
    return cell.part(1, cell.count - 1)
  }

  /// Moves to the next row that is not empty. False at the end.
  mutating func next() throws -> Bool {
    while true {
      window.advance(taken)
      taken = 0
      guard try findEnd() else { return false }
      if !row.isEmpty { return true }
    }
  }

  /// Finds the end of the row that begins at the window, and the cells in it.
  private mutating func findEnd() throws -> Bool {
    cells.removeAll(keepingCapacity: true)
    var (place, start, isQuoted) = (0, 0, false)
    while true {
      let bytes = window.bytes
      while place < bytes.count {
        switch bytes[place] {
        case UInt8(ascii: "\""): isQuoted.toggle()
        case UInt8(ascii: ",") where !isQuoted:
          cells.append((start, place))
          start = place + 1
        case 0x0A where !isQuoted:
          let end = place > start && bytes[place - 1] == 0x0D ? place - 1 : place
          cells.append((start, end))
          (row, taken) = (bytes.part(0, end), place + 1)
          return true
        default: break
        }
        place += 1
      }
      if place > Self.longest {
        damaged += 1
        window.advance((bytes.index(of: 0x0A) ?? bytes.count - 1) + 1)
        cells.removeAll(keepingCapacity: true)
        (place, start, isQuoted) = (0, 0, false)
      } else if try !window.grow() {
        guard !bytes.isEmpty else { return false }
        guard !isQuoted else {
          isCut = true
          return false
        }
        cells.append((start, place))
        (row, taken) = (bytes, place)
        return true
      }
    }
  }
}
