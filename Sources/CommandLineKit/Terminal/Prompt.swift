import Glibc
internal import Processes

/// A question that cannot be asked without a terminal, and the option that answers it.
public struct NeedsAnswer: Error, Hashable, Sendable, CustomStringConvertible {
  /// The option that answers the question: `--yes`.
  public var option: String
  public var question: Message

  public init(option: String, question: Message) {
    self.option = option
    self.question = question
  }

  /// `cannot ask 'Remove 3 items?' without a terminal`
  public var description: String { "cannot ask \(question.text(in: nil).quoted) without a terminal" }
}

/// The meaning of an answer to a yes-or-no question: in English, in Korean, or by the keys of `y` and `n` in Hangul
/// mode.
enum YesOrNo {
  case yes, no

  /// Nil when it is neither. An empty answer is no.
  init?(_ answer: String) {
    switch answer.lowercased().filter({ !$0.isWhitespace }) {
    case "y", "yes", "ㅛ", "ㅇ", "ㅇㅇ", "네", "예", "응": self = .yes
    case "", "n", "no", "ㅜ", "ㄴ", "ㄴㄴ", "아니오", "아니요", "아니": self = .no
    default: return nil
    }
  }
}

/// The answer to a question about each of several items.
public enum AnswerForEach: Sendable {
  case yes, no
  /// Yes for this and all following items.
  case all
  /// No for this and all following items.
  case quit

  /// Nil for any other answer.
  init?(_ answer: String) {
    switch answer.lowercased().filter({ !$0.isWhitespace }) {
    case "a", "all", "ㅁ", "모두": self = .all
    case "q", "quit", "ㅂ", "그만": self = .quit
    default:
      guard let answer = YesOrNo(answer) else { return nil }
      self = answer == .yes ? .yes : .no
    }
  }
}

/// Questions to the person at the terminal: written to standard error, answered on standard input.
public struct Prompt {
  private let output: Output
  private let terminal: Terminal
  private let readLine: () throws -> String?

  /// Questions on this terminal. A test brings its own lines.
  public init(error: Output, terminal: Terminal, readLine: @escaping () throws -> String? = Prompt.readLine) {
    output = error
    self.terminal = terminal
    self.readLine = readLine
  }

  /// Whether the answer is yes. An empty line means no, and so does the end of the input.
  public func confirm(_ question: Message, option: String = "--yes") throws -> Bool {
    try needTerminal(question, option)
    while true {
      try output.append("\(question.text(on: terminal).sanitized) [y/N] ")
      guard let answer = try readLine() else { return false }
      switch YesOrNo(answer) {
      case .yes: return true
      case .no: return false
      case nil: try say("Please answer y or n.")
      }
    }
  }

  /// Asks about one of many items. An empty line means no, and the end of the input means no for all further items.
  public func confirmEach(_ question: Message, option: String = "--yes") throws -> AnswerForEach {
    try needTerminal(question, option)
    while true {
      try output.append("\(question.text(on: terminal).sanitized) [y/N/a/q] ")
      guard let answer = try readLine() else { return .quit }
      if let each = AnswerForEach(answer) { return each }
      try say("Please answer y (yes), n (no), a (this and all that follow) or q (stop here).")
    }
  }

  /// The place of the chosen one, or nil for none. A single choice is a yes-or-no question, of which an empty line is a
  /// yes; of several choices an empty line takes none.
  public func choose(_ question: Message, from choices: [String], option: String) throws -> Int? {
    try needTerminal(question, option)
    if let only = choices.first, choices.count == 1 { return try takes(only, question) ? 0 : nil }
    let question = question.text(on: terminal)
    for (index, choice) in choices.enumerated() {
      let number = String(index + 1).padded(to: String(choices.count).count + 2, .right)
      try output.append("\(number)  \(choice.sanitized.truncated(to: max(20, terminal.width - 8)))\n")
    }
    while true {
      try output.append("\(question.sanitized) [1-\(choices.count)] ")
      guard let answer = try readLine()?.filter({ !$0.isWhitespace }), !answer.isEmpty else { return nil }
      if let number = Int(answer), (1...max(1, choices.count)).contains(number), !choices.isEmpty { return number - 1 }
      try say("Please type a number between 1 and \(choices.count), or nothing.")
    }
  }

  /// Whether the person takes the only choice.
  private func takes(_ choice: String, _ question: Message) throws -> Bool {
    try output.append("  \(choice.sanitized.truncated(to: max(20, terminal.width - 8)))\n")
    while true {
      try output.append("\(question.text(on: terminal).sanitized) [Y/n] ")
      guard let answer = try readLine()?.filter({ !$0.isWhitespace }) else { return false }
      if answer.isEmpty || answer == "1" { return true }
      switch YesOrNo(answer) {
      case .yes: return true
      case .no: return false
      case nil: try say("Please answer y or n.")
      }
    }
  }

  /// The line that is typed; empty for none, nil at the end of the input.
  public func ask(_ question: Message, option: String) throws -> String? {
    try needTerminal(question, option)
    try output.append("\(question.text(on: terminal).sanitized) ")
    return try readLine()
  }

  /// A line that is not shown while it is typed, such as a key; nil at the end of the input.
  public func readSecret(_ question: Message, option: String) throws -> String? {
    try needTerminal(question, option)
    return try TerminalMode.withoutEcho {
      // Only now, because input typed early must not be echoed.
      try output.append("\(question.text(on: terminal).sanitized) ")
      // The line end that is typed is not shown either.
      defer { try? output.append("\n") }
      return try readLine()
    }
  }

  private func say(_ message: Message) throws { try output.append(message.text(on: terminal) + "\n") }

  private func needTerminal(_ question: Message, _ option: String) throws {
    guard terminal.isInputTerminal, terminal.isErrorTerminal else {
      throw NeedsAnswer(option: option, question: question)
    }
  }

  /// Whether standard input has something to read, or is at its end.
  public static func isLineReady() -> Bool {
    var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    return poll(&input, 1, 0) > 0
  }

  /// Reads standard input to its end, or slightly beyond `most` bytes. A signal throws `Interrupted`.
  public static func readBytes(atMost most: Int) throws -> [UInt8] { try readBytes(from: STDIN_FILENO, atMost: most) }

  /// Reads another pipe in the same way.
  public static func readBytes(from descriptor: Int32, atMost most: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count < most {
      var input = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let ready = poll(&input, 1, 500)
      if ready == 0 || ready < 0 && errno == EINTR {
        try Interrupt.check()
        continue
      }
      let count = read(descriptor, &buffer, buffer.count)
      if count == 0 { break }
      if count > 0 {
        bytes += buffer[..<count]
      } else if errno != EINTR, errno != EAGAIN {
        throw SystemError(errno, "read standard input")
      }
    }
    return bytes
  }

  /// The next line of standard input without its end, read byte by byte so that nothing behind it is lost.
  ///
  /// Nil at the end of the input. Broken UTF-8 is an error; a signal throws `Interrupted`.
  public static func readLine() throws -> String? {
    var bytes: [UInt8] = []
    while true {
      // Never for ever: a signal may have come between the last look and the read, which it would not end.
      var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
      let ready = poll(&input, 1, 500)
      if ready == 0 || ready < 0 && errno == EINTR {
        try Interrupt.check()
        continue
      }
      var byte: UInt8 = 0
      let count = read(STDIN_FILENO, &byte, 1)
      if count < 0 {
        guard errno == EINTR else { throw SystemError(errno, "read the answer") }
        try Interrupt.check()
      } else if count == 0 || byte == UInt8(ascii: "\n") {
        if count == 0 && bytes.isEmpty { return nil }
        guard let line = String(validating: bytes, as: UTF8.self) else {
          throw UsageError("the answer is not valid UTF-8")
        }
        return line
      } else if bytes.count < 1 << 16 {
        bytes.append(byte)
      }
    }
  }
}
