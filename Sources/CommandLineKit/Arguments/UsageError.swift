/// The words of the command line were not understood. The program prints it and ends with status 2.
///
///     throw UsageError("'\(word)' is not a grade", hint: "grades are M, NM, VG+, VG, G, F and P")
public struct UsageError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The problem, in lower case and in the user's own words.
  public var message: Message
  /// The correct input, if known.
  public var hint: Message?

  public init(_ message: Message, hint: Message? = nil) {
    self.message = message
    self.hint = hint
  }

  /// The message without the hint, in English.
  public var description: String { message.text(in: nil) }
}
