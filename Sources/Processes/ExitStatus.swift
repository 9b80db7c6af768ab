/// The way in which a program ended.
public enum ExitStatus: Hashable, Sendable {
  /// It exited with a status; 0 means success.
  case exited(Int32)
  /// A signal killed it.
  case killed(Int32)

  /// Whether the program succeeded.
  public var isSuccess: Bool { self == .exited(0) }

  /// Decodes a status of `waitpid`.
  init(_ status: Int32) {
    let signal = status & 0x7F
    self = signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal)
  }
}
