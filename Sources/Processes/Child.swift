internal import Glibc

/// A started program. The caller closes the pipes that it requested, and must call one of the waiting functions once.
public struct Child: Sendable {
  /// The process id.
  public let process: Int32
  /// The end of the input pipe to write to, if requested.
  public let input: Int32?
  /// The end of the output pipe to read from, if requested.
  public let output: Int32?
  /// The end of the error pipe to read from, if requested.
  public let error: Int32?

  /// Waits until the program ends. Signals do not end the wait.
  public func wait() -> ExitStatus { reap(0) ?? .exited(127) }

  /// The exit status, or nil while the program is running.
  func poll() -> ExitStatus? { reap(WNOHANG) }

  /// Waits until the program ends, or ends it on ``Interrupt`` or after the given number of seconds.
  /// - Returns: nil if this function ended the program.
  public func waitOrEnd(after seconds: Double = .infinity) -> ExitStatus? {
    let start = Uptime.now()
    // A signal from the keyboard reaches the program as well, which may need a moment to restore the terminal.
    let patience = Duration.seconds(1)
    var asked: Duration?
    while true {
      if let status = poll() { return asked == nil ? status : nil }
      let now = Uptime.now()
      if let asked {
        if now - asked > patience { kill(process, SIGKILL) }
      } else if Interrupt.isRequested || (now - start) / .seconds(1) > seconds {
        kill(process, SIGTERM)
        asked = now
      }
      // A signal ends the pause; one that arrives just before it is noticed after the pause.
      usleep(20_000)
    }
  }

  private func reap(_ options: Int32) -> ExitStatus? {
    var status: Int32 = 0
    while true {
      switch waitpid(process, &status, options) {
      case process: return ExitStatus(status)
      // Other code has taken the status.
      case -1 where errno != EINTR: return .exited(127)
      case 0: return nil
      default: break
      }
    }
  }
}
