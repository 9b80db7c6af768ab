internal import CommandLineKit

/// `catalog config …`: the settings.
enum ConfigCommands {
  static let group = CommandGroup<Context>(
    "config", summary: "See and change settings.",
    discussion:
      "Settings are stored in a small JSON file that only you can read: 'catalog config path' prints its path.",
    examples: [
      Example("catalog config set locale.country KR", "Asks the Korean shops from now on."),
      Example("catalog config list", "Every setting, with its value and what it does."),
    ],
    default: AnyCommand(ConfigListCommand.self),
    [
      .command(ConfigListCommand.self), .command(ConfigGetCommand.self), .command(ConfigSetCommand.self),
      .command(ConfigUnsetCommand.self), .command(ConfigPathCommand.self),
    ])
}

/// `catalog config list`: lists the settings.
struct ConfigListCommand: Command {
  static let info = CommandInfo<Self>(
    "list", aliases: ["ls"], summary: "List the settings.",
    discussion: "On a terminal, those of single sources that are not set are left out without '--all'.",
    examples: [
      Example("catalog config list", "The settings, with their values and what they do."),
      Example("catalog config list --all", "Those of each source too."),
    ],
    arguments: [.flag("all", short: "a", \.isAll, help: "The settings of single sources too.")]
      + TableOptions.arguments.lifted(\.table))

  var isAll = false
  var table = TableOptions()

  func run(in context: Context) throws {
    let configuration = try context.configuration()
    let table = try Table(
      Configuration.settings,
      [
        .init("setting", "Setting", importance: 9) { setting in
          Table.Cell(setting.name, style: configuration[setting.name] == nil ? .plain : .bold)
        },
        .init("value", "Value", isFlexible: true, importance: 8) { configuration[$0.name] },
        .init("help", "What it does", isFlexible: true, minimumWidth: 16) { context.cell($0.help, style: .dim) },
      ])
    guard self.table.format(on: context.terminal) == .fitted else {
      return try table.write(self.table, to: context.output, terminal: context.terminal)
    }
    let shown = Configuration.settings.filter {
      isAll || !$0.name.hasPrefix("sources.") || configuration[$0.name] != nil
    }
    let column = min(20, shown.map { $0.name.cellWidth + 2 }.max() ?? 0)
    for setting in shown {
      let value = configuration[setting.name].map(context.safe)
      // A sentence is not cut. What does not fit beside its name stands below it.
      var lines = context.text(setting.help).wrapped(to: max(20, context.terminal.width - column))
      if value == nil, setting.name.cellWidth + 2 <= column, !lines.isEmpty {
        let start = context.styled(verbatim: setting.name.padded(to: column), .bold)
        try context.print(verbatim: start + context.styled(verbatim: lines.removeFirst(), .dim))
      } else {
        let value = value.map { "  " + $0 } ?? ""
        try context.print(verbatim: context.styled(verbatim: setting.name, .bold) + value)
      }
      for line in lines {
        try context.print(verbatim: String(repeating: " ", count: column) + context.styled(verbatim: line, .dim))
      }
    }
    let hidden = Configuration.settings.count - shown.count
    if hidden > 0 {
      try context.print(
        Footnote("\(hidden.counted("setting", "settings")) of single sources", command: "catalog config --all"))
    }
  }
}

/// `catalog config get NAME`: prints a setting.
struct ConfigGetCommand: Command {
  static let info = CommandInfo<Self>(
    "get", summary: "Print the value of a setting.", discussion: "It ends with status 1 if the setting has no value.",
    examples: [Example("catalog config get locale.country", "Prints KR if it was set to that.")],
    arguments: [.positional("name", \.setting, help: "The setting.")])

  var setting = Configuration.Setting()

  func run(in context: Context) throws {
    let name = setting.name
    guard let value = try context.configuration()[name] else {
      throw Failure("\(name.quoted) is not set", hint: "set it: catalog config set \(name) VALUE")
    }
    try context.print(verbatim: context.safe(value))
  }
}

/// `catalog config set NAME VALUE`: changes a setting.
struct ConfigSetCommand: WritingCommand {
  static let info = CommandInfo<Self>(
    "set", summary: "Change a setting.",
    examples: [
      Example("catalog config set search.kinds movie,book", "'search' asks for these kinds from now on."),
      Example("catalog config set locale.country KR", "Asks the Korean shops from now on."),
    ],
    arguments: [
      .positional("name", \.setting, help: "The setting."),
      .positional("value", \.value, help: "Its new value."),
    ])

  var setting = Configuration.Setting()
  var value = ""
  var result = ResultOptions()

  func validate() throws(UsageError) {
    do { try setting.check(value) } catch let error as UsageError { throw error } catch {
      throw UsageError(Message(verbatim: "\(error)"))
    }
  }

  func run(in context: Context) throws { try context.change(setting, to: value) }
}

/// `catalog config unset NAME`: removes a setting.
struct ConfigUnsetCommand: WritingCommand {
  static let info = CommandInfo<Self>(
    "unset", summary: "Reset a setting to its default.",
    examples: [Example("catalog config unset locale.country", "The country comes from the environment again.")],
    arguments: [.positional("name", \.setting, help: "The setting.")])

  var setting = Configuration.Setting()
  var result = ResultOptions()

  func run(in context: Context) throws {
    guard try context.configuration()[setting.name] != nil else {
      return context.already("\(setting.name.quoted) is not set", Change(.done, [("setting", setting.name)]))
    }
    try context.change(setting, to: nil)
  }
}

/// `catalog config path`: prints the path of the settings.
struct ConfigPathCommand: Command {
  static let info = CommandInfo<Self>(
    "path", summary: "Print the path of the settings file.",
    examples: [Example("catalog config path", "The file need not exist yet.")])

  func run(in context: Context) throws { try context.print(verbatim: context.safe(try context.configurationPath())) }
}

extension Context {
  func configurationPath() throws -> String {
    guard let path = places.configuration else {
      throw Failure("there is no place for settings: HOME is not set", hint: "set HOME or XDG_CONFIG_HOME")
    }
    return path
  }

  fileprivate func change(_ setting: Configuration.Setting, to value: String?) throws {
    let path = try configurationPath()
    // A file that cannot be read is not overwritten.
    let isSame = try configuration()[setting.name] == value
    changes?.append(
      Change(globals.isDryRun ? .planned : isSame ? .already : .done, [("setting", setting.name), ("value", value)]))
    if globals.isDryRun { return note("would write \(path.quoted)") }
    try Configuration.change(at: path) { try $0.set(setting.name, to: value) }
  }
}
