/// The width of text in terminal cells.
///
/// A cell is the width of `a`. Chinese, Japanese and Korean characters take two cells, combining marks none, and an
/// emoji two, however many code points it has.
enum CellWidth {
  /// Whether the terminal draws characters of ambiguous width in two cells. Set once, before anything is measured.
  nonisolated(unsafe) static var isAmbiguousWide = false

  /// The width of a single scalar.
  static func width(of scalar: Unicode.Scalar, isAmbiguousWide: Bool = isAmbiguousWide) -> Int {
    let value = scalar.value
    switch value {
    case 0x20...0x7E: return 1
    case 0xA0...0x2FF: return isAmbiguousWide && isAmbiguous(value) ? 2 : 1
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
    if isAmbiguousWide, isAmbiguous(value) { return 2 }
    if value < 0x1100 { return 1 }
    return isWide(value) || scalar.properties.isEmojiPresentation ? 2 : 1
  }

  /// Whether it is one of the scalars that are Ambiguous in EastAsianWidth.txt of Unicode 16, marks left out: ★, ½, ·,
  /// ▶, frames. Fonts of Korean and other East Asian terminals may draw them as wide as an ideograph.
  static func isAmbiguous(_ value: UInt32) -> Bool {
    switch value {
    case 0xA1, 0xA4, 0xA7...0xA8, 0xAA, 0xAD...0xAE, 0xB0...0xB4, 0xB6...0xBA, 0xBC...0xBF, 0xC6, 0xD0,
      0xD7...0xD8, 0xDE...0xE1, 0xE6, 0xE8...0xEA, 0xEC...0xED, 0xF0, 0xF2...0xF3, 0xF7...0xFA, 0xFC, 0xFE, 0x101,
      0x111, 0x113, 0x11B, 0x126...0x127, 0x12B, 0x131...0x133, 0x138, 0x13F...0x142, 0x144, 0x148...0x14B, 0x14D,
      0x152...0x153, 0x166...0x167, 0x16B, 0x1CE, 0x1D0, 0x1D2, 0x1D4, 0x1D6, 0x1D8, 0x1DA, 0x1DC, 0x251, 0x261,
      0x2C4, 0x2C7, 0x2C9...0x2CB, 0x2CD, 0x2D0, 0x2D8...0x2DB, 0x2DD, 0x2DF, 0x391...0x3A1, 0x3A3...0x3A9,
      0x3B1...0x3C1, 0x3C3...0x3C9, 0x401, 0x410...0x44F, 0x451, 0x2010, 0x2013...0x2016, 0x2018...0x2019,
      0x201C...0x201D, 0x2020...0x2022, 0x2024...0x2027, 0x2030, 0x2032...0x2033, 0x2035, 0x203B, 0x203E, 0x2074,
      0x207F, 0x2081...0x2084, 0x20AC, 0x2103, 0x2105, 0x2109, 0x2113, 0x2116, 0x2121...0x2122, 0x2126, 0x212B,
      0x2153...0x2154, 0x215B...0x215E, 0x2160...0x216B, 0x2170...0x2179, 0x2189, 0x2190...0x2199, 0x21B8...0x21B9,
      0x21D2, 0x21D4, 0x21E7, 0x2200, 0x2202...0x2203, 0x2207...0x2208, 0x220B, 0x220F, 0x2211, 0x2215, 0x221A,
      0x221D...0x2220, 0x2223, 0x2225, 0x2227...0x222C, 0x222E, 0x2234...0x2237, 0x223C...0x223D, 0x2248, 0x224C,
      0x2252, 0x2260...0x2261, 0x2264...0x2267, 0x226A...0x226B, 0x226E...0x226F, 0x2282...0x2283, 0x2286...0x2287,
      0x2295, 0x2299, 0x22A5, 0x22BF, 0x2312, 0x2460...0x24E9, 0x24EB...0x254B, 0x2550...0x2573, 0x2580...0x258F,
      0x2592...0x2595, 0x25A0...0x25A1, 0x25A3...0x25A9, 0x25B2...0x25B3, 0x25B6...0x25B7, 0x25BC...0x25BD,
      0x25C0...0x25C1, 0x25C6...0x25C8, 0x25CB, 0x25CE...0x25D1, 0x25E2...0x25E5, 0x25EF, 0x2605...0x2606, 0x2609,
      0x260E...0x260F, 0x261C, 0x261E, 0x2640, 0x2642, 0x2660...0x2661, 0x2663...0x2665, 0x2667...0x266A,
      0x266C...0x266D, 0x266F, 0x269E...0x269F, 0x26BF, 0x26C6...0x26CD, 0x26CF...0x26D3, 0x26D5...0x26E1, 0x26E3,
      0x26E8...0x26E9, 0x26EB...0x26F1, 0x26F4, 0x26F6...0x26F9, 0x26FB...0x26FC, 0x26FE...0x26FF, 0x273D,
      0x2776...0x277F, 0x2B56...0x2B59, 0x3248...0x324F, 0xE000...0xF8FF, 0xFFFD, 0x1F100...0x1F10A,
      0x1F110...0x1F12D, 0x1F130...0x1F169, 0x1F170...0x1F18D, 0x1F18F...0x1F190, 0x1F19B...0x1F1AC:
      true
    default: false
    }
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
    var used = CellWidth.width(of: "…")
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
