/// An argument without the type of its value: enough to parse, explain and complete it.
public struct ArgumentInfo: Sendable {
  /// The form of an argument.
  public enum Kind: Hashable, Sendable {
    /// By position: `catalog show 42`.
    case positional
    /// By name, with a value: `--year 1979`.
    case option
    /// By name, without a value: `--all`.
    case flag
  }

  public var kind: Kind
  /// The long name without dashes, or the name of the position.
  public var name: String
  /// The letter of its short form, without the dash.
  public var short: Character?
  /// The name of the value in usage lines: `YEAR`. Empty for a flag.
  public var valueName: String
  /// The effect of the argument, as a sentence.
  public var help: String
  /// The heading of its group in help; nil puts it below "Options".
  public var heading: String?
  /// The shell completion of its value.
  public var completion: CompletionKind = .none
  /// Whether the command cannot run without it.
  public var isRequired = false
  /// Whether it may be given more than once, each adding a value.
  public var isRepeated = false
  /// Whether all words together are one value, joined by spaces.
  public var isJoined = false
  /// Whether the option may be written without a value: `--json` or `--json=title,year`.
  public var isValueOptional = false
  /// The names of query terms that may be negated: with `genre`, `-genre:pop` is a value of this argument, not an
  /// option.
  public var termNames: (@Sendable () -> [String])?
  /// The sign between the name of a term and its value: `genre:pop`, `year=1959`.
  public var termSign: Character = ":"
  /// Whether a word that begins with a dash is a value of it all the same: `-year` behind `--sort`.
  public var isDashedValue: (@Sendable (String) -> Bool)?
  /// Whether help and completion keep silent about it.
  public var isHidden = false

  /// Whether a word is one of its terms, or a name behind an `@`, turned round by a dash: `-genre:pop`, `-@best`.
  func isTerm(_ word: String) -> Bool {
    guard let termNames else { return false }
    if word.hasPrefix("-@") { return true }
    guard let sign = word.firstIndex(of: termSign) else { return false }
    return termNames().contains(word[..<sign].dropFirst().lowercased())
  }

  /// The beginning of the term that was meant by an option of its name: `year:` for `--year`; nil where there is no
  /// such term.
  func term(meantBy option: some StringProtocol) -> String? {
    let name = option.drop { $0 == "-" }.lowercased()
    return kind == .positional && termNames?().contains(name) == true ? "\(name)\(termSign)" : nil
  }

  /// The name in messages: `option '--year'`, or `KIND` for a positional argument.
  public var label: Message { kind == .positional ? Message(verbatim: valueName) : "option '--\(name)'" }

  /// The form in a usage line: `KIND`, `[QUERY]`, `WORDS…`, `--year YEAR`, `--json[=FIELDS]`.
  public var usage: String {
    switch kind {
    case .positional:
      let value = valueName + (isRepeated ? "…" : "")
      return isRequired ? value : "[\(value)]"
    case .option: return "--\(name)" + (isValueOptional ? "[=\(valueName)]" : " \(valueName)")
    case .flag: return "--\(name)"
    }
  }
}
