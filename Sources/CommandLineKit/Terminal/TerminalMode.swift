import Glibc
internal import Processes

/// The modes of the terminal's input.
enum TerminalMode {
  /// Runs `body` without echoing input. The terminal is restored afterwards, also after an error.
  ///
  /// A signal must not end the process in between, so `Interrupt` handles signals from then on: reading stops, and the
  /// function returns as usual. Ctrl-\ and Ctrl-Z are disabled meanwhile, because they would leave the terminal without
  /// echo.
  static func withoutEcho<Result>(_ body: () throws -> Result) rethrows -> Result {
    var before = termios()
    // Not a terminal: nothing to change or restore.
    guard tcgetattr(STDIN_FILENO, &before) == 0 else { return try body() }
    Interrupt.install()
    var mode = before
    mode.c_lflag &= ~tcflag_t(ECHO)
    withUnsafeMutableBytes(of: &mode.c_cc) { characters in
      // 0 is _POSIX_VDISABLE.
      for name in [VQUIT, VSUSP] { characters[Int(name)] = 0 }
    }
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &mode)
    defer { tcsetattr(STDIN_FILENO, TCSAFLUSH, &before) }
    return try body()
  }

  /// A mode in which every key is read at once, and as it is: no echo, no lines, no signals.
  ///
  /// Only Enter still types a line end, so that an answer typed ahead of its question is whole.
  static func raw(_ mode: termios) -> termios {
    var mode = mode
    mode.c_iflag &= ~tcflag_t(BRKINT | INPCK | ISTRIP | IXON)
    mode.c_lflag &= ~tcflag_t(ECHO | ICANON | IEXTEN | ISIG)
    withUnsafeMutableBytes(of: &mode.c_cc) { characters in
      characters[Int(VMIN)] = 1
      characters[Int(VTIME)] = 0
    }
    return mode
  }

  /// Gives the terminal to another program: however that one leaves it, it is as before afterwards.
  static func lent<Result>(_ body: () throws -> Result) rethrows -> Result {
    var before = termios()
    // In the background the terminal is another's.
    guard tcgetattr(STDIN_FILENO, &before) == 0, tcgetpgrp(STDIN_FILENO) == getpgrp() else { return try body() }
    defer { tcsetattr(STDIN_FILENO, TCSADRAIN, &before) }
    return try body()
  }
}
