@_spi(_Unicode) import Swift

/// Texts made equal where only their spelling differs.
public enum Folding {
  /// `text` in lower case without accents: `Björk` and `bjork` become equal. Wide letters become narrow, ligatures two
  /// letters, and the apostrophes and hyphens of typography those of a keyboard.
  ///
  /// Canonical decomposition (Unicode Annex 15), then combining marks are dropped, then lower case. Hangul syllables
  /// and other scripts stay composed, and letters that only look like others with a mark stay apart: が and か, й and и.
  public static func fold(_ text: String) -> String {
    if let folded = plainFold(text) { return folded }
    var scalars = String.UnicodeScalarView()
    var last: Unicode.Scalar?
    for scalar in narrow(text)._nfd {
      defer { last = scalar }
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
      // Breve and diaeresis make another letter of Cyrillic, but of ё, which is mostly written е.
      case "\u{0306}", "\u{0308}":
        if let last, (0x400...0x52F).contains(last.value), last != "е", last != "Е" { scalars.append(scalar) }
      // Marks of Latin, Greek and Cyrillic; kana voicing marks (U+3099) make another letter and stay.
      case "\u{0300}"..."\u{036F}": break
      case _ where scalar.isApostrophe: scalars.append("'")
      case "\u{2010}"..."\u{2015}", "\u{2212}": scalars.append("-")
      default: scalars.append(scalar)
      }
    }
    return String(String(scalars)._nfc.map(Character.init)).lowercased()
  }

  /// The same for ASCII and composed Korean and Chinese, which have no accents, and capitals only in ASCII; nil for
  /// others.
  private static func plainFold(_ text: String) -> String? {
    var hasCapitals = false
    for scalar in text.unicodeScalars {
      guard scalar.isPlain, scalar != "`" else { return nil }
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

  /// `text` with full-width letters, digits, signs and blanks as in ASCII, half-width kana as full ones, and ligatures
  /// as their letters (Unicode blocks FF00, FB00).
  public static func narrow(_ text: String) -> String {
    // They begin with E3 and EF.
    guard text.utf8.contains(where: { $0 == 0xE3 || $0 == 0xEF }) else { return text }
    var narrow = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0xFF01...0xFF5E: narrow.append(Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar)
      case 0xFF65...0xFF9F: narrow.append(kana[Int(scalar.value) - 0xFF65])
      case 0xFB00...0xFB06: narrow.append(contentsOf: ligatures[Int(scalar.value) - 0xFB00].unicodeScalars)
      case 0x3000: narrow.append(" ")
      default: narrow.append(scalar)
      }
    }
    return String(narrow)
  }

  private static let ligatures = ["ff", "fi", "fl", "ffi", "ffl", "st", "st"]
  /// The kana that are written half as wide from U+FF65, in the same order, and the marks of voicing behind them.
  private static let kana = Array(
    "・ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン\u{3099}\u{309A}".unicodeScalars)

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

  /// The key of a name, equal for all its spellings: ``fold(_:)`` without blanks and punctuation, and with `&`, and `+`
  /// between words, read as `and`. `Hip-Hop` and `hip hop`, `R&B` and `R and B` are equal.
  ///
  /// Other signs tell names apart: `c`, `c#` and `c++`. A name of punctuation alone keeps its folded text. For titles
  /// and headings, in which no sign matters, see ``SearchKeys/letters(ofTitle:)``.
  public static func nameKey(_ name: String) -> String {
    let folded = fold(name)
    var key: [UInt8] = []
    key.reserveCapacity(folded.utf8.count + 6)
    // The number of + since the last word.
    var plusCount = 0
    for scalar in folded.unicodeScalars {
      switch scalar {
      case "+":
        plusCount += 1
        continue
      case "&": key += "and".utf8
      case _ where scalar.isLetterOrDigit || scalar.isSignOfName:
        if plusCount == 1, !key.isEmpty, scalar.isLetterOrDigit {
          key += "and".utf8
        } else if plusCount > 0 {
          key += repeatElement(UInt8(ascii: "+"), count: plusCount)
        }
        plusCount = 0
        if scalar.isASCII { key.append(UInt8(truncatingIfNeeded: scalar.value)) } else { key += String(scalar).utf8 }
      default: break
      }
    }
    key += repeatElement(UInt8(ascii: "+"), count: plusCount)
    return key.isEmpty ? folded : String(decoding: key, as: UTF8.self)
  }
}

extension Unicode.Scalar {
  /// Whether the scalar is ASCII, a composed Hangul syllable or a common Chinese character. Most text consists of
  /// these, and they need no composition.
  public var isPlain: Bool {
    isASCII || (0x4E00...0x9FFF).contains(value) || (0xAC00...0xD7A3).contains(value)
  }

  /// Whether it is an apostrophe, or a sign that people type for one.
  public var isApostrophe: Bool {
    switch self {
    case "'", "’", "‘", "ʼ", "`", "´", "′", "＇": true
    default: false
    }
  }

  /// Whether it is a sign that tells names apart; `+` and `&` may be words.
  fileprivate var isSignOfName: Bool {
    if isASCII { return "#$%<=>".unicodeScalars.contains(self) }
    return switch properties.generalCategory {
    case .mathSymbol, .currencySymbol, .otherSymbol: true
    default: false
    }
  }

  /// Whether it belongs to a word or a number.
  public var isLetterOrDigit: Bool {
    switch value {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    case 0..<0x80: false
    default: isPlain || properties.isAlphabetic || properties.numericType != nil
    }
  }
}
