/// A key, as a person sees it.
public enum Key: Hashable, Sendable {
  /// The keys that move.
  case up, down, left, right, home, end, pageUp, pageDown
  /// The keys that end or undo.
  case enter, escape, tab, backspace, delete
  /// Tab with Shift.
  case backTab
  /// F1 to F12.
  case function(Int)
  /// A letter with Ctrl, in lower case.
  case control(Character)
  /// A typed character: a letter, a space, a syllable.
  case character(Character)
  /// A pasted character: text, and never a command.
  case pasted(Character)

  /// Whether a field takes it as text.
  public var isText: Bool {
    switch self {
    case .character, .pasted: true
    default: false
    }
  }
}

/// Decodes the terminal's input into keys, byte by byte.
///
/// Within a bracketed paste everything is text: line ends and tabs become spaces, and control characters are not
/// commands. A key with Alt is none, and neither is an answer of the terminal to a question that an earlier program
/// asked.
struct KeyDecoder {
  /// The bytes of a key that has not wholly arrived. Of a string of the terminal, only the beginning and the last.
  private var bytes: [UInt8] = []
  private var isPasting = false
  /// Whether the character that arrives was typed with Alt.
  private var isWithAlt = false
  /// Keys that have arrived and were not asked for.
  private var keys: [Key] = []

  /// Whether something has begun that may go on. Esc is alone when nothing comes behind it for a moment: `giveUp()`.
  var isWaiting: Bool { !bytes.isEmpty || isPasting }

  /// The longest time to wait for the next byte. A user does not type the beginning of a sequence this fast. What has
  /// surely begun may come in pieces.
  var patience: Duration {
    bytes.first == 0x1B && bytes.count < 3 ? .milliseconds(50) : .seconds(isPasting ? 3 : 1)
  }

  /// The next key that has wholly arrived.
  mutating func next() -> Key? { keys.isEmpty ? nil : keys.removeFirst() }

  /// Ends an incomplete sequence after its time: Esc alone is a key, anything else is dropped. A paste whose end was
  /// lost is over, too.
  mutating func giveUp() {
    if bytes == [0x1B] { add(.escape) }
    if bytes.isEmpty { isPasting = false }
    (bytes, isWithAlt) = ([], false)
  }

  mutating func append(_ byte: UInt8) {
    switch bytes.first {
    case nil: begin(byte)
    case 0x1B: goOn(byte)
    case let first?:
      guard (0x80...0xBF).contains(byte) else {
        // The character before it is broken.
        (bytes, isWithAlt) = ([], false)
        return begin(byte)
      }
      bytes.append(byte)
      if bytes.count == KeyDecoder.length(first) {
        if let character = String(validating: bytes, as: UTF8.self)?.first { type(character) }
        (bytes, isWithAlt) = ([], false)
      }
    }
  }

  private mutating func begin(_ byte: UInt8) {
    switch byte {
    case 0x1B: bytes = [byte]
    case 0x20...0x7E: type(Character(Unicode.Scalar(byte)))
    case 0x80...: if KeyDecoder.length(byte) > 1 { bytes = [byte] }
    case 0x09, 0x0A, 0x0D: isPasting ? type(" ") : add(byte == 0x09 ? .tab : .enter)
    case 0x08, 0x7F: add(.backspace)
    case 0x01...0x1A: add(.control(Character(Unicode.Scalar(byte | 0x60))))
    default: break
    }
  }

  /// The bytes of a character of UTF-8, by its first; 0 when none begins so.
  private static func length(_ first: UInt8) -> Int {
    switch first {
    case 0xC2...0xDF: 2
    case 0xE0...0xEF: 3
    case 0xF0...0xF4: 4
    default: 0
    }
  }

  /// The bytes behind Esc that begin a string of the terminal, which ends with BEL or `ESC \`: an answer.
  /// <https://invisible-island.net/xterm/ctlseqs/ctlseqs.html>
  private static let strings = Set("]PX^_".utf8)

  /// A byte behind Esc. A sequence is `ESC [`, parameters and a final byte, or `ESC O` and a letter. Any other
  /// character was typed with Alt.
  private mutating func goOn(_ byte: UInt8) {
    let introducer = bytes.count > 1 ? bytes[1] : nil
    switch (introducer, byte) {
    case (nil, UInt8(ascii: "[")), (nil, UInt8(ascii: "O")): bytes.append(byte)
    case (nil, _) where Self.strings.contains(byte) && !isPasting: bytes.append(byte)
    case (nil, 0x1B):
      // Esc twice.
      add(.escape)
    case (nil, _):
      bytes = []
      switch byte {
      case _ where isPasting: begin(byte)
      case 0x80...:
        isWithAlt = KeyDecoder.length(byte) > 1
        begin(byte)
      // Enter, Tab and Backspace with Alt are keys with Alt; Ctrl-C is heard whatever was pressed before.
      case 0x08, 0x09, 0x0A, 0x0D, 0x20...: break
      default: begin(byte)
      }
    case (let introducer?, _) where Self.strings.contains(introducer): goOn(inString: byte)
    // The console of Linux begins F1 to F5 with two brackets.
    case (UInt8(ascii: "["), UInt8(ascii: "[")) where bytes.count == 2: bytes.append(byte)
    case (UInt8(ascii: "["), 0x20...0x3F): if bytes.count < 64 { bytes.append(byte) }
    case (_, 0x40...0x7E):
      finish(byte, parameters: bytes[2...])
      bytes = []
    default:
      bytes = []
      begin(byte)
    }
  }

  private mutating func goOn(inString byte: UInt8) {
    switch (bytes[bytes.count - 1], byte) {
    case (0x1B, UInt8(ascii: "\\")): bytes = []
    case (0x1B, _):
      // The string was broken off, and a key begins.
      bytes = [0x1B]
      goOn(byte)
    case (_, 0x1B), (_, 0x20...): bytes = bytes.prefix(2) + [byte]
    case (_, 0x07): bytes = []
    default:
      bytes = []
      begin(byte)
    }
  }

  private mutating func finish(_ final: UInt8, parameters: ArraySlice<UInt8>) {
    let number = Int(String(decoding: parameters.prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self)) ?? 0
    switch final {
    case UInt8(ascii: "A") where parameters.first == UInt8(ascii: "["): add(.function(1))
    case UInt8(ascii: "A"): add(.up)
    case UInt8(ascii: "B"): add(.down)
    case UInt8(ascii: "C"): add(.right)
    case UInt8(ascii: "D"): add(.left)
    case UInt8(ascii: "H"): add(.home)
    case UInt8(ascii: "F"): add(.end)
    case UInt8(ascii: "Z"): add(.backTab)
    // The answer to a request for the cursor's position.
    case UInt8(ascii: "R") where parameters.contains(UInt8(ascii: ";")): break
    case UInt8(ascii: "P")...UInt8(ascii: "S"): add(.function(Int(final - UInt8(ascii: "P")) + 1))
    case UInt8(ascii: "~"):
      switch number {
      case 1, 7: add(.home)
      case 4, 8: add(.end)
      case 3: add(.delete)
      case 5: add(.pageUp)
      case 6: add(.pageDown)
      case 11...15: add(.function(number - 10))
      case 17...21: add(.function(number - 11))
      case 23, 24: add(.function(number - 12))
      case 200: isPasting = true
      case 201: isPasting = false
      default: break
      }
    default: break
    }
  }

  /// A key that may be a command: nothing while text is pasted.
  private mutating func add(_ key: Key) {
    if !isPasting { keys.append(key) }
  }

  private mutating func type(_ character: Character) {
    // C1 control characters are no text either.
    guard !isWithAlt, character.unicodeScalars.first?.properties.generalCategory != .control else { return }
    keys.append(isPasting ? .pasted(character) : .character(character))
  }
}
