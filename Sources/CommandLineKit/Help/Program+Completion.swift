extension Program {
  /// The script that teaches a shell to complete this program's command lines.
  ///
  /// The three scripts are alike: two look-up tables made of the declarations, and a function that walks the words
  /// before the cursor to find the command and what is wanted. What only the running program knows, it is asked:
  /// `catalog completion --candidates NAME -- PREFIX`.
  public func completionScript(for shell: Shell) -> String {
    let table = CompletionTable(self)
    return switch shell {
    case .bash: table.bash()
    case .zsh: table.zsh()
    case .fish: table.fish()
    }
  }
}

/// What all shells need to know, in words and without types.
struct CompletionTable {
  /// A command or a group.
  struct Node {
    /// The names that lead to it, the program's first: `catalog card add`.
    var path: String
    /// All that can be typed for the last name: `catalog card add` and its aliases, each with the path before it.
    var spellings: [String]
    /// Names below it and what they do.
    var children: [(name: String, help: String)]
    /// Options with their dashes and what they do.
    var options: [(name: String, help: String)]
    /// What can stand where: after the names of options, and at places, written `@1`, or `@*` for all the rest.
    var values: [(keys: [String], action: String)]
  }

  /// The program's name.
  var name: String
  /// All nodes, the root first.
  var nodes: [Node]
  /// What can stand after the options of the whole program.
  var globalValues: [(keys: [String], action: String)]

  init<Globals, Context>(_ program: Program<Globals, Context>) {
    name = program.name
    let all = [(path: [], node: program.root)] + program.commandPaths()
    nodes = all.map { path, node in
      let own = node.arguments.filter { !$0.isHidden }
      let shown = own + program.globalInfos(atRoot: path.isEmpty)
      let parent = ([program.name] + path.dropLast()).joined(separator: " ")
      let names = [node.description.name] + node.description.aliases
      return Node(
        path: ([program.name] + path).joined(separator: " "),
        spellings: path.isEmpty ? [] : names.map { "\(parent) \($0)" },
        children: node.children.map(\.description).filter { !$0.isHidden }.map { ($0.name, $0.summary) },
        options: shown.filter { $0.kind != .positional }.map { ("--\($0.name)", $0.help) },
        values: CompletionTable.values(of: own))
    }
    globalValues = CompletionTable.values(of: program.globalInfos(atRoot: true))
  }

  private static func values(of arguments: [ArgumentInfo]) -> [(keys: [String], action: String)] {
    var place = 0
    return arguments.compactMap { argument in
      switch argument.kind {
      case .flag: return nil
      case .option: return (argument.spellings, (argument.isValueOptional ? "optional " : "") + argument.action)
      case .positional:
        place += 1
        return ([argument.isRepeated ? "@*" : "@\(place)"], argument.action)
      }
    }
  }

  /// The name of the shell function with a suffix: `_catalog_value`. A dash in the program's name becomes `_`.
  func function(_ suffix: String = "") -> String {
    "_" + String(name.map { $0.isLetter || $0.isNumber ? $0 : "_" }) + suffix
  }

  // MARK: Bash and zsh

  /// The two tables as functions in the language bash and zsh share.
  ///
  /// `…_child NODE WORD` sets `node` to the node below; `…_value NODE KEY` sets `action` to what can stand there.
  func tablesForBashAndZsh() -> String {
    func pattern(_ key: String) -> String {
      let (fixed, isOpen) = key.hasSuffix("*") ? (String(key.dropLast()), true) : (key, false)
      return Self.quoted(fixed) + (isOpen ? "*" : "")
    }
    var script = "\(function("_child"))() {\n  case \"$1 $2\" in\n"
    for node in nodes where !node.spellings.isEmpty {
      script += "  \(node.spellings.map(pattern).joined(separator: " | "))) node=\(Self.quoted(node.path)) ;;\n"
    }
    script += "  *) return 1 ;;\n  esac\n}\n\n\(function("_value"))() {\n  case \"$1 $2\" in\n"
    for node in nodes {
      for (keys, action) in node.values {
        let patterns = keys.map { pattern("\(node.path) \($0)") }
        script += "  \(patterns.joined(separator: " | "))) action=\(Self.quoted(action)) ;;\n"
      }
    }
    for (keys, action) in globalValues {
      let patterns = keys.map { "*" + pattern(" \($0)") }
      script += "  \(patterns.joined(separator: " | "))) action=\(Self.quoted(action)) ;;\n"
    }
    return script + "  *) return 1 ;;\n  esac\n}\n"
  }

  /// A word in single quotes, for bash and zsh.
  static func quoted(_ word: String) -> String {
    "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}

extension ArgumentInfo {
  /// `--year` and `-y`.
  fileprivate var spellings: [String] { ["--\(name)"] + (short.map { ["-\($0)"] } ?? []) }

  /// What can stand for the value, in the words of the scripts.
  fileprivate var action: String {
    switch completion {
    case .none: "none"
    case .files: "files"
    case .values(let words): "values " + words.joined(separator: " ")
    case .dynamic(let name): "dynamic " + name
    }
  }
}
