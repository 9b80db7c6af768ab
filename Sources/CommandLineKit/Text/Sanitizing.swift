/// The treatment of special characters in text from outside, on output.
///
/// This is the only place that decides it for terminals, pipes and CSV; docs/output.md has a table. A terminal gets no
/// control sequences. A pipe gets the same, but keeps bidirectional characters, since it may be stored; their effect
/// ends with the text. JSON escapes all of them (`JSONWriter`), and HTML and SVG are written as for a terminal
/// (`Markup`).
public struct Sanitizing: Hashable, Sendable {
  /// The user's choice.
  public enum Choice: Hashable, Sendable {
    /// Safe text, the default.
    case safe
    /// Unchanged text, unless for a terminal: `--raw`.
    case raw
    /// Safe text, with cells that a spreadsheet does not read as formulas: `--safe-for-spreadsheets`.
    case forSpreadsheets
  }

  /// Whether the output is a terminal.
  public var isForTerminal: Bool
  public var choice: Choice

  public init(isForTerminal: Bool = false, choice: Choice = .safe) {
    self.isForTerminal = isForTerminal
    self.choice = choice
  }

  // MARK: Text

  /// Sanitizes text on a line of its own or among other words.
  public func line(_ text: String) -> String {
    if isForTerminal { return text.sanitized }
    return choice == .raw ? text : Sanitizing.piped(text)
  }

  /// Sanitizes a text of several lines, which stay, such as a note.
  public func lines(_ text: String) -> String {
    if !isForTerminal, choice == .raw { return text }
    // Line by line: what a line leaves open ends with it.
    return text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let end = line.last == "\r" ? "\r" : ""
      let words = String(end.isEmpty ? line : line.dropLast())
      return (isForTerminal ? words.sanitized : Sanitizing.piped(words, keepsLayout: true)) + end
    }.joined(separator: "\n")
  }

  /// A cell of a tab-separated line.
  public func cell(_ text: String) -> String {
    switch choice {
    case _ where isForTerminal && choice != .forSpreadsheets: text.sanitized
    case .safe: Sanitizing.piped(text)
    case .raw: Sanitizing.mapped(text) { Sanitizing.isLayout($0) ? " " : $0 }
    // Here a quote at the beginning is one for the spreadsheet, which takes it off.
    case .forSpreadsheets: Sanitizing.disarmed(line(text), also: "\"")
    }
  }

  /// Appends the UTF-8 bytes of a cell of a tab-separated line, or of a part of one that is for no spreadsheet.
  public func append(cell: UnsafeRawBufferPointer, to line: inout [UInt8]) {
    if copies(cell) {
      line.append(contentsOf: cell)
    } else {
      line.append(contentsOf: self.cell(String(decoding: cell, as: UTF8.self)).utf8)
    }
  }

  /// The cells of a line of CSV (RFC 4180), without its end. Line breaks and tabs stay, in quotes, but on a terminal.
  public func commaSeparated(_ cells: [String]) -> String {
    cells.map { cell in
      var text = cell
      if isForTerminal {
        text = cell.sanitized
      } else if choice != .raw {
        text = Sanitizing.piped(cell, keepsLayout: true)
      }
      return Sanitizing.quoted(choice == .forSpreadsheets ? Sanitizing.disarmed(text) : text)
    }.joined(separator: ",")
  }

  /// Whether a cell can be copied as it is, byte for byte: nearly every one can.
  @inline(__always)
  public func copies(_ cell: UnsafeRawBufferPointer) -> Bool {
    !isForTerminal && choice != .forSpreadsheets && Sanitizing.isHarmless(cell)
  }

  // MARK: Characters

  /// Text for a pipe: bidirectional characters stay, and open ones are closed at the end, so that they do not affect
  /// other text. All other characters are treated as on a terminal.
  private static func piped(_ text: String, keepsLayout: Bool = false) -> String {
    if isHarmless(text) { return text }
    let (end, endOfIsolate): (Unicode.Scalar, Unicode.Scalar) = ("\u{202C}", "\u{2069}")
    // The characters that close the open embeddings, overrides and isolates (UAX #9, X1 to X8), the innermost last.
    var open: [Unicode.Scalar] = []
    var piped = mapped(text) { scalar in
      switch scalar.value {
      case 0x202A, 0x202B, 0x202D, 0x202E: open.append(end)
      case 0x2066...0x2068: open.append(endOfIsolate)
      case 0x202C: if open.last == end { open.removeLast() }
      case 0x2069: if let place = open.lastIndex(of: endOfIsolate) { open.removeSubrange(place...) }
      case 0x061C, 0x200E, 0x200F: break
      case _ where keepsLayout && isLayout(scalar): break
      default: return scalar.onTerminal
      }
      return scalar
    }
    while let scalar = open.popLast() { piped.unicodeScalars.append(scalar) }
    return piped
  }

  private static func mapped(_ text: String, _ transform: (Unicode.Scalar) -> Unicode.Scalar) -> String {
    var mapped = ""
    mapped.unicodeScalars.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars { mapped.unicodeScalars.append(transform(scalar)) }
    return mapped
  }

  /// A tab or line break: they mean something where rows and columns are written.
  private static func isLayout(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\t" || scalar == "\n" || scalar == "\r"
  }

  /// Whether a scalar is written from right to left: those blocks of Unicode that are (Bidi_Class R and AL), whole.
  static func runsLeft(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFE, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
    default: false
    }
  }

  // MARK: Bytes

  /// Whether UTF-8 can be passed to a terminal as it is: no control, nothing suspect.
  @inline(__always)
  static func isPlainlySafe(_ bytes: some Sequence<UInt8>) -> Bool {
    // A single comparison is enough for most bytes.
    bytes.allSatisfy { byte in isPrintableASCII(byte) || byte >= 0x80 && !isSuspect(byte) }
  }

  @inline(__always)
  private static func isPrintableASCII(_ byte: UInt8) -> Bool { byte &- 0x20 < 0x5F }

  /// Whether no scalar beyond ASCII can be one that is replaced.
  @inline(__always)
  static func hasNoSuspect(_ bytes: some Sequence<UInt8>) -> Bool {
    !bytes.contains(where: isSuspect)
  }

  /// Whether a byte of UTF-8 may begin a scalar that is replaced: `C2` begins C1, `D8` U+061C, and `E2` the rest.
  @inline(__always)
  private static func isSuspect(_ byte: UInt8) -> Bool {
    byte == 0xC2 || byte == 0xD8 || byte == 0xE2
  }

  /// Like `isPlainlySafe`, with a closer look at characters that begin with a suspect byte: `’` and `…` are harmless.
  @inline(__always)
  static func isHarmless(_ bytes: UnsafeRawBufferPointer) -> Bool {
    isPlainlySafe(bytes) || isHarmlessLookingTwice(bytes)
  }

  private static func isHarmless(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { isHarmless(UnsafeRawBufferPointer($0)) }
  }

  private static func isHarmlessLookingTwice(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var rest = bytes[...]
    while let byte = rest.popFirst() {
      if isPrintableASCII(byte) || byte >= 0x80 && !isSuspect(byte) { continue }
      let next = rest.first ?? 0
      switch (byte, next) {
      case (0xC2, 0xA0...), (0xD8, 0x9D...), (0xD8, ...0x9B): continue
      case (0xE2, 0x80):
        // U+2000 to U+203F
        let last = rest.dropFirst().first ?? 0
        if last == 0x8E || last == 0x8F || (0xA8...0xAE).contains(last) { return false }
      case (0xE2, 0x81):
        // U+2040 to U+207F
        if (0xA6...0xA9).contains(rest.dropFirst().first ?? 0) { return false }
      case (0xE2, _): continue
      default: return false
      }
    }
    return true
  }

  // MARK: CSV

  private static func quoted(_ text: String) -> String {
    let needsQuotes = text.utf8.contains { $0 == 0x22 || $0 == 0x2C || $0 == 0x0A || $0 == 0x0D }
    guard needsQuotes else { return text }
    return "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
  }

  /// The text with an apostrophe before it when a spreadsheet would take it for a formula; a number stays one.
  /// <https://owasp.org/www-community/attacks/CSV_Injection>
  private static func disarmed(_ text: String, also other: String = "") -> String {
    let signs = "=+-@\t\r\n＝＋－＠" + other
    guard let first = text.unicodeScalars.first, signs.unicodeScalars.contains(first) else { return text }
    return isNumber(text) ? text : "'" + text
  }

  private static func isNumber(_ text: String) -> Bool {
    text.utf8.allSatisfy { (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) } && Double(text) != nil
  }
}

extension StringProtocol {
  /// The text as one line that is safe to write to a terminal.
  ///
  ///     "Alien\u{1B}[2J".sanitized      // Alien␛[2J
  public var sanitized: String {
    if Sanitizing.isPlainlySafe(utf8) { return String(self) }
    var safe = ""
    safe.unicodeScalars.reserveCapacity(utf8.count)
    for scalar in unicodeScalars { safe.unicodeScalars.append(scalar.onTerminal) }
    return safe
  }

  /// The text isolated for a terminal, so that right-to-left text does not move the text around it.
  ///
  /// It is enclosed in U+2068 and U+2069 (UAX #9), the only bidirectional characters that we write to a terminal. Text
  /// from outside cannot contain them, and they take no cell.
  var isolated: String {
    unicodeScalars.contains(where: Sanitizing.runsLeft) ? "\u{2068}\(self)\u{2069}" : String(self)
  }

  /// The text made safe line by line, for a description of several paragraphs.
  public var sanitizedLines: String {
    split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(\.sanitized).joined(separator: "\n")
  }
}
