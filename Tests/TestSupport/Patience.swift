/// The longest wait of the tests and tools for something that should end by itself. It only guards against hanging: a
/// machine may be as busy as it likes. A test of a time has a time of its own.
public enum Patience {
  public static let minutes = 10
  public static let seconds = Double(minutes * 60)
  public static let time = Duration.seconds(minutes * 60)
  /// For `poll` and SQLite.
  public static let milliseconds = Int32(minutes * 60_000)
}
