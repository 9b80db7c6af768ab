import Glibc

/// How the terminal treats what is typed. Every change is undone when `body` ends, also by an error.
///
/// A signal must not end the process in between, so from then on `Interrupt` receives it: reading stops, and the way
/// out is the usual one.
enum TerminalMode {
  /// Nothing that is typed is shown. Ctrl-\ and Ctrl-Z type nothing meanwhile, because they would leave the terminal so.
  static func withoutEcho<Result>(_ body: () throws -> Result) rethrows -> Result {
    try changed(body) { mode in
      mode.c_lflag &= ~tcflag_t(ECHO)
      withUnsafeMutableBytes(of: &mode.c_cc) { characters in
        // 0 is _POSIX_VDISABLE.
        for name in [VQUIT, VSUSP] { characters[Int(name)] = 0 }
      }
    }
  }

  /// Every key is read at once, and as it is: no echo, no lines, no signals.
  static func raw<Result>(_ body: () throws -> Result) rethrows -> Result {
    try changed(body) { mode in
      mode.c_iflag &= ~tcflag_t(BRKINT | ICRNL | INPCK | ISTRIP | IXON)
      mode.c_lflag &= ~tcflag_t(ECHO | ICANON | IEXTEN | ISIG)
      withUnsafeMutableBytes(of: &mode.c_cc) { characters in
        characters[Int(VMIN)] = 1
        characters[Int(VTIME)] = 0
      }
    }
  }

  /// Gives the terminal to another program: however that one leaves it, it is as before afterwards.
  static func lent<Result>(_ body: () throws -> Result) rethrows -> Result {
    var before = termios()
    // In the background the terminal is another's.
    guard tcgetattr(STDIN_FILENO, &before) == 0, tcgetpgrp(STDIN_FILENO) == getpgrp() else { return try body() }
    defer { tcsetattr(STDIN_FILENO, TCSADRAIN, &before) }
    return try body()
  }

  private static func changed<Result>(
    _ body: () throws -> Result, by change: (inout termios) -> Void
  ) rethrows -> Result {
    var before = termios()
    // Not a terminal: nothing to change, nothing to restore.
    guard tcgetattr(STDIN_FILENO, &before) == 0 else { return try body() }
    Interrupt.install()
    var mode = before
    change(&mode)
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &mode)
    defer { tcsetattr(STDIN_FILENO, TCSAFLUSH, &before) }
    return try body()
  }
}
