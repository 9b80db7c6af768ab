/// A terminal's way of showing pictures.
public enum Graphics: String, CaseIterable, ArgumentValue {
  /// The protocol of kitty: <https://sw.kovidgoyal.net/kitty/graphics-protocol/>.
  case kitty
  /// Inline images of iTerm2: <https://iterm2.com/documentation-images.html>.
  case iterm
  /// Sixels, with six pixels per byte, as on DEC's terminals.
  case sixels
  /// Text: half blocks in color, or other characters that the terminal has.
  case blocks

  /// Whether a picture is pixels, which the terminal places by itself, and not text.
  public var isPixels: Bool { self != .blocks }

  /// The best way that the environment vouches for.
  ///
  /// The terminal itself is not asked: one that does not know the question would never answer. Inside tmux and screen,
  /// which pass no pictures on, and wherever a terminal does not make itself known, it is blocks.
  public static func detect(_ environment: [String: String]) -> Graphics {
    func has(_ name: String) -> Bool { environment[name] ?? "" != "" }
    let term = environment["TERM"] ?? ""
    let program = environment["TERM_PROGRAM"] ?? ""
    if has("TMUX") || has("STY") || ["screen", "tmux", "linux", "dumb"].contains(where: { term.hasPrefix($0) }) {
      return .blocks
    }
    if has("KITTY_WINDOW_ID") || term == "xterm-kitty" || term == "xterm-ghostty" || program == "ghostty" {
      return .kitty
    }
    if program == "iTerm.app" || environment["LC_TERMINAL"] == "iTerm2" || program == "WezTerm" { return .iterm }
    // Konsole since 22.04 and mintty, foot, mlterm, contour in every version that is about.
    if let konsole = environment["KONSOLE_VERSION"].flatMap({ Int($0) }), konsole >= 220_400 { return .sixels }
    if program == "mintty" || has("MLTERM") || term == "foot" || term.hasPrefix("foot-") || term.hasPrefix("mlterm")
      || term.hasPrefix("contour") || term.hasSuffix("-sixel")
    {
      return .sixels
    }
    return .blocks
  }
}

/// The number of text colors.
public enum ColorDepth: String, Sendable {
  case none, basic = "16", palette = "256", full

  public static func detect(_ environment: [String: String], terminal: Terminal) -> ColorDepth {
    guard terminal.usesColor else { return .none }
    if ["truecolor", "24bit"].contains(environment["COLORTERM"] ?? "") { return .full }
    let term = environment["TERM"] ?? ""
    if term.hasSuffix("-direct") || term == "xterm-kitty" || term == "xterm-ghostty" || term.hasPrefix("foot") {
      return .full
    }
    return term.contains("256color") ? .palette : .basic
  }
}
