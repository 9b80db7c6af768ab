/// A small terminal that interprets the bytes of a program and shows what a person would see.
///
///     var screen = TerminalScreen(columns: 80, lines: 24)
///     screen.feed(bytes)
///     screen.lines[0]    // "╭─ card 2 ──────╮"
///
/// It supports what our programs write: cursor movement and erasing, styles, the alternate screen, modes, wide
/// characters. Any other sequence is kept in `unknown`, so that a test can check that there are none.
public struct TerminalScreen: Sendable {
  /// A cell: its text, which is empty after a wide character, and the numbers of its style.
  public struct Cell: Hashable, Sendable {
    public var text = " "
    public var style: [Int] = []
  }

  public private(set) var columns: Int
  public private(set) var lineCount: Int
  /// The position of the cursor, from 0. After a full line it is on the last cell.
  public private(set) var cursor = (column: 0, line: 0)
  /// The private modes that are on: 7 wraps, 25 shows the cursor, 1049 is the alternate screen, 2004 marks pastes.
  public private(set) var modes: Set<Int> = [7, 25]
  /// The number of times the screen has scrolled up by a line.
  public private(set) var scrolls = 0
  /// Unsupported sequences.
  public private(set) var unknown: [String] = []
  /// The data of pictures, which the terminal draws itself: every DCS and APC string, and OSC 1337.
  public private(set) var pictures: [[UInt8]] = []

  private var cells: [[Cell]]
  /// The ordinary screen and its cursor, while the alternate one is shown.
  private var ordinary: (cells: [[Cell]], cursor: (column: Int, line: Int))?
  private var saved = (column: 0, line: 0)
  private var style: [Int] = []
  /// Whether the next character begins a new line.
  private var isPastEnd = false
  /// The beginning of an incomplete sequence or character.
  private var pending: [UInt8] = []

  public init(columns: Int, lines: Int) {
    (self.columns, lineCount) = (columns, lines)
    cells = Self.blank(columns, lines)
  }

  private static func blank(_ columns: Int, _ lines: Int) -> [[Cell]] {
    Array(repeating: Array(repeating: Cell(), count: columns), count: lines)
  }

  // MARK: What stands there

  /// The lines without trailing blanks.
  public var lines: [String] {
    cells.map { line in
      let text = line.map(\.text).joined()
      return String(text[..<(text.lastIndex { $0 != " " }.map(text.index(after:)) ?? text.startIndex)])
    }
  }

  public var text: String { lines.joined(separator: "\n") }
  public var isOther: Bool { modes.contains(1049) }
  public var isCursorShown: Bool { modes.contains(25) }

  /// The styles of the characters in a line, without blanks.
  public func styles(ofLine number: Int) -> Set<[Int]> {
    Set(cells[number].filter { $0.text != " " && !$0.text.isEmpty }.map(\.style))
  }

  /// Resizes the terminal: cells that do not fit are lost.
  public mutating func resize(columns: Int, lines: Int) {
    func fitted(_ cells: [[Cell]]) -> [[Cell]] {
      (0..<lines).map { line in
        (0..<columns).map { cells.indices.contains(line) && $0 < cells[line].count ? cells[line][$0] : Cell() }
      }
    }
    cells = fitted(cells)
    if let (kept, cursor) = ordinary { ordinary = (fitted(kept), cursor) }
    (self.columns, lineCount) = (columns, lines)
    move(to: cursor.column, cursor.line)
  }

  // MARK: Bytes

  public mutating func feed(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { feed(byte) }
  }

  private mutating func feed(_ byte: UInt8) {
    switch pending.first {
    case nil where byte == 0x1B || byte >= 0xC0: pending = [byte]
    case nil: byte < 0x20 ? control(byte) : put(Character(Unicode.Scalar(byte)))
    case 0x1B:
      pending.append(byte)
      feedSequence()
    case let first?:
      pending.append(byte)
      guard pending.count == (first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2) else { return }
      if let character = String(decoding: pending, as: UTF8.self).first { put(character) }
      pending = []
    }
  }

  private mutating func feedSequence() {
    guard pending.count > 1, let last = pending.last else { return }
    switch Unicode.Scalar(pending[1]) {
    case "[":
      guard pending.count > 2, last >= 0x40 else { return }
      let parameters = String(decoding: pending[2..<(pending.count - 1)], as: UTF8.self)
      perform(Character(Unicode.Scalar(last)), parameters)
    case "]", "P", "_":
      let isString = pending.suffix(2) == [0x1B, UInt8(ascii: "\\")]
      guard isString || pending[1] == UInt8(ascii: "]") && last == 0x07 else { return }
      let data = Array(pending[2...].dropLast(isString ? 2 : 1))
      if pending[1] != UInt8(ascii: "]") || data.starts(with: Array("1337;".utf8)) { pictures.append(data) }
    case "7": saved = cursor
    case "8": move(to: saved.column, saved.line)
    case "\\": break
    default: unknown.append(String(decoding: pending, as: UTF8.self))
    }
    pending = []
  }

  private mutating func control(_ byte: UInt8) {
    switch byte {
    case 0x07: break
    case 0x08: move(to: cursor.column - 1, cursor.line)
    case 0x09: move(to: (cursor.column / 8 + 1) * 8, cursor.line)
    case 0x0A: lineFeed()
    case 0x0D: move(to: 0, cursor.line)
    default: unknown.append(String(Unicode.Scalar(byte)))
    }
  }

  private mutating func perform(_ final: Character, _ parameters: String) {
    if parameters.hasPrefix("?") {
      guard final == "h" || final == "l" else { return unknown.append("ESC[\(parameters)\(final)") }
      for mode in parameters.dropFirst().split(separator: ";").compactMap({ Int($0) }) { set(mode, final == "h") }
      return
    }
    let numbers = parameters.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    let first = numbers.first ?? 0
    let count = max(1, first)
    switch final {
    case "A": move(to: cursor.column, cursor.line - count)
    case "B": move(to: cursor.column, cursor.line + count)
    case "C": move(to: cursor.column + count, cursor.line)
    case "D": move(to: cursor.column - count, cursor.line)
    case "G": move(to: count - 1, cursor.line)
    case "H", "f": move(to: max(1, numbers.count > 1 ? numbers[1] : 1) - 1, count - 1)
    case "J":
      let here = cursor.line * columns + cursor.column
      erase(first == 0 ? here..<(lineCount * columns) : first == 1 ? 0..<(here + 1) : 0..<(lineCount * columns))
    case "K":
      let start = cursor.line * columns
      let here = start + cursor.column
      erase(first == 0 ? here..<(start + columns) : first == 1 ? start..<(here + 1) : start..<(start + columns))
    case "m":
      if numbers.isEmpty || numbers.contains(0) { style = [] }
      style += numbers.filter { $0 != 0 }
    default: unknown.append("ESC[\(parameters)\(final)")
    }
  }

  private mutating func set(_ mode: Int, _ isOn: Bool) {
    if isOn { modes.insert(mode) } else { modes.remove(mode) }
    guard mode == 1049, isOn != (ordinary != nil) else { return }
    if isOn {
      ordinary = (cells, cursor)
      cells = Self.blank(columns, lineCount)
    } else if let (kept, place) = ordinary {
      cells = kept
      ordinary = nil
      move(to: place.column, place.line)
    }
  }

  // MARK: Cells

  private mutating func move(to column: Int, _ line: Int) {
    cursor = (min(max(0, column), columns - 1), min(max(0, line), lineCount - 1))
    isPastEnd = false
  }

  private mutating func lineFeed() {
    isPastEnd = false
    if cursor.line + 1 < lineCount {
      cursor.line += 1
    } else {
      cells.removeFirst()
      cells.append(Array(repeating: Cell(), count: columns))
      scrolls += 1
    }
  }

  private mutating func erase(_ places: Range<Int>) {
    for place in places { cells[place / columns][place % columns] = Cell() }
    isPastEnd = false
  }

  private mutating func put(_ character: Character) {
    let width = Self.width(character)
    guard width > 0 else {
      // A combining mark belongs to the character before it.
      let column = isPastEnd ? cursor.column : cursor.column - 1
      if column >= 0 { cells[cursor.line][column].text.append(character) }
      return
    }
    if isPastEnd || cursor.column + width > columns {
      if modes.contains(7) {
        cursor.column = 0
        lineFeed()
      } else if cursor.column + width > columns {
        return
      }
    }
    cells[cursor.line][cursor.column] = Cell(text: String(character), style: style)
    if width == 2, cursor.column + 1 < columns { cells[cursor.line][cursor.column + 1] = Cell(text: "", style: style) }
    let next = cursor.column + width
    (cursor.column, isPastEnd) = (min(next, columns - 1), next >= columns)
  }

  /// The width in cells, independent of the program's own table: two for Hangul, Chinese, Japanese, full-width forms
  /// and emoji.
  private static func width(_ character: Character) -> Int {
    guard let scalar = character.unicodeScalars.first else { return 0 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF60,
      0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
      return 2
    default: return 1
    }
  }
}
