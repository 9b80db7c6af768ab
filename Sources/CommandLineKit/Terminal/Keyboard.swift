import Glibc

/// A key, as a person sees it.
public enum Key: Hashable, Sendable {
  /// The keys that move.
  case up, down, left, right, home, end, pageUp, pageDown
  /// The keys that end or undo.
  case enter, escape, tab, backspace, delete
  /// A letter with Ctrl, in lower case.
  case control(Character)
  /// What was typed: a letter, a blank, a syllable.
  case character(Character)
}

/// Single keys from the terminal, while `RawMode.run` runs.
public struct Keyboard {
  /// Reads one byte, waiting so many milliseconds, or for ever with -1. Nil when none came, or no more will come.
  private let nextByte: (_ milliseconds: Int32) -> UInt8?

  /// Keys made of these bytes. A test brings its own.
  init(nextByte: @escaping (_ milliseconds: Int32) -> UInt8?) { self.nextByte = nextByte }

  /// How long after Esc the rest of an arrow key may take. A person is never that fast.
  private static let escapeDelay: Int32 = 50

  /// The next key, or nil when the terminal is gone, a signal asked to stop, or Ctrl-C was typed.
  ///
  /// In raw mode Ctrl-C is a key like any other, so it is dealt with here.
  public func nextKey() -> Key? {
    while true {
      guard let byte = nextByte(-1) else { return nil }
      switch byte {
      case 0x03: return nil
      case 0x1B:
        if let key = keyAfterEscape() { return key }
      case 0x09: return .tab
      case 0x0A, 0x0D: return .enter
      case 0x08, 0x7F: return .backspace
      case 0x00...0x1A: return .control(Character(Unicode.Scalar(byte | 0x60)))
      case 0x20...0x7E: return .character(Character(Unicode.Scalar(byte)))
      default:
        if let character = character(after: byte) { return .character(character) }
      }
    }
  }

  /// Esc alone, or the key whose sequence it begins; nil for a sequence that is not known.
  private func keyAfterEscape() -> Key? {
    guard let second = nextByte(Keyboard.escapeDelay) else { return .escape }
    guard second == UInt8(ascii: "[") || second == UInt8(ascii: "O") else { return .escape }
    var parameters: [UInt8] = []
    while let byte = nextByte(Keyboard.escapeDelay) {
      // A sequence is parameters and then one final byte.
      guard byte >= 0x40 && byte <= 0x7E else {
        parameters.append(byte)
        if parameters.count > 16 { return nil }
        continue
      }
      return Keyboard.key(final: byte, parameters)
    }
    return nil
  }

  private static func key(final: UInt8, _ parameters: [UInt8]) -> Key? {
    switch final {
    case UInt8(ascii: "A"): .up
    case UInt8(ascii: "B"): .down
    case UInt8(ascii: "C"): .right
    case UInt8(ascii: "D"): .left
    case UInt8(ascii: "H"): .home
    case UInt8(ascii: "F"): .end
    case UInt8(ascii: "~"):
      switch String(decoding: parameters, as: UTF8.self) {
      case "1", "7": .home
      case "4", "8": .end
      case "3": .delete
      case "5": .pageUp
      case "6": .pageDown
      default: nil
      }
    default: nil
    }
  }

  /// The character whose first byte of UTF-8 is known; nil when the rest does not come or does not fit.
  private func character(after first: UInt8) -> Character? {
    let count =
      switch first {
      case 0xC2...0xDF: 1
      case 0xE0...0xEF: 2
      case 0xF0...0xF4: 3
      default: 0
      }
    var bytes = [first]
    for _ in 0..<count {
      guard let byte = nextByte(Keyboard.escapeDelay) else { return nil }
      bytes.append(byte)
    }
    return String(validating: bytes, as: UTF8.self)?.first
  }
}

/// The terminal in the mode where every key is read at once.
public enum RawMode {
  /// Calls `body` with the keyboard of the terminal on standard input.
  ///
  /// The terminal is as before afterwards, whether `body` returns or throws. Ctrl-C, `kill` and a closed terminal end
  /// `nextKey()` with nil; the latter two set `Interrupt.isRequested` too.
  public static func run<Result>(_ body: (Keyboard) throws -> Result) rethrows -> Result {
    try TerminalMode.raw {
      try body(Keyboard { milliseconds in readByte(waiting: milliseconds) })
    }
  }

  /// A byte of standard input, or nil after the time, at its end, and when a signal asked to stop.
  private static func readByte(waiting milliseconds: Int32) -> UInt8? {
    while !Interrupt.isRequested {
      var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
      // Never for ever: a signal may have come between the look at `isRequested` and here.
      let ready = poll(&input, 1, milliseconds < 0 ? 500 : milliseconds)
      if ready == 0 {
        if milliseconds < 0 { continue }
        return nil
      }
      if ready > 0 {
        var byte: UInt8 = 0
        let count = read(STDIN_FILENO, &byte, 1)
        if count == 1 { return byte }
        if count == 0 { return nil }
      }
      // Anything but a signal, which the loop looks at, means that the terminal is gone.
      if errno != EINTR { return nil }
    }
    return nil
  }
}
