extension Program where Globals: OptionGroup {
  /// Parses `words`, the command line without the program's name.
  public func parse(_ words: [String]) throws(UsageError) -> Invocation<Globals, Context> {
    // The version does not need the list of commands, which is not even made.
    if asksForVersion(words.first) { return printVersion(Globals()) }
    if let line = Completion.line(askedBy: words) { return complete(line) }
    var parsing = Parsing(program: self, words: words[...])
    do {
      return try parsing.invocation()
    } catch {
      let command = ([name] + parsing.path).joined(separator: " ")
      var wrong = UsageError(error.message, hint: error.hint ?? "see '\(command) --help'")
      wrong.problem = error.problem
      throw wrong
    }
  }

  private func asksForVersion(_ word: String?) -> Bool { word == "--version" || word == "-V" }

  private func printVersion(_ globals: Globals) -> Invocation<Globals, Context> {
    let line = "\(name) \(version)\n"
    return Invocation(globals: globals, path: [], action: .print { _ in line })
  }

  /// The state of parsing one command line.
  private struct Parsing {
    let program: Program
    var words: ArraySlice<String>
    var path: [String] = []
    var globals = Globals()
    let globalArguments = Globals.arguments

    init(program: Program, words: ArraySlice<String>) {
      self.program = program
      self.words = words
    }

    mutating func invocation() throws(UsageError) -> Invocation<Globals, Context> {
      var node = program.root
      while case .group(let group) = node {
        try ArgumentMatcher.matchLeading(&words, with: globalArguments.map { $0.info })
          .assign(to: &globals, with: globalArguments)
        guard let word = words.first, !word.hasPrefix("-"), let child = node.child(called: word) else {
          return try invocation(of: group)
        }
        words.removeFirst()
        path.append(child.description.name)
        node = child
      }
      if asksForHelp { return print(program.help(at: path)) }
      switch node {
      case .command(let command): return try run(command)
      case .builtIn(let builtIn): return try run(builtIn)
      case .group(let group): return try invocation(of: group)
      }
    }

    /// Whether `--help` is among the words. No option takes a value that looks like an option, so it is never a value.
    private var asksForHelp: Bool {
      words.prefix { $0 != "--" }.contains { $0 == "--help" || $0 == "-h" }
    }

    /// A group without a sub-command: its default, or an explanation.
    private mutating func invocation(
      of group: CommandGroup<Context>
    ) throws(UsageError) -> Invocation<Globals, Context> {
      if asksForHelp { return print(program.help(at: path)) }
      if path.isEmpty, program.asksForVersion(words.first) { return program.printVersion(globals) }
      let names = group.children.map { $0.description }.filter { !$0.isHidden }.map(\.name)
      let label = path.joined(separator: " ")
      guard let word = words.first, !word.hasPrefix("-"), !group.defaultTakesWords else {
        if let command = group.defaultCommand { return try run(command) }
        if let option = words.first { throw unknownOption(option) }
        if path.isEmpty { return print(program.help(at: [])) }
        throw UsageError(
          "\(label.quoted) needs a sub-command", hint: "one of \(names.joined(separator: ", "))")
      }
      let called = path + [word]
      throw UsageError(
        "unknown command \(called.joined(separator: " ").quoted)" + meant(by: word, among: names),
        hint: path.isEmpty ? nil : "one of \(names.joined(separator: ", "))")
    }

    /// `; did you mean 'report'?` for a word that is no command.
    private func meant(by word: String, among names: [String]) -> Message {
      if path.isEmpty, let known = program.synonyms[word.lowercased()] {
        return "; did you mean \(known.quoted)?"
      }
      return Suggestion.phrase(for: word, among: names, before: path.map { $0 + " " }.joined())
    }

    /// The error for an option where a command was expected.
    private func unknownOption(_ option: String) -> UsageError {
      do {
        _ = try ArgumentMatcher.match([option], with: globalArguments.map { $0.info })
        return UsageError("unknown option \(option.quoted)")
      } catch {
        return error
      }
    }

    private mutating func run(_ command: AnyCommand<Context>) throws(UsageError) -> Invocation<Globals, Context> {
      let own = try match(command.arguments)
      return Invocation(globals: globals, path: path, action: .run(try command.command(from: own)))
    }

    /// Matches the remaining words with a command's arguments and the program's options, and stores the latter.
    private mutating func match(_ arguments: [ArgumentInfo]) throws(UsageError) -> [ArgumentMatch] {
      let all = arguments + globalArguments.map { $0.info }
      var own: [ArgumentMatch] = []
      var common: [ArgumentMatch] = []
      for match in try ArgumentMatcher.match(words, with: all) {
        if match.index < arguments.count {
          own.append(match)
        } else {
          common.append(ArgumentMatch(index: match.index - arguments.count, value: match.value))
        }
      }
      try common.assign(to: &globals, with: globalArguments)
      return own
    }

    private mutating func run(_ builtIn: BuiltIn) throws(UsageError) -> Invocation<Globals, Context> {
      let own = try match(builtIn.arguments)
      let program = program
      switch builtIn {
      case .manual:
        var request = ManualRequest()
        try own.assign(to: &request, with: ManualRequest.arguments)
        if request.lists { return print { _ in program.manualPages.map { $0 + "\n" }.joined() } }
        let page = try program.manual(request.page, date: request.date)
        return print { page($0.translation) }
      case .help:
        var request = HelpRequest()
        try own.assign(to: &request, with: HelpRequest.arguments)
        return print(try program.help(for: request.words))
      case .completion:
        var request = CompletionRequest()
        try own.assign(to: &request, with: CompletionRequest.arguments)
        let shell = request.shell
        return print { _ in program.completionScript(for: shell) }
      }
    }

    private func print(_ text: @escaping @Sendable (Terminal) -> String) -> Invocation<Globals, Context> {
      Invocation(globals: globals, path: path, action: .print(text))
    }
  }
}
