extension Program where Globals: OptionGroup {
  /// The page about the node that a path leads to, for a terminal.
  func help(at path: [String]) -> @Sendable (_ terminal: Terminal) -> String {
    { terminal in
      var page = HelpText(on: terminal)
      if path.isEmpty {
        firstSteps.isEmpty ? writeOverview(to: &page) : writeFirstSteps(to: &page)
      } else if let (path, node) = find(path) {
        write(node, at: path, to: &page)
      }
      return page.text
    }
  }

  /// The page that `help WORDS…` asks for: a topic or a command. Of a topic and a command of one name it is the topic,
  /// since `NAME --help` asks for the command.
  func help(for words: [String]) throws(UsageError) -> @Sendable (_ terminal: Terminal) -> String {
    if words == [Self.allPages] || words == [Self.optionsPage] {
      return { terminal in
        var page = HelpText(on: terminal)
        words == [Self.allPages] ? writeOverview(to: &page) : writeOptions(to: &page)
        return page.text
      }
    }
    if words.count == 1, let topic = topics.first(where: { $0.name == words[0] }) {
      return { terminal in
        var page = HelpText(on: terminal)
        page.paragraphs(topic.summary)
        page.paragraph(topic.text)
        page.seeAlso(topic.commands.map { "\(name) \($0) --help" })
        return page.text
      }
    }
    if find(words) != nil { return help(at: words) }
    let asked = words.joined(separator: " ")
    if let known = synonyms[asked.lowercased()] { return help(at: known.split(separator: " ").map(String.init)) }
    let pages = pages(withWord: asked)
    guard !pages.isEmpty else {
      let names = commandPaths().map { $0.path.joined(separator: " ") } + topics.map(\.name) + ownPages
      throw UsageError("there is no help about \(asked.quoted)" + Suggestion.phrase(for: asked, among: names))
    }
    return { terminal in
      var page = HelpText(on: terminal)
      page.list("Pages with this word", pages.map { ("\(name) help \($0.name)", page.said($0.summary)) })
      return page.text
    }
  }

  /// The pages of help that have a word, in any case, or its plural: commands, then topics.
  private func pages(withWord word: String) -> [(name: String, summary: String)] {
    func hasWord(_ page: (Terminal) -> String) -> Bool {
      let text = page(Terminal()).lowercased()
      return text.ranges(of: word.lowercased()).contains { range in
        let rest = text[range.upperBound...]
        let end = rest.first == "s" ? rest.dropFirst() : rest
        return text[..<range.lowerBound].last?.isLetter != true && end.first?.isLetter != true
      }
    }
    let commands = commandPaths().filter { hasWord(help(at: $0.path)) }.map { path, node in
      (path.joined(separator: " "), node.description.summary)
    }
    let topics = topics.filter { topic in hasWord { _ in topic.text.text(in: nil) } }.map { ($0.name, $0.summary) }
    return commands + topics
  }

  /// Every node below the root that is not hidden, parents first.
  func commandPaths() -> [(path: [String], node: CommandNode<Context>)] {
    func below(_ node: CommandNode<Context>, _ path: [String]) -> [(path: [String], node: CommandNode<Context>)] {
      node.children.filter { !$0.description.isHidden }.flatMap { child in
        let path = path + [child.description.name]
        return [(path, child)] + below(child, path)
      }
    }
    return below(root, [])
  }

  /// The options of the whole program that are not hidden, with `--help` and, at the root, `--version`.
  func globalInfos(atRoot: Bool) -> [ArgumentInfo] {
    let help = ArgumentInfo(kind: .flag, name: "help", short: "h", valueName: "", help: "Show this help.")
    let version = ArgumentInfo(kind: .flag, name: "version", short: "V", valueName: "", help: "Print the version.")
    return Globals.arguments.map { $0.info }.filter { !$0.isHidden } + [help] + (atRoot ? [version] : [])
  }

  /// The pages of help about the program itself.
  private static var allPages: String { "all" }
  private static var optionsPage: String { "options" }
  var ownPages: [String] { [Self.allPages, Self.optionsPage] }

  private func writeFirstSteps(to page: inout HelpText) {
    page.paragraphs(summary)
    let steps = firstSteps
    let columns = HelpText.columns(of: steps.flatMap(\.steps).map { [$0.command, page.said($0.summary)] })
    page.separate()
    for part in steps {
      page.rows(part.heading, part.steps.map { [$0.command, page.said($0.summary), $0.example] }, columns)
    }
    page.paragraphs(discussion)
    page.paragraph("'\(name) COMMAND --help' explains one, '\(name) help all' lists the rest.")
  }

  /// The first options of every command whose names are short, on one line.
  private var everywhere: String {
    globalInfos(atRoot: false).map { $0.short.map { "-\($0)" } ?? "--\($0.name)" }.filter { $0.utf8.count < 10 }
      .prefix(7).joined(separator: " ")
  }

  /// The word for the name of the program in texts of the kit.
  static var ownName: String { "PROGRAM" }

  /// A text in the language of the page, with the name of the program.
  private func said(_ text: String, on page: HelpText) -> String {
    page.said(text).replacing(Self.ownName, with: name)
  }

  private func writeOptions(to page: inout HelpText) {
    page.paragraphs("Options of every command, before its name or behind it.")
    page.list("Options", globalInfos(atRoot: true).map { page.entry($0) })
  }

  private func writeOverview(to page: inout HelpText) {
    page.paragraphs(summary)
    page.usage(name, ["[OPTION…]", "COMMAND", "…"])
    if firstSteps.isEmpty { page.paragraphs(discussion) }
    let lists = sections.map { section in
      (
        section.heading,
        section.commands.map { $0.description }.filter { !$0.isHidden }.map { ($0.name, page.said($0.summary)) }
      )
    }
    let column = HelpText.column(for: lists.flatMap(\.1).map(\.0) + topics.map(\.name))
    for (heading, entries) in lists { page.list(heading, entries, column: column) }
    page.list("Options", globalInfos(atRoot: true).map { page.entry($0) })
    page.list("Topics of help", topics.map { ($0.name, page.said($0.summary)) }, column: column)
    page.examples(examples)
    page.paragraph("'\(name) help WORD' explains a command or a topic.")
  }

  private func write(_ node: CommandNode<Context>, at path: [String], to page: inout HelpText) {
    let description = node.description
    let arguments = node.arguments.filter { !$0.isHidden }
    page.paragraphs(description.summary)
    page.usage(([name] + path).joined(separator: " "), node.usage)
    page.paragraph(Message(verbatim: said(description.discussion, on: page)))
    if !description.aliases.isEmpty {
      page.paragraph("Also called \(description.aliases.map(\.quoted).joined(separator: ", ")).")
    }
    page.list(
      "Commands",
      node.children.map { $0.description }.filter { !$0.isHidden }.map { ($0.name, page.said($0.summary)) })
    page.list("Arguments", arguments.filter { $0.kind == .positional }.map { page.entry($0) })
    for (heading, group) in arguments.optionGroups {
      page.list(heading, group.map { page.entry($0) })
    }
    page.paragraph("Everywhere: \(everywhere) …: \(name) help options")
    page.examples(description.examples)
    page.seeAlso(topics.filter { $0.commands.contains(path[0]) }.map { "\(name) help \($0.name)" })
  }
}

extension CommandNode {
  /// The parts of the usage line after the name.
  var usage: [String] {
    let arguments = arguments.filter { !$0.isHidden }
    let options = arguments.filter { $0.kind != .positional }
    let hasFreeOptions = options.contains { !$0.isRequired }
    let own =
      (hasFreeOptions ? ["[OPTION…]"] : []) + options.filter(\.isRequired).map(\.usage)
      + arguments.filter { $0.kind == .positional }.map(\.usage)
    if case .group(let group) = self, !group.defaultTakesWords {
      return group.defaultCommand == nil ? ["COMMAND", "…"] : ["[COMMAND]", "…"]
    }
    return own
  }
}

extension [ArgumentInfo] {
  /// The options under their headings, in the order in which the headings first come.
  var optionGroups: [(heading: String, options: [ArgumentInfo])] {
    var groups: [(heading: String, options: [ArgumentInfo])] = []
    for argument in self where argument.kind != .positional {
      let heading = argument.heading ?? "Options"
      if let index = groups.firstIndex(where: { $0.heading == heading }) {
        groups[index].options.append(argument)
      } else {
        groups.append((heading, [argument]))
      }
    }
    return groups
  }
}

extension ArgumentInfo {
  /// `-y, --year YEAR`.
  var helpName: String { kind == .positional ? valueName : (short.map { "-\($0), " } ?? "    ") + usage }

  /// The help, followed by the choices unless it names them itself.
  func helpWithChoices(in translation: Translation?) -> String {
    let sentence = Message.text(of: help, in: translation)
    guard case .values(let choices) = completion else { return sentence }
    let words = Set(help.split { !($0.isLetter || $0.isNumber || $0 == "-" || $0 == "+") }.map(String.init))
    if words.isSuperset(of: choices) { return sentence }
    return ("\(sentence) One of \(choices.joined(separator: ", "))." as Message).text(in: translation)
  }
}
