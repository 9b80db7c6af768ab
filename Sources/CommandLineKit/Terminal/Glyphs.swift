/// The signs in the cells of a report.
public struct Glyphs: Hashable, Sendable {
  /// Behind a factor.
  public let times: String
  /// Before an amount that grew or shrank.
  public let more, less: String
  /// Before a negative amount.
  public let minus: String
  /// In a cell without a value.
  public let nothing: String

  static let unicode = Glyphs(times: "×", more: "▲", less: "▼", minus: "−", nothing: "–")
  static let ascii = Glyphs(times: "x", more: "^", less: "v", minus: "-", nothing: "-")
}

extension Terminal {
  /// Adapts to a terminal that draws characters of ambiguous width, such as ★ and ½, in two cells. Bars, maps and
  /// frames are of ASCII then. Once, before anything is measured.
  public mutating func drawAmbiguousWide() {
    CellWidth.isAmbiguousWide = true
    usesUnicode = false
  }

  /// A terminal that can show every character, for a page in this language.
  public init(in translation: Translation?) {
    self.init()
    self.translation = translation
  }

  public var glyphs: Glyphs { usesUnicode ? .unicode : .ascii }

  /// A bar for a share between 0 and 1 of `width` cells, in steps of an eighth of a cell; of `#` without Unicode.
  ///
  /// A share above 0 shows at least its smallest step.
  public func bar(_ share: Double, width: Int) -> String {
    let share = share.isFinite ? min(max(share, 0), 1) : 0
    let width = max(width, 0)
    guard usesUnicode else {
      let cells = Int((share * Double(width)).rounded())
      return String(repeating: "#", count: share > 0 ? min(width, max(1, cells)) : 0)
    }
    let steps = Int((share * Double(width) * 8).rounded())
    let eighths = share > 0 ? min(width * 8, max(1, steps)) : 0
    let rest = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
    return String(repeating: "█", count: eighths / 8) + rest[eighths % 8]
  }
}
