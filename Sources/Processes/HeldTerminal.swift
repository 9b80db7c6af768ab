package import Glibc
internal import Synchronization

/// The address of the saved terminal state while a program uses the whole terminal, else 0.
private let held = Atomic<UInt>(0)

/// The terminal while a program uses all of it. It can be restored from anywhere: normal code, or a signal handler in
/// which only async-signal-safe calls are allowed (man 7 signal-safety).
package enum HeldTerminal {
  private struct State {
    var mode: termios
    var output: Int32
  }

  /// The signals of crashes and forced quits.
  private static let deadly = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGSYS, SIGQUIT]

  /// Saves the terminal's mode, to be restored when the process dies.
  package static func hold(_ mode: termios, output: Int32) {
    let state = UnsafeMutablePointer<State>.allocate(capacity: 1)
    state.initialize(to: State(mode: mode, output: output))
    held.store(UInt(bitPattern: state), ordering: .sequentiallyConsistent)
  }

  /// The reason for restoring the terminal.
  package enum Occasion {
    /// The process dies; nothing may block.
    case death
    /// A pause: unread input stays for the next program.
    case pause
    /// The end: unread input was meant for this program, and is discarded, so that the shell does not run it.
    case end
  }

  /// Restores a saved terminal: its screen, its cursor, its mode.
  package static func giveBack(at occasion: Occasion) {
    let address = held.exchange(0, ordering: .sequentiallyConsistent)
    guard let state = UnsafeMutablePointer<State>(bitPattern: address) else { return }
    leave(state.pointee.output)
    switch occasion {
    case .death: tcsetattr(STDIN_FILENO, TCSANOW, &state.pointee.mode)
    case .pause: tcsetattr(STDIN_FILENO, TCSADRAIN, &state.pointee.mode)
    case .end: tcsetattr(STDIN_FILENO, TCSAFLUSH, &state.pointee.mode)
    }
    // A handler must not call the allocator.
    if occasion != .death { state.deallocate() }
  }

  /// Writes the sequences that restore the normal screen. The first two end an incomplete picture or sequence.
  private static func leave(_ output: Int32) {
    let text: StaticString = "\u{1B}\\\u{1B}[0m\u{1B}[?7h\u{1B}[?2004l\u{1B}[?25h\u{1B}[?1049l"
    var (rest, count) = (UnsafeRawPointer(text.utf8Start), text.utf8CodeUnitCount)
    while count > 0 {
      let written = write(output, rest, count)
      if written > 0 {
        (rest, count) = (rest + written, count - written)
      } else if errno != EINTR {
        return
      }
    }
  }

  /// From now on this signal gives the terminal back and ends the process by its default action.
  static func end(on number: Int32) {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { number in
      HeldTerminal.giveBack(at: .death)
      signal(number, SIG_DFL)
      // It waits until this handler is done.
      raise(number)
    }
    action.sa_flags = Int32(SA_ONSTACK)
    sigaction(number, &action, nil)
  }

  /// Calls `body` while a crash gives the terminal back.
  package static func guarded<Result>(_ body: () throws -> Result) rethrows -> Result {
    // A stack that has overflowed has no room for a handler.
    let size = 1 << 16
    let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
    var stack = stack_t()
    (stack.ss_sp, stack.ss_size) = (memory, size)
    var stackBefore = stack_t()
    sigaltstack(&stack, &stackBefore)
    var before: [(Int32, sigaction)] = []
    for number in deadly {
      var action = sigaction()
      sigaction(number, nil, &action)
      before.append((number, action))
      end(on: number)
    }
    defer {
      for (number, action) in before {
        var action = action
        sigaction(number, &action, nil)
      }
      sigaltstack(&stackBefore, nil)
      memory.deallocate()
    }
    return try body()
  }
}
