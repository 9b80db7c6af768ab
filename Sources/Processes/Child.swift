internal import Glibc

/// A program that was started. Whoever asked for a pipe closes its end; one of the waits must be called once.
public struct Child: Sendable {
  /// Its number.
  public let process: Int32
  /// Where to write what it reads, when its input is a pipe.
  public let input: Int32?
  /// Where to read what it writes, when its output is a pipe.
  public let output: Int32?
  /// Where to read its complaints, when its error stream is a pipe.
  public let error: Int32?

  /// Waits for its end, however many signals come meanwhile.
  public func wait() -> ExitStatus { reap(0) ?? .exited(127) }

  /// How it ended, or nil while it runs.
  func poll() -> ExitStatus? { reap(WNOHANG) }

  /// Waits for its end, or ends it: when someone asks us to stop (``Interrupt``), or after so many seconds.
  /// - Returns: nil when it was ended.
  public func waitOrEnd(after seconds: Double = .infinity) -> ExitStatus? {
    let start = Uptime.now()
    // It has got the signal too when it came from the keyboard, and may need a moment to leave the terminal in order.
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
      // A signal ends the pause; one that came just before it costs no more than the pause.
      usleep(20_000)
    }
  }

  private func reap(_ options: Int32) -> ExitStatus? {
    var status: Int32 = 0
    while true {
      switch waitpid(process, &status, options) {
      case process: return ExitStatus(status)
      // Somebody else took the status.
      case -1 where errno != EINTR: return .exited(127)
      case 0: return nil
      default: break
      }
    }
  }
}
