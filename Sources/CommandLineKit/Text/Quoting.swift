extension String {
  /// The text in single quotes for an error message, fit for a terminal: `'it'`, with a line break shown as `\n`.
  public var quoted: String {
    var escaped = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "\n": escaped += "\\n"
      case "\r": escaped += "\\r"
      case "\t": escaped += "\\t"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return "'\(escaped.sanitized)'"
  }
}
