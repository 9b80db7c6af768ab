/// The words of the command line were not understood. The program prints it and ends with status 2.
///
///     throw UsageError("'\(word)' is not a grade", hint: "grades are M, NM, VG+, VG, G, F and P")
public struct UsageError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The problem, in lower case and in the user's own words.
  public var message: Message
  /// The correct input, if known.
  public var hint: Message?

  /// The argument whose value is wrong, and what is wrong with it; nil for other errors.
  public var problem: Problem?

  /// A wrong value of an argument.
  public struct Problem: Hashable, Sendable {
    /// The name of the option, without its dashes.
    public var name: String
    public var message: Message

    public init(_ name: String, _ message: Message) { (self.name, self.message) = (name, message) }
  }

  public init(_ message: Message, hint: Message? = nil) {
    self.message = message
    self.hint = hint
  }

  public static func == (one: UsageError, other: UsageError) -> Bool {
    one.message == other.message && one.hint == other.hint
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(message) }

  /// The message without the hint, in English.
  public var description: String { message.text(in: nil) }
}
