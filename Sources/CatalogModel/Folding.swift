@_spi(_Unicode) import Swift

/// Texts made equal where only their spelling differs.
public enum Folding {
  /// `text` in lower case without accents: `Björk` and `bjork` become equal.
  ///
  /// Canonical decomposition (Unicode Annex 15), then combining marks are dropped, then lower case. Hangul syllables
  /// and other scripts stay composed.
  public static func fold(_ text: String) -> String {
    if let folded = plainFold(text) { return folded }
    var scalars = String.UnicodeScalarView()
    for scalar in narrow(text)._nfd {
      switch scalar {
      case "ß": scalars.append(contentsOf: "ss".unicodeScalars)
      case "ø", "Ø": scalars.append("o")
      case "ł", "Ł": scalars.append("l")
      case "đ", "Đ": scalars.append("d")
      case "æ", "Æ": scalars.append(contentsOf: "ae".unicodeScalars)
      case "œ", "Œ": scalars.append(contentsOf: "oe".unicodeScalars)
      case "þ", "Þ": scalars.append(contentsOf: "th".unicodeScalars)
      case "ð", "Ð": scalars.append("d")
      case "ħ", "Ħ": scalars.append("h")
      case "ı": scalars.append("i")
      case "ẞ": scalars.append(contentsOf: "ss".unicodeScalars)
      // Marks of Latin, Greek and Cyrillic; kana voicing marks (U+3099) make another letter and stay.
      case "\u{0300}"..."\u{036F}": break
      default: scalars.append(scalar)
      }
    }
    return String(String(scalars)._nfc.map(Character.init)).lowercased()
  }

  /// The same for ASCII and composed Korean and Chinese, which have no accents, and capitals only in ASCII; nil for others.
  private static func plainFold(_ text: String) -> String? {
    var hasCapitals = false
    for scalar in text.unicodeScalars {
      guard scalar.isPlain else { return nil }
      if (0x41...0x5A).contains(scalar.value) { hasCapitals = true }
    }
    guard hasCapitals else { return text }
    return String(unsafeUninitializedCapacity: text.utf8.count) { folded in
      var count = 0
      for byte in text.utf8 {
        folded[count] = (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
        count += 1
      }
      return count
    }
  }

  /// `text` with full-width letters, digits and signs (U+FF01–U+FF5E) and blanks as in ASCII.
  public static func narrow(_ text: String) -> String {
    // They begin with E3 and EF.
    guard text.utf8.contains(where: { $0 == 0xE3 || $0 == 0xEF }) else { return text }
    return String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { scalar in
          switch scalar.value {
          case 0xFF01...0xFF5E: Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar
          case 0x3000: " "
          default: scalar
          }
        }))
  }

  /// `text` with its accents and Korean letters composed (NFC): the same bytes however a system spells it.
  public static func composed(_ text: String) -> String {
    if text.unicodeScalars.allSatisfy(\.isPlain) { return text }
    var scalars = String.UnicodeScalarView()
    for scalar in text._nfc { scalars.append(scalar) }
    return String(scalars)
  }

  /// ``fold(_:)`` with Korean syllables decomposed into letters, for finding misspellings.
  public static func letters(_ text: String) -> String {
    let folded = fold(text)
    return folded.utf8.allSatisfy { $0 < 0x80 } ? folded : String(folded._nfd.map(Character.init))
  }

  /// The key shared by genre labels that mean the same: ``fold(_:)``, with `&` read as `and`, and only letters and
  /// digits kept. `Hip-Hop` and `hip hop`, `R&B` and `R and B` are equal.
  ///
  /// A label without any letter or digit keeps its folded text.
  public static func labelKey(_ label: String) -> String {
    if let key = plainLabelKey(label) { return key }
    var key = String.UnicodeScalarView()
    for scalar in fold(label).unicodeScalars {
      if scalar == "&" || scalar == "+" {
        key.append(contentsOf: "and".unicodeScalars)
      } else if scalar.isLetterOrDigit {
        key.append(scalar)
      }
    }
    return key.isEmpty ? fold(label) : String(key)
  }

  /// The same for ASCII, as most labels are; nil for others.
  private static func plainLabelKey(_ label: String) -> String? {
    var key: [UInt8] = []
    key.reserveCapacity(label.utf8.count + 6)
    for byte in label.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): key.append(byte)
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): key.append(byte | 0x20)
      case UInt8(ascii: "&"), UInt8(ascii: "+"): key += Array("and".utf8)
      case 0x80...: return nil
      default: break
      }
    }
    return key.isEmpty ? nil : String(decoding: key, as: UTF8.self)
  }
}

extension Unicode.Scalar {
  /// Whether the scalar is ASCII, a composed Hangul syllable or a common Chinese character. Most text consists of
  /// these, and they need no composition.
  public var isPlain: Bool {
    isASCII || (0x4E00...0x9FFF).contains(value) || (0xAC00...0xD7A3).contains(value)
  }

  /// Whether it is an apostrophe, or a sign that people type for one.
  public var isApostrophe: Bool { "'’‘ʼ`´′＇".unicodeScalars.contains(self) }

  /// Whether it belongs to a word or a number.
  public var isLetterOrDigit: Bool {
    switch value {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    case 0..<0x80: false
    default: isPlain || properties.isAlphabetic || properties.numericType != nil
    }
  }
}
