@_exported public import Messages

extension Message {
  /// The text in the language of the terminal.
  public func text(on terminal: Terminal) -> String { text(in: terminal.translation) }
}
