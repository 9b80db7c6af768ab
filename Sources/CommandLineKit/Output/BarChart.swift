/// Bars and shades made of characters.
public enum BarChart {
  /// A bar for a share between 0 and 1 of `width` cells, in steps of an eighth of a cell; of `#` without Unicode.
  ///
  /// A share above 0 shows at least its smallest step.
  public static func bar(_ share: Double, width: Int, usesUnicode: Bool = true) -> String {
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

  /// A shade for a share between 0 and 1: blank for nothing, then ever darker; of ` .:*#` without Unicode.
  public static func heat(_ share: Double, usesUnicode: Bool = true) -> Character {
    let shades: [Character] = usesUnicode ? [" ", "░", "▒", "▓", "█"] : [" ", ".", ":", "*", "#"]
    guard share.isFinite, share > 0 else { return shades[0] }
    return shades[min(4, 1 + Int(min(share, 1) * 4))]
  }
}
