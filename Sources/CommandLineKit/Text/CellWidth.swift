/// The width of text in terminal cells.
///
/// A cell is the width of `a`. Chinese, Japanese and Korean characters take two cells, combining marks none, and an
/// emoji two, however many code points it has.
enum CellWidth {
  /// The width of a single scalar.
  static func width(of scalar: Unicode.Scalar) -> Int {
    let value = scalar.value
    switch value {
    case 0x20...0x7E, 0xA0...0x2FF: return 1
    case 0..<0xA0: return 0
    case 0x1160...0x11FF, 0xD7B0...0xD7FF: return 0  // Hangul vowels and final consonants
    // Visible marks that Unicode calls format characters: signs of numbers and verses.
    case 0x600...0x605, 0x6DD, 0x70F, 0x890...0x891, 0x8E2, 0x110BD, 0x110CD: return 1
    default: break
    }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    if value < 0x1100 { return 1 }
    return isWide(value) || scalar.properties.isEmojiPresentation ? 2 : 1
  }

  /// Whether it is one of the scalars beyond emoji that are Wide or Fullwidth in EastAsianWidth.txt of Unicode 16. Gaps
  /// that hold only unassigned code points are closed, so that characters of tomorrow count as their neighbours do.
  ///
  /// Emoji are not listed: they are wide exactly when they have the property Emoji_Presentation, which the standard
  /// library knows, as it knows which scalars are marks.
  private static func isWide(_ value: UInt32) -> Bool {
    switch value {
    case 0x1100...0x115F,  // Hangul leading consonants; what follows them joins the syllable and takes no cell
      0x2329...0x232A,  // angle brackets
      0x2630...0x2637, 0x268A...0x268F,  // trigrams and digrams
      0x2E80...0x303E,  // radicals, ideographic punctuation
      0x3041...0x3247, 0x3250...0xA4CF,  // kana, bopomofo, Hangul letters, squared words, ideographs, Yi
      0xA960...0xA97F,  // more leading consonants
      0xAC00...0xD7A3,  // Hangul syllables
      0xF900...0xFAFF,  // compatibility ideographs
      0xFE10...0xFE19, 0xFE30...0xFE6F,  // vertical and small forms
      0xFF01...0xFF60, 0xFFE0...0xFFE6,  // full-width forms
      0x16FE0...0x1B2FF,  // Tangut, Khitan, Nüshu, kana supplements
      0x1D300...0x1D376,  // Tai Xuan Jing symbols, counting rods
      0x1F200...0x1F265,  // squared ideographs
      0x20000...0x3FFFD:  // ideographs of planes 2 and 3
      true
    default: false
    }
  }

  /// The cells of a text. It is a `String`, since for any text the standard library looks types up at run time.
  static func width(of text: String) -> Int {
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text.utf8.count }
    return text.reduce(0) { $0 + width(of: $1) }
  }

  /// The cells of a user-perceived character.
  static func width(of character: Character) -> Int {
    let scalars = character.unicodeScalars
    guard let first = scalars.first else { return 0 }
    if scalars.index(after: scalars.startIndex) == scalars.endIndex { return width(of: first) }
    if first.properties.isEmoji && scalars.dropFirst().contains(where: isEmojiJoint) { return 2 }
    return scalars.reduce(0) { $0 + width(of: $1) }
  }

  /// Whether a scalar after an emoji makes one picture of both: ZWJ, variation selector 16, the keycap, a skin tone,
  /// the second letter of a flag, a tag.
  private static func isEmojiJoint(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x200D, 0xFE0F, 0x20E3, 0x1F3FB...0x1F3FF, 0x1F1E6...0x1F1FF, 0xE0020...0xE007F: true
    default: false
    }
  }
}

extension StringProtocol {
  /// The cells the text takes on a terminal. Control characters take none: see `sanitized`.
  public var cellWidth: Int { CellWidth.width(of: String(self)) }

  /// The text cut to at most `width` cells, ending in `…` when something was cut.
  public func truncated(to width: Int) -> String {
    if utf8.count <= width && utf8.allSatisfy({ $0 < 0x7F }) || cellWidth <= width { return String(self) }
    guard width > 0 else { return "" }
    var kept = ""
    var used = 1
    for character in self {
      used += CellWidth.width(of: character)
      if used > width { break }
      kept.append(character)
    }
    return kept + "…"
  }

  /// The text with blanks up to `width` cells: behind it, before it, or on both sides.
  public func padded(to width: Int, _ alignment: Alignment = .left) -> String {
    let blanks = blanks(to: width, alignment)
    return String(repeating: " ", count: blanks.before) + self + String(repeating: " ", count: blanks.behind)
  }

  /// The numbers of spaces that pad the text to `width` cells.
  func blanks(to width: Int, _ alignment: Alignment) -> (before: Int, behind: Int) {
    let missing = Swift.max(0, width - cellWidth)
    let before =
      switch alignment {
      case .left: 0
      case .right: missing
      case .center: missing / 2
      }
    return (before, missing - before)
  }
}

/// The alignment of text in its column.
public enum Alignment: Hashable, Sendable {
  /// With blanks behind it, before it, on both sides.
  case left, right, center
}
