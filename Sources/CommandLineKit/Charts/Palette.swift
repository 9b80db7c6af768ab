/// The colors of charts and pages, on white and on near black. Text has a contrast of at least 4.5 to its background.
public enum Palette {
  /// Something that is painted.
  struct Paint {
    /// The class that has it.
    var name: String
    /// `#rrggbb` on white.
    var light: String
    /// `#rrggbb` on near black.
    var dark: String
  }

  static let paper = Paint(name: "paper", light: "#ffffff", dark: "#15181c")
  static let ink = Paint(name: "ink", light: "#1b1f24", dark: "#e8eaed")
  /// For less important text.
  static let faint = Paint(name: "faint", light: "#59616b", dark: "#a3abb5")
  /// For thin lines.
  static let rule = Paint(name: "rule", light: "#e3e6ea", dark: "#2c3138")
  static let bar = Paint(name: "bar", light: "#2c6cb3", dark: "#6aa9ec")
  /// For bars that are sums of others.
  static let sum = Paint(name: "sum", light: "#b3bdc9", dark: "#56606c")
  /// The color of empty places, closer to the paper than any of the four steps.
  static let none = Paint(name: "none", light: "#f0f2f5", dark: "#1e2227")
  /// The four steps of an amount, increasingly distant from the paper.
  static let levels = [
    Paint(name: "l1", light: "#d9e8f6", dark: "#233f5e"),
    Paint(name: "l2", light: "#a3c8ea", dark: "#2f649b"),
    Paint(name: "l3", light: "#2c6cb3", dark: "#6aa9ec"),
    Paint(name: "l4", light: "#123a69", dark: "#c4dffa"),
  ]
  /// Text on the four steps.
  static let onLevels = [
    Paint(name: "o1", light: "#1b1f24", dark: "#e8eaed"),
    Paint(name: "o2", light: "#1b1f24", dark: "#e8eaed"),
    Paint(name: "o3", light: "#ffffff", dark: "#15181c"),
    Paint(name: "o4", light: "#ffffff", dark: "#15181c"),
  ]

  /// More, and less, than before.
  static let trends = [
    Paint(name: "up", light: "#1a7037", dark: "#5cc982"), Paint(name: "down", light: "#b3261e", dark: "#ff8a80"),
  ]

  static let all = [paper, ink, faint, rule, none, bar, sum] + levels + onLevels

  /// The style of a chart. Printing uses the colors on white.
  public static let chartStyle =
    """
    .chart text{font-family:\(font);font-size:13px}
    .chart .small{font-size:11px}.chart .title{font-size:16px;font-weight:600}.chart .strong{font-weight:600}

    """ + colors(in: "chart", all)

  /// The style of a poster, whose font sizes are set on each text. A chart in it has its own style.
  static let posterStyle =
    ".poster text{font-family:\(font)}\n" + colors(in: "poster", [paper, ink, faint, rule, bar]) + chartStyle

  private static let font = #"system-ui,-apple-system,"Segoe UI","Noto Sans",sans-serif"#

  private static func colors(in scope: String, _ paints: [Paint]) -> String {
    func rules(_ color: KeyPath<Paint, String>) -> String {
      paints.map { ".\(scope) .\($0.name){fill:\($0[keyPath: color])}\n" }.joined()
    }
    return rules(\.light) + "@media screen and (prefers-color-scheme:dark){\n" + rules(\.dark) + "}\n"
  }
}
