import Glibc

/// When to write colour.
public enum ColorOption: String, CaseIterable, ArgumentValue {
  /// As the terminal and the environment say; always; never.
  case auto, always, never
}

/// What is known of the terminal, found out once when the program starts.
public struct Terminal: Hashable, Sendable {
  /// Whether standard input is typed by a person.
  public var isInputTerminal: Bool
  /// Whether standard output is read by a person.
  public var isOutputTerminal: Bool
  /// Whether standard error is read by a person.
  public var isErrorTerminal: Bool
  /// Columns.
  public var width: Int
  /// Lines.
  public var height: Int
  /// Whether standard output gets colour.
  public var usesColor: Bool
  /// Whether the locale can show more than ASCII.
  public var usesUnicode: Bool
  /// How text from elsewhere was asked for.
  public var text = Sanitizing.Choice.safe
  /// The language of whoever reads; nil is English.
  public var translation: Translation?

  /// A terminal as described; without arguments a pipe.
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

  /// What becomes of text from elsewhere on standard output.
  public var sanitizing: Sanitizing { Sanitizing(isForTerminal: isOutputTerminal, choice: text) }

  /// The terminal this process talks to.
  ///
  /// `--color` wins; otherwise colour needs a terminal on standard output, an empty `NO_COLOR`, and a `TERM` other
  /// than `dumb`. `COLUMNS` and `LINES` win over what the terminal says of itself.
  /// - Parameter languages: what is spoken beside English.
  public static func detect(
    environment: [String: String], colorOption: ColorOption = .auto, languages: @autoclosure () -> [SpokenLanguage] = []
  ) -> Terminal {
    var terminal = detect(
      environment: environment, colorOption: colorOption, isTerminal: { isatty($0) == 1 }, size: Terminal.size)
    // What cannot show its letters is spoken to in English.
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
        terminal.isOutputTerminal && environment["NO_COLOR"] ?? "" == "" && environment["TERM"] != "dumb"
      }
    return terminal
  }

  /// A number of cells worth believing.
  private static func positive(_ text: String?) -> Int? {
    text.flatMap(Int.init).flatMap { (1...10_000).contains($0) ? $0 : nil }
  }

  /// The first of `LC_ALL`, `LC_CTYPE` and `LANG` that says something decides; without any, today's terminals do.
  private static func usesUnicode(_ environment: [String: String]) -> Bool {
    let names = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }
    guard let locale = names.first(where: { !$0.isEmpty }) else { return true }
    return locale != "C" && locale != "POSIX"
  }

  /// What the terminal on standard output, or else on standard error, says of its size.
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
