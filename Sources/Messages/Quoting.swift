extension Unicode.Scalar {
  /// The scalar that a terminal gets: the scalar itself when it is harmless.
  ///
  /// - A tab or line break becomes a space, since it would break the layout;
  /// - other C0 controls and DEL become their pictures, `␛` for ESC, so that they stay visible;
  /// - C1 controls, bidirectional characters and the separators U+2028 and U+2029 become `�`.
  @inlinable @inline(__always)
  public var onTerminal: Unicode.Scalar {
    switch value {
    case 0x09, 0x0A, 0x0D: " "
    case 0x00...0x1F: Unicode.Scalar(0x2400 + value) ?? "\u{FFFD}"
    case 0x20...0x7E: self
    case 0x7F: "\u{2421}"
    case 0x80...0x9F, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: "\u{FFFD}"
    default: self
    }
  }
}

extension String {
  /// The text in single quotes for an error message, fit for a terminal: `'it'`, with a line break shown as `\n`.
  public var quoted: String {
    var escaped = "'"
    for scalar in unicodeScalars {
      switch scalar {
      case "\n": escaped += "\\n"
      case "\r": escaped += "\\r"
      case "\t": escaped += "\\t"
      default: escaped.unicodeScalars.append(scalar.onTerminal)
      }
    }
    return escaped + "'"
  }

  /// The text quoted as one word for a shell.
  public var shellWord: String {
    let isPlain =
      !isEmpty
      && unicodeScalars.allSatisfy { $0.properties.isAlphabetic || "0123456789:._-^=,/%@+".unicodeScalars.contains($0) }
    return isPlain
      ? self : "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}

extension Int {
  /// `1 item`, `2 items`.
  public func counted(_ one: String, _ many: String) -> Message {
    let number = Message(verbatim: String(self))
    return Message(counting: self, one: Message(words: one, behind: number), many: Message(words: many, behind: number))
  }
}
