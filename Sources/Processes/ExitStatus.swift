/// How a program ended.
public enum ExitStatus: Hashable, Sendable {
  /// By itself, with a number; 0 says that all went well.
  case exited(Int32)
  /// By a signal.
  case killed(Int32)

  /// Whether all went well.
  public var isSuccess: Bool { self == .exited(0) }

  /// From what `waitpid` says.
  init(_ status: Int32) {
    let signal = status & 0x7F
    self = signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal)
  }
}
