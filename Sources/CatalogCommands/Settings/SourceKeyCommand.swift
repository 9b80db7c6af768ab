internal import CommandLineKit
internal import Lookup
internal import Processes

/// `catalog source key NAME`: stores the key of a source.
struct SourceKeyCommand: WritingCommand {
  static let info = CommandInfo<Self>(
    "key", summary: "Store the key of a source.",
    discussion: """
      You type the key at the terminal, which does not show it, or it is read from standard input: never from an \
      argument, which other users could see. It is stored in the settings file, which only you can read ('catalog \
      config path'). With --command only the program that prints the key is stored, such as a password manager; it is \
      started directly, without a shell, whenever the source is asked. Environment variables take precedence over \
      both: see 'catalog help environment'.
      """,
    examples: [
      Example("catalog source key tmdb", "Asks for the key of TMDB and stores it."),
      Example("pass show tmdb | catalog source key tmdb", "Stores the first line of standard input."),
      Example("catalog source key tmdb --command \"pass show tmdb\"", "Asks the password manager each time."),
      Example("catalog source key tmdb --remove", "Removes it."),
    ],
    arguments: [
      .positional("source", \.source, completion: .dynamic("keyed-sources"), help: "The source that the key is for."),
      .positional("key", \.words, isRequired: false, help: "Not accepted here: the key is asked for.").hidden,
      .option("command", short: "c", \.command, value: "PROGRAM", help: "The program that prints the key."),
      .flag("remove", \.removes, help: "Remove the key, or the program that prints it."),
    ])

  var source = Source.pack
  var words: [String] = []
  var command: String?
  var removes = false
  var result = ResultOptions()

  func validate() throws(UsageError) {
    guard words.isEmpty else {
      throw UsageError(
        "a key cannot be an argument, which other users could see",
        hint:
          "type 'catalog source key \(source.id)' alone and then the key; your shell may have kept what you typed now")
    }
    if removes && command != nil { throw UsageError("--remove and --command exclude each other") }
    if let command, Spawn.words(of: command).isEmpty {
      throw UsageError("the program is empty", hint: "for example: --command \"pass show tmdb\"")
    }
  }

  func run(in context: Context) throws {
    guard let need = source.key else { throw Failure("\(source.name) needs no key") }
    let path = try context.configurationPath()
    let configuration = try context.configuration()
    var key: String?
    var done: Message = "the key of \(source.name) is kept in \(path.quoted)"
    if removes {
      guard configuration.key(of: source) != nil || configuration.keyCommand(of: source) != nil else {
        return context.already(
          "no key of \(source.name) is kept in \(path.quoted)", Change(.done, [("source", source.id)]))
      }
      done = "the key of \(source.name) was removed"
    } else if let command {
      // A program that does not work now is not stored.
      if !context.globals.isDryRun { _ = try context.key(printedBy: command, for: source) }
      done = "the key of \(source.name) now comes from \(Spawn.words(of: command)[0].quoted)"
    } else {
      key = try self.key(of: source, need, in: context)
    }
    context.changes?.append(
      Change(
        context.globals.isDryRun ? .planned : .done,
        [("source", source.id), ("key", removes ? "missing" : "kept")]))
    if context.globals.isDryRun { return context.note("would write \(path.quoted)") }
    try Configuration.change(at: path) { $0.setKey(of: source, to: key, command: command) }
    context.warn(removes ? done : "\(done); try it: catalog source test \(source.id)")
    if case .environment(let variable) = try context.keyOrigin(of: source) {
      context.warn("\(variable) is set, and takes precedence")
    }
  }

  /// Reads the key from the terminal or standard input.
  private func key(of source: Source, _ need: KeyRequirement, in context: Context) throws -> String {
    let terminal = context.terminal
    let typed: String?
    if terminal.isInputTerminal {
      guard terminal.isErrorTerminal else {
        throw Failure(
          "the key cannot be asked for: standard error is not a terminal",
          hint: "pipe it in: pass show \(source.id) | catalog source key \(source.id)", status: .misused)
      }
      context.note("\(source.name) is asked with its \(need.name): \(need.page)")
      typed = try context.prompt.readSecret("Key (it is not shown):", option: "--command")
    } else {
      typed = try context.readLine()
    }
    try Interrupt.check()
    guard let typed, !typed.allSatisfy(\.isWhitespace) else {
      throw Failure("no key was given; nothing was changed", hint: "get one at \(need.page)")
    }
    guard let key = KeyRequirement.key(in: typed) else {
      throw Failure(
        "that is not a key; nothing was changed", hint: "a key is one word of visible characters", status: .misused)
    }
    return key
  }
}
