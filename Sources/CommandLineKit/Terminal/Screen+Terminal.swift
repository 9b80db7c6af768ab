import Glibc
import Synchronization

extension Screen {
  /// Takes the terminal, calls `body`, and gives the terminal back.
  ///
  /// It is given back after `body` returned or threw, which it does soon after `ScreenEvent.ended`; while the process is
  /// stopped by Ctrl-Z; and when the process crashes or is killed in any way that a process can notice.
  ///
  /// - Throws: ``SystemError`` when there is no terminal, and whatever `body` throws.
  public static func run<Result>(
    on output: Output, terminal: Terminal, _ body: (Screen) throws -> Result
  ) throws -> Result {
    let whole = try WholeTerminal(output, terminal)
    return try whole.held {
      try body(
        Screen(
          size: { whole.size }, show: whole.show, next: whole.next, giveBack: whole.giveBack,
          takeAgain: whole.takeAgain))
    }
  }
}

/// What the handlers of signals leave for `next`. `Interrupt` has the signals that ask to stop.
private enum Left {
  static let resize = Atomic<Bool>(false)
  static let pause = Atomic<Bool>(false)
}

/// The terminal on standard input and output while a `Screen` has it.
private final class WholeTerminal {
  private let output: Output
  private let terminal: Terminal
  /// How the terminal was found.
  private let before: termios
  private var canvas = Canvas()
  private var decoder = KeyDecoder()
  /// When a key that has begun has had its time.
  private var patience = Duration.zero
  /// The watched descriptor that was reported last: the next one comes first now.
  private var lastReady: Int32?
  private var pauseBefore = sigaction()
  private var resizeBefore = sigaction()

  /// How long after Esc the rest of an arrow key may take. A person is never that fast.
  private static let escapeDelay = Duration.milliseconds(50)

  init(_ output: Output, _ terminal: Terminal) throws {
    (self.output, self.terminal) = (output, terminal)
    var mode = termios()
    guard terminal.isInputTerminal, terminal.isOutputTerminal, tcgetattr(STDIN_FILENO, &mode) == 0 else {
      throw SystemError(ENOTTY, "take the whole screen")
    }
    before = mode
  }

  func held<Result>(_ body: () throws -> Result) throws -> Result {
    try output.flush()
    return try HeldTerminal.guarded {
      Interrupt.install()
      take()
      defer { giveBack() }
      return try body()
    }
  }

  // MARK: Taking and giving

  private func take() {
    _ = Bell.descriptor
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { _ in
      Left.resize.store(true, ordering: .relaxed)
      Bell.ring()
    }
    // Only the wait in `next` is to end: `poll` always does.
    action.sa_flags = SA_RESTART
    sigaction(SIGWINCH, &action, &resizeBefore)
    action.__sigaction_handler.sa_handler = { _ in
      Left.pause.store(true, ordering: .relaxed)
      Bell.ring()
    }
    sigaction(SIGTSTP, &action, &pauseBefore)
    var mode = TerminalMode.raw(before)
    HeldTerminal.hold(before, output: STDOUT_FILENO)
    // What was typed ahead stays. In the background this waits for `fg`.
    while tcsetattr(STDIN_FILENO, TCSADRAIN, &mode) != 0, errno == EINTR, !Interrupt.isRequested {}
    canvas.forget()
    // The other screen, nothing wraps, a paste is marked, no cursor.
    try? write(Array("\u{1B}[?1049h\u{1B}[?7l\u{1B}[?2004h\u{1B}[?25l".utf8))
  }

  func giveBack() {
    HeldTerminal.giveBack(isDying: false)
    sigaction(SIGTSTP, &pauseBefore, nil)
    sigaction(SIGWINCH, &resizeBefore, nil)
  }

  func takeAgain() {
    take()
    Left.resize.store(true, ordering: .relaxed)
  }

  /// Ctrl-Z: the shell has the terminal until it says to go on.
  private func pause() {
    giveBack()
    // With other threads too the whole process stops. Where no shell would ever continue us, nothing happens.
    raise(SIGTSTP)
    takeAgain()
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
    while true {
      if Interrupt.isRequested { return .ended }
      if Left.pause.exchange(false, ordering: .relaxed) { pause() }
      if Left.resize.exchange(false, ordering: .relaxed) {
        // The terminal has moved its text about.
        canvas.forget()
        return .resized
      }
      switch decoder.next() {
      case .control("c"): Interrupt.request(SIGINT)
      case .control("z"): pause()
      case let key?: return .key(key)
      case nil:
        if let event = try wait(until: deadline, watching) { return event }
      }
    }
  }

  /// Waits for anything once; nil when it is to be looked at by `next`.
  private func wait(until deadline: Duration?, _ watching: [Int32]) throws -> ScreenEvent? {
    let end = [deadline, decoder.isWaiting ? patience : nil].compactMap { $0 }.min()
    var waiting = ([STDIN_FILENO, Bell.descriptor] + watching).map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    guard poll(&waiting, nfds_t(waiting.count), end.map(Self.milliseconds) ?? -1) >= 0 else {
      if errno == EINTR { return nil }
      throw SystemError(errno, "wait for a key")
    }
    let ready = waiting.filter { $0.revents != 0 }.map(\.fd)
    if ready.contains(Bell.descriptor) {
      Bell.silence()
      return nil
    }
    if ready.contains(STDIN_FILENO) {
      readByte()
      return nil
    }
    let now = Progress.clock()
    if decoder.isWaiting, now >= patience {
      decoder.giveUp()
      return nil
    }
    if let deadline, now >= deadline { return .due }
    // Whoever always has something must not keep the others waiting.
    guard let first = lastReady.flatMap({ last in ready.first { $0 > last } }) ?? ready.min() else { return nil }
    lastReady = first
    return .ready(first)
  }

  /// A byte at a time: what is typed behind a key may be for whoever the terminal is lent to.
  private func readByte() {
    var byte: UInt8 = 0
    let count = read(STDIN_FILENO, &byte, 1)
    if count == 1 {
      decoder.append(byte)
      patience = Progress.clock() + Self.escapeDelay
    } else if count == 0 || errno != EINTR && errno != EAGAIN {
      // Nobody will ever type here again.
      Interrupt.request(SIGHUP)
    }
  }

  /// For `poll`: rounded up, so that it does not wake before the time.
  private static func milliseconds(until end: Duration) -> Int32 {
    let left = (end - Progress.clock()) / .milliseconds(1)
    return Int32(min(max(0, left.rounded(.up)), 3_600_000))
  }
}
