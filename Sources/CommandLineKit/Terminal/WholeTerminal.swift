import Glibc
internal import Processes
import Synchronization

extension Screen {
  /// Takes over the terminal, calls `body`, and restores the terminal.
  ///
  /// The terminal is restored after `body` has returned or thrown, which it should do soon after `ScreenEvent.ended`.
  /// It is also restored while Ctrl-Z has stopped the process, and when the process crashes or is killed by a signal
  /// that it can handle.
  ///
  /// - Parameter output: standard output. Its buffer is written first, and it should not be used until the end.
  /// - Throws: ``SystemError`` without a terminal, and the errors of `body`.
  public static func run<Result>(
    on output: Output, terminal: Terminal, _ body: (Screen) throws -> Result
  ) throws -> Result {
    try output.flush()
    let whole = try WholeTerminal(terminal)
    return try HeldTerminal.guarded {
      Interrupt.install()
      whole.take()
      defer { whole.giveBack(at: .end) }
      return try body(
        Screen(
          size: { whole.size }, show: whole.show, next: whole.next,
          giveBack: { whole.giveBack(at: .pause) }, takeAgain: whole.takeAgain))
    }
  }
}

/// The signals received since the last `next`. `Interrupt` handles those that end the program.
private enum Left {
  static let resize = Atomic<Bool>(false)
  static let pause = Atomic<Bool>(false)
  static let resume = Atomic<Bool>(false)
}

/// The terminal on standard input and output while a `Screen` uses it.
private final class WholeTerminal {
  private let terminal: Terminal
  /// The original terminal settings.
  private let before: termios
  private var canvas = Canvas()
  private var events = EventReader(input: STDIN_FILENO)
  /// The original handlers of the signals.
  private var actions: [(Int32, sigaction)] = []

  init(_ terminal: Terminal) throws(SystemError) {
    self.terminal = terminal
    var mode = termios()
    guard terminal.isInputTerminal, terminal.isOutputTerminal, tcgetattr(STDIN_FILENO, &mode) == 0 else {
      throw SystemError(ENOTTY, "take the whole screen")
    }
    before = mode
  }

  // MARK: Taking and giving

  func take() {
    _ = SelfPipe.descriptor
    listen(to: SIGWINCH) { _ in Left.resize.ring() }
    listen(to: SIGTSTP) { _ in Left.pause.ring() }
    listen(to: SIGCONT) { _ in Left.resume.ring() }
    HeldTerminal.hold(before, output: STDOUT_FILENO)
    enter()
  }

  func giveBack(at occasion: HeldTerminal.Occasion) {
    HeldTerminal.giveBack(at: occasion)
    for (number, action) in actions {
      var action = action
      sigaction(number, &action, nil)
    }
    actions = []
  }

  func takeAgain() {
    take()
    Left.resize.ring()
  }

  private func listen(to number: Int32, _ handler: @escaping @convention(c) (Int32) -> Void) {
    var (action, before) = (sigaction(), sigaction())
    action.__sigaction_handler.sa_handler = handler
    // Only the wait in `next` is to end: `poll` always does.
    action.sa_flags = SA_RESTART
    sigaction(number, &action, &before)
    actions.append((number, before))
  }

  /// Every key at once, the other screen, no wrapping, pastes between marks, no cursor.
  private func enter() {
    var mode = TerminalMode.raw(before)
    // Input typed early stays. In the background this waits for `fg`.
    while tcsetattr(STDIN_FILENO, TCSADRAIN, &mode) != 0, errno == EINTR, !Interrupt.isRequested {}
    try? write(Array("\u{1B}[?1049h\u{1B}[?7l\u{1B}[?2004h\u{1B}[?25l".utf8))
    canvas.forget()
  }

  /// Ctrl-Z: leaves the terminal to the shell until the process continues.
  private func pause() {
    giveBack(at: .pause)
    // The whole process stops, whatever other threads do; where no shell could ever continue it, nothing happens.
    raise(SIGTSTP)
    // A stopped job that is killed no longer owns the terminal.
    if !Interrupt.isRequested { takeAgain() }
  }

  // MARK: Drawing

  var size: Screen.Size {
    let (columns, lines) = Terminal.size() ?? (terminal.width, terminal.height)
    return Screen.Size(columns: columns, lines: lines)
  }

  func show(_ frame: Screen.Frame) throws {
    let bytes = canvas.bytes(for: frame, size: size)
    if !bytes.isEmpty { try write(bytes) }
  }

  private func write(_ bytes: [UInt8]) throws {
    do {
      try FileDescriptor.write(bytes, to: STDOUT_FILENO)
    } catch let error as SystemError where error.code == EIO {
      // The terminal was closed.
      Interrupt.request(SIGHUP)
      throw Interrupted()
    }
  }

  // MARK: Waiting

  func next(until deadline: Duration?, watching: [Int32]) throws -> ScreenEvent {
    while !Interrupt.isRequested {
      if Left.pause.take() {
        pause()
        continue
      }
      if Left.resume.take() {
        // It was stopped without notice, and the shell has had the terminal.
        enter()
        return .resized
      }
      if Left.resize.take() {
        // The terminal has moved its text about.
        canvas.forget()
        return .resized
      }
      switch try events.next(until: deadline, watching: watching) {
      case .key(.control("c")): Interrupt.request(SIGINT)
      case .key(.control("z")): pause()
      // The terminal is gone.
      case .ended: Interrupt.request(SIGHUP)
      case let event?: return event
      case nil: break
      }
    }
    return .ended
  }
}

extension Atomic<Bool> {
  /// Leaves word, from a signal handler.
  fileprivate func ring() {
    store(true, ordering: .relaxed)
    SelfPipe.wake()
  }

  /// Whether word was left since the last time.
  fileprivate func take() -> Bool { exchange(false, ordering: .relaxed) }
}
