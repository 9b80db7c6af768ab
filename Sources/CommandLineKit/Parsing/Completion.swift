/// The shell completions of the word being typed.
///
/// The scripts of `completion` do not know the program's commands. At every TAB they ask the program itself:
///
///     catalog completion --candidates -- card add --sta
///
/// The words after `--` are those before the cursor, the last one being typed. The answer is a ``text(adding:)``.
public struct Completion: Hashable, Sendable {
  /// A matching word with its description.
  public struct Candidate: Hashable, Sendable {
    /// The word to insert.
    public var word: String
    /// The description; may be empty.
    public var help: String

    public init(_ word: String, _ help: String = "") {
      self.word = word
      self.help = help
    }
  }

  /// The candidates from the program's declarations.
  public var candidates: [Candidate] = []
  /// The name of the candidates that only the running program can find: ``CompletionKind/dynamic(_:)``.
  public var wanted: String?
  /// The values of the earlier options, by option name.
  public var given: [String: [String]] = [:]
  /// The typed part of the value.
  public var prefix = ""
  /// The part of the word before the value: `--genre=`.
  var lead = ""
  /// Whether file names are accepted.
  var takesFiles = false

  /// The answer to the script: one word per line, with an optional tab and description. A line that begins with a tab
  /// asks the shell to complete file names.
  public func text(adding found: [Candidate] = []) -> String {
    var text = takesFiles ? "\tfiles\n" : ""
    for candidate in candidates + found where !candidate.word.isEmpty {
      text += lead + candidate.word.sanitized + (candidate.help.isEmpty ? "" : "\t" + candidate.help.sanitized) + "\n"
    }
    return text
  }

  /// The command line that a script asks about, when `words` are such a question.
  static func line(askedBy words: [String]) -> ArraySlice<String>? {
    let question = ["completion", "--candidates", "--"]
    return words.starts(with: question) ? words.dropFirst(question.count) : nil
  }
}

extension Program where Globals: OptionGroup {
  /// Completes the last of these words. The options of the program are taken from the words before it.
  func complete(_ words: ArraySlice<String>) -> Invocation<Globals, Context> {
    var line = UnfinishedLine(program: self)
    for word in words.dropLast() { line.read(word) }
    let completion = line.completion(of: words.last ?? "")
    return Invocation(globals: line.globals, path: line.path, action: .complete(completion))
  }
}

/// The words before the cursor. Mistakes in them are ignored, so that completion still works.
private struct UnfinishedLine<Globals: OptionGroup, Context> {
  let program: Program<Globals, Context>
  var globals = Globals()
  var path: [String] = []
  private var node: CommandNode<Context>
  /// The values of the options read so far, by option name.
  private var given: [String: [String]] = [:]
  /// The number of positional words.
  private var place = 0
  /// The option whose value comes next.
  private var pending: ArgumentInfo?
  /// Whether `--` was read.
  private var isLiteral = false
  private let globalArguments = Globals.arguments

  init(program: Program<Globals, Context>) {
    self.program = program
    node = program.root
  }

  // MARK: Before the cursor

  mutating func read(_ word: String) {
    if let option = pending {
      pending = nil
      keep(option, word)
    } else if isLiteral {
      place += 1
    } else if word == "--" {
      isLiteral = true
    } else if word.hasPrefix("--") {
      let (option, value) = parts(of: word)
      guard let option, option.kind == .option else { return }
      if value == nil, !option.isValueOptional { pending = option } else { keep(option, value.map { String($0) }) }
    } else if word.hasPrefix("-"), word != "-", position?.isTerm(word) != true {
      readShort(word)
    } else if place == 0, let child = node.child(called: word) {
      node = child
      path.append(child.description.name)
    } else {
      place += 1
    }
  }

  /// `-n value`, `-nvalue`, or flags in a bundle: `-abc`.
  private mutating func readShort(_ word: String) {
    var rest = word.dropFirst()
    while let letter = rest.popFirst() {
      guard let option = options.first(where: { $0.short == letter }) else { return }
      guard option.kind == .option else { continue }
      if rest.isEmpty, !option.isValueOptional { pending = option } else { keep(option, String(rest)) }
      return
    }
  }

  /// Notes an option; one of the program is stored, so that the right catalog is asked.
  private mutating func keep(_ option: ArgumentInfo, _ value: String?) {
    if let value { given[option.name, default: []].append(value) }
    func isIt(_ other: ArgumentInfo) -> Bool { other.kind == option.kind && other.name == option.name }
    guard !node.arguments.contains(where: isIt), let argument = globalArguments.first(where: { isIt($0.info) }) else {
      return
    }
    try? argument.assign(&globals, value, true)
  }

  /// The option of a word `--name` or `--name=value`, and the value.
  private func parts(of word: String) -> (option: ArgumentInfo?, value: Substring?) {
    let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    return (options.first { $0.name == parts[0] }, parts.count > 1 ? parts[1] : nil)
  }

  private var options: [ArgumentInfo] {
    node.arguments.filter { $0.kind != .positional } + globalArguments.map { $0.info }
  }

  // MARK: At the cursor

  func completion(of typed: String) -> Completion {
    if let pending { return values(of: pending, typed) }
    if !isLiteral, typed.hasPrefix("--"), let equals = typed.firstIndex(of: "=") {
      let (option, value) = parts(of: typed)
      guard let option, option.kind == .option, let value else { return Completion() }
      var completion = values(of: option, String(value))
      completion.lead = String(typed[...equals])
      return completion
    }
    if !isLiteral, typed.hasPrefix("-"), position?.isTerm(typed) != true { return names(typed) }
    var completion = position.map { values(of: $0, typed) } ?? Completion(prefix: typed)
    if place == 0, !isLiteral {
      let commands = node.children.map { $0.description }.filter { !$0.isHidden && $0.name.hasPrefix(typed) }
      completion.candidates.insert(contentsOf: commands.map { .init($0.name, $0.summary) }, at: 0)
    }
    return completion
  }

  /// The argument for the word at the cursor, when it is no option.
  private var position: ArgumentInfo? {
    let positions = node.arguments.filter { $0.kind == .positional }
    if place < positions.count { return positions[place] }
    return positions.last.flatMap { $0.isRepeated ? $0 : nil }
  }

  /// The names of options that begin so.
  private func names(_ typed: String) -> Completion {
    let own = node.arguments.filter { !$0.isHidden && $0.kind != .positional }
    let names = (own + program.globalInfos(atRoot: path.isEmpty)).map { ("--\($0.name)", $0.help) }
    return Completion(candidates: names.filter { $0.0.hasPrefix(typed) }.map { .init($0, $1) }, prefix: typed)
  }

  /// The completions of an argument's value.
  private func values(of argument: ArgumentInfo, _ typed: String) -> Completion {
    var completion = Completion(prefix: typed)
    switch argument.completion {
    case .none: break
    case .files: completion.takesFiles = true
    case .values(let words):
      completion.candidates = words.filter { $0.hasPrefix(typed) }.map { .init($0) }
    case .dynamic("help"):
      let commands = program.root.children.map { $0.description }.filter { !$0.isHidden }
      let pages =
        commands.map { ($0.name, $0.summary) } + program.topics.map { ($0.name, $0.summary) }
        + program.ownPages.map { ($0, "") }
      completion.candidates = pages.filter { $0.0.hasPrefix(typed) }.map { .init($0, $1) }
    case .dynamic(let name):
      completion.wanted = name
      completion.given = given
    }
    return completion
  }
}
