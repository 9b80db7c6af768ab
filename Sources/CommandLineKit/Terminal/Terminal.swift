import Glibc

/// The `--color` option.
public enum ColorOption: String, CaseIterable, ArgumentValue {
  /// Decides by the terminal and the environment; always; never.
  case auto, always, never
}

/// The properties of the terminal, detected once when the program starts.
public struct Terminal: Hashable, Sendable {
  /// Whether standard input is a terminal.
  public var isInputTerminal: Bool
  /// Whether standard output is a terminal.
  public var isOutputTerminal: Bool
  /// Whether standard error is a terminal.
  public var isErrorTerminal: Bool
  /// In columns.
  public var width: Int
  /// In lines.
  public var height: Int
  /// Whether standard output gets colour.
  public var usesColor: Bool
  /// Whether the locale can show more than ASCII.
  public var usesUnicode: Bool
  /// The requested treatment of text from outside.
  public var text = Sanitizing.Choice.safe
  /// The language of the user; nil is English.
  public var translation: Translation?

  /// A terminal with the given properties; by default a pipe.
  public init(
    isInputTerminal: Bool = false, isOutputTerminal: Bool = false, isErrorTerminal: Bool = false, width: Int = 80,
    height: Int = 24, usesColor: Bool = false, usesUnicode: Bool = true
  ) {
    self.isInputTerminal = isInputTerminal
    self.isOutputTerminal = isOutputTerminal
    self.isErrorTerminal = isErrorTerminal
    self.width = width
    self.height = height
    self.usesColor = usesColor
    self.usesUnicode = usesUnicode
  }

  /// Whether tab-separated lines get colour: only those in a pipe, with `--color always`.
  public var stylesLines: Bool { usesColor && !isOutputTerminal }

  /// The sanitizing of text from outside on standard output.
  public var sanitizing: Sanitizing { Sanitizing(isForTerminal: isOutputTerminal, choice: text) }

  /// The terminal of this process.
  ///
  /// `--color` takes precedence. Without it, color needs a terminal on standard output, an empty `NO_COLOR`, and a
  /// `TERM` that names a kind of terminal other than `dumb`. `COLUMNS` and `LINES` override the size that the terminal
  /// reports.
  /// - Parameter languages: the available languages besides English.
  public static func detect(
    environment: [String: String], colorOption: ColorOption = .auto, languages: @autoclosure () -> [SpokenLanguage] = []
  ) -> Terminal {
    var terminal = detect(
      environment: environment, colorOption: colorOption, isTerminal: { isatty($0) == 1 }, size: Terminal.size)
    // A terminal that cannot show the letters of the language gets English.
    if terminal.usesUnicode {
      terminal.translation = LocaleSetting(environment: environment).spoken(of: languages())?.translation()
    }
    return terminal
  }

  static func detect(
    environment: [String: String], colorOption: ColorOption, isTerminal: (Int32) -> Bool,
    size: () -> (width: Int, height: Int)?
  ) -> Terminal {
    var terminal = Terminal(
      isInputTerminal: isTerminal(STDIN_FILENO), isOutputTerminal: isTerminal(STDOUT_FILENO),
      isErrorTerminal: isTerminal(STDERR_FILENO))
    let found = terminal.isOutputTerminal || terminal.isErrorTerminal ? size() : nil
    terminal.width = positive(environment["COLUMNS"]) ?? found?.width ?? 80
    terminal.height = positive(environment["LINES"]) ?? found?.height ?? 24
    terminal.usesUnicode = usesUnicode(environment)
    terminal.usesColor =
      switch colorOption {
      case .always: true
      case .never: false
      case .auto:
        terminal.isOutputTerminal && environment["NO_COLOR"] ?? "" == "" && namesKind(environment)
      }
    return terminal
  }

  /// Whether `TERM` names a kind of terminal that may show colour. Of an unnamed kind nothing is known.
  private static func namesKind(_ environment: [String: String]) -> Bool {
    !["", "dumb", "unknown"].contains(environment["TERM"] ?? "")
  }

  /// A number of cells worth believing.
  private static func positive(_ text: String?) -> Int? {
    text.flatMap(Int.init).flatMap { (1...10_000).contains($0) ? $0 : nil }
  }

  /// The first non-empty one of `LC_ALL`, `LC_CTYPE` and `LANG` decides; without any, Unicode is assumed.
  private static func usesUnicode(_ environment: [String: String]) -> Bool {
    let names = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }
    guard let locale = names.first(where: { !$0.isEmpty }) else { return true }
    return locale != "C" && locale != "POSIX"
  }

  /// The size that the terminal on standard output, or else on standard error, reports.
  static func size() -> (width: Int, height: Int)? {
    for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
      var size = winsize()
      if ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 {
        return (Int(size.ws_col), Int(size.ws_row))
      }
    }
    return nil
  }
}
